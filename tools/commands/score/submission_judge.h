/* `arcl score --submission-file`: a submission compared with the test outputs that are known, without any program. */
#ifndef ARCL_SUBMISSION_JUDGE_H
#define ARCL_SUBMISSION_JUDGE_H
#include "cli/options.h"
#include "data/task_file.h"

/* Judges options->submission_file and prints a line for every task that it does not solve, and totals; writes
 * --json. What Kaggle would refuse is said, and counts as wrong. Returns an exit status. */
int submission_judge(const cli_options *options, const task_set *tasks);

#endif
