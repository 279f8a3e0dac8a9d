/* The page of a search: numbers, what was found and what came near, drawn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "commands/search/found_files.h"
#include "commands/search/search_files.h"
#include "draw/page.h"
#include "draw/task_page.h"

enum { MOST_SOLVED = 400, MOST_MISSED = 60, MOST_EXAMPLES = 3 };

/* ---- order ---- */

/* Cells of the outputs that a search was given. */
static uint64_t all_cells(const arc_task *task) {
    uint64_t cells = 0;
    for (int i = 0; i < task->count; i++) {
        const task_grid *output = &task->examples[i].output;
        if (strcmp(task->examples[i].part, "train") == 0 && output->cells) cells += (uint64_t)(output->h * output->w);
    }
    return cells;
}

static double nearness(const found_task *found) {
    const found_program *best = found->programs;
    return (double)best->right / found_task_train(found->task) + (double)best->cells / (double)all_cells(found->task);
}

static int nearer_first(const void *a, const void *b) {
    const found_task *x = *(found_task *const *)a, *y = *(found_task *const *)b;
    double ahead = nearness(y) - nearness(x);
    return ahead > 0 ? 1 : ahead < 0 ? -1 : strcmp(x->task->id, y->task->id);
}

/* Those for which there is a program that solves them, or those for which there is one that does not. Free them. */
static found_task **choose(const task_set *tasks, found_task *const *found, int solved, int *count) {
    found_task **chosen = allocation_get((size_t)tasks->count, sizeof *chosen);
    *count = 0;
    for (int i = 0; i < tasks->count; i++)
        if (found[i] && found[i]->program_count && found_task_is_solved(found[i]) == solved)
            chosen[(*count)++] = found[i];
    if (!solved && *count) qsort(chosen, (size_t)*count, sizeof *chosen, nearer_first);
    return chosen;
}

/* ---- the head ---- */

static void put_tile(FILE *out, uint64_t part, uint64_t all, const char *what) {
    fprintf(out, "<li><b>%llu<span class=\"dim\"> / %llu</span></b>%s</li>\n", (unsigned long long)part,
            (unsigned long long)all, what);
}

