/* Steps in scopes below the batch's lanes whose failure nothing that is closed is made of. */
#ifndef ARCL_LOOSE_ENDS_H
#define ARCL_LOOSE_ENDS_H
#include "program/graph.h"

/* Per column that leaves a scope, the steps whose failures would be lost if failures followed the data alone. */
typedef struct loose_ends {
    const program_graph *program;
    uint32_t *next;     /* per loose step: the next one that goes with the same column, + 1 */
    uint32_t *first[2]; /* per closing step, and side of a JOIN: the first one, + 1 */
} loose_ends;

/* 0 when there is no memory. */
int loose_ends_find(pool *memory, const program_graph *p, loose_ends *e);

/* The steps that go with argument `a` of a step, one after the other: *from is 0 before the first. 0 after the last. */
int loose_ends_next(const loose_ends *e, uint32_t step, int a, uint32_t *from, uint32_t *loose);

#endif
