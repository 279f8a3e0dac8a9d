/* arcl trace: what every line of a program makes of every example of a task, in the terminal, as a picture, as a page,
 * or as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/json_text.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "data/failure_json.h"
#include "data/task_choice.h"
#include "data/value_json.h"
#include "draw/grid_drawing.h"
#include "draw/page.h"
#include "draw/picture.h"
#include "draw/trace_rows.h"

/* ---- the terminal ---- */

static void print_rows(const trace_rows *all) {
    for (int i = 0; i < all->count; i++) {
        const trace_row *r = &all->rows[i];
        if (*r->row.caption) {
            message_put_clean(stdout, r->row.caption);
            putchar('\n');
        }
        if (r->kind == TRACE_ROW_FAILURE)
            putchar('\n');
        else
            drawing_print(r->row.panels, r->row.count);
    }
}

/* ---- a picture ---- */

/* A message of several lines is a row of text for each; pictures have no others. */
static int write_picture(const char *path, const char *title, trace_rows *all) {
    panel_row *rows = allocation_get((size_t)all->count + 1, sizeof *rows);
    for (int i = 0; i < all->count; i++) {
        rows[i] = all->rows[i].row;
        if (all->rows[i].kind != TRACE_ROW_FAILURE) continue;
        char *line = hoard_text(&all->memory, rows[i].caption), *end = strchr(line, '\n');
        if (end) *end = 0;
        rows[i].caption = line;
    }
    int status = picture_write_titled(path, title, rows, all->count);
    free(rows);
    return status;
}

/* ---- a page ---- */

static void put_row(FILE *out, const trace_row *r) {
    if (r->kind == TRACE_ROW_LINE) {
        fputs(r->is_same ? "<h3 class=\"dim\"><code>" : "<h3><code>", out);
        page_text(out, r->row.caption);
        fputs("</code></h3>\n", out);
    } else if (r->kind == TRACE_ROW_FAILURE) {
        fputs("<pre class=\"bad\">", out);
        page_text(out, r->row.caption);
        fputs("</pre>\n", out);
        return;
    } else if (*r->row.caption) {
        fputs("<p class=\"dim\">", out);
        page_text(out, r->row.caption);
        fputs("</p>\n", out);
    }
    page_panels(out, r->row.panels, r->row.count);
}

static int write_page(const char *path, const char *title, const trace_rows *all) {
    file_output out;
    if (file_create(&out, path)) return -1;
    page_begin(out.stream, title);
    fputs("<h1>", out.stream);
    page_text(out.stream, title);
    fputs("</h1>\n<p class=\"dim\">Lines whose value is the same in all examples are dim, and drawn once.</p>\n",
          out.stream);
    for (int i = 0; i < all->count; i++) put_row(out.stream, &all->rows[i]);
    page_end(out.stream);
    return file_commit(&out);
}

/* ---- JSON ---- */

static json_t *value_json(const arcl_trace *trace, int line, uint32_t lane) {
    arcl_lane_status status = arcl_trace_status(trace, line, lane);
    json_t *value = status == ARCL_OK ? value_json_make(arcl_trace_value(trace, line, lane)) : json_null();
    json_t *object = json_pack("{ss so}", "status", arcl_lane_status_name(status), "value", value);
    arcl_failure f;
    if (arcl_trace_failure(trace, line, lane, &f, NULL) == ARCL_SUCCESS && f.status != ARCL_OK)
        json_object_set_new(object, "failure", failure_json_make(&f));
    if (*arcl_trace_line_get(trace, line).element_type)
        json_object_set_new(object, "elements", value_json_make(arcl_trace_elements(trace, line, lane)));
    return object;
}

static json_t *line_json(const arcl_trace *trace, int number, uint32_t lanes) {
    static const char *const kinds[] = {"value", "function", "unused"};
    arcl_trace_line line = arcl_trace_line_get(trace, number);
    json_t *object = json_pack("{si so ss ss sb}", "line", (int)line.line, "text", json_text(line.text), "kind",
                               kinds[line.kind], "type", line.type, "same", line.same);
    json_t *values = json_array();
    for (uint32_t lane = 0; line.kind == ARCL_TRACE_VALUE && lane < lanes; lane++)
        json_array_append_new(values, value_json(trace, number, lane));
    json_object_set_new(object, "values", values);
    return object;
}

static int write_json(const char *path, const task_choice *choice, const arcl_trace *trace, uint32_t lanes) {
    file_output out;
    if (file_create(&out, path)) return -1;
    json_t *lines = json_array();
    for (int i = 0; i < arcl_trace_lines(trace); i++) json_array_append_new(lines, line_json(trace, i, lanes));
    json_t *object = json_pack("{so so so}", "program", json_text(choice->program->name), "task",
                               json_text(choice->task->id), "lines", lines);
    json_dumpf(object, out.stream, JSON_COMPACT);
    putc('\n', out.stream);
    json_decref(object);
    return file_commit(&out);
}

/* ---- the command ---- */

/* Draws what is not written to a file. */
static int show(const cli_options *options, const task_choice *choice, const task_run *run, const arcl_trace *trace) {
    int status = task_run_status(run);
    char title[300];
    trace_rows rows;
    snprintf(title, sizeof title, "%s on %s, line by line", choice->program->name, choice->task->id);
    trace_rows_make(trace, run, &rows);
    if (options->json && write_json(options->json, choice, trace, (uint32_t)run->task->count)) status = CLI_BAD;
    if (options->html && write_page(options->html, title, &rows)) status = CLI_BAD;
    if (options->png && write_picture(options->png, title, &rows)) status = CLI_BAD;
    if (!options->json && !options->html && !options->png) print_rows(&rows);
    trace_rows_free(&rows);
    return status;
}

static int trace_program(const cli_options *options, const task_choice *choice, const task_run *run) {
    arcl_definition definition = {choice->program->source, choice->program->index};
    arcl_compile_options compiled = task_run_options(run);
    arcl_trace *trace;
    arcl_error error;
    if (arcl_trace_create(run->context, definition, &compiled, run->work.batch, &trace, &error)) {
        allocation_check(&error);
        message_error("%s: %s", choice->program->name, error.message);
        return CLI_BAD;
    }
    int status = show(options, choice, run, trace);
    arcl_trace_free(trace);
    return status;
}

int cmd_trace(const cli_options *options) {
    arcl_context *context;
    task_choice choice;
    task_run run = {0};
    if (!options->in) {
        message_error("trace: --in is missing: the task whose inputs to run on, as in --in TASK.json");
        return CLI_BAD;
    }
    int status = session_open(options, &context);
    if (status) return status;
    status = CLI_BAD;
    if (task_choice_open(context, options->in, options->arguments[0], options, &choice) == 0)
        status = task_run_start(context, choice.task, choice.program, &run);
    if (status == CLI_DONE) status = trace_program(options, &choice, &run);
    task_run_close(&run);
    task_choice_close(&choice);
    return session_close(options, context, status);
}
