/* arcl run: one program on the inputs of one task; its outputs drawn, or as JSON. A program whose result is no grid is
 * run all the same and its values are printed in the notation of the vector files. */
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "command_line.h"
#include "files.h"
#include "grid_drawing.h"
#include "messages.h"
#include "program_files.h"
#include "report_output.h"
#include "session.h"
#include "task_batch.h"
#include "task_file.h"
#include "value_json.h"

typedef struct running {
    const cli_options *options;
    arcl_context *context;
    task_set tasks;
    program_list programs;
    const program_entry *program;
    const arc_task *task;
    int is_grid; /* the result is a grid */
    session_work work;
} running;

/* The program of that name, or else the only one, or else the one named after the task; NULL after a message. */
static const program_entry *choose_program(const running *all) {
    const char *path = all->options->arguments[0], *name = all->options->program;
    const program_entry *found = NULL;
    int count = 0, only = !name && all->programs.count == 1;
    for (int i = 0; i < all->programs.count; i++) {
        const program_entry *entry = &all->programs.entries[i];
        int match = only || name ? -1 : task_set_match(&all->tasks, entry->name);
        int wanted = only || (name ? strcmp(entry->name, name) == 0
                                   : match >= 0 && (!all->options->task ||
                                                    strcmp(all->tasks.tasks[match]->id, all->options->task) == 0));
        if (!wanted) continue;
        found = entry;
        count++;
    }
    if (count == 1 || (name && count)) return found; /* of several definitions of a name the last holds, as in Python */
    if (all->programs.count == 0)
        message_error("%s: no programs; expected definitions such as `def solve(I):`", path);
    else if (name)
        message_error("%s: no program %s", path, name);
    else
        message_error("%s: %d programs, %d of them named after a task given; choose one with --program NAME", path,
                      all->programs.count, count);
    return NULL;
}

/* The task that is asked for, or the only one, or the one the program is named after; NULL after a message. */
static const arc_task *choose_task(const running *all) {
    int match = task_set_match(&all->tasks, all->program->name);
    if (!all->options->task && all->tasks.count > 1 && match >= 0) return all->tasks.tasks[match];
    return task_set_choose(&all->tasks, all->options->in, all->options->task);
}

/* Compiles and runs. Returns CLI_DONE, or another exit status after a message. */
static int run_program(running *all) {
    arcl_error error, ignored;
    session_work *work = &all->work, *const works[] = {work};
    all->is_grid = program_entry_compile(all->context, all->program, 1, &work->program, &error) == 0;
    if (!all->is_grid && program_entry_compile(all->context, all->program, 0, &work->program, &ignored)) {
        message_error("%s", error.message);
        return CLI_BAD;
    }
    int form = task_form_of(work->program);
    arcl_status status = task_batch_create(all->context, form, &work->batch, &error);
    for (int i = 0; !status && i < all->task->count; i++)
        status = task_batch_add(work->batch, form, all->task, &all->task->examples[i], &error);
    if (!status) {
        int ran = session_run(all->context, 1, works);
        if (ran != CLI_DONE || work->result) return ran;
        error = work->error;
    }
    message_error("%s: %s", all->program->name, error.message);
    return CLI_BAD;
}

/* The output of a lane that has one: cells that belong to the result. */
static task_grid output_grid(const running *all, uint32_t lane) {
    int h, w;
    const signed char *cells = arcl_result_grid(all->work.result, lane, &h, &w);
    return (task_grid){h, w, (signed char *)(uintptr_t)cells};
}

static int is_equal(const task_grid *a, const task_grid *b) {
    return a->h == b->h && a->w == b->w && memcmp(a->cells, b->cells, (size_t)(a->h * a->w)) == 0;
}

typedef enum verdict { FAILED, UNKNOWN, RIGHT, WRONG } verdict;

/* Compares with the output in the task, where there is one. */
static verdict judge(const running *all, uint32_t lane) {
    const task_grid *expected = &all->task->examples[lane].output;
    if (arcl_result_status(all->work.result, lane) != ARCL_OK) return FAILED;
    if (!all->is_grid || !expected->cells) return UNKNOWN;
    task_grid output = output_grid(all, lane);
    return is_equal(&output, expected) ? RIGHT : WRONG;
}

static void print_lane(const running *all, uint32_t lane, verdict so) {
    static const char *const words[] = {"", "", " as expected", " not as expected"};
    arcl_lane_status status = arcl_result_status(all->work.result, lane);
    const task_example *example = &all->task->examples[lane];
    printf("%s[%d] ", example->part, example->index);
    if (so == FAILED)
        printf("%s: %s\n\n", arcl_lane_status_name(status), arcl_lane_status_meaning(status));
    else if (all->is_grid) {
        task_grid output = output_grid(all, lane);
        printf("%dx%d%s\n", output.h, output.w, words[so]);
        drawing_print(&output, 1);
    } else {
        json_t *value = value_json_make(arcl_result_value(all->work.result, lane));
        json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
        putchar('\n');
        json_decref(value);
    }
}

static json_t *lane_json(const running *all, uint32_t lane, verdict so) {
    arcl_lane_status status = arcl_result_status(all->work.result, lane);
    const task_example *example = &all->task->examples[lane];
    json_t *value = so == FAILED ? json_null() : value_json_make(arcl_result_value(all->work.result, lane));
    json_t *object = json_pack("{ss si ss so}", "part", example->part, "index", example->index, "status",
                               arcl_lane_status_name(status), "output", value);
    if (so == RIGHT || so == WRONG) json_object_set_new(object, "match", json_boolean(so == RIGHT));
    return object;
}

static int write_json(const running *all) {
    file_output out;
    char type[128];
    if (file_create(&out, all->options->json)) return -1;
    json_t *lanes = json_array();
    for (uint32_t i = 0; i < arcl_result_lanes(all->work.result); i++)
        json_array_append_new(lanes, lane_json(all, i, judge(all, i)));
    json_t *object = json_pack("{ss ss ss so}", "program", all->program->name, "task", all->task->id, "type",
                               arcl_program_result_type(all->work.program, type, sizeof type), "outputs", lanes);
    if (all->options->report) json_object_set_new(object, "report", report_json(all->context));
    json_dumpf(object, out.stream, JSON_COMPACT);
    putc('\n', out.stream);
    json_decref(object);
    return file_commit(&out);
}

static int show_outputs(const running *all) {
    int status = CLI_DONE;
    for (uint32_t i = 0; i < arcl_result_lanes(all->work.result); i++) {
        verdict so = judge(all, i);
        if (so == FAILED || so == WRONG) status = CLI_MISMATCH;
        if (!all->options->json) print_lane(all, i, so);
    }
    return all->options->json && write_json(all) ? CLI_BAD : status;
}

int cmd_run(const cli_options *options) {
    running all = {.options = options};
    int status;
    if (!options->in) {
        message_error("run: --in is missing: the task whose inputs to run on");
        return CLI_BAD;
    }
    status = session_open(options, &all.context);
    if (status) return status;
    status = CLI_BAD;
    if (task_set_load(all.context, options->in, &all.tasks)) goto done;
    program_list_load(all.context, options->arguments, options->count, &all.programs);
    if (all.programs.bad || !(all.program = choose_program(&all)) || !(all.task = choose_task(&all))) goto done;
    status = run_program(&all);
    if (status == CLI_DONE) status = show_outputs(&all);
done:
    arcl_result_free(all.work.result);
    arcl_batch_free(all.work.batch);
    arcl_program_free(all.work.program);
    program_list_free(&all.programs);
    task_set_free(&all.tasks);
    return session_close(options, all.context, status);
}
