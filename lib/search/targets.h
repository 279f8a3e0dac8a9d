/* Grids that an output can be made of by a call or two, such as its mirror image or its left half, found by undoing the
 * calls. A value that is such a grid for every train example is an answer, with these calls after it. */
#ifndef ARCL_TARGETS_H
#define ARCL_TARGETS_H
#include "search/search_state.h"

typedef struct goal_grid {
    uint64_t key; /* of the train lanes */
    int finish;   /* the way from it to the one before; -1: this is the output itself */
    uint32_t before;
    int depth;
} goal_grid;

typedef struct target_set {
    goal_grid *at;
    uint32_t count, room;
    key_table known;
    arcl_tree **finish; /* ways, as trees of one parameter */
    int finishes;
} target_set;

ARCL_CHECKED arcl_status targets_create(search_state *s, target_set *t, arcl_error *error);
void targets_free(target_set *t);

/* Puts calls after a grid of a tree, so that it becomes the output. */
ARCL_CHECKED arcl_status targets_finish(const target_set *t, uint32_t number, arcl_tree *tree, arcl_operand *operand,
                                        arcl_error *error);
#endif
