/* The report as tables and as JSON. An op that ran on several devices has an entry for each of them. */
#include "data/report_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

/* ---- per op ---- */

static int slower_first(const void *a, const void *b) {
    const arcl_op_report *x = a, *y = b;
    if (x->nanoseconds != y->nanoseconds) return x->nanoseconds < y->nanoseconds ? 1 : -1;
    int by_name = strcmp(x->name, y->name);
    return by_name ? by_name : strcmp(x->device, y->device);
}

arcl_op_report *report_sorted(const arcl_context *context, int *count) {
    *count = arcl_report_count(context);
    arcl_op_report *entries = allocation_get((size_t)*count, sizeof *entries);
    for (int i = 0; i < *count; i++) entries[i] = arcl_report_get(context, i);
    if (*count) qsort(entries, (size_t)*count, sizeof *entries, slower_first);
    return entries;
}

/* "" on the host, whose kernels have one shape. */
static const char *shape_text(const arcl_op_report *e) {
    if (strcmp(e->device, "host") == 0 || !*e->device) return "";
    return !e->teams ? "lane" : e->teams == e->launches ? "team" : "both";
}

static json_t *ops_json(const arcl_context *context) {
    int count;
    arcl_op_report *entries = report_sorted(context, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        const arcl_op_report *e = &entries[i];
        json_t *op = json_pack("{ss ss ss sI sI sI sI sI sI}", "op", e->name, "planned", e->device, "ran", e->device,
                               "launches", (json_int_t)e->launches, "teams", (json_int_t)e->teams, "lanes",
                               (json_int_t)e->lanes, "words", (json_int_t)e->words, "failures", (json_int_t)e->failures,
                               "nanoseconds", (json_int_t)e->nanoseconds);
        if (*shape_text(e)) json_object_set_new(op, "shape", json_string(shape_text(e)));
        json_array_append_new(list, op);
    }
    free(entries);
    return list;
}

static void print_op(const arcl_op_report *e, int shapes) {
    fprintf(stderr, "%-24s %-8s %-8s %10llu %12llu %14llu %10llu %12.3f", e->name, e->device, e->device,
            (unsigned long long)e->launches, (unsigned long long)e->lanes, (unsigned long long)e->words,
            (unsigned long long)e->failures, (double)e->nanoseconds * 1e-6);
    if (shapes && *shape_text(e)) fprintf(stderr, " %s", shape_text(e));
    putc('\n', stderr);
}

static void print_ops(const arcl_context *context) {
    int count;
    arcl_op_report *entries = report_sorted(context, &count), sum = {.name = "all", .device = ""};
    int shapes = 0; /* there is something to tell only where teams have run */
    for (int i = 0; i < count; i++) shapes |= entries[i].teams > 0;
    fprintf(stderr, "%-24s %-8s %-8s %10s %12s %14s %10s %12s%s\n", "op", "planned", "ran", "launches", "lanes",
            "words", "failures", "time ms", shapes ? " shape" : "");
    for (int i = 0; i < count; i++) {
        print_op(&entries[i], shapes);
        sum.launches += entries[i].launches;
        sum.lanes += entries[i].lanes;
        sum.words += entries[i].words;
        sum.failures += entries[i].failures;
        sum.nanoseconds += entries[i].nanoseconds;
    }
    print_op(&sum, shapes);
    free(entries);
}

/* ---- per device ---- */

static json_t *devices_json(const arcl_context *context) {
    json_t *list = json_array();
    for (int i = 0; i < arcl_report_device_count(context); i++) {
        arcl_device_report d = arcl_report_device(context, i);
        json_array_append_new(list, json_pack("{ss sI sI sI sI sI sI}", "device", d.device, "launches",
                                              (json_int_t)d.launches, "synchronisations",
                                              (json_int_t)d.synchronisations, "bytes_up", (json_int_t)d.bytes_up,
                                              "bytes_down", (json_int_t)d.bytes_down, "builds", (json_int_t)d.builds,
                                              "build_nanoseconds", (json_int_t)d.build_nanoseconds));
    }
    return list;
}

