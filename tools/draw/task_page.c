#include "draw/task_page.h"

#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "draw/task_show.h"

/* ---- examples ---- */

void task_page_examples(FILE *out, const arc_task *task, const char *title, int most) {
    int count = task->count < most ? task->count : most;
    fputs("<div class=\"examples\">\n", out);
    for (int i = 0; i < count; i++) {
        const task_example *example = &task->examples[i];
        char input[64], output[64];
        hoard memory = {0};
        panel_row row = {.count = 0};
        snprintf(input, sizeof input, "%s[%d]", example->part, example->index);
        panel_add_grid(&row, &memory, input, &example->input);
        snprintf(output, sizeof output, "%s", title ? title : "");
        if (example->output.cells)
            panel_add_grid(&row, &memory, output, &example->output)->arrow = 1;
        else
            panel_add_text(&row, &memory, output, "?")->arrow = 1;
        page_panels(out, row.panels, row.count);
        hoard_free(&memory);
    }
    fputs("</div>\n", out);
    if (count < task->count) fprintf(out, "<p class=\"dim\">%d more examples.</p>\n", task->count - count);
}

void task_page_lane(FILE *out, const task_run *run, uint32_t lane) {
    const task_example *example = &run->task->examples[lane];
    arcl_lane_status status = arcl_result_status(run->work.result, lane);
    hoard memory = {0};
    panel_row row;
    int differing = task_show_panels(run, lane, &memory, &row);
    fprintf(out, "<p>%s[%d]: ", example->part, example->index);
    switch (task_run_judge(run, lane)) {
    case TASK_FAILED: fprintf(out, "%s, %s", arcl_lane_status_name(status), arcl_lane_status_meaning(status)); break;
    case TASK_UNKNOWN: fputs("nothing is expected", out); break;
    case TASK_RIGHT: fputs("<span class=\"good\">as expected</span>", out); break;
    case TASK_WRONG: fprintf(out, "%d cell%s", differing, differing == 1 ? " differs" : "s differ"); break;
    }
    fputs("</p>\n", out);
    page_panels(out, row.panels, row.count);
    hoard_free(&memory);
}

/* ---- a gallery ---- */

/* A name that can be the end of an address as it is. */
static int is_plain(const char *id) {
    return *id && !id[strspn(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-")];
}

static void put_task(FILE *out, const arc_task *task, int number) {
    char anchor[64];
    int tests = 0;
    for (int i = 0; i < task->count; i++) tests += strcmp(task->examples[i].part, "test") == 0;
    if (is_plain(task->id) && strlen(task->id) < sizeof anchor)
        snprintf(anchor, sizeof anchor, "%s", task->id);
    else
        snprintf(anchor, sizeof anchor, "task%d", number);
    fprintf(out, "<section class=\"case\" id=\"%s\" tabindex=\"-1\" data-find=\"", anchor);
    page_text(out, task->id);
    fprintf(out, "\">\n<h3><a href=\"#%s\">", anchor);
    page_text(out, task->id);
    fprintf(out, "</a> <span class=\"dim\">%d train, %d test</span></h3>\n", task->count - tests, tests);
    task_page_examples(out, task, NULL, task->count);
    fputs("</section>\n", out);
}

int task_page_gallery(const char *path, const char *from, const arc_task *const *tasks, int count) {
    file_output file;
    char title[512], many[32];
    if (file_create(&file, path)) return -1;
    FILE *out = file.stream;
    snprintf(title, sizeof title, "%s: %d ARC task%s", from, count, count == 1 ? "" : "s");
    snprintf(many, sizeof many, "%d", count);
    page_begin(out, title);
    fputs("<h1>ARC tasks</h1>\n", out);
    page_facts_begin(out);
    page_fact(out, "from", from);
    page_fact(out, "tasks", many);
    page_fact_date(out);
    page_facts_end(out);
    page_filter_begin(out, "Find a task");
    page_filter_end(out);
    fputs("<div class=\"gallery part\">\n", out);
    for (int i = 0; i < count; i++) put_task(out, tasks[i], i);
    fputs("</div>\n", out);
    page_end(out);
    return file_commit(&file);
}

/* ---- a run ---- */

int task_page_run(const char *path, arcl_context *context, const program_entry *program, const task_run *run) {
    file_output file;
    char title[512];
    if (file_create(&file, path)) return -1;
    FILE *out = file.stream;
    snprintf(title, sizeof title, "%s on %s", program->name, run->task->id);
    page_begin(out, title);
    fputs("<h1>", out);
    page_text(out, title);
    fputs("</h1>\n", out);
    page_facts_begin(out);
    page_fact(out, "program", program->file);
    page_fact(out, "task", run->task->file);
    page_fact_date(out);
    page_fact_devices(out, context);
    page_facts_end(out);
    for (uint32_t lane = 0; lane < arcl_result_lanes(run->work.result); lane++) {
        fprintf(out, "<section class=\"case\" id=\"case%u\" tabindex=\"-1\">\n", lane);
        task_page_lane(out, run, lane);
        fputs("</section>\n", out);
    }
    page_end(out);
    return file_commit(&file);
}
