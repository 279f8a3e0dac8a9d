/* Rewriting: passes over all steps of a program, each of which leaves it with the same results, statuses and charges,
 * and with less to do. Every pass takes time with the number of steps, times the depth of scopes at most: those that
 * ask who reads a step have a view of that (uses.h), and look at nothing that does not concern them.
 *
 *   prune.c      dead code elimination
 *   unify.c      common subexpressions, by value numbering
 *   unsorted.c   sets that nobody needs sorted
 *   fuse.c       a rule book of local patterns: several steps that one kernel does better
 *   symmetry.c   every other pair left out, where a function does not care for their order
 *   hoist.c      loop-invariant code motion: once what a mapped function does alike every time
 *   mask_columns.c  columns of locations that are masks, in place of lists
 *
 * What is done to finished programs is in headers of its own: merge.h, charges.h.
 */
#ifndef ARCL_PASSES_H
#define ARCL_PASSES_H
#include "program/graph.h"

/* All return 0 when there is no memory; the pool is needed only meanwhile. Those that put steps in the place of others
 * say whether they have, and whether some of these are equal to others now: of most programs they find nothing to do,
 * so that nothing is left to unify and to prune. */
enum pass_result { PASS_NO_MEMORY, PASS_DONE, PASS_REPLACED, PASS_MADE_EQUAL };
int prune(pool *memory, program_graph *p);
int unify_steps(pool *memory, program_graph *p);
int leave_unsorted(pool *memory, program_graph *p);
int fuse(pool *memory, program_graph *p);
int halve_symmetric(pool *memory, program_graph *p);
int hoist(pool *memory, program_graph *p);
int choose_masks(pool *memory, program_graph *p);

/* ---- charges.c ---- */
/* What a lane of a scope takes at least: a word per step and these. Steps that are no part of the language are free. */
#define SCOPE_WORDS 2 /* status and maps */
uint32_t step_weight(const graph_step *s);
void weigh_scopes(program_graph *p);

/* ---- prune.c ---- */
/* After steps have moved: the results, or all that refers to steps but their own arguments. */
void renumber_results(program_graph *p, const uint32_t *moved);
void renumber_steps(program_graph *p, const uint32_t *moved);

#endif
