/* Hands outcomes to all who make something of them, and brings that to an end. */
#include "commands/score/score_results.h"

#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/stopwatch.h"
#include "commands/score/score_failures.h"
#include "commands/score/score_html.h"
#include "commands/score/score_json.h"
#include "commands/score/score_output.h"
#include "commands/score/score_ranking.h"
#include "commands/score/score_solved.h"
#include "commands/score/submission.h"
#include "data/report_output.h"

struct score_results {
    const score_inputs *in;
    const cli_options *options;
    score_ranking *rankings; /* one per task */
    submission submission;   /* the attempts that are best; a file of them, if one is wanted */
    file_output json;
    json_writer writer; /* of that file */
    score_html *html;   /* NULL: not wanted */
    score_totals totals;
    score_solved solved;
    score_failures failures;
    score_times *times;
    int rejected, homeless; /* programs that do not compile, and that have no task */
};

static int open_files(score_results *all) {
    const cli_options *options = all->options;
    if (options->submission && submission_open(&all->submission, options->submission)) return -1;
    if (options->json) {
        if (file_create(&all->json, options->json)) return -1;
        all->writer.out = all->json.stream;
        score_json_begin(&all->writer);
    }
    if (options->html) {
        if (!(all->html = score_html_create(options->html, options->all_pairs))) return -1;
        arcl_report_enable(all->in->context, 1);
    }
    return 0;
}

score_results *score_results_open(const score_inputs *in, score_times *times) {
    score_results *all = allocation_get(1, sizeof *all);
    const cli_options *options = in->options;
    all->in = in;
    all->options = options;
    all->times = times;
    all->totals.unit = options->all_pairs ? "pairs" : "tasks";
    all->rankings = allocation_get((size_t)in->tasks.count, sizeof *all->rankings);
    int behaviours = options->top ? (int)options->top : options->json ? 1 : 0;
    for (int i = 0; i < in->tasks.count; i++) all->rankings[i].most = behaviours;
    submission_start(&all->submission, &in->tasks);
    if (open_files(all) == 0) return all;
    score_results_free(all);
    return NULL;
}

void score_results_free(score_results *all) {
    if (!all) return;
    for (int i = 0; i < all->in->tasks.count; i++) score_ranking_free(&all->rankings[i]);
    free(all->rankings);
    score_failures_free(&all->failures);
    submission_free(&all->submission);
    file_discard(&all->json);
    score_html_free(all->html);
    free(all);
}

/* ---- outcomes ---- */

/* What becomes of the tallies of a program: rankings, attempts, lines, JSON. */
static void use_tallies(score_results *all, const score_outcome *outcome, const score_tally *tallies) {
    double start = stopwatch_now();
    const score_tasks *tasks = outcome->tasks;
    int *behaviours = allocation_get((size_t)tasks->count, sizeof *behaviours);
    for (int i = 0; i < tasks->count && !outcome->rejection; i++) {
        behaviours[i] = score_ranking_add(&all->rankings[tasks->first + i], &tallies[i]);
        submission_add(&all->submission, tasks->first + i, &tallies[i]);
    }
    double scored = stopwatch_now();
    all->times->score += scored - start;
    score_output_program(outcome, tallies, all->options->all_pairs, !all->options->quiet, &all->totals);
    if (all->json.stream) score_json_program(&all->writer, outcome, tallies, behaviours);
    free(behaviours);
    all->times->write += stopwatch_now() - scored;
}

void score_results_take(score_results *all, const score_outcome *outcome) {
    score_tally *tallies = NULL;
    if (outcome->rejection) {
        all->rejected++;
        message_error("%s", outcome->rejection);
    }
    if (outcome->tasks && !all->options->quiet) score_failures_add(&all->failures, all->in->context, outcome);
    if (outcome->tasks)
        use_tallies(all, outcome, tallies = score_outcome_tallies(outcome));
    else {
        all->homeless++;
        if (all->json.stream) score_json_program(&all->writer, outcome, NULL, NULL);
    }
    double start = stopwatch_now();
    if (all->html) score_html_program(all->html, outcome, tallies);
    free(tallies);
    all->times->write += stopwatch_now() - start;
}

/* ---- the end ---- */

static void explain_nothing(const score_results *all) {
    const char *id = all->in->tasks.tasks[0]->id;
    if (all->in->programs.count == 0)
        message_error("nothing to score: no programs; expected definitions such as `def solve_%s(I):`", id);
    else
        message_error("nothing to score: no program is named after a task that has outputs, as solve_%s would be; "
                      "--all-pairs runs every program on every task",
                      id);
}

/* The tasks that programs were run on, one by one. */
static void output_rankings(const score_results *all) {
    const task_set *tasks = &all->in->tasks;
    for (int i = 0; all->options->top && i < tasks->count; i++)
        if (all->rankings[i].count) score_output_ranking(tasks->tasks[i], &all->rankings[i], &all->in->programs);
}

static int finish_json(score_results *all) {
    const task_set *tasks = &all->in->tasks;
    score_json_tasks(&all->writer);
    for (int i = 0; i < tasks->count; i++)
        if (all->rankings[i].count)
            score_json_ranking(&all->writer, tasks->tasks[i], &all->rankings[i], &all->in->programs);
    score_json_end(&all->writer, &all->solved, &all->totals, all->times,
                   all->options->report ? report_json(all->in->context) : NULL);
    return file_commit(&all->json);
}

static void count_solved(score_results *all) {
    for (int i = 0; i < all->in->tasks.count; i++) {
        const arc_task *task = all->in->tasks.tasks[i];
        score_solved_count(&all->solved, task);
        score_solved_attempted(&all->solved, task, submission_right(&all->submission, i));
        all->solved.by_program += (uint64_t)all->rankings[i].is_solved;
    }
}

int score_results_finish(score_results *all) {
    const program_list *programs = &all->in->programs;
    int status = all->rejected || programs->bad ? CLI_BAD : CLI_DONE;
    double start = stopwatch_now();
    if (all->options->submission) {
        int submitted = submission_write(&all->submission, all->in->context, programs);
        if (submitted != CLI_DONE) return submitted;
    }
    output_rankings(all);
    count_solved(all);
    all->times->write += stopwatch_now() - start;
    if (all->json.stream && finish_json(all)) status = CLI_BAD;
    if (all->html && score_html_write(all->html, all->in->context, &all->solved, &all->totals, all->times))
        status = CLI_BAD;
    if (all->totals.tasks == 0) {
        explain_nothing(all);
        status = CLI_BAD;
    } else if (all->homeless)
        message_note("%d of %d programs are named after no task here", all->homeless, programs->count);
    if (all->options->report) score_output_times(all->times);
    score_failures_tell(&all->failures);
    if (all->totals.tasks && !all->options->quiet) score_solved_print(&all->solved, 1);
    score_output_totals(&all->totals);
    return status == CLI_DONE && all->totals.examples_right < all->totals.examples ? CLI_MISMATCH : status;
}
