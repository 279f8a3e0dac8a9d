/* arcl score: every program on the task it is named after, or on every task. Programs are compiled, run and compared in
 * groups, so that memory stays bounded however many there are. */
#include <stdio.h>
#include <stdlib.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/stopwatch.h"
#include "commands/batt/batt_score.h"
#include "commands/score/score_failures.h"
#include "commands/score/score_group.h"
#include "commands/score/score_html.h"
#include "commands/score/score_job.h"
#include "commands/score/score_json.h"
#include "commands/score/score_output.h"
#include "commands/score/score_ranking.h"
#include "commands/score/score_solved.h"
#include "commands/score/submission.h"
#include "commands/score/submission_judge.h"
#include "data/program_files.h"
#include "data/report_output.h"
#include "data/session.h"
#include "data/task_file.h"

/* Programs, and lanes of all of them, that are run together at most. A battery shares more the more there are, and only
 * the scores of its lanes are kept, which are of 24 bytes. */
typedef struct group_size {
    int programs;
    uint32_t lanes;
} group_size;
static const group_size alone_size = {256, 16384}, battery_size = {4096, 2u << 20};

typedef struct scoring {
    const cli_options *options;
    arcl_context *context;
    program_list programs;
    task_set tasks;
    score_target *targets; /* one per task; with --all-pairs one for all of them */
    int target_count;
    score_ranking *rankings; /* one per task */
    submission submission;   /* the attempts that are best; a file of them, if one is wanted */
    file_output json;
    json_writer writer; /* of that file */
    score_html *html;   /* NULL: not wanted */
    score_job *jobs;    /* of one group */
    int as_batteries;   /* programs that run on the same lanes */
    score_totals totals;
    score_solved solved;
    score_failures failures;
    score_times times;
    int rejected, homeless; /* programs that do not compile, and that have no task */
} scoring;

/* What becomes of the tallies of a job: lines, rankings, attempts, JSON. */
static void use_tallies(scoring *all, const score_job *job) {
    double start = stopwatch_now();
    const score_target *target = job->target;
    score_tally *tallies = score_job_tallies(job);
    int *behaviours = allocation_get((size_t)target->count, sizeof *behaviours);
    for (int i = 0; i < target->count && !job->rejected; i++) {
        behaviours[i] = score_ranking_add(&all->rankings[target->first + i], &tallies[i]);
        submission_add(&all->submission, target->first + i, &tallies[i]);
    }
    double scored = stopwatch_now();
    all->times.score += scored - start;
    score_output_job(job, tallies, all->options->all_pairs, !all->options->quiet, &all->totals);
    if (all->json.stream) score_json_job(&all->writer, job, tallies, behaviours);
    free(behaviours);
    free(tallies);
    all->times.write += stopwatch_now() - scored;
}

static void output_job(scoring *all, score_job *job) {
    score_job_judge(job);
    if (job->rejected) {
        all->rejected++;
        message_error("%s", job->work.error.message);
    }
    if (job->target && !all->options->quiet) score_failures_add(&all->failures, all->context, job);
    if (job->target)
        use_tallies(all, job);
    else {
        all->homeless++;
        if (all->json.stream) score_json_job(&all->writer, job, NULL, NULL);
    }
    double start = stopwatch_now();
    if (all->html) score_html_job(all->html, job);
    all->times.write += stopwatch_now() - start;
}

/* Returns CLI_DONE, or another exit status after a message. */
static int score_group(scoring *all, int count) {
    int status = score_group_run(all->context, all->jobs, count, all->as_batteries, &all->times);
    for (int i = 0; i < count; i++) {
        if (status == CLI_DONE) output_job(all, &all->jobs[i]);
        score_job_free(&all->jobs[i]);
    }
    return status;
}

/* Where a program is scored; NULL if nowhere. */
static score_target *find_target(scoring *all, const program_entry *program) {
    score_target *target = all->targets;
    if (!all->options->all_pairs) {
        int match = task_set_match(&all->tasks, program->program);
        if (match < 0) return NULL;
        target += match;
    }
    return target->counting ? target : NULL;
}

static int score_all(scoring *all) {
    int count = 0;
    uint32_t lanes = 0;
    group_size most = all->as_batteries ? battery_size : alone_size;
    all->jobs = allocation_get((size_t)most.programs, sizeof *all->jobs);
    for (int i = 0; i < all->programs.count; i++) {
        score_target *target = find_target(all, &all->programs.entries[i]);
        all->jobs[count++] = (score_job){.program = &all->programs.entries[i], .number = i, .target = target};
        lanes += target ? target->counting : 0;
        if (count < most.programs && lanes < most.lanes && i + 1 < all->programs.count) continue;
        int status = score_group(all, count);
        if (status != CLI_DONE) return status;
        message_progress("programs", (uint64_t)i + 1, (uint64_t)all->programs.count);
        count = 0;
        lanes = 0;
    }
    message_progress_end();
    return CLI_DONE;
}

/* If that is asked for, or if there is a battery among the programs. */
static int wants_batteries(const scoring *all) {
    int wanted = all->options->battery;
    for (int i = 0; i < all->programs.count && !wanted; i++)
        wanted = arcl_source_is_battery(all->programs.entries[i].source, all->programs.entries[i].index);
    return wanted;
}

static int load_tasks(scoring *all) {
    double start = stopwatch_now();
    if (task_set_load(all->context, all->options->tasks.texts, all->options->tasks.count, &all->tasks)) return -1;
    if (all->options->solutions && task_set_add_solutions(&all->tasks, all->options->solutions)) return -1;
    all->times.read = stopwatch_now() - start;
    return 0;
}

