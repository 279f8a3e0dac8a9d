/* arcl similar: which expected grids the outputs of programs come near to, whatever input they were made of; or the
 * grids of one file those of another. Programs run in groups, so that memory stays bounded however many there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/json_text.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "commands/similar/similar_output.h"
#include "commands/similar/similar_rank.h"
#include "data/grid_file.h"
#include "data/program_files.h"
#include "data/report_output.h"
#include "data/session.h"
#include "data/task_batch.h"
#include "data/task_file.h"

enum { GROUP = 256, DEFAULT_TOP = 3 };
#define GROUP_LANES 16384u
#define GROUP_COUNTS ((uint64_t)16 << 20) /* of a matrix, which bounds its memory */

typedef struct comparing {
    const cli_options *options;
    arcl_context *context;
    task_set tasks;
    program_list programs;
    grid_file files[2]; /* outputs, expected */
    hoard memory;

    similar_side expected;
    /* what programs run on: the inputs of all tasks */
    const char **inputs; /* labels */
    uint32_t input_count;
    uint32_t *own; /* of every expected grid, the input that it is the answer to */
    arcl_batch *batch[TASK_FORMS];

    uint32_t *counts; /* the matrix of the group that is being compared; kept for the next one */
    size_t count_room;
    similar_table table;
    uint32_t top;
    similar_entry *best; /* with --by-expected: `top` for each group of expected grids */
    uint32_t *best_count;
    similar_totals totals;
    json_t *rejected;
    file_output json;
    int written;
} comparing;

/* ---- the expected grids and the inputs ---- */

static const char *label(hoard *memory, const char *task, const task_example *e) {
    size_t size = strlen(task) + 32;
    char *text = hoard_get(memory, size);
    snprintf(text, size, "%s%s%s[%d]", task, *task ? " " : "", e->part, e->index);
    return text;
}

static void *take(comparing *all, size_t count, size_t size) { return hoard_get(&all->memory, (count + 1) * size); }

/* The outputs of all tasks are expected, in a group per task; their inputs are what programs run on. */
static int use_tasks(comparing *all) {
    uint32_t examples = 0, n = 0;
    for (int i = 0; i < all->tasks.count; i++) examples += (uint32_t)all->tasks.tasks[i]->count;
    arcl_grid *grids = take(all, examples, sizeof *grids);
    const char **labels = take(all, examples, sizeof *labels),
               **names = take(all, (size_t)all->tasks.count, sizeof *names);
    uint32_t *first = take(all, (size_t)all->tasks.count + 1, sizeof *first);
    all->inputs = take(all, examples, sizeof *all->inputs);
    all->own = take(all, examples, sizeof *all->own);
    for (int i = 0; i < all->tasks.count; i++) {
        const arc_task *task = all->tasks.tasks[i];
        names[i] = task->id;
        first[i] = n;
        for (int j = 0; j < task->count; j++) {
            const task_example *e = &task->examples[j];
            all->inputs[all->input_count++] = label(&all->memory, task->id, e);
            if (!e->output.cells) continue;
            grids[n] = (arcl_grid){e->output.h, e->output.w, e->output.cells};
            all->own[n] = all->input_count - 1;
            labels[n++] = label(&all->memory, "", e);
        }
    }
    first[all->tasks.count] = n;
    all->expected = (similar_side){grids, labels, n, names, first, (uint32_t)all->tasks.count};
    if (!n) message_error("%s: no task has an output to compare with", all->options->tasks.texts[0]);
    return n ? 0 : -1;
}

/* Each grid of a file is a group of its own. */
static void use_grids(comparing *all, const grid_file *file) {
    const char **labels = take(all, file->count, sizeof *labels);
    uint32_t *first = take(all, (size_t)file->count + 1, sizeof *first);
    for (uint32_t n = 0; n < file->count; n++) {
        labels[n] = "";
        first[n] = n;
    }
    first[file->count] = file->count;
    all->expected = (similar_side){file->grids, labels, file->count, file->names, first, file->count};
}