static void put_stages(FILE *out, const search_totals *totals) {
    fputs("<h2>Stages</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th><button>stage</button></th>"
          "<th class=\"n\"><button>candidates</button></th><th class=\"n\"><button>all train right</button></th>"
          "<th class=\"n\"><button>tasks solved</button></th></tr></thead>\n<tbody>\n",
          out);
    for (int i = 0; i < totals->stage_count; i++) {
        const stage_total *stage = &totals->stages[i];
        fputs("<tr><td>", out);
        page_text(out, stage->name);
        fprintf(out, "</td><td class=\"n\">%llu</td><td class=\"n\">%llu</td><td class=\"n\">%d</td></tr>\n",
                (unsigned long long)stage->candidates, (unsigned long long)stage->answers, stage->solved);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_head(FILE *out, const char *folder, const task_set *tasks, const search_totals *totals) {
    page_begin(out, "arcl search");
    fputs("<h1>arcl search</h1>\n", out);
    page_facts_begin(out);
    page_fact(out, "tasks", tasks->tasks[0]->file);
    page_fact(out, "found", folder);
    page_fact_date(out);
    page_facts_end(out);
    fputs("<ul class=\"tiles\">\n", out);
    put_tile(out, (uint64_t)totals->solved, (uint64_t)totals->tasks, "tasks with all train examples right");
    if (totals->tests.grids) {
        put_tile(out, totals->tests.by_attempts, totals->tests.tested, "tasks solved by two attempts");
        put_tile(out, totals->tests.grids_right, totals->tests.grids, "test grids right by two attempts");
    }
    fprintf(out, "<li><b>%llu</b>candidates</li>\n</ul>\n", (unsigned long long)totals->candidates);
    put_stages(out, totals);
}

/* ---- drawings ---- */

/* Of a solved task the tests are what is new, of another one what is wrong. */
static int is_worth_drawing(const task_run *run, uint32_t lane, int solved) {
    task_verdict so = task_run_judge(run, lane);
    if (solved) return strcmp(run->task->examples[lane].part, "test") == 0;
    return strcmp(run->task->examples[lane].part, "train") == 0 && (so == TASK_WRONG || so == TASK_FAILED);
}

/* Runs the best program and draws some of what it makes. Returns 0, or -1 after a message. */
static int put_run(FILE *out, arcl_context *context, const found_task *found, int solved) {
    const char *text = found->programs[0].text;
    arcl_source *source;
    arcl_error error;
    task_run run = {0};
    if (arcl_source_parse(context, text, strlen(text), found->task->id, &source, &error)) {
        allocation_check(&error);
        message_error("%s", error.message);
        return -1;
    }
    program_entry entry = {.source = source, .file = found->task->id, .name = "solve", .program = "solve"};
    int status = task_run_start(context, found->task, &entry, &run) ? -1 : 0;
    for (uint32_t lane = 0, drawn = 0; status == 0 && lane < arcl_result_lanes(run.work.result); lane++)
        if (is_worth_drawing(&run, lane, solved) && drawn++ < MOST_EXAMPLES) task_page_lane(out, &run, lane);
    task_run_close(&run);
    arcl_source_free(source);
    return status;
}

static int put_case(FILE *out, arcl_context *context, const found_task *found, int solved) {
    const found_program *best = found->programs;
    hoard memory = {0};
    fputs("<section class=\"case\" tabindex=\"-1\" data-find=\"", out);
    page_text(out, found->task->id);
    fprintf(out, "\" data-result=\"%s\">\n<h3>", solved ? "solved" : "missed");
    page_text(out, found->task->id);
    fprintf(
        out,
        " <span class=\"dim\">%d of %d train examples right, %llu of %llu cells; found by %s, %d call%s</span></h3>\n",
        best->right, found_task_train(found->task), (unsigned long long)best->cells,
        (unsigned long long)all_cells(found->task), best->stage, best->calls, best->calls == 1 ? "" : "s");
    fputs("<pre>", out);
    page_text(out, best->text);
    fputs("</pre>\n<p class=\"dim\">", out);
    page_text(out, found_files_path(&memory, found, best));
    fputs("</p>\n", out);
    hoard_free(&memory);
    int status = put_run(out, context, found, solved);
    fputs("</section>\n", out);
    return status;
}

static int put_cases(FILE *out, arcl_context *context, const task_set *tasks, found_task *const *found, int solved) {
    int count, most = solved ? MOST_SOLVED : MOST_MISSED, status = 0;
    found_task **chosen = choose(tasks, found, solved, &count);
    if (count) fprintf(out, "<div class=\"part\">\n<h2>%s</h2>\n", solved ? "What was found" : "The nearest misses");
    for (int i = 0; i < count && i < most && status == 0; i++) status = put_case(out, context, chosen[i], solved);
    if (count > most) fprintf(out, "<p class=\"dim\">%d more are left out.</p>\n", count - most);
    if (count) fputs("</div>\n", out);
    free(chosen);
    return status;
}

int search_page_write(const char *path, arcl_context *context, const char *folder, const task_set *tasks,
                      found_task *const *found, const search_totals *totals) {
    file_output file;
    uint64_t solved = (uint64_t)totals->solved, missed = (uint64_t)totals->searched - solved;
    if (file_create(&file, path)) return -1;
    put_head(file.stream, folder, tasks, totals);
    page_filter_begin(file.stream, "Find a task");
    page_filter_button(file.stream, "", solved + missed);
    if (solved && missed) {
        page_filter_button(file.stream, "solved", solved);
        page_filter_button(file.stream, "missed", missed);
    }
    page_filter_end(file.stream);
    int status = put_cases(file.stream, context, tasks, found, 1);
    if (status == 0) status = put_cases(file.stream, context, tasks, found, 0);
    page_end(file.stream);
    if (status == 0) return file_commit(&file);
    file_discard(&file);
    return status;
}