static void print_devices(const arcl_context *context) {
    int count = arcl_report_device_count(context);
    if (count)
        fprintf(stderr, "\n%-24s %10s %18s %14s %14s %8s %12s\n", "device", "launches", "synchronisations", "bytes up",
                "bytes down", "builds", "build ms");
    for (int i = 0; i < count; i++) {
        arcl_device_report d = arcl_report_device(context, i);
        fprintf(stderr, "%-24s %10llu %18llu %14llu %14llu %8llu %12.3f\n", d.device, (unsigned long long)d.launches,
                (unsigned long long)d.synchronisations, (unsigned long long)d.bytes_up,
                (unsigned long long)d.bytes_down, (unsigned long long)d.builds, (double)d.build_nanoseconds * 1e-6);
    }
}

/* ---- runs ---- */

static json_t *runs_json(const arcl_context *context) {
    arcl_run_report r = arcl_report_runs(context);
    return json_pack("{sI sf sf sf}", "runs", (json_int_t)r.runs, "predicted_nanoseconds", r.predicted,
                     "taken_nanoseconds", r.taken, "unpredicted_nanoseconds", r.unpredicted);
}

static void print_runs(const arcl_context *context) {
    arcl_run_report r = arcl_report_runs(context);
    if (!r.runs) return; /* all results were known */
    fprintf(stderr, "\n%llu run%s took %.3f ms; ", (unsigned long long)r.runs, r.runs == 1 ? "" : "s", r.taken * 1e-6);
    if (r.unpredicted >= r.taken)
        fprintf(stderr, "nothing was predicted, because nothing was measured: see `arcl profile`\n");
    else
        fprintf(stderr, "predicted were %.3f ms%s\n", r.predicted * 1e-6,
                r.unpredicted > 0 ? " for those that could be predicted" : "");
}

/* ---- caches ---- */

static json_t *cache_json(arcl_cache_report c) {
    return json_pack("{s{sI sI sI} s{sI sI sI sI} s{sI sI sI} sI}", "programs", "hits", (json_int_t)c.program_hits,
                     "misses", (json_int_t)c.program_misses, "nanoseconds_saved",
                     (json_int_t)c.compile_nanoseconds_saved, "lanes", "hits", (json_int_t)c.lane_hits, "misses",
                     (json_int_t)c.lane_misses, "nanoseconds_saved", (json_int_t)c.run_nanoseconds_saved, "bytes",
                     (json_int_t)c.bytes, "stored", "sections_read", (json_int_t)c.sections_read, "files_written",
                     (json_int_t)c.files_written, "refused", (json_int_t)c.refused, "nanoseconds_spent",
                     (json_int_t)c.nanoseconds_spent);
}

static void print_cache(arcl_cache_report c) {
    if (!c.enabled) return;
    fprintf(stderr, "\n%-24s %10s %10s %14s\n", "cache", "hits", "misses", "saved ms");
    fprintf(stderr, "%-24s %10llu %10llu %14.3f\n", "compiled programs", (unsigned long long)c.program_hits,
            (unsigned long long)c.program_misses, (double)c.compile_nanoseconds_saved * 1e-6);
    fprintf(stderr, "%-24s %10llu %10llu %14.3f\n", "lanes", (unsigned long long)c.lane_hits,
            (unsigned long long)c.lane_misses, (double)c.run_nanoseconds_saved * 1e-6);
    fprintf(stderr, "the cache itself took %.3f ms; programs read %llu, files written %llu, refused %llu\n",
            (double)c.nanoseconds_spent * 1e-6, (unsigned long long)c.sections_read,
            (unsigned long long)c.files_written, (unsigned long long)c.refused);
}

/* ---- all of it ---- */

void report_print(const arcl_context *context) {
    print_ops(context);
    print_devices(context);
    print_runs(context);
    print_cache(arcl_report_cache(context));
}

json_t *report_json(const arcl_context *context) {
    arcl_cache_report cache = arcl_report_cache(context);
    json_t *report =
        json_pack("{so so so}", "ops", ops_json(context), "devices", devices_json(context), "runs", runs_json(context));
    if (cache.enabled) json_object_set_new(report, "cache", cache_json(cache));
    return report;
}
