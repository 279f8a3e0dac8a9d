/* From a matrix of equal cells to what is near: how near each group of outputs comes to each group of expected grids.
 *
 * A group of outputs is what one program made of all inputs; a group of expected grids is what one task wants. Where
 * grids come from a file, each is a group of its own. Prints nothing.
 *
 * How near two grids are is the number of cells that they have in common, divided by the number of cells that either
 * has: 1 if and only if they are equal. A group of outputs comes as near to an expected grid as the nearest of its
 * outputs.
 */
#ifndef ARCL_SIMILAR_RANK_H
#define ARCL_SIMILAR_RANK_H
#include "arcl.h"

/* Grids, and the groups that they are in: group g has grids first[g] to first[g + 1]. */
typedef struct similar_side {
    const arcl_grid *grids;
    const char *const *labels; /* of the grids, within their groups */
    uint32_t count;
    const char *const *names; /* of the groups */
    const uint32_t *first;
    uint32_t groups;
} similar_side;

typedef struct similar_pair {
    const char *output, *expected; /* labels */
    uint32_t cells, all;           /* in common, and of either */
    int same_shape;
} similar_pair;

/* How near a group of outputs comes to a group of expected grids. */
typedef struct similar_entry {
    const char *output, *expected; /* names of the groups */
    double mean;                   /* over the expected grids */
    double own;                    /* the same, with each grid's own output only; below 0: there are none */
    uint32_t grids, equal;         /* the expected grids of the group, and how many of them some output is equal to */
    similar_pair nearest;
} similar_entry;

#define SIMILAR_NO_OWN UINT32_MAX

/* One group of outputs, which has one at least: `counts` is its part of the matrix. own[j] is which of the group's
 * outputs is the one that expected grid j is the answer to, or SIMILAR_NO_OWN; own may be NULL. entries has room for
 * one entry per group of expected grids. */
typedef struct similar_row {
    const char *name;
    const arcl_grid *grids;
    const char *const *labels;
    uint32_t count;
    const uint32_t *own;
    const uint32_t *counts;
} similar_row;
void similar_rank(const similar_row *row, const similar_side *expected, similar_entry *entries);

/* Puts an entry into a list of the best, if it is good enough: the greatest mean first, and earlier ones first among
 * equals. The list has room for `most`. */
void similar_keep(similar_entry *best, uint32_t *count, uint32_t most, const similar_entry *entry);

#endif
