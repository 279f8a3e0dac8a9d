#include "commands/score/submission.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/json_writer.h"
#include "cli/messages.h"
#include "data/attempts.h"
#include "data/session.h"
#include "data/task_batch.h"

/* A prediction for one test input. */
typedef struct attempt {
    int is_there;
    int is_right; /* it is the expected output, if that is known */
    uint64_t fingerprint;
    score_merit merit; /* of the best program that makes it */
} attempt;

static int is_test(const task_example *example) { return strcmp(example->part, "test") == 0; }

void submission_start(submission *s, const task_set *tasks) {
    int inputs = 0;
    *s = (submission){.tasks = tasks};
    s->first = allocation_get((size_t)tasks->count + 1, sizeof *s->first);
    for (int i = 0; i < tasks->count; i++) {
        s->first[i] = inputs;
        for (int j = 0; j < tasks->tasks[i]->count; j++) inputs += is_test(&tasks->tasks[i]->examples[j]);
    }
    s->first[tasks->count] = inputs;
    s->attempts = allocation_get((size_t)inputs * ATTEMPTS, sizeof *s->attempts);
}

int submission_open(submission *s, const char *path) { return file_create(&s->file, path); }

void submission_free(submission *s) {
    file_discard(&s->file);
    free(s->first);
    free(s->attempts);
    *s = (submission){0};
}

/* ---- choosing ---- */

static int is_better(const attempt *a, const attempt *b) {
    if (a->is_there != b->is_there) return a->is_there;
    return a->is_there && score_merit_is_better(&a->merit, &b->merit);
}

/* Of two that predict the same, the better one stays. */
static void consider(attempt *best, const attempt *candidate) {
    int at = 0;
    while (at < ATTEMPTS - 1 && !(best[at].is_there && best[at].fingerprint == candidate->fingerprint)) at++;
    if (!is_better(candidate, &best[at])) return;
    best[at] = *candidate;
    for (; at > 0 && is_better(&best[at], &best[at - 1]); at--) {
        attempt worse = best[at - 1];
        best[at - 1] = best[at];
        best[at] = worse;
    }
}

void submission_add(submission *s, int task, const score_tally *tally) {
    attempt *best = s->attempts + (size_t)s->first[task] * ATTEMPTS;
    for (int i = 0; tally->scores && i < tally->task->count; i++) {
        if (!is_test(&tally->task->examples[i])) continue;
        const arcl_score *score = &tally->scores[i];
        attempt candidate = {1, score->match, score->fingerprint, tally->merit};
        if (score->usable) consider(best, &candidate);
        best += ATTEMPTS;
    }
}

int submission_right(const submission *s, int task) {
    int right = 0;
    for (int i = s->first[task]; i < s->first[task + 1]; i++) {
        const attempt *of_input = s->attempts + (size_t)i * ATTEMPTS;
        int found = 0;
        for (int n = 0; n < ATTEMPTS; n++) found |= of_input[n].is_there && of_input[n].is_right;
        right += found;
    }
    return right;
}

/* ---- writing ---- */

/* The programs that are chosen for one task, each run on all of its test inputs. */
typedef struct task_run {
    const arc_task *task;
    const attempt *attempts;
    int inputs;
    int *program; /* numbers of the programs, without repeats */
    session_work *work;
    int count;
    arcl_batch *batch[TASK_FORMS];
} task_run;

static int place_of(const task_run *run, int program) {
    int at = 0;
    while (at < run->count && run->program[at] != program) at++;
    return at;
}

static void choose_programs(task_run *run) {
    size_t most = (size_t)run->inputs * ATTEMPTS;
    run->program = allocation_get(most, sizeof *run->program);
    run->work = allocation_get(most, sizeof *run->work);
    for (size_t i = 0; i < most; i++) {
        int at = place_of(run, run->attempts[i].merit.program);
        if (!run->attempts[i].is_there || at < run->count) continue;
        run->program[run->count++] = run->attempts[i].merit.program;
    }
}

