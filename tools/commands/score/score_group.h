/* Compiling and running a group of jobs: each program alone, or those that run on the same lanes as a battery. */
#ifndef ARCL_SCORE_GROUP_H
#define ARCL_SCORE_GROUP_H
#include "commands/score/score_job.h"
#include "commands/score/score_times.h"

/* Afterwards a job has a result, or its error says why not. With as_batteries, jobs that have the same target become a
 * battery; results are the same. Adds to the times. Returns CLI_DONE, or another exit status after a message. */
int score_group_run(arcl_context *context, score_job *jobs, int count, int as_batteries, score_times *times);

#endif
