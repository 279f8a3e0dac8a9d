/* Libraries from inside.
 *
 *   library.c        libraries for users: what they hold, and its order
 *   library_learn.c  from trees
 *   library_json.c   as text
 */
#ifndef ARCL_LIBRARY_INSIDE_H
#define ARCL_LIBRARY_INSIDE_H
#include "tree/tree.h"

#define PATTERN_LETTERS "abcd"

typedef struct kept_pattern {
    arcl_tree *tree;
    arcl_key key; /* of the tree */
    int holes;
    arcl_type hole[ARCL_PATTERN_HOLES], result;
    uint32_t count;
} kept_pattern;

struct arcl_library {
    arcl_dialect dialect;
    int programs;
    kept_pattern *pattern;
    int patterns;
    uint32_t pattern_room;
    arcl_use *use;
    int uses;
    uint32_t use_room;
    uint64_t lines;  /* that patterns were made of: the sum of their counts */
    uint32_t *slot;  /* patterns by key and types, hashed: number + 1, or 0 */
    uint32_t *found; /* uses likewise */
    uint32_t slots, found_slots;
};

arcl_library *library_create(arcl_dialect dialect); /* NULL when there is no memory */

/* Counts a pattern, which takes the tree over, or a use; 0 when there is no memory, and the tree is the caller's. */
int library_count_pattern(arcl_library *l, kept_pattern p);
int library_count_use(arcl_library *l, arcl_use u);

/* Puts everything in its order, when all is counted. */
void library_sort(arcl_library *l);

#endif