static arcl_batch *batch_for(comparing *all, int form) {
    arcl_error error;
    arcl_batch *batch = all->batch[form];
    if (batch) return batch;
    arcl_status status = task_batch_create(all->context, form, &batch, &error);
    for (int i = 0; !status && i < all->tasks.count; i++)
        for (int j = 0; !status && j < all->tasks.tasks[i]->count; j++)
            status = task_batch_add(batch, form, all->tasks.tasks[i], &all->tasks.tasks[i]->examples[j], &error);
    if (status) {
        message_error("%s", error.message);
        arcl_batch_free(batch);
        return NULL;
    }
    return all->batch[form] = batch;
}

/* ---- comparing ---- */

typedef struct ranking {
    const similar_side *expected;
    similar_row *rows;
    similar_entry *entries; /* of every row, one per group of expected grids */
} ranking;

static void rank_one(void *arg, uint32_t index) {
    const ranking *r = arg;
    similar_rank(&r->rows[index], r->expected, r->entries + (size_t)index * r->expected->groups);
}

static void put_entry(comparing *all, const similar_entry *entry) {
    if (!all->options->quiet) similar_print_entry(&all->table, entry);
    if (all->json.stream) similar_json_entry(all->json.stream, entry, &all->written);
}

static void put_row(comparing *all, const similar_entry *entries) {
    similar_entry *best = allocation_get(all->top, sizeof *best);
    uint32_t count = 0;
    for (uint32_t g = 0; g < all->expected.groups; g++)
        if (all->options->by_expected)
            similar_keep(all->best + (size_t)g * all->top, &all->best_count[g], all->top, &entries[g]);
        else
            similar_keep(best, &count, all->top, &entries[g]);
    for (uint32_t n = 0; n < count; n++) put_entry(all, &best[n]);
    free(best);
}

static uint32_t *matrix_for(comparing *all, uint32_t outputs) {
    size_t wanted = (size_t)outputs * all->expected.count;
    if (wanted > all->count_room) {
        free(all->counts);
        all->counts = allocation_get(wanted, sizeof *all->counts);
        all->count_room = wanted;
    }
    return all->counts;
}

/* Compares rows whose grids follow each other, `outputs` in all. Returns CLI_DONE, or another exit status after a
 * message. */
static int compare(comparing *all, similar_row *rows, uint32_t count, const arcl_grid *grids, uint32_t outputs) {
    const similar_side *expected = &all->expected;
    arcl_similarity_report report;
    arcl_error error;
    uint32_t *at = matrix_for(all, outputs);
    arcl_status status = arcl_similarity(all->context, all->options->variant, grids, outputs, expected->grids,
                                         expected->count, at, &report, &error);
    if (status) {
        message_error("%s", error.message);
        return status == ARCL_DEVICE_FAILED ? CLI_DEVICE : CLI_BAD;
    }
    for (uint32_t i = 0; i < count; i++) {
        rows[i].counts = at;
        at += (size_t)rows[i].count * expected->count;
    }
    ranking r = {expected, rows, allocation_get((size_t)count * expected->groups, sizeof *r.entries)};
    arcl_parallel(all->context, count, rank_one, &r);
    message_progress_end();
    for (uint32_t i = 0; i < count; i++) put_row(all, r.entries + (size_t)i * expected->groups);
    report.nanoseconds += all->totals.report.nanoseconds;
    report.bytes_moved += all->totals.report.bytes_moved;
    all->totals.report = report;
    all->totals.compared = 1;
    all->totals.outputs += outputs;
    free(r.entries);
    return CLI_DONE;
}

/* ---- the grids of a file ---- */

