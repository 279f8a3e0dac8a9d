/* Definitions made of one line of another: what a trace compiles. Works on trees alone. */
#ifndef ARCL_TRACE_DEFINITION_H
#define ARCL_TRACE_DEFINITION_H
#include "language/syntax.h"

/* Returns the value of statement `line`, with those statements alone that it needs; NULL when there is no memory. */
const definition *trace_line_definition(pool *memory, const definition *d, int line);

/* Of a statement that maps a function over a container, or two of them:
 *
 *     x = mfilter(c, f)        c        apply(f, c)        apply(fork(astuple, identity, f), c)
 *
 * each as a definition of its own. */
typedef struct trace_mapping {
    const definition *container, *mapped, *pairs; /* NULL: it maps none */
} trace_mapping;

/* 0 when there is no memory. */
int trace_mapping_make(pool *memory, const definition *d, int line, trace_mapping *made);

#endif
