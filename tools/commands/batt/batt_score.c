/* Tasks run in groups, so that memory stays bounded: the values of differs are kept until they are counted. */
#include "commands/batt/batt_score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/stopwatch.h"
#include "commands/batt/batt_json.h"
#include "commands/score/score_json.h"
#include "commands/score/score_output.h"
#include "data/report_output.h"
#include "data/session.h"

enum { GROUP_LANES = 4096 };

typedef struct scoring {
    const cli_options *options;
    arcl_context *context;
    const task_set *tasks;
    file_output json;
    json_writer writer;
    int *solved, *known_right, *known; /* of each task, by the best battery */
    uint64_t missing;
    int rejected; /* programs */
    score_times times;
} scoring;

int batt_score_is_wanted(const program_list *programs) {
    for (int i = 0; i < programs->source_count; i++)
        if (batt_is_in(programs->sources[i])) return 1;
    return 0;
}

/* ---- what is said of a task ---- */

/* "694f12f3: 3 of 33 results solve it; t56 9172f3a0, .." */
static void print_task(const batt *b, const batt_tally *t) {
    enum { MOST = 5 };
    int printed = 0;
    message_progress_end();
    message_put_clean(stdout, t->task->id);
    printf(" solved by");
    for (int i = 0; i < b->count; i++)
        if (b->infos[i].kind == ARCL_BATTERY_RESULT && t->right[i] == t->known && printed++ < MOST)
            printf("%s t%d %s", printed > 1 ? "," : "", b->infos[i].number, b->infos[i].id);
    printf(printed > MOST ? " and %d more\n" : "\n", printed - MOST);
}

static void write_task(json_writer *w, const batt *b, const batt_tally *t) {
    json_write_newline(w);
    json_write_open(w, '{');
    json_write_key(w, "task");
    json_write_text(w, t->task->id);
    json_write_key(w, "examples");
    json_write_int(w, t->known);
    json_write_key(w, "solved_by");
    json_write_open(w, '[');
    for (int i = 0; i < b->count && t->solved; i++)
        if (b->infos[i].kind == ARCL_BATTERY_RESULT && t->right[i] == t->known) json_write_int(w, b->infos[i].number);
    json_write_close(w, ']');
    batt_json_scores(w, b, t);
    json_write_close(w, '}');
}

static void use_tally(scoring *all, const batt *b, const batt_tally *t, int task) {
    all->known[task] = t->known;
    all->solved[task] |= t->solved > 0;
    if (t->known_right > all->known_right[task]) all->known_right[task] = t->known_right;
    all->missing += t->missing;
    if (t->solved && !all->options->quiet) print_task(b, t);
    if (all->json.stream) write_task(&all->writer, b, t);
}

/* ---- a battery ---- */

/* Returns CLI_DONE, or another exit status after a message. */
static int score_some_tasks(scoring *all, batt *b, int first, int count) {
    batt_lanes lanes;
    double start = stopwatch_now();
    int status = batt_lanes_open(all->context, all->tasks->tasks + first, count, &lanes) ? CLI_BAD : CLI_DONE;
    double made = stopwatch_now();
    if (status == CLI_DONE) status = batt_start(all->context, b, lanes.batch);
    double ran = stopwatch_now();
    if (status == CLI_DONE) {
        batt_tally *tallies = batt_lanes_tally(all->context, &lanes, b);
        double scored = stopwatch_now();
        for (int i = 0; i < count; i++) {
            use_tally(all, b, &tallies[i], first + i);
            batt_tally_free(&tallies[i]);
        }
        free(tallies);
        all->times.score += scored - ran;
        all->times.write += stopwatch_now() - scored;
    }
    batt_lanes_close(&lanes);
    all->times.read += made - start;
    all->times.run += ran - made;
    return status;
}

static int score_all_tasks(scoring *all, batt *b) {
    int status = CLI_DONE, first = 0;
    uint32_t lanes = 0;
    for (int i = 0; i < all->tasks->count && status == CLI_DONE; i++) {
        lanes += (uint32_t)all->tasks->tasks[i]->count;
        if (lanes < GROUP_LANES && i + 1 < all->tasks->count) continue;
        status = score_some_tasks(all, b, first, i + 1 - first);
        message_progress("tasks", (uint64_t)i + 1, (uint64_t)all->tasks->count);
        first = i + 1;
        lanes = 0;
    }
    message_progress_end();
    return status;
}

/* Programs that could not be compiled, and afterwards those that could not be run. */
static void report_rejected(scoring *all, const batt *b) {
    for (int i = 0; i < b->count; i++) {
        const char *why = batt_rejection(b, i);
        if (!why) continue;
        all->rejected++;
        message_error("%s", why);
    }
}

