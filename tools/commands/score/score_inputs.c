#include "commands/score/score_inputs.h"

#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/stopwatch.h"
#include "commands/score/score_order.h"

int score_files_find(const cli_options *options, score_files *files) {
    int bad = 0;
    *files = (score_files){0};
    for (int i = 0; i < options->tasks.count; i++) bad |= task_paths_add(&files->tasks, options->tasks.texts[i]);
    for (int i = 0; i < options->count && !bad; i++)
        path_list_add(&files->programs, &files->memory, options->arguments[i]);
    return bad;
}

void score_files_free(score_files *files) {
    free(files->programs.paths);
    task_paths_free(&files->tasks);
    hoard_free(&files->memory);
}

int score_inputs_load_tasks(score_inputs *in, const score_files *files, score_times *times) {
    double start = stopwatch_now();
    if (task_set_load_files(in->context, &files->tasks, &in->tasks)) return -1;
    if (in->options->solutions && task_set_add_solutions(&in->tasks, in->options->solutions)) return -1;
    times->read += stopwatch_now() - start;
    return 0;
}

/* Of the first programs that it concerns: more is not read. */
static void warn_of_names(const score_inputs *in) {
    enum { MOST = 10 };
    for (int i = 0, found = 0; i < in->programs.count && found < MOST; i++)
        found += program_entry_warn(in->context, &in->programs.entries[i]);
}

/* If that is asked for, or if there is a battery among the programs. */
static int wants_batteries(const score_inputs *in) {
    int wanted = in->options->battery;
    for (int i = 0; i < in->programs.count && !wanted; i++)
        wanted = arcl_source_is_battery(in->programs.entries[i].source, in->programs.entries[i].index);
    return wanted;
}

int score_inputs_load_programs(score_inputs *in, const score_files *files, score_times *times) {
    double start = stopwatch_now();
    const cli_options *options = in->options;
    program_list_load_files(in->context, options->dialect, &files->programs, &in->programs);
    if (options->safe) program_list_set_policy(&in->programs, ARCL_SAFE);
    warn_of_names(in);
    if (in->programs.bad && in->programs.count == 0) return -1;
    in->as_batteries = wants_batteries(in);
    int together = options->all_pairs;
    in->target_count = together ? 1 : in->tasks.count;
    in->targets = allocation_get((size_t)in->target_count, sizeof *in->targets);
    for (int i = 0; i < in->target_count; i++)
        in->targets[i].of = score_tasks_of(&in->tasks, i, together ? in->tasks.count : 1);
    if (together) in->order = score_order(&in->targets->of);
    times->read += stopwatch_now() - start;
    return 0;
}

void score_inputs_free(score_inputs *in) {
    for (int i = 0; i < in->target_count; i++) score_target_close(&in->targets[i]);
    free(in->targets);
    free(in->order);
    program_list_free(&in->programs);
    task_set_free(&in->tasks);
}

uint64_t score_inputs_units_each(const score_inputs *in) {
    return in->options->all_pairs && in->targets->of.lanes ? in->targets->of.lanes : 1;
}

uint64_t score_inputs_units(const score_inputs *in) {
    return (uint64_t)in->programs.count * score_inputs_units_each(in);
}

score_target *score_inputs_target(const score_inputs *in, int program) {
    score_target *target = in->targets;
    if (!in->options->all_pairs) {
        int match = task_set_match(&in->tasks, in->programs.entries[program].program);
        if (match < 0) return NULL;
        target += match;
    }
    return target->of.counting ? target : NULL;
}
