/* A compiled program as its users have it: what it does, and what others keep with it. */
#ifndef ARCL_COMPILED_H
#define ARCL_COMPILED_H
#include <stdatomic.h>

#include "program/graph.h"
#include "program/program_identity.h"

/* What somebody remembers of how a program is run. It is kept with the program, which knows only how to get rid of
 * it. */
typedef struct kept_plans {
    void (*forget)(struct kept_plans *plans);
} kept_plans;

struct arcl_program {
    program_graph *graph;
    kept_plans *plans;           /* NULL: nobody has planned it yet */
    program_identity *identity;  /* that its results are kept by; NULL: they are not kept */
    _Atomic uint32_t lane_words; /* that a lane took when it ran last; 0: it has not */
};

/* A program that does what the graph says. The graph is the program's from then on, also if there is no memory: then it
 * is freed, and NULL returned. */
arcl_program *program_of(program_graph *graph);

arcl_program *program_copy(const arcl_program *p); /* without plans: they are made when it runs; NULL: no memory */

#endif
