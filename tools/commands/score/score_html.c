/* Collects the rows that are shown, and writes the page when all are known. Scoring does not keep outputs, so
 * the few programs whose failures are drawn are run again. */
#include "commands/score/score_html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands/score/score_rows.h"
#include "draw/page.h"
#include "draw/task_page.h"

enum { MOST_DRAWN = 40, MOST_EXAMPLES = 4 };
enum { MOST_SOLVED = 400, SOLVED_EXAMPLES = 2 }; /* these take no run, and little room */

struct score_html {
    file_output out;
    score_rows rows;
    int rejected; /* programs */
    int all_pairs;
};

/* ---- collecting ---- */

score_html *score_html_create(const char *path, int all_pairs) {
    score_html *html = allocation_get(1, sizeof *html);
    html->all_pairs = html->rows.best_first = all_pairs;
    if (file_create(&html->out, path) == 0) return html;
    free(html);
    return NULL;
}

void score_html_free(score_html *html) {
    if (!html) return;
    file_discard(&html->out);
    score_rows_free(&html->rows);
    free(html);
}

void score_html_program(score_html *html, const score_outcome *outcome, const score_tally *tallies) {
    const char *why = outcome->rejection;
    html->rejected += why != NULL;
    if (!outcome->tasks && why) score_rows_add(&html->rows, (score_row){.program = outcome->program, .rejected = why});
    for (int i = 0; outcome->tasks && i < outcome->tasks->count; i++) {
        const score_tally *tally = &tallies[i];
        if (score_tally_all(tally) == 0) continue;
        score_rows_add(&html->rows, (score_row){.program = outcome->program,
                                                .task = tally->task,
                                                .right = score_tally_right(tally),
                                                .all = score_tally_all(tally),
                                                .errors = tally->errors,
                                                .cells = tally->cells,
                                                .all_cells = tally->all_cells,
                                                .rejected = why});
    }
}

static int is_solved(const score_row *row) { return score_row_verdict(row) == ROW_SOLVED; }

/* ---- the head ---- */

/* Files as a fact: the only one, or the folder or the first of many. */
static void put_files(FILE *out, const char *what, const char *first, int several) {
    char text[512];
    const char *slash = strrchr(first, '/');
    if (several && slash)
        snprintf(text, sizeof text, "files in %.*s", (int)(slash - first), first);
    else
        snprintf(text, sizeof text, "%s%s", first, several ? " and others" : "");
    page_fact(out, what, text);
}

/* "p.py on tasks.json: arcl score" */
static void begin_page(FILE *out, const score_rows *f) {
    char title[1024] = "arcl score";
    if (f->programs && f->tasks)
        snprintf(title, sizeof title, "%.400s%s on %.400s%s: arcl score", f->programs,
                 f->several_programs ? " and others" : "", f->tasks, f->several_tasks ? " and others" : "");
    page_begin(out, title);
}

static void put_tile(FILE *out, uint64_t part, uint64_t all, const char *what) {
    fprintf(out, "<li><b>%llu<span class=\"dim\"> / %llu</span></b>%s</li>\n", (unsigned long long)part,
            (unsigned long long)all, what);
}

static void put_head(FILE *out, arcl_context *context, const score_html *html, const score_solved *solved,
                     const score_totals *totals, const score_times *times) {
    const score_rows *rows = &html->rows;
    begin_page(out, rows);
    fputs("<h1>arcl score</h1>\n", out);
    page_facts_begin(out);
    if (rows->programs) put_files(out, "programs", rows->programs, rows->several_programs);
    if (rows->tasks) put_files(out, "tasks", rows->tasks, rows->several_tasks);
    page_fact_date(out);
    page_fact_devices(out, context);
    page_facts_end(out);
    fprintf(out, "<p class=\"dim\">read in %.3f s, compiled in %.3f s, run in %.3f s</p>\n<ul class=\"tiles\">\n",
            times->read, times->compile, times->run);
    put_tile(out, solved->by_program, solved->tasks, "tasks solved by some program");
    if (solved->grids) put_tile(out, solved->by_attempts, solved->tested, "tasks solved by two attempts");
    if (solved->grids) put_tile(out, solved->grids_right, solved->grids, "test grids right by two attempts");
    put_tile(out, totals->tasks_right, totals->tasks,
             html->all_pairs ? "pairs solved" : "programs that solve their task");
    put_tile(out, totals->examples_right, totals->examples, "examples right");
    fprintf(out, "<li><b class=\"%s\">%llu</b>examples without an output</li>\n", totals->errors ? "bad" : "",
            (unsigned long long)totals->errors);
    fprintf(out, "<li><b class=\"%s\">%d</b>programs rejected</li>\n</ul>\n", html->rejected ? "bad" : "",
            html->rejected);
}

