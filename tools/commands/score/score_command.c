#include "commands/score/score_command.h"

#include <stdlib.h>

#include "arcl.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "commands/batt/batt_score.h"
#include "commands/score/score_inputs.h"
#include "commands/score/score_portions.h"
#include "commands/score/score_range.h"
#include "commands/score/score_results.h"
#include "commands/score/submission_judge.h"
#include "data/session.h"
#include "portions/portions_here.h"
#include "portions/shared_files.h"

/* Returns CLI_DONE, or CLI_BAD after a message. */
static int check_usage(const cli_options *options) {
    if (!options->tasks.count)
        message_error("score: --tasks is missing: a directory of tasks, a task file, or one file of many tasks");
    else if (!options->count && !options->submission_file)
        message_error(
            "score: programs are missing: files of definitions such as `def solve_ID(I):`, or folders of them");
    else if (options->count && options->submission_file)
        message_error("score: --submission-file is judged without programs; leave %s out", options->arguments[0]);
    else
        return portions_check_usage(options, "score");
    return CLI_BAD;
}

typedef struct scoring {
    const cli_options *options;
    const portion_engine *engine;
    score_inputs in;
    score_files files;
    shared_files shared;
    score_times times;
} scoring;

/* ---- running ---- */

static void take(void *results, const score_outcome *outcome) { score_results_take(results, outcome); }

static int run_portions(scoring *all, score_results *results, int *is_part) {
    score_portions *portions = score_portions_create(&all->in, &all->times, results);
    portion_job job = score_portions_job(portions, all->engine->is_writer && all->options->journal.count);
    int status = all->engine->run(all->engine->self, &job, all->options, is_part);
    score_portions_free(portions);
    return status;
}

static int score_programs(scoring *all) {
    const portion_engine *engine = all->engine;
    score_results *results = engine->is_writer ? score_results_open(&all->in, &all->times) : NULL;
    int is_part = 0, status = engine->agree(engine->self, engine->is_writer && !results ? CLI_BAD : CLI_DONE);
    if (status == CLI_DONE && engine->is_alone && !all->options->journal.count)
        status = score_range_run(&all->in, 0, score_inputs_units(&all->in), 1, &all->times, take, results);
    else if (status == CLI_DONE)
        status = run_portions(all, results, &is_part);
    message_progress_end();
    if (results && status == CLI_DONE && !is_part) status = score_results_finish(results);
    score_results_free(results);
    return status;
}

/* ---- files ---- */

/* The writer finds and reads them; the others are given what they are. */
static int share_files(scoring *all) {
    const portion_engine *engine = all->engine;
    const char *single[] = {all->options->solutions};
    int status = engine->is_writer && score_files_find(all->options, &all->files) ? CLI_BAD : CLI_DONE;
    status = engine->agree(engine->self, status);
    if (status || engine->is_alone) return status;
    shared_files_put(&all->shared, all->files.programs.paths, all->files.programs.count);
    shared_files_put(&all->shared, (const char *const *)all->files.tasks.tasks, all->files.tasks.task_count);
    shared_files_put(&all->shared, (const char *const *)all->files.tasks.solutions, all->files.tasks.solution_count);
    shared_files_put(&all->shared, single, all->options->solutions != NULL);
    shared_files_share(&all->shared, engine);
    if (engine->is_writer) return CLI_DONE;
    all->files.programs.paths = shared_files_list(&all->shared, 0, &all->files.programs.count);
    all->files.tasks.tasks = (char **)shared_files_list(&all->shared, 1, &all->files.tasks.task_count);
    all->files.tasks.solutions = (char **)shared_files_list(&all->shared, 2, &all->files.tasks.solution_count);
    return CLI_DONE;
}

static int score_or_judge(scoring *all) {
    if (all->options->submission_file)
        return all->engine->is_writer ? submission_judge(all->options, &all->in.tasks) : CLI_DONE;
    if (!batt_score_is_wanted(&all->in.programs)) return score_programs(all);
    if (!all->engine->is_writer) return CLI_DONE;
    return batt_score_files(all->options, all->in.context, &all->in.programs, &all->in.tasks);
}

static int load(scoring *all) {
    int status = share_files(all);
    if (status == CLI_DONE && score_inputs_load_tasks(&all->in, &all->files, &all->times)) status = CLI_BAD;
    if (status || all->options->submission_file) return status;
    return score_inputs_load_programs(&all->in, &all->files, &all->times) ? CLI_BAD : CLI_DONE;
}

/* What is the same in all processes is said by the writer alone. */
int score_command(const cli_options *options, const portion_engine *engine) {
    scoring all = {.options = options, .engine = engine, .in.options = options};
    cli_options closing = *options;
    closing.report &= engine->is_writer;
    message_set_mute(!engine->is_writer);
    int status = check_usage(options);
    message_set_mute(0);
    if (status) return status;
    status = engine->agree(engine->self, session_open(options, &all.in.context));
    message_set_mute(!engine->is_writer);
    if (status == CLI_DONE) status = load(&all);
    message_set_mute(0);
    if (status == CLI_DONE) status = score_or_judge(&all);
    score_inputs_free(&all.in);
    score_files_free(&all.files);
    status = session_close(&closing, all.in.context, status);
    shared_files_free(&all.shared);
    return status;
}
