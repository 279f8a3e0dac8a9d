/* arcl run: one program on the inputs of one task; its outputs drawn, or as JSON. A program whose result is no grid is
 * run all the same and its values are printed in the notation of the vector files. */
#include <stdio.h>
#include <string.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/json_text.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "commands/batt/batt_run.h"
#include "data/batt.h"
#include "data/failure_json.h"
#include "data/report_output.h"
#include "data/task_choice.h"
#include "data/value_json.h"
#include "draw/grid_drawing.h"
#include "draw/task_show.h"

static void print_value(const task_run *run, uint32_t lane) {
    json_t *value = value_json_make(arcl_result_value(run->work.result, lane));
    json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
    putchar('\n');
    json_decref(value);
}

static void print_output(const task_run *run, uint32_t lane) {
    hoard memory = {0};
    panel_row row = {0};
    task_grid output = task_run_output(run, lane);
    panel_add_grid(&row, &memory, NULL, &output);
    drawing_print(row.panels, row.count);
    hoard_free(&memory);
}

static void print_outputs(const task_run *run) {
    for (uint32_t lane = 0; lane < arcl_result_lanes(run->work.result); lane++) {
        task_show_verdict(run, lane, 0);
        if (task_run_judge(run, lane) == TASK_FAILED)
            putchar('\n');
        else if (run->is_grid)
            print_output(run, lane);
        else
            print_value(run, lane);
    }
}

static void add_failure(const task_run *run, uint32_t lane, json_t *object) {
    arcl_failure f;
    if (task_run_failure(run, lane, &f) == 0) json_object_set_new(object, "failure", failure_json_make(&f));
}

static json_t *lane_json(const task_run *run, uint32_t lane) {
    const task_example *example = &run->task->examples[lane];
    const char *status = arcl_lane_status_name(arcl_result_status(run->work.result, lane));
    task_verdict so = task_run_judge(run, lane);
    json_t *value = so == TASK_FAILED ? json_null() : value_json_make(arcl_result_value(run->work.result, lane));
    json_t *object =
        json_pack("{ss si ss so}", "part", example->part, "index", example->index, "status", status, "output", value);
    if (so == TASK_FAILED) add_failure(run, lane, object);
    if (so == TASK_RIGHT || so == TASK_WRONG) json_object_set_new(object, "match", json_boolean(so == TASK_RIGHT));
    return object;
}

static int write_json(const cli_options *options, const arcl_context *context, const char *program,
                      const task_run *run) {
    file_output out;
    char type[128];
    if (file_create(&out, options->json)) return -1;
    json_t *lanes = json_array();
    for (uint32_t i = 0; i < arcl_result_lanes(run->work.result); i++) json_array_append_new(lanes, lane_json(run, i));
    json_t *object = json_pack("{ss so ss so}", "program", program, "task", json_text(run->task->id), "type",
                               arcl_program_result_type(run->work.program, type, sizeof type), "outputs", lanes);
    if (options->report) json_object_set_new(object, "report", report_json(context));
    json_dumpf(object, out.stream, JSON_COMPACT);
    putc('\n', out.stream);
    json_decref(object);
    return file_commit(&out);
}

/* Draws what is not written to a file. */
static int show(const cli_options *options, const arcl_context *context, const char *program, const task_run *run) {
    int status = task_run_status(run);
    if (options->json && write_json(options, context, program, run)) status = CLI_BAD;
    if (options->png && task_show_run_picture(options->png, run)) status = CLI_BAD;
    if (options->json || options->png) return status;
    if (options->show)
        task_show_run(run);
    else
        print_outputs(run);
    return status;
}

/* Who gives a battery that cannot be read wants to know why, not which program to choose. Returns 1 after a message. */
static int battery_is_broken(arcl_context *context, const program_list *programs) {
    for (int i = 0; i < programs->count; i++) {
        const program_entry *entry = &programs->entries[i];
        arcl_error error;
        arcl_key key;
        if (strcmp(entry->name, "batt") != 0 || !arcl_source_key(context, entry->source, entry->index, &key, &error))
            continue;
        allocation_check(&error);
        message_error("%s", error.message);
        return 1;
    }
    return 0;
}

static int run_program(const cli_options *options, arcl_context *context, task_choice *choice) {
    task_run run = {0};
    if (!options->program && battery_is_broken(context, &choice->programs)) return CLI_BAD;
    if (task_choice_choose(options->in, options->arguments[0], options, choice)) return CLI_BAD;
    program_entry_warn(context, choice->program);
    int status = task_run_start(context, choice->task, choice->program, &run);
    if (status == CLI_DONE) status = show(options, context, choice->program->name, &run);
    task_run_close(&run);
    return status;
}

static int run_battery(const cli_options *options, arcl_context *context, task_choice *choice) {
    if (task_choice_choose_task(options->in, options, choice)) return CLI_BAD;
    return batt_run_task(options, context, choice->programs.sources[0], choice->task);
}

int cmd_run(const cli_options *options) {
    arcl_context *context;
    task_choice choice;
    if (!options->in) {
        message_error("run: --in is missing: the task whose inputs to run on, as in --in TASK.json");
        return CLI_BAD;
    }
    int status = session_open(options, &context);
    if (status) return status;
    status = CLI_BAD;
    if (task_choice_load(context, options->in, options->arguments[0], options, &choice) == 0) {
        int all_of_it = !options->program && batt_is_in(choice.programs.sources[0]);
        status = (all_of_it ? run_battery : run_program)(options, context, &choice);
    }
    task_choice_close(&choice);
    return session_close(options, context, status);
}
