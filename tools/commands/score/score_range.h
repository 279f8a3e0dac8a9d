/* Running programs on examples of tasks, any of them that follow one another. Programs are compiled, run and compared
 * in groups, so that memory stays bounded however many there are; what comes out does not depend on where a range is
 * cut. */
#ifndef ARCL_SCORE_RANGE_H
#define ARCL_SCORE_RANGE_H
#include "commands/score/score_inputs.h"
#include "commands/score/score_times.h"

/* What becomes of outcomes. Of a program of which not all units are in the range, the outcome has the lanes that are.
 * It lasts until the next one. */
typedef void score_taker(void *arg, const score_outcome *outcome);

/* Runs the units first .. end, which are counted as score_inputs.h says, and gives every outcome to `take`, in order.
 * `progress`: a bar shows how far it is. Returns CLI_DONE, or another exit status after a message. */
int score_range_run(const score_inputs *in, uint64_t first, uint64_t end, int progress, score_times *times,
                    score_taker *take, void *arg);

#endif
