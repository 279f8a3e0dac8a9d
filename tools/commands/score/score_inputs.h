/* What is scored: programs, tasks, and which programs run on which. */
#ifndef ARCL_SCORE_INPUTS_H
#define ARCL_SCORE_INPUTS_H
#include "arcl.h"
#include "cli/options.h"
#include "commands/score/score_job.h"
#include "commands/score/score_times.h"
#include "data/program_files.h"
#include "data/task_file.h"

/* The files that paths stand for. */
typedef struct score_files {
    path_list programs;
    task_paths tasks;
    hoard memory; /* of the programs' paths */
} score_files;

/* Looks for them. Returns 0, or -1 after messages. Free them in both cases. */
int score_files_find(const cli_options *options, score_files *files);
void score_files_free(score_files *files);

typedef struct score_inputs {
    const cli_options *options;
    arcl_context *context;
    program_list programs;
    task_set tasks;
    score_target *targets; /* one per task; with --all-pairs one for all of them */
    int target_count;
    score_lane *order; /* with --all-pairs, the examples of all tasks (score_order.h) */
    int as_batteries;  /* programs that run on the same lanes */
} score_inputs;

/* Both return 0, or -1 after messages; the time goes to times->read. Tasks come first. */
int score_inputs_load_tasks(score_inputs *in, const score_files *files, score_times *times);
int score_inputs_load_programs(score_inputs *in, const score_files *files, score_times *times);
/* Frees all but the context. */
void score_inputs_free(score_inputs *in);

/* Work is counted in the order in which results are written, in the smallest units that can be run by themselves:
 * program by program, with as many for each as there are examples of all tasks, in the order of `order`; or one if it
 * runs on its own task only. */
uint64_t score_inputs_units(const score_inputs *in);
uint64_t score_inputs_units_each(const score_inputs *in);

/* Where a program is scored; NULL if nowhere. */
score_target *score_inputs_target(const score_inputs *in, int program);

#endif