static arcl_status make_batch(task_run *run, arcl_context *context, int form, arcl_error *error) {
    if (run->batch[form]) return ARCL_SUCCESS;
    arcl_status status = task_batch_create(context, form, &run->batch[form], error);
    for (int i = 0; !status && i < run->task->count; i++)
        if (is_test(&run->task->examples[i]))
            status = task_batch_add(run->batch[form], form, run->task, &run->task->examples[i], error);
    return status;
}

static int failed(const arcl_error *error) {
    message_error("%s", error->message);
    return CLI_BAD;
}

static int run_programs(task_run *run, arcl_context *context, const program_list *programs) {
    session_work **works = allocation_get((size_t)run->count, sizeof *works);
    int status = CLI_DONE;
    for (int i = 0; i < run->count && status == CLI_DONE; i++) {
        session_work *work = works[i] = &run->work[i];
        if (program_entry_compile(context, &programs->entries[run->program[i]], 1, &work->program, &work->error) ||
            make_batch(run, context, task_form_of(work->program), &work->error))
            status = failed(&work->error);
        else
            work->batch = run->batch[task_form_of(work->program)];
    }
    if (status == CLI_DONE) status = session_run(context, run->count, works);
    for (int i = 0; i < run->count && status == CLI_DONE; i++)
        if (!run->work[i].result) status = failed(&run->work[i].error);
    free(works);
    return status;
}

static task_grid attempt_grid(const task_run *run, int input, int number) {
    const attempt *a = &run->attempts[input * ATTEMPTS + number];
    task_grid grid = {0};
    if (!a->is_there) return grid;
    const arcl_result *result = run->work[place_of(run, a->merit.program)].result;
    const signed char *cells = arcl_result_grid(result, (uint32_t)input, &grid.h, &grid.w);
    grid.cells = (signed char *)(uintptr_t)cells;
    return grid;
}

static void write_task(json_writer *w, const task_run *run) {
    json_write_newline(w);
    json_write_name(w, run->task->id);
    json_write_open(w, '[');
    for (int i = 0, input = 0; i < run->task->count; i++) {
        if (!is_test(&run->task->examples[i])) continue;
        task_grid attempts[ATTEMPTS];
        for (int n = 0; n < ATTEMPTS; n++) attempts[n] = attempt_grid(run, input, n);
        attempts_write(w, attempts, &run->task->examples[i].input);
        input++;
    }
    json_write_close(w, ']');
}

static int submit_task(const submission *s, int number, arcl_context *context, const program_list *programs,
                       json_writer *w) {
    task_run run = {.task = s->tasks->tasks[number],
                    .attempts = s->attempts + (size_t)s->first[number] * ATTEMPTS,
                    .inputs = s->first[number + 1] - s->first[number]};
    choose_programs(&run);
    int status = run.count ? run_programs(&run, context, programs) : CLI_DONE;
    if (status == CLI_DONE) write_task(w, &run);
    for (int i = 0; i < run.count; i++) {
        arcl_result_free(run.work[i].result);
        arcl_program_free(run.work[i].program);
    }
    for (int form = 0; form < TASK_FORMS; form++) arcl_batch_free(run.batch[form]);
    free(run.program);
    free(run.work);
    return status;
}

int submission_write(submission *s, arcl_context *context, const program_list *programs) {
    int status = CLI_DONE;
    json_writer w = {.out = s->file.stream};
    json_write_open(&w, '{');
    for (int i = 0; i < s->tasks->count && status == CLI_DONE; i++) {
        status = submit_task(s, i, context, programs, &w);
        message_progress("tasks submitted", (uint64_t)i + 1, (uint64_t)s->tasks->count);
    }
    message_progress_end();
    json_write_close(&w, '}');
    json_write_end(&w);
    if (status == CLI_DONE && file_commit(&s->file)) status = CLI_BAD;
    return status;
}
