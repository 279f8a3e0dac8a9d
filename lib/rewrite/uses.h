/* Def-use chains: who reads a step, how often, and whether it is a result; and which steps a scope has. A pass makes
 * this view once and changes steps through it, so that it stays true. */
#ifndef ARCL_USES_H
#define ARCL_USES_H
#include "program/graph.h"

typedef struct uses {
    program_graph *p;
    uint32_t *count;           /* per step: how many arguments and results it is */
    unsigned char *is_result;  /* per step */
    uint32_t *first;           /* per step: the first of its uses; 0: there is none */
    uint32_t *next, *previous; /* per use: the others of the same step; 0: there is none */
    uint32_t *together;        /* per scope: how many steps it has */
    uint32_t *first_in;        /* per scope: its first step, + 1 */
    int replaced;              /* some step was */
    int made_equal;            /* and there may be one that it is equal to now */
    uint32_t *next_in; /* per step, + 1: the next one of its scope, + 1. One that is replaced stays in that list. */
} uses;

/* A use is an argument of a step. */
#define MOST_ARGUMENTS 4
static inline uint32_t use_number(uint32_t step, uint32_t argument) { return 1 + MOST_ARGUMENTS * step + argument; }
static inline uint32_t use_reader(uint32_t use) { return (use - 1) / MOST_ARGUMENTS; }
static inline uint32_t use_argument(uint32_t use) { return (use - 1) % MOST_ARGUMENTS; }

int uses_find(pool *memory, program_graph *p, uses *u); /* 0 when there is no memory */

/* What a pass has to say of what it has replaced: an enum pass_result. */
int uses_result(const uses *u);

/* Puts another step in the place of one. */
void uses_replace(uses *u, uint32_t at, graph_step s);
/* A step that nobody needs becomes a number, which is left out. */
void uses_forget(uses *u, uint32_t at);

static inline int is_kernel(const graph_step *s, unsigned kernel) {
    return s->kind == STEP_KERNEL && s->kernel_id == kernel;
}

/* Whether nobody sees a container but kernels to which it is a set, whatever the order and the repeats of its
 * elements. */
int becomes_a_set(const uses *u, uint32_t container);

#endif
