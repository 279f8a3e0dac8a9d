/* `arcl run` with a battery of tokpidjin: all that it appends, for every example of a task. */
#ifndef ARCL_BATT_RUN_H
#define ARCL_BATT_RUN_H
#include "arcl.h"
#include "cli/options.h"
#include "data/task_file.h"

/* Runs, prints and writes; returns the exit status. */
int batt_run_task(const cli_options *options, arcl_context *context, const arcl_source *source, const arc_task *task);

#endif
