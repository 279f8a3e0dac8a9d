/* Collects a row for every pair of program and task, and writes the page when all are known. Scoring does not keep
 * outputs, so the few programs whose failures are drawn are run again. */
#include "commands/score/score_html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "draw/page.h"
#include "draw/task_page.h"

enum { MOST_ROWS = 2000, MOST_DRAWN = 40, MOST_EXAMPLES = 4 };
enum { MOST_SOLVED = 400, SOLVED_EXAMPLES = 2 }; /* these take no run, and little room */

typedef struct html_row {
    const program_entry *program;
    const arc_task *task; /* NULL: named after none */
    int right, all, errors;
    uint64_t cells, all_cells;
    char *rejected; /* why it could not be compiled or run; else NULL */
    int number;     /* in the order in which they came */
} html_row;

struct score_html {
    file_output out;
    html_row *rows;
    int count, room;
    int rejected; /* programs */
    int all_pairs;
    hoard memory;
};

/* ---- collecting ---- */

score_html *score_html_create(const char *path, int all_pairs) {
    score_html *html = allocation_get(1, sizeof *html);
    html->all_pairs = all_pairs;
    if (file_create(&html->out, path) == 0) return html;
    free(html);
    return NULL;
}

void score_html_free(score_html *html) {
    if (!html) return;
    file_discard(&html->out);
    hoard_free(&html->memory);
    free(html->rows);
    free(html);
}

static void add_row(score_html *html, html_row row) {
    if (html->count == html->room) {
        html->room = html->room ? 2 * html->room : 256;
        html->rows = allocation_resize(html->rows, (size_t)html->room, sizeof *html->rows);
    }
    row.number = html->count;
    html->rows[html->count++] = row;
}

void score_html_job(score_html *html, const score_job *job) {
    char *why = job->rejected ? hoard_text(&html->memory, job->work.error.message) : NULL;
    html->rejected += job->rejected;
    if (!job->target && why) add_row(html, (html_row){.program = job->program, .rejected = why});
    score_tally *tallies = job->target ? score_job_tallies(job) : NULL;
    for (int i = 0; job->target && i < job->target->count; i++) {
        const score_tally *tally = &tallies[i];
        if (score_tally_all(tally) == 0) continue;
        add_row(html, (html_row){.program = job->program,
                                 .task = tally->task,
                                 .right = score_tally_right(tally),
                                 .all = score_tally_all(tally),
                                 .errors = tally->errors,
                                 .cells = tally->cells,
                                 .all_cells = tally->all_cells,
                                 .rejected = why});
    }
    free(tallies);
}

static int is_solved(const html_row *row) { return !row->rejected && row->right == row->all; }

static int better_first(const void *a, const void *b) {
    const html_row *x = a, *y = b;
    int64_t examples = (int64_t)y->right * x->all - (int64_t)x->right * y->all;
    if (examples) return examples > 0 ? 1 : -1;
    uint64_t mine = x->cells * y->all_cells, other = y->cells * x->all_cells;
    return mine == other ? (x->number > y->number) - (x->number < y->number) : mine < other ? 1 : -1;
}

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

/* What the rows come from. */
typedef struct html_files {
    const char *programs, *tasks;
    int several_programs, several_tasks;
} html_files;

static html_files find_files(const score_html *html) {
    html_files f = {0};
    for (int i = 0; i < html->count; i++) {
        const html_row *row = &html->rows[i];
        const char *program = row->program->file, *task = row->task ? row->task->file : NULL;
        if (!f.programs) f.programs = program;
        if (!f.tasks) f.tasks = task;
        f.several_programs |= strcmp(f.programs, program) != 0;
        f.several_tasks |= f.tasks && task && strcmp(f.tasks, task) != 0;
    }
    return f;
}

