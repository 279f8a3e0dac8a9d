/* Scoring as a job of portions: its units are those of score_inputs.h. */
#ifndef ARCL_SCORE_PORTIONS_H
#define ARCL_SCORE_PORTIONS_H
#include "commands/score/score_inputs.h"
#include "commands/score/score_results.h"
#include "commands/score/score_times.h"
#include "portions/portion_job.h"

typedef struct score_portions score_portions;

/* The inputs, the times and the results must outlive it. Without results (NULL), records can be made but not taken. */
score_portions *score_portions_create(const score_inputs *in, score_times *times, score_results *results);
void score_portions_free(score_portions *all);

/* The job, which lasts as long. With `keyed`, it has its key, which takes the normal form of every program. */
portion_job score_portions_job(score_portions *all, int keyed);

#endif
