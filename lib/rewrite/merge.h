/* Several programs as one graph, in which what they have in common is computed once. */
#ifndef ARCL_MERGE_H
#define ARCL_MERGE_H
#include "program/graph.h"

/* A compiled program, and which of the graph's parameters its own are. */
typedef struct merge_member {
    const program_graph *program;
    int parameter[4];
} merge_member;

/* The graph of up to MAX_PROGRAMS programs, all of one policy, and with these parameters. The pool is needed only
 * meanwhile. */
ARCL_CHECKED arcl_status merge_programs(pool *memory, const merge_member *members, int count, int parameters,
                                        const type_code *parameter, program_graph **graph, arcl_error *error);

#endif