/* Of the first programs that it concerns: more is not read. */
static void warn_of_names(const scoring *all) {
    enum { MOST = 10 };
    for (int i = 0, found = 0; i < all->programs.count && found < MOST; i++)
        found += program_entry_warn(all->context, &all->programs.entries[i]);
}

static int load_programs(scoring *all) {
    double start = stopwatch_now();
    program_list_load(all->context, all->options->dialect, all->options->arguments, all->options->count,
                      &all->programs);
    if (all->options->safe) program_list_set_policy(&all->programs, ARCL_SAFE);
    warn_of_names(all);
    if (all->programs.bad && all->programs.count == 0) return -1;
    all->as_batteries = wants_batteries(all);
    int together = all->options->all_pairs;
    all->target_count = together ? 1 : all->tasks.count;
    all->targets = allocation_get((size_t)all->target_count, sizeof *all->targets);
    for (int i = 0; i < all->target_count; i++)
        all->targets[i] = score_target_of(&all->tasks, i, together ? all->tasks.count : 1);
    all->rankings = allocation_get((size_t)all->tasks.count, sizeof *all->rankings);
    all->times.read += stopwatch_now() - start;
    return 0;
}

static void explain_nothing(const scoring *all) {
    if (all->programs.count == 0)
        message_error("nothing to score: no programs; expected definitions such as `def solve_%s(I):`",
                      all->tasks.tasks[0]->id);
    else
        message_error("nothing to score: no program is named after a task that has outputs, as solve_%s would be; "
                      "--all-pairs runs every program on every task",
                      all->tasks.tasks[0]->id);
}

/* The tasks that programs were run on, one by one. */
static void output_rankings(const scoring *all) {
    int top = (int)all->options->top;
    for (int i = 0; top && i < all->tasks.count; i++)
        if (all->rankings[i].count) score_output_ranking(all->tasks.tasks[i], &all->rankings[i], &all->programs, top);
}

static int finish_json(scoring *all) {
    int top = all->options->top ? (int)all->options->top : 1;
    score_json_tasks(&all->writer);
    for (int i = 0; i < all->tasks.count; i++)
        if (all->rankings[i].count)
            score_json_ranking(&all->writer, all->tasks.tasks[i], &all->rankings[i], &all->programs, top);
    score_json_end(&all->writer, &all->solved, &all->totals, &all->times,
                   all->options->report ? report_json(all->context) : NULL);
    return file_commit(&all->json);
}

static void count_solved(scoring *all) {
    for (int i = 0; i < all->tasks.count; i++) {
        score_solved_count(&all->solved, all->tasks.tasks[i]);
        score_solved_attempted(&all->solved, all->tasks.tasks[i], submission_right(&all->submission, i));
        all->solved.by_program += (uint64_t)score_ranking_is_solved(&all->rankings[i]);
    }
}

static int finish(scoring *all) {
    int status = all->rejected || all->programs.bad ? CLI_BAD : CLI_DONE;
    double start = stopwatch_now();
    if (all->options->submission) {
        int submitted = submission_write(&all->submission, all->context, &all->programs);
        if (submitted != CLI_DONE) return submitted;
    }
    output_rankings(all);
    count_solved(all);
    all->times.write += stopwatch_now() - start;
    if (all->json.stream && finish_json(all)) status = CLI_BAD;
    if (all->html && score_html_write(all->html, all->context, &all->solved, &all->totals, &all->times))
        status = CLI_BAD;
    if (all->totals.tasks == 0) {
        explain_nothing(all);
        status = CLI_BAD;
    } else if (all->homeless)
        message_note("%d of %d programs are named after no task here", all->homeless, all->programs.count);
    if (all->options->report) score_output_times(&all->times);
    score_failures_tell(&all->failures);
    if (all->totals.tasks && !all->options->quiet) score_solved_print(&all->solved, 1);
    score_output_totals(&all->totals);
    return status == CLI_DONE && all->totals.examples_right < all->totals.examples ? CLI_MISMATCH : status;
}

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
        return CLI_DONE;
    return CLI_BAD;
}

int cmd_score(const cli_options *options) {
    scoring all = {.options = options, .totals.unit = options->all_pairs ? "pairs" : "tasks"};
    int status = check_usage(options);
    if (status) return status;
    status = session_open(options, &all.context);
    if (status) return status;
    status = CLI_BAD;
    if (load_tasks(&all)) goto done;
    if (options->submission_file) {
        status = submission_judge(options, &all.tasks);
        goto done;
    }
    if (load_programs(&all)) goto done;
    if (batt_score_is_wanted(&all.programs)) {
        status = batt_score_files(options, all.context, &all.programs, &all.tasks);
        goto done;
    }
    submission_start(&all.submission, &all.tasks);
    if (options->submission && submission_open(&all.submission, options->submission)) goto done;
    if (options->json) {
        if (file_create(&all.json, options->json)) goto done;
        all.writer.out = all.json.stream;
        score_json_begin(&all.writer);
    }
    if (options->html) {
        if (!(all.html = score_html_create(options->html, options->all_pairs))) goto done;
        arcl_report_enable(all.context, 1);
    }
    status = score_all(&all);
    if (status == CLI_DONE) status = finish(&all);
done:
    for (int i = 0; i < all.target_count; i++) score_target_close(&all.targets[i]);
    for (int i = 0; all.rankings && i < all.tasks.count; i++) score_ranking_free(&all.rankings[i]);
    free(all.rankings);
    score_failures_free(&all.failures);
    submission_free(&all.submission);
    free(all.targets);
    free(all.jobs);
    file_discard(&all.json);
    score_html_free(all.html);
    program_list_free(&all.programs);
    task_set_free(&all.tasks);
    return session_close(options, all.context, status);
}
