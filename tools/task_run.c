/* Choosing, running and comparing for `arcl run` and `arcl show`. Prints nothing but messages. */
#include "task_run.h"

#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "nearest.h"
#include "task_batch.h"
#include "value_json.h"

/* ---- which program on which task ---- */

static void refuse_name(const task_choice *choice, const char *path, const char *name) {
    char hint[300];
    nearest search = nearest_to(name);
    for (int i = 0; i < choice->programs.count; i++) nearest_offer(&search, choice->programs.entries[i].name);
    message_error("%s: no program is named %s%s", path, name,
                  nearest_hint(&search, "leave --program out to run the one named after the task", hint, sizeof hint));
}

/* The program of that name, or else the only one, or else the one named after the task; NULL after a message. */
static const program_entry *choose_program(const task_choice *choice, const char *path, const cli_options *options) {
    const char *name = options->program;
    const program_entry *found = NULL;
    int count = 0, only = !name && choice->programs.count == 1;
    for (int i = 0; i < choice->programs.count; i++) {
        const program_entry *entry = &choice->programs.entries[i];
        int match = only || name ? -1 : task_set_match(&choice->tasks, entry->name);
        int wanted =
            only ||
            (name ? strcmp(entry->name, name) == 0
                  : match >= 0 && (!options->task || strcmp(choice->tasks.tasks[match]->id, options->task) == 0));
        if (!wanted) continue;
        found = entry;
        count++;
    }
    if (count == 1 || (name && count)) return found; /* of several definitions of a name the last holds, as in Python */
    if (choice->programs.count == 0)
        message_error("%s: no programs; expected definitions such as `def solve(I):`", path);
    else if (name)
        refuse_name(choice, path, name);
    else
        message_error("%s: %d programs, %d of them named after a task given; choose one with --program NAME", path,
                      choice->programs.count, count);
    return NULL;
}

/* The task that is asked for, or the only one, or the one the program is named after; NULL after a message. */
static const arc_task *choose_task(const task_choice *choice, const char *path, const cli_options *options) {
    int match = task_set_match(&choice->tasks, choice->program->name);
    if (!options->task && choice->tasks.count > 1 && match >= 0) return choice->tasks.tasks[match];
    return task_set_choose(&choice->tasks, path, options->task);
}

int task_choice_open(arcl_context *context, const char *tasks, char *programs, const cli_options *options,
                     task_choice *choice) {
    *choice = (task_choice){0};
    if (task_set_load(context, tasks, &choice->tasks)) return -1;
    program_list_load(context, &programs, 1, &choice->programs);
    if (options->safe) program_list_set_policy(&choice->programs, ARCL_SAFE);
    if (choice->programs.bad) return -1;
    if (options->task && task_set_find(&choice->tasks, options->task) < 0) {
        task_set_refuse(&choice->tasks, tasks, options->task);
        return -1;
    }
    choice->program = choose_program(choice, programs, options);
    choice->task = choice->program ? choose_task(choice, tasks, options) : NULL;
    return choice->task ? 0 : -1;
}

void task_choice_close(task_choice *choice) {
    program_list_free(&choice->programs);
    task_set_free(&choice->tasks);
}

/* ---- running ---- */

int task_run_start(arcl_context *context, const arc_task *task, const program_entry *program, task_run *run) {
    arcl_error error, ignored;
    session_work *work = &run->work, *const works[] = {work};
    *run = (task_run){.task = task};
    run->is_grid = program_entry_compile(context, program, 1, &work->program, &error) == 0;
    if (!run->is_grid && program_entry_compile(context, program, 0, &work->program, &ignored)) {
        message_error("%s", error.message);
        return CLI_BAD;
    }
    int form = task_form_of(work->program);
    arcl_status status = task_batch_create(context, form, &work->batch, &error);
    for (int i = 0; !status && i < task->count; i++)
        status = task_batch_add(work->batch, form, task, &task->examples[i], &error);
    if (!status) {
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

int task_run_panels(const task_run *run, uint32_t lane, hoard *owner, panel_row *row) {
    const task_example *example = &run->task->examples[lane];
    task_verdict so = task_run_judge(run, lane);
    task_grid got = {0};
    *row = (panel_row){.is_test = strcmp(example->part, "test") == 0};
    panel_add_grid(row, owner, "input", &example->input);
    if (example->output.cells)
        panel_add_grid(row, owner, so == TASK_RIGHT ? "expected and got" : "expected", &example->output);
    if (so == TASK_FAILED)
        panel_add_text(row, owner, "got", arcl_lane_status_name(arcl_result_status(run->work.result, lane)));
    else if (!run->is_grid) {
        json_t *value = value_json_make(arcl_result_value(run->work.result, lane));
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        panel_add_text(row, owner, "got", text ? text : "");
        free(text);
        json_decref(value);
    } else if (so != TASK_RIGHT) {
        got = task_run_output(run, lane);
        panel_add_grid(row, owner, "got", &got);
    }
    row->panels[1].arrow = 1;
    return so == TASK_WRONG ? panel_add_difference(row, owner, "difference", &example->output, &got) : 0;
}
