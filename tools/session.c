/* Around a run: the context, the report, and running many programs of which some may be refused. Knows nothing of tasks
 * or vectors. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "allocation.h"
#include "messages.h"

int session_open(const cli_options *options, arcl_context **context) {
    arcl_error error;
    arcl_options wanted = {.threads = (int)options->threads,
                           .memory = options->memory,
                           .budget = (uint32_t)options->budget,
                           .chunk = (uint32_t)options->chunk,
                           .device = options->device};
    if (arcl_context_create(&wanted, context, &error)) {
        message_error("%s", error.message);
        return -1;
    }
    if (options->report) arcl_report_enable(*context, 1);
    return 0;
}

static int slower_first(const void *a, const void *b) {
    const arcl_op_report *x = a, *y = b;
    if (x->nanoseconds != y->nanoseconds) return x->nanoseconds < y->nanoseconds ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* The entries of the report, the most expensive first; free() them. */
static arcl_op_report *sorted_report(const arcl_context *context, int *count) {
    *count = arcl_report_count(context);
    arcl_op_report *entries = allocation_get((size_t)*count, sizeof *entries);
    for (int i = 0; i < *count; i++) entries[i] = arcl_report_get(context, i);
    if (*count) qsort(entries, (size_t)*count, sizeof *entries, slower_first);
    return entries;
}

json_t *session_report(const arcl_context *context) {
    int count;
    arcl_op_report *entries = sorted_report(context, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        const arcl_op_report *e = &entries[i];
        json_array_append_new(list, json_pack("{ss ss ss sI sI sI sI sI}", "op", e->name, "planned", e->device, "ran",
                                              e->device, "launches", (json_int_t)e->launches, "lanes",
                                              (json_int_t)e->lanes, "words", (json_int_t)e->words, "failures",
                                              (json_int_t)e->failures, "nanoseconds", (json_int_t)e->nanoseconds));
    }
    free(entries);
    return list;
}

static void print_entry(const arcl_op_report *e) {
    fprintf(stderr, "%-24s %-8s %-8s %10llu %12llu %14llu %10llu %12.3f\n", e->name, e->device, e->device,
            (unsigned long long)e->launches, (unsigned long long)e->lanes, (unsigned long long)e->words,
            (unsigned long long)e->failures, (double)e->nanoseconds * 1e-6);
}

static void print_report(const arcl_context *context) {
    int count;
    arcl_op_report *entries = sorted_report(context, &count), sum = {.name = "all", .device = ""};
    fprintf(stderr, "%-24s %-8s %-8s %10s %12s %14s %10s %12s\n", "op", "planned", "ran", "launches", "lanes", "words",
            "failures", "time ms");
    for (int i = 0; i < count; i++) {
        print_entry(&entries[i]);
        sum.launches += entries[i].launches;
        sum.lanes += entries[i].lanes;
        sum.words += entries[i].words;
        sum.failures += entries[i].failures;
        sum.nanoseconds += entries[i].nanoseconds;
    }
    print_entry(&sum);
    free(entries);
}

void session_close(const cli_options *options, arcl_context *context) {
    message_progress_end();
    if (context && options->report) print_report(context);
    arcl_context_free(context);
}

static void run_alone(arcl_context *context, session_work *work) {
    if (arcl_run(context, work->program, work->batch, &work->result, &work->error)) work->result = NULL;
}

void session_run(arcl_context *context, int count, session_work *const *works) {
    if (count == 0) return;
    size_t n = (size_t)count;
    const arcl_program **programs = allocation_get(n, sizeof *programs);
    const arcl_batch **batches = allocation_get(n, sizeof *batches);
    arcl_result **results = allocation_get(n, sizeof *results);
    for (int i = 0; i < count; i++) {
        programs[i] = works[i]->program;
        batches[i] = works[i]->batch;
    }
    arcl_status status = arcl_run_many(context, count, programs, batches, results, NULL);
    for (int i = 0; i < count; i++)
        if (status)
            run_alone(context, works[i]);
        else
            works[i]->result = results[i];
    free(programs);
    free(batches);
    free(results);
}