/* "p.py on tasks.json: arcl score" */
static void begin_page(FILE *out, const html_files *f) {
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
    html_files files = find_files(html);
    begin_page(out, &files);
    fputs("<h1>arcl score</h1>\n", out);
    page_facts_begin(out);
    if (files.programs) put_files(out, "programs", files.programs, files.several_programs);
    if (files.tasks) put_files(out, "tasks", files.tasks, files.several_tasks);
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

static const char *verdict(const html_row *row) {
    if (row->rejected) return "rejected";
    if (is_solved(row)) return "solved";
    return row->errors == row->all ? "fails" : row->right ? "some right" : "wrong";
}

/* What the page's filter looks at. */
static void put_find(FILE *out, const html_row *row) {
    fputs(" data-find=\"", out);
    page_text(out, row->program->name);
    if (row->task) putc(' ', out);
    if (row->task) page_text(out, row->task->id);
    fprintf(out, "\" data-result=\"%s\"", verdict(row));
}

/* `anchor` is the number of its drawing on the page, or -1. */
static void put_row(FILE *out, const html_row *row, int anchor) {
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
    int drawn = 0;
    for (int i = 0; i < html->count && left > 0; i++) {
        if (is_solved(&html->rows[i]) != solved) continue;
        put_row(out, &html->rows[i], drawn < (solved ? MOST_SOLVED : MOST_DRAWN) ? 2 * drawn++ + solved : -1);
        left--;
    }
    return left;
}

static int count_results(const score_html *html, const char *result) {
    int count = 0;
    for (int i = 0; i < html->count; i++) count += strcmp(verdict(&html->rows[i]), result) == 0;
    return count;
}

static void put_table(FILE *out, const score_html *html) {
    static const char *const results[] = {"solved", "some right", "wrong", "fails", "rejected"};
    fputs("<h2 id=\"programs\">Programs</h2>\n", out);
    page_filter_begin(out, "Find a program or task");
    page_filter_button(out, "", html->count);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        int count = count_results(html, results[i]);
        if (count && count < html->count) page_filter_button(out, results[i], count);
    }
    page_filter_end(out);
    fputs("<div class=\"scroll tall\"><table class=\"programs\">\n<thead><tr><th><button>program</button></th>"
          "<th><button>task</button></th><th><button>result</button></th><th><button>examples right</button></th>"
          "<th class=\"n\"><button>without output</button></th><th class=\"n\"><button>cells right</button></th>"
          "</tr></thead>\n<tbody>\n",
          out);
    int solved_first = html->all_pairs;
    put_rows(out, html, !solved_first, put_rows(out, html, solved_first, MOST_ROWS));
    fputs("</tbody></table></div>\n", out);
    if (html->count > MOST_ROWS)
        fprintf(out, "<p class=\"dim\">%d more rows are left out here; <code>--json</code> has all.</p>\n",
                html->count - MOST_ROWS);
}

/* ---- drawings ---- */

/* Returns CLI_DONE, or another exit status after a message. */
static int put_examples(FILE *out, arcl_context *context, const html_row *row) {
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

static int put_case(FILE *out, arcl_context *context, const html_row *row, int number) {
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
    int found = 0, most = solved ? MOST_SOLVED : MOST_DRAWN, status = CLI_DONE;
    const char *title = solved ? "is solved" : html->all_pairs ? "came near" : "went wrong";
    for (int i = 0; i < html->count && status == CLI_DONE; i++) {
        if (is_solved(&html->rows[i]) != solved) continue;
        if (found == 0)
            fprintf(out, "<div class=\"part\">\n<h2>What %s</h2>\n<div%s>\n", title,
                    solved ? " class=\"gallery\"" : "");
        if (found++ < most) status = put_case(out, context, &html->rows[i], found - 1);
    }
    if (found) fputs("</div>\n", out);
    if (found > most)
        fprintf(out, "<p class=\"dim\">The first %d are drawn; %d more are left out.</p>\n", most, found - most);
    if (found) fputs("</div>\n", out);
    return status == CLI_DONE ? 0 : -1;
}

int score_html_write(score_html *html, arcl_context *context, const score_solved *solved, const score_totals *totals,
                     const score_times *times) {
    FILE *out = html->out.stream;
    if (html->all_pairs && html->count) qsort(html->rows, (size_t)html->count, sizeof *html->rows, better_first);
    put_head(out, context, html, solved, totals, times);
    put_table(out, html);
    arcl_report_enable(context, 0);
    if (put_cases(out, context, html, 0) || put_cases(out, context, html, 1)) return -1;
    page_placement(out, context);
    page_end(out);
    return file_commit(&html->out);
}
