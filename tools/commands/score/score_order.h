/* Which examples programs are likely to take longest for. Those come first, so that no long piece of work is left for
 * the end; but for a few of middle size before them, which tell soon what a program costs, because nobody has to wait
 * for the longest to know it (tools/mpi). Results do not depend on it. */
#ifndef ARCL_SCORE_ORDER_H
#define ARCL_SCORE_ORDER_H
#include "commands/score/score_job.h"

/* All examples of the tasks: the tries, then those first that are likely to take longest; free() them. */
score_lane *score_order(const score_tasks *tasks);

/* How many of so many examples are tries. */
uint32_t score_order_tries(uint32_t lanes);

#endif