static int score_battery(scoring *all, const arcl_source *source, const char *file) {
    arcl_error error;
    batt b = batt_of(source);
    double start = stopwatch_now();
    int status = CLI_BAD;
    json_writer *w = all->json.stream ? &all->writer : NULL;
    if (batt_compile(all->context, &b, BATT_FOR_SCORES, batt_lane_types, 3, &error))
        message_error("%s", error.message);
    else {
        all->times.compile += stopwatch_now() - start;
        if (w) {
            json_write_newline(w);
            json_write_open(w, '{');
            json_write_key(w, "file");
            json_write_text(w, file);
            json_write_key(w, "tasks");
            json_write_open(w, '[');
        }
        status = score_all_tasks(all, &b);
        report_rejected(all, &b);
        if (w) {
            json_write_close(w, ']');
            json_write_newline(w);
            batt_json_rejected(w, &b);
            json_write_close(w, '}');
        }
    }
    batt_free(&b);
    return status;
}

/* ---- all of them ---- */

/* NULL if it has no definitions. */
static const char *file_of(const program_list *programs, const arcl_source *source) {
    for (int i = 0; i < programs->count; i++)
        if (programs->entries[i].source == source) return programs->entries[i].file;
    return NULL;
}

/* Beside X.py the generator writes X_call.py, the calls as a table: nothing to run. */
static int is_table(const char *file) {
    static const char end[] = "_call.py";
    size_t length = strlen(file);
    return length >= sizeof end - 1 && strcmp(file + length - (sizeof end - 1), end) == 0;
}

/* What makes no sense for a battery is refused, rather than left out. */
static int options_fit(const cli_options *options, const program_list *programs) {
    const char *which = options->html ? "--html" : options->submission ? "--submission" : options->top ? "--top" : NULL;
    if (which) message_error("score: %s is for programs, not for batteries", which);
    for (int i = 0; i < programs->source_count && !which; i++) {
        const char *file = file_of(programs, programs->sources[i]);
        if (!file || is_table(file) || batt_is_in(programs->sources[i])) continue;
        message_error("%s holds no battery: batteries and other programs are scored apart", file);
        return 0;
    }
    return !which;
}

static score_totals totals_of(const scoring *all) {
    score_totals totals = {.unit = "tasks", .errors = all->missing};
    for (int i = 0; i < all->tasks->count; i++) {
        if (!all->known[i]) continue;
        totals.tasks++;
        totals.tasks_right += (uint64_t)all->solved[i];
        totals.examples += (uint64_t)all->known[i];
        totals.examples_right += (uint64_t)all->known_right[i];
    }
    return totals;
}

static int finish_json(scoring *all, const score_totals *totals) {
    json_writer *w = &all->writer;
    json_write_close(w, ']');
    score_json_totals(w, totals, &all->times, all->options->report ? report_json(all->context) : NULL);
    return file_commit(&all->json);
}

static int score_all(scoring *all, const program_list *programs) {
    if (all->options->json) {
        if (file_create(&all->json, all->options->json)) return CLI_BAD;
        all->writer.out = all->json.stream;
        json_write_open(&all->writer, '{');
        json_write_key(&all->writer, "batteries");
        json_write_open(&all->writer, '[');
    }
    int status = CLI_DONE;
    for (int i = 0; i < programs->source_count && status == CLI_DONE; i++)
        if (batt_is_in(programs->sources[i]))
            status = score_battery(all, programs->sources[i], file_of(programs, programs->sources[i]));
    if (status != CLI_DONE) return status;
    score_totals totals = totals_of(all);
    if (all->json.stream && finish_json(all, &totals)) status = CLI_BAD;
    if (all->options->report) score_output_times(&all->times);
    score_output_totals(&totals);
    if (all->rejected || programs->bad) return CLI_BAD;
    return status == CLI_DONE && totals.tasks_right < totals.tasks ? CLI_MISMATCH : status;
}

int batt_score_files(const cli_options *options, arcl_context *context, const program_list *programs,
                     const task_set *tasks) {
    size_t count = (size_t)tasks->count;
    scoring *all = allocation_get(1, sizeof *all);
    *all = (scoring){.options = options,
                     .context = context,
                     .tasks = tasks,
                     .solved = allocation_get(count, sizeof(int)),
                     .known = allocation_get(count, sizeof(int)),
                     .known_right = allocation_get(count, sizeof(int))};
    int status = options_fit(options, programs) ? score_all(all, programs) : CLI_BAD;
    file_discard(&all->json);
    free(all->solved);
    free(all->known);
    free(all->known_right);
    free(all);
    return status;
}
