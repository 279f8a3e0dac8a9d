/* Which examples programs are likely to take longest for. A program that takes long is known soon if it is tried on
 * these first, and no long piece of work is left for the end (tools/mpi). Results do not depend on it. */
#ifndef ARCL_SCORE_ORDER_H
#define ARCL_SCORE_ORDER_H
#include "commands/score/score_job.h"

/* All examples of the tasks, those that are likely to take longest first; free() them. */
score_lane *score_order(const score_tasks *tasks);

#endif