static int compare_grids(comparing *all) {
    const grid_file *file = &all->files[0];
    static const char *const no_label[] = {""};
    uint64_t most = GROUP_COUNTS / all->expected.count + 1;
    int status = CLI_DONE;
    similar_row *rows = allocation_get(most < file->count ? most : file->count, sizeof *rows);
    for (uint32_t first = 0; first < file->count && status == CLI_DONE;) {
        uint32_t count = file->count - first < most ? file->count - first : (uint32_t)most;
        for (uint32_t i = 0; i < count; i++)
            rows[i] = (similar_row){file->names[first + i], &file->grids[first + i], no_label, 1, NULL, NULL};
        status = compare(all, rows, count, file->grids + first, count);
        first += count;
        message_progress("grids", first, file->count);
    }
    free(rows);
    return status;
}

/* ---- the outputs of programs ---- */

typedef struct program_job {
    const program_entry *program;
    session_work work;
} program_job;

typedef struct program_group {
    comparing *all;
    program_job jobs[GROUP];
    int count;
} program_group;

static void compile(void *arg, uint32_t index) {
    program_group *g = arg;
    program_job *job = &g->jobs[index];
    if (program_entry_compile(g->all->context, job->program, 1, &job->work.program, &job->work.error))
        job->work.program = NULL;
}

static int run_programs(program_group *g) {
    session_work *works[GROUP];
    int ready = 0;
    arcl_parallel(g->all->context, (uint32_t)g->count, compile, g);
    for (int i = 0; i < g->count; i++) {
        session_work *work = &g->jobs[i].work;
        if (!work->program) continue;
        work->batch = batch_for(g->all, task_form_of(work->program));
        if (!work->batch) return CLI_BAD;
        works[ready++] = work;
    }
    return session_run(g->all->context, ready, works);
}

static void reject(comparing *all, const program_job *job) {
    message_error("%s", job->work.error.message);
    json_array_append_new(all->rejected,
                          json_pack("{ss so so}", "name", job->program->name, "file", json_text(job->program->file),
                                    "error", json_text(job->work.error.message)));
}

/* The outputs of a program; a lane that failed has none. */
static void take_outputs(const arcl_result *result, arcl_grid *grids) {
    for (uint32_t n = 0; n < arcl_result_lanes(result); n++) {
        grids[n] = (arcl_grid){0, 0, NULL};
        if (arcl_result_status(result, n) == ARCL_OK)
            grids[n].cells = arcl_result_grid(result, n, &grids[n].h, &grids[n].w);
        if (!grids[n].h || !grids[n].w) grids[n] = (arcl_grid){0, 0, NULL};
    }
}

static int compare_group(program_group *g) {
    comparing *all = g->all;
    similar_row rows[GROUP];
    uint32_t count = 0;
    int status = run_programs(g);
    arcl_grid *grids = allocation_get((size_t)g->count * all->input_count, sizeof *grids);
    for (int i = 0; i < g->count && status == CLI_DONE; i++) {
        const program_job *job = &g->jobs[i];
        arcl_grid *of_program = grids + (size_t)count * all->input_count;
        if (!job->work.result) {
            reject(all, job);
            continue;
        }
        take_outputs(job->work.result, of_program);
        rows[count++] = (similar_row){job->program->name, of_program, all->inputs, all->input_count, all->own, NULL};
    }
    if (status == CLI_DONE && count) status = compare(all, rows, count, grids, count * all->input_count);
    free(grids);
    for (int i = 0; i < g->count; i++) {
        arcl_result_free(g->jobs[i].work.result);
        arcl_program_free(g->jobs[i].work.program);
    }
    return status;
}

static int compare_programs(comparing *all) {
    program_group *g = allocation_get(1, sizeof *g);
    uint64_t counts = (uint64_t)all->input_count * all->expected.count;
    int status = CLI_DONE;
    for (int i = 0; i < all->programs.count && status == CLI_DONE; i++) {
        g->all = all;
        g->jobs[g->count++] = (program_job){.program = &all->programs.entries[i]};
        uint64_t next = (uint64_t)g->count + 1;
        if (next <= GROUP && next * all->input_count <= GROUP_LANES && next * counts <= GROUP_COUNTS &&
            i + 1 < all->programs.count)
            continue;
        status = compare_group(g);
        g->count = 0;
        message_progress("programs", (uint64_t)i + 1, (uint64_t)all->programs.count);
    }
    free(g);
    return status;
}