/* ---- the table ---- */

static const char *const verdicts[ROW_VERDICTS] = {[ROW_SOLVED] = "solved",
                                                   [ROW_SOME_RIGHT] = "some right",
                                                   [ROW_WRONG] = "wrong",
                                                   [ROW_FAILS] = "fails",
                                                   [ROW_REJECTED] = "rejected"};

static const char *verdict(const score_row *row) { return verdicts[score_row_verdict(row)]; }

/* What the page's filter looks at. */
static void put_find(FILE *out, const score_row *row) {
    fputs(" data-find=\"", out);
    page_text(out, row->program->name);
    if (row->task) putc(' ', out);
    if (row->task) page_text(out, row->task->id);
    fprintf(out, "\" data-result=\"%s\"", verdict(row));
}

/* `anchor` is the number of its drawing on the page, or -1. */
static void put_row(FILE *out, const score_row *row, int anchor) {
    double cells = row->all_cells ? 100 * (double)row->cells / (double)row->all_cells : 0;
    fputs("<tr", out);
    put_find(out, row);
    fputs("><td>", out);
    if (anchor >= 0) fprintf(out, "<a href=\"#case%d\">", anchor);
    page_text(out, row->program->name);
    fputs(anchor >= 0 ? "</a></td><td>" : "</td><td>", out);
    page_text(out, row->task ? row->task->id : "");
    fprintf(
        out,
        "</td><td class=\"%s\">%s</td><td data-key=\"%.4f\"><span class=\"meter\"><i style=\"width:%.0f%%\"></i></span>"
        "%d/%d</td><td class=\"n\">%d</td><td class=\"n\" data-key=\"%.4f\">%.1f %%</td></tr>\n",
        is_solved(row) ? "good" : "bad", verdict(row), row->all ? (double)row->right / row->all : 0,
        row->all ? 100.0 * row->right / row->all : 0, row->right, row->all, row->errors, cells, cells);
}

/* Rows that are solved or not, up to what is left of MOST_ROWS; the drawn ones lead to their drawings. */
static int put_rows(FILE *out, const score_html *html, int solved, int left) {
    const score_row_list *list = &html->rows.lists[solved];
    for (int i = 0; i < list->count && left > 0; i++, left--)
        put_row(out, &list->rows[i], i < (solved ? MOST_SOLVED : MOST_DRAWN) ? 2 * i + solved : -1);
    return left;
}

static void put_table(FILE *out, const score_html *html) {
    uint64_t all = html->rows.count;
    fputs("<h2 id=\"programs\">Programs</h2>\n", out);
    page_filter_begin(out, "Find a program or task");
    page_filter_button(out, "", all);
    for (int i = 0; i < ROW_VERDICTS; i++)
        if (html->rows.of[i] && html->rows.of[i] < all) page_filter_button(out, verdicts[i], html->rows.of[i]);
    page_filter_end(out);
    fputs("<div class=\"scroll tall\"><table class=\"programs\">\n<thead><tr><th><button>program</button></th>"
          "<th><button>task</button></th><th><button>result</button></th><th><button>examples right</button></th>"
          "<th class=\"n\"><button>without output</button></th><th class=\"n\"><button>cells right</button></th>"
          "</tr></thead>\n<tbody>\n",
          out);
    int solved_first = html->all_pairs;
    put_rows(out, html, !solved_first, put_rows(out, html, solved_first, MOST_ROWS));
    fputs("</tbody></table></div>\n", out);
    if (all > MOST_ROWS)
        fprintf(out, "<p class=\"dim\">%llu more rows are left out here; <code>--json</code> has all.</p>\n",
                (unsigned long long)(all - MOST_ROWS));
}

