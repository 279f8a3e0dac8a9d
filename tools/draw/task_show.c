/* Puts the panels of tasks and runs together. How they are drawn is the business of grid_drawing.c and picture.c. */
#include "draw/task_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "data/value_json.h"
#include "draw/grid_drawing.h"
#include "draw/picture.h"

/* ---- a task ---- */

static void task_row(const task_example *example, hoard *owner, panel_row *row) {
    *row = (panel_row){.is_test = strcmp(example->part, "test") == 0};
    panel_add_grid(row, owner, NULL, &example->input);
    if (example->output.cells)
        panel_add_grid(row, owner, NULL, &example->output)->arrow = 1;
    else
        panel_add_text(row, owner, NULL, "?")->arrow = 1;
}

static void print_size(const task_grid *grid) {
    if (grid->cells)
        printf("%dx%d", grid->h, grid->w);
    else
        putchar('?');
}

void task_show_print(const arc_task *task) {
    message_put_clean(stdout, task->id);
    putchar('\n');
    for (int i = 0; i < task->count; i++) {
        const task_example *example = &task->examples[i];
        hoard memory = {0};
        panel_row row;
        task_row(example, &memory, &row);
        printf("%s[%d] ", example->part, example->index);
        print_size(&example->input);
        fputs(" -> ", stdout);
        print_size(&example->output);
        putchar('\n');
        drawing_print(row.panels, row.count);
        hoard_free(&memory);
    }
}

/* Which example it is, in a picture. */
static void label_row(const task_example *example, hoard *owner, panel_row *row) {
    char label[64];
    snprintf(label, sizeof label, "%s[%d]", example->part, example->index);
    row->label = hoard_text(owner, label);
}

int task_show_picture(const char *path, const arc_task *task) {
    hoard memory = {0};
    panel_row *rows = allocation_get((size_t)task->count, sizeof *rows);
    for (int i = 0; i < task->count; i++) {
        task_row(&task->examples[i], &memory, &rows[i]);
        label_row(&task->examples[i], &memory, &rows[i]);
    }
    int status = picture_write_titled(path, task->id, rows, task->count);
    hoard_free(&memory);
    free(rows);
    return status;
}

/* ---- a program's outputs ---- */

int task_show_panels(const task_run *run, uint32_t lane, hoard *owner, panel_row *row) {
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

void task_show_verdict(const task_run *run, uint32_t lane, int differing) {
    static const char *const words[] = {"", "", " as expected", " not as expected"};
    const task_example *example = &run->task->examples[lane];
    arcl_lane_status status = arcl_result_status(run->work.result, lane);
    task_verdict so = task_run_judge(run, lane);
    printf("%s[%d] ", example->part, example->index);
    if (so == TASK_FAILED) {
        arcl_failure failure;
        printf("%s: %s\n", arcl_lane_status_name(status), arcl_lane_status_meaning(status));
        if (task_run_failure(run, lane, &failure) == 0) printf("%s\n", failure.message);
    } else if (run->is_grid) {
        task_grid output = task_run_output(run, lane);
        printf("%dx%d%s", output.h, output.w, words[so]);
        if (differing) printf(": %d cell%s", differing, differing == 1 ? " differs" : "s differ");
        putchar('\n');
    }
}

void task_show_run(const task_run *run) {
    for (uint32_t lane = 0; lane < arcl_result_lanes(run->work.result); lane++) {
        hoard memory = {0};
        panel_row row;
        task_show_verdict(run, lane, task_show_panels(run, lane, &memory, &row));
        if (!run->is_grid && task_run_judge(run, lane) != TASK_FAILED) putchar('\n');
        drawing_print(row.panels, row.count);
        hoard_free(&memory);
    }
}

int task_show_run_picture(const char *path, const task_run *run) {
    hoard memory = {0};
    uint32_t count = arcl_result_lanes(run->work.result);
    panel_row *rows = allocation_get(count, sizeof *rows);
    for (uint32_t lane = 0; lane < count; lane++) {
        task_show_panels(run, lane, &memory, &rows[lane]);
        label_row(&run->task->examples[lane], &memory, &rows[lane]);
    }
    int status = picture_write_titled(path, run->task->id, rows, (int)count);
    hoard_free(&memory);
    free(rows);
    return status;
}
