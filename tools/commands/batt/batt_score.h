/* `arcl score` with batteries of tokpidjin: every battery on all tasks, scored as the fork does it. */
#ifndef ARCL_BATT_SCORE_H
#define ARCL_BATT_SCORE_H
#include "arcl.h"
#include "cli/options.h"
#include "data/program_files.h"
#include "data/task_file.h"

/* Whether a file of the list holds such a battery. */
int batt_score_is_wanted(const program_list *programs);

/* Runs, prints and writes; returns the exit status. All files must hold batteries. */
int batt_score_files(const cli_options *options, arcl_context *context, const program_list *programs,
                     const task_set *tasks);

#endif