/* ---- drawings ---- */

/* Returns CLI_DONE, or another exit status after a message. */
static int put_examples(FILE *out, arcl_context *context, const score_row *row) {
    task_run run;
    int left_out = 0, status = task_run_start(context, row->task, row->program, &run);
    for (uint32_t lane = 0, drawn = 0; status == CLI_DONE && lane < arcl_result_lanes(run.work.result); lane++) {
        task_verdict so = task_run_judge(&run, lane);
        if ((so != TASK_WRONG && so != TASK_FAILED) || !row->task->examples[lane].output.cells) continue;
        if (drawn++ < MOST_EXAMPLES)
            task_page_lane(out, &run, lane);
        else
            left_out++;
    }
    if (left_out) fprintf(out, "<p class=\"dim\">%d more examples of this task are not right.</p>\n", left_out);
    task_run_close(&run);
    return status;
}

static int put_case(FILE *out, arcl_context *context, const score_row *row, int number) {
    int status = CLI_DONE;
    fprintf(out, "<section class=\"case\" id=\"case%d\" tabindex=\"-1\"", 2 * number + is_solved(row));
    put_find(out, row);
    fputs(">\n<h3><a class=\"up\" href=\"#programs\">all programs</a>", out);
    page_text(out, row->program->name);
    if (row->task) {
        fputs(" <span class=\"dim\">on ", out);
        page_text(out, row->task->id);
        fprintf(out, ", %d of %d right</span>", row->right, row->all);
    }
    fputs("</h3>\n", out);
    if (row->rejected) {
        fputs("<pre>", out);
        page_text(out, row->rejected);
        fputs("</pre>\n", out);
    } else if (is_solved(row))
        task_page_examples(out, row->task, "expected and got", SOLVED_EXAMPLES);
    else
        status = put_examples(out, context, row);
    fputs("</section>\n", out);
    return status;
}

/* The drawings of what is solved, or of what is not, as a part of the page. */
static int put_cases(FILE *out, arcl_context *context, const score_html *html, int solved) {
    const score_row_list *list = &html->rows.lists[solved];
    uint64_t found = solved ? html->rows.of[ROW_SOLVED] : html->rows.count - html->rows.of[ROW_SOLVED];
    int most = solved ? MOST_SOLVED : MOST_DRAWN, status = CLI_DONE;
    const char *title = solved ? "is solved" : html->all_pairs ? "came near" : "went wrong";
    if (found == 0) return 0;
    fprintf(out, "<div class=\"part\">\n<h2>What %s</h2>\n<div%s>\n", title, solved ? " class=\"gallery\"" : "");
    for (int i = 0; i < list->count && i < most && status == CLI_DONE; i++)
        status = put_case(out, context, &list->rows[i], i);
    fputs("</div>\n", out);
    if (found > (uint64_t)most)
        fprintf(out, "<p class=\"dim\">The first %d are drawn; %llu more are left out.</p>\n", most,
                (unsigned long long)(found - (uint64_t)most));
    fputs("</div>\n", out);
    return status == CLI_DONE ? 0 : -1;
}

int score_html_write(score_html *html, arcl_context *context, const score_solved *solved, const score_totals *totals,
                     const score_times *times) {
    FILE *out = html->out.stream;
    score_rows_finish(&html->rows);
    put_head(out, context, html, solved, totals, times);
    put_table(out, html);
    arcl_report_enable(context, 0);
    if (put_cases(out, context, html, 0) || put_cases(out, context, html, 1)) return -1;
    page_placement(out, context);
    page_end(out);
    return file_commit(&html->out);
}
