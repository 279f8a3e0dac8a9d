/* Running and comparing for `arcl run`, `arcl show` and the page of `arcl score`. Prints nothing but messages. */
#include "data/task_run.h"

#include <string.h>

#include "cli/messages.h"
#include "data/task_batch.h"

/* ---- running ---- */

int task_run_start(arcl_context *context, const arc_task *task, const program_entry *program, task_run *run) {
    arcl_error error;
    session_work *work = &run->work, *const works[] = {work};
    *run = (task_run){.context = context, .task = task, .program = program};
    if (program_entry_compile_any(context, program, &work->program, &run->is_grid, &error)) {
        message_error("%s", error.message);
        return CLI_BAD;
    }
    if (!task_batch_of(context, task_form_of(work->program), task, &work->batch, &error)) {
        int ran = session_run(context, 1, works);
        if (ran != CLI_DONE || work->result) return ran;
        error = work->error;
    }
    message_error("%s: %s", program->name, error.message);
    return CLI_BAD;
}

void task_run_close(task_run *run) {
    arcl_result_free(run->work.result);
    arcl_batch_free(run->work.batch);
    arcl_program_free(run->work.program);
    *run = (task_run){0};
}

/* ---- what came out ---- */

arcl_compile_options task_run_options(const task_run *run) {
    return (arcl_compile_options){.grid_result = run->is_grid, .policy = run->program->policy};
}

int task_run_failure(const task_run *run, uint32_t lane, arcl_failure *failure) {
    arcl_definition definition = {run->program->source, run->program->index};
    arcl_compile_options options = task_run_options(run);
    arcl_error error;
    if (!arcl_result_failure(run->context, run->work.result, lane, definition, &options, run->work.batch, failure,
                             &error))
        return 0;
    allocation_check(&error);
    return -1;
}

task_grid task_run_output(const task_run *run, uint32_t lane) {
    int h, w;
    const signed char *cells = arcl_result_grid(run->work.result, lane, &h, &w);
    return (task_grid){h, w, (signed char *)(uintptr_t)cells};
}

static int is_equal(const task_grid *a, const task_grid *b) {
    return a->h == b->h && a->w == b->w && memcmp(a->cells, b->cells, (size_t)(a->h * a->w)) == 0;
}

task_verdict task_run_judge(const task_run *run, uint32_t lane) {
    const task_grid *expected = &run->task->examples[lane].output;
    if (arcl_result_status(run->work.result, lane) != ARCL_OK) return TASK_FAILED;
    if (!run->is_grid || !expected->cells) return TASK_UNKNOWN;
    task_grid output = task_run_output(run, lane);
    return is_equal(&output, expected) ? TASK_RIGHT : TASK_WRONG;
}

int task_run_status(const task_run *run) {
    for (uint32_t lane = 0; lane < arcl_result_lanes(run->work.result); lane++) {
        task_verdict so = task_run_judge(run, lane);
        if (so == TASK_FAILED || so == TASK_WRONG) return CLI_MISMATCH;
    }
    return CLI_DONE;
}
