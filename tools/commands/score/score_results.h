/* Everything that `arcl score` prints and writes, made of outcomes that come one after the other, in memory that does
 * not grow with them: but for a few bytes for every behaviour of a task, where behaviours are asked for. */
#ifndef ARCL_SCORE_RESULTS_H
#define ARCL_SCORE_RESULTS_H
#include "commands/score/score_inputs.h"
#include "commands/score/score_times.h"

typedef struct score_results score_results;

/* Opens the files, so that one that cannot be written is known before anything is run. The inputs must outlive the
 * results; times are printed and written in the end, and the time for results is added to them. NULL after a
 * message. */
score_results *score_results_open(const score_inputs *in, score_times *times);
/* Without score_results_finish before it, the files are forgotten. */
void score_results_free(score_results *all);

/* Takes the outcome of the next program, with all its tasks. */
void score_results_take(score_results *all, const score_outcome *outcome);

/* Writes what is left to write when all programs were taken. Returns the exit status. */
int score_results_finish(score_results *all);

#endif