/* ---- the command ---- */

static int is_json(const char *path) {
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

/* What is compared with what, from the arguments. Returns 0, or -1 after a message. */
static int load(comparing *all) {
    const cli_options *o = all->options;
    int grids = 0;
    for (int i = 0; i < o->count; i++) grids += is_json(o->arguments[i]);
    if (grids ? o->count != (o->tasks.count ? 1 : 2) || grids != o->count : !o->tasks.count) {
        message_error(
            "similar: expected PROGRAMS.py... --tasks PATH, or GRIDS.json --tasks PATH, or two files of grids");
        return -1;
    }
    if (o->tasks.count && (task_set_load(all->context, o->tasks.texts, o->tasks.count, &all->tasks) || use_tasks(all)))
        return -1;
    if (!grids) {
        program_list_load(all->context, o->dialect, o->arguments, o->count, &all->programs);
        return all->programs.bad && !all->programs.count ? -1 : 0;
    }
    all->own = NULL; /* nothing is known of where the grids of a file come from */
    for (int i = 0; i < o->count; i++)
        if (grid_file_load(o->arguments[i], &all->files[i])) return -1;
    if (!o->tasks.count) use_grids(all, &all->files[1]);
    return 0;
}

static void print_head(comparing *all) {
    similar_table *t = &all->table;
    t->with_own = all->own != NULL;
    for (uint32_t g = 0; g < all->expected.groups; g++) similar_table_fit(&t->expected, all->expected.names[g]);
    for (uint32_t n = 0; n < all->files[0].count; n++) similar_table_fit(&t->outputs, all->files[0].names[n]);
    for (int i = 0; i < all->programs.count; i++) similar_table_fit(&t->outputs, all->programs.entries[i].name);
    if (!all->options->quiet) similar_print_head(t);
}

static void put_by_expected(comparing *all) {
    for (uint32_t g = 0; g < all->expected.groups; g++)
        for (uint32_t n = 0; n < all->best_count[g]; n++) put_entry(all, &all->best[(size_t)g * all->top + n]);
}

static int finish(comparing *all) {
    int status = all->programs.bad || json_array_size(all->rejected) ? CLI_BAD : CLI_DONE;
    message_progress_end();
    if (all->options->by_expected) put_by_expected(all);
    all->totals.expected = all->expected.count;
    if (all->json.stream) {
        similar_json_end(all->json.stream, &all->totals, json_incref(all->rejected),
                         all->options->report ? report_json(all->context) : NULL);
        if (file_commit(&all->json)) status = CLI_BAD;
    }
    similar_print_totals(&all->totals);
    return status;
}

int cmd_similar(const cli_options *options) {
    comparing all = {.options = options, .rejected = json_array()};
    int status = session_open(options, &all.context);
    if (status) goto done;
    status = CLI_BAD;
    all.top = options->top ? (uint32_t)options->top : DEFAULT_TOP;
    if (load(&all)) goto done;
    if (options->json) {
        if (file_create(&all.json, options->json)) goto done;
        similar_json_begin(all.json.stream);
    }
    if (options->by_expected) {
        all.best = allocation_get((size_t)all.top * all.expected.groups, sizeof *all.best);
        all.best_count = allocation_get(all.expected.groups, sizeof *all.best_count);
    }
    print_head(&all);
    status = all.files[0].count ? compare_grids(&all) : compare_programs(&all);
    if (status == CLI_DONE) status = finish(&all);
done:
    for (int form = 0; form < TASK_FORMS; form++) arcl_batch_free(all.batch[form]);
    for (int i = 0; i < 2; i++) grid_file_free(&all.files[i]);
    free(all.counts);
    free(all.best);
    free(all.best_count);
    json_decref(all.rejected);
    file_discard(&all.json);
    program_list_free(&all.programs);
    task_set_free(&all.tasks);
    hoard_free(&all.memory);
    return all.context ? session_close(options, all.context, status) : status;
}
