/* Rows as text and as JSON: see bench_table.h. */
#include "commands/bench/bench_table.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/json_text.h"
#include "cli/number_text.h"

double bench_row_cost(const bench_row *row) { return row->times.median * 1e9 / row->lanes; }

/* ---- as text ---- */

void bench_table_head(void) {
    printf("%-14s %-6s %8s %11s %13s %6s %11s %11s\n", "op", "device", "lanes", "per lane", "lanes/s", "runs",
           "compile", "first run");
}

/* What compiling took is said once for an op and device: it does not depend on the lanes. Nor does most of the first
 * run, which builds kernels. */
static int is_first(const bench_table *table, const bench_row *row) {
    return row == table->rows || row[-1].device != row->device || row[-1].op != row->op;
}

void bench_table_print(const bench_table *table, const bench_row *row) {
    char cost[32], compile[32], first[32];
    printf("%-14s %-6s %8u %11s %13.0f %6u", row->op, table->devices[row->device].id, row->lanes,
           time_text(bench_row_cost(row), cost, sizeof cost), row->lanes / row->times.median, row->times.runs);
    if (is_first(table, row))
        printf(" %11s %11s", time_text(row->times.compile * 1e9, compile, sizeof compile),
               time_text(row->times.first * 1e9, first, sizeof first));
    putchar('\n');
    fflush(stdout);
}

/* ---- as JSON ---- */

static json_t *context_json(const bench_table *table) {
    char date[64], host[256] = "";
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S+00:00", gmtime_r(&now, &parts));
    gethostname(host, sizeof host - 1);
    json_t *devices = json_object();
    for (int i = 0; i < table->device_count; i++)
        json_object_set_new(devices, table->devices[i].id, json_text(table->devices[i].name));
    return json_pack("{ss so ss ss si ss si so}", "date", date, "host_name", json_text(host), "executable",
                     "arcl bench", "arcl_version", arcl_version(), "num_cpus", table->threads, "library_build_type",
#ifdef NDEBUG
                     "release",
#else
                     "debug",
#endif
                     "grid_side", table->side, "devices", devices);
}

static json_t *row_json(const bench_table *table, const bench_row *row) {
    char name[96];
    snprintf(name, sizeof name, "%s/%s/%u", row->op, table->devices[row->device].id, row->lanes);
    return json_pack("{ss ss ss si si si sI sf sf ss sf sf sf}", "name", name, "run_name", name, "run_type",
                     "iteration", "repetitions", 1, "repetition_index", 0, "threads", 1, "iterations",
                     (json_int_t)row->times.runs, "real_time", row->times.median * 1e9, "cpu_time",
                     row->times.processor * 1e9, "time_unit", "ns", "items_per_second", row->lanes / row->times.median,
                     "compile_seconds", row->times.compile, "first_run_seconds", row->times.first);
}

int bench_table_json(const bench_table *table, const char *path) {
    file_output out;
    if (file_create(&out, path)) return -1;
    json_t *list = json_array();
    for (size_t i = 0; i < table->count; i++) json_array_append_new(list, row_json(table, &table->rows[i]));
    json_t *object = json_pack("{so so}", "context", context_json(table), "benchmarks", list);
    json_dumpf(object, out.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    putc('\n', out.stream);
    json_decref(object);
    return file_commit(&out);
}
