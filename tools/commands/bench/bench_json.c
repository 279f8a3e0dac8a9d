#include "commands/bench/bench_json.h"

#include <time.h>

#include "cli/files.h"
#include "cli/json_text.h"

static json_t *context_json(const bench_table *table) {
    const bench_machine *m = &table->machine;
    char date[64];
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S+00:00", gmtime_r(&now, &parts));
    json_t *devices = json_object();
    for (int i = 0; i < table->device_count; i++)
        json_object_set_new(devices, table->devices[i].id, json_text(table->devices[i].name));
    return json_pack("{ss so ss si sf sb s[fff] ss ss si so so si sf si so}", "date", date, "host_name",
                     json_text(m->host), "executable", "arcl bench", "num_cpus", m->processors, "mhz_per_cpu",
                     m->megahertz, "cpu_scaling_enabled", m->scaling, "load_avg", m->load[0], m->load[1], m->load[2],
                     "library_version", arcl_version(), "library_build_type",
#ifdef NDEBUG
                     "release",
#else
                     "debug",
#endif
                     "json_schema_version", 1, "processor", json_text(m->processor), "system", json_text(m->system),
                     "threads", table->threads, "min_time_seconds", table->seconds, "grid_side", table->side, "devices",
                     devices);
}

/* What all benchmarks of a row have: its place among others, and what it does in a second. */
static json_t *row_json(const bench_table *table, const bench_row *row, const char *suffix, const char *type) {
    char name[96], whole[128];
    size_t at = (size_t)(row - table->rows), rows = 0, family = 0;
    for (size_t i = at; i > 0 && table->rows[i - 1].op == row->op; i--) rows++;
    for (size_t i = 1; i <= at - rows; i++) family += table->rows[i].op != table->rows[i - 1].op;
    bench_row_name(table, row, name, sizeof name);
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    return json_pack("{ss sI sI ss ss si si}", "name", whole, "family_index", (json_int_t)family,
                     "per_family_instance_index", (json_int_t)rows, "run_name", name, "run_type", type, "repetitions",
                     row->times.count, "threads", table->threads);
}

static void add_rates(json_t *object, const bench_row *row, double seconds) {
    json_object_set_new(object, "items_per_second", json_real(row->lanes / seconds));
    if (row->amount.bytes)
        json_object_set_new(object, "bytes_per_second", json_real((double)row->amount.bytes / seconds));
    if (row->amount.cells)
        json_object_set_new(object, "cells_per_second", json_real((double)row->amount.cells / seconds));
}

static json_t *repetition_json(const bench_table *table, const bench_row *row, int index) {
    const bench_repetition *r = &row->times.repetition[index];
    json_t *object = row_json(table, row, "", "iteration");
    json_object_update_new(object,
                           json_pack("{si sI sf sf ss}", "repetition_index", index, "iterations", (json_int_t)r->runs,
                                     "real_time", r->real * 1e9, "cpu_time", r->processor * 1e9, "time_unit", "ns"));
    add_rates(object, row, r->real);
    return object;
}

static json_t *aggregate_json(const bench_table *table, const bench_row *row, const char *what, const char *unit,
                              double value) {
    char suffix[32];
    int is_time = *unit == 't';
    snprintf(suffix, sizeof suffix, "_%s", what);
    json_t *object = row_json(table, row, suffix, "aggregate");
    json_object_update_new(object,
                           json_pack("{ss ss si sf ss}", "aggregate_name", what, "aggregate_unit", unit, "iterations",
                                     row->times.count, "real_time", is_time ? value * 1e9 : value, "time_unit", "ns"));
    return object;
}

static void add_aggregates(json_t *list, const bench_table *table, const bench_row *row) {
    const bench_summary *s = &row->sum;
    json_t *median = aggregate_json(table, row, "median", "time", s->median);
    add_rates(median, row, s->median);
    json_object_update_new(median,
                           json_pack("{sf sf sf sf sf sf sf}", "cpu_time", s->processor * 1e9, "low_time", s->low * 1e9,
                                     "high_time", s->high * 1e9, "kernel_time", row->times.kernels * 1e9,
                                     "transfer_time", row->times.transfers * 1e9, "compile_seconds", row->times.compile,
                                     "first_run_seconds", row->times.first));
    if (row->times.shape) json_object_set_new(median, "shape", json_string(row->times.shape));
    json_array_append_new(list, median);
    json_array_append_new(list, aggregate_json(table, row, "mean", "time", s->mean));
    json_array_append_new(list, aggregate_json(table, row, "min", "time", s->minimum));
    json_array_append_new(list, aggregate_json(table, row, "stddev", "time", s->deviation));
    json_array_append_new(list, aggregate_json(table, row, "cv", "percentage", s->deviation / s->mean));
    json_array_append_new(list, aggregate_json(table, row, "spread", "percentage", s->spread));
}

json_t *bench_json(const bench_table *table) {
    json_t *list = json_array();
    for (size_t i = 0; i < table->count; i++) {
        const bench_row *row = &table->rows[i];
        for (int n = 0; n < row->times.count; n++) json_array_append_new(list, repetition_json(table, row, n));
        add_aggregates(list, table, row);
    }
    return json_pack("{so so}", "context", context_json(table), "benchmarks", list);
}

int bench_json_write(const json_t *object, const char *path) {
    file_output out;
    if (file_create(&out, path)) return -1;
    json_dumpf(object, out.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    putc('\n', out.stream);
    return file_commit(&out);
}
