/* What a program does: a list of steps over columns, in the order in which they run.
 *
 * A step's result is a column: one word per lane of the step's scope. Scopes form a tree. Scope 0 has one lane, for
 * what is the same in all lanes; scope 1 has the lanes of the batch; every other scope is opened by a step and has
 * lanes for the elements of its parent's containers, or for those of its parent's lanes that chose one side of a
 * condition. A step may read columns of its own scope and of all scopes above it: those are viewed through the lane
 * map.
 *
 *     mapply(f, objects(I, T, F, T))      scope 1  t1 = input 0
 *                                         scope 1  t2 = objects(t1, T, F, T)
 *                                         scope 2  t3 = each t2             lanes: every object of every grid
 *                                         scope 2  t4 = ...                 the body of f
 *                                         scope 1  t5 = close t4            as lists again: not copied, t4 stores them
 *                                         scope 1  t6 = merge_set(t5)
 */
#ifndef ARCL_GRAPH_H
#define ARCL_GRAPH_H
#include <stdint.h>

#include "arcl.h"
#include "base/pool.h"
#include "cl/program.h"
#include "language/syntax.h"
#include "ops/op_table.h"
#include "ops/type.h"

/* What a step was made for. It is noted for those who want to tell where a lane has failed: then, until the layout, a
 * step's `slot` is the position and its `users` the callable + 1, and every pass hands them on. Of a step that several
 * calls have in common, it is the first one. */
typedef struct step_note {
    uint32_t at;      /* position in the text of the call that it is part of */
    int32_t callable; /* the op or word (lib/ops/word_table.h) whose call it is part of; -1: none */
} step_note;

typedef struct program_graph {
    graph_step *steps;
    int count;
    graph_scope *scopes;
    int scope_count;
    /* The result: a step, or one of several of different types, as step `which` says per lane. */
    int results;
    uint32_t result[MAX_RESULTS];
    type_code result_type[MAX_RESULTS];
    uint32_t which;
    int parameters;
    type_code parameter[MAX_PARAMETERS];
    int masked; /* the parameters are inputs once more, behind all others: sets of locations as masks (cl/mask.h) */
    uint64_t triples; /* bit n: the cells of program n's results are (i, j, c) */
    /* Of a part of a program (split.h): inputs that follow the parameters, and the columns that it leaves to the next
     * part, in place of a result. */
    int carried;
    int is_part; /* and not the last one */
    int outs;
    uint32_t *out;
    /* Of a graph that keeps failures apart (cl/apart.h): */
    int apart;              /* one of enum apart_policy */
    int programs;           /* that share the graph; 1 where nothing is shared */
    program_output *output; /* of each; NULL: the result above is the only one's */
    uint64_t *sets;         /* sets of programs, by number */
    int set_count;
    scope_charge *charges; /* of all scopes */
    int charge_count;
    step_note *notes; /* per step; NULL: nobody wanted them */
} program_graph;

program_graph *graph_create(void); /* without steps; NULL when there is no memory, as below */
program_graph *graph_copy(const program_graph *g);
void graph_free(program_graph *g);

/* Makes the notes of what steps carry with them, before the layout; 0 when there is no memory. */
int graph_take_notes(program_graph *g);

/* Parameters typed by their names are inputs only where they are used. */
void graph_drop_unused_parameters(program_graph *g);

#define NO_STEP 0xffffffffu /* of what may have none, as scopes that no step has opened */

/* Decides where columns, maps and ranges go, once the steps are final. The pool's memory is needed only meanwhile. */
ARCL_CHECKED arcl_status layout(pool *memory, program_graph *p, arcl_error *error);

#endif
