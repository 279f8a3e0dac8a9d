/* Value numbering: finds a step that computes the same as another, among those of a graph. */
#ifndef ARCL_STEP_TABLE_H
#define ARCL_STEP_TABLE_H
#include "program/graph.h"

typedef struct step_table {
    uint32_t *slot; /* step + 1 */
    uint32_t slots;
} step_table;

/* An empty table with room for `count` steps; 0 when there is no memory. */
int step_table_make(step_table *t, pool *memory, uint32_t count);
/* Makes room for more than `count` steps and enters these; 0 when there is no memory. */
int step_table_grow(step_table *t, pool *memory, const graph_step *steps, uint32_t count);
static inline int step_table_is_full(const step_table *t, uint32_t count) { return 2 * count > t->slots; }

/* The slot of an equal step, or the free one where it goes. */
uint32_t *step_table_find(const step_table *t, const graph_step *steps, const graph_step *s);

/* Whether they compute the same, if their arguments do. */
int steps_are_equal(const graph_step *a, const graph_step *b);

/* A number that equal steps have in common, if their arguments and scopes have these numbers. */
uint64_t step_hash(const graph_step *s, uint64_t scope, const uint64_t *arg);

#endif
