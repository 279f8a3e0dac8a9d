/* Whether a graph is one that can be run: what every pass over the steps has to keep, as rules. Passes and layouts rely
 * on them, and kernels look at nothing: a step that reads a column of the wrong scope reads another one's memory.
 * Builds with assertions check after every pass, so that the one that has broken a rule is known at once. */
#ifndef ARCL_GRAPH_CHECK_H
#define ARCL_GRAPH_CHECK_H
#include <assert.h>

#include "program/graph.h"

/* The first rule that is broken, in words; NULL: none. */
const char *graph_problem(const program_graph *p);

/* Always 1, so that it can stand between passes; where assertions are on, it ends the process if a rule is broken. */
static inline int graph_assert(const program_graph *p) {
    assert(!graph_problem(p));
    (void)p;
    return 1;
}

#endif
