/* arcl bench: microbenchmarks of single ops, as a table, as JSON and as a picture; or two such JSON files compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/op_name.h"
#include "cli/options.h"
#include "commands/bench/bench_compare.h"
#include "commands/bench/bench_op.h"
#include "commands/bench/bench_svg.h"

enum { DEFAULT_SIDE = 10, LEAST_SIDE = 4, MOST_LANES = 1000000 };

/* "1,10,100", ascending. */
static int parse_lanes(const char *text, bench_lanes *lanes) {
    const char *at = text;
    char *end = NULL;
    for (lanes->count = 0; lanes->count < BENCH_MOST_LANES; at = end + 1) {
        unsigned long value = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (value == 0 || value > MOST_LANES || (*end && *end != ',')) break;
        if (lanes->count && value <= lanes->values[lanes->count - 1]) break;
        lanes->values[lanes->count++] = (uint32_t)value;
        if (!*end) return 0;
    }
    message_error("--lanes %s: expected up to %d whole numbers from 1 to %d in ascending order, as in 1,10,100", text,
                  BENCH_MOST_LANES, MOST_LANES);
    return -1;
}

/* ---- which ops ---- */

/* A flag per op: all of them, or those that are named. NULL after a message. */
static char *choose_ops(const cli_options *options, int *count) {
    char *chosen = allocation_get((size_t)arcl_op_count(), 1);
    memset(chosen, options->count == 0, (size_t)arcl_op_count());
    for (int i = 0; i < options->count; i++) {
        int op = op_name_find(ARCL_ARC_DSL, options->arguments[i]);
        if (op < 0) {
            free(chosen);
            return NULL;
        }
        chosen[op] = 1;
    }
    *count = 0;
    for (int i = 0; i < arcl_op_count(); i++) *count += chosen[i];
    return chosen;
}

/* ---- measuring ---- */

/* Goes on after a mismatch, so that all of them are seen. */
static int measure(const char *chosen, int count, const bench_lanes *lanes, const bench_devices *devices,
                   bench_table *table) {
    int status = CLI_DONE;
    table->expected = (size_t)(count * lanes->count * table->device_count);
    table->rows = allocation_get(table->expected, sizeof *table->rows);
    bench_table_head();
    for (int i = 0; i < arcl_op_count() && status <= CLI_MISMATCH; i++) {
        bench_case one;
        if (!chosen[i]) continue;
        if (bench_case_make(i, &one)) {
            message_note("%s is left out: no inputs are known for %s", one.op, arcl_op_get(i).signature);
            continue;
        }
        int result = bench_op(&one, lanes, devices, table);
        if (result > status) status = result;
    }
    return status;
}

static int write_files(const cli_options *options, const bench_table *table) {
    if (options->json && bench_table_json(table, options->json)) return CLI_BAD;
    if (options->svg && bench_svg(table, options->svg)) return CLI_BAD;
    return CLI_DONE;
}

static int compare_files(const cli_options *options) {
    if (options->count == 2) return bench_compare(options->arguments[0], options->arguments[1]);
    message_error("bench: --compare needs two files that --json has written: arcl bench --compare A.json B.json");
    return CLI_BAD;
}

int cmd_bench(const cli_options *options) {
    bench_lanes lanes;
    bench_devices devices;
    bench_table table = {.side = options->size ? (int)options->size : DEFAULT_SIDE};
    int count;
    if (options->compare) return compare_files(options);
    if (parse_lanes(options->lanes ? options->lanes : "1,10,100,1000,10000", &lanes)) return CLI_BAD;
    if (table.side < LEAST_SIDE) {
        message_error("--size %d: the least side is %d", table.side, LEAST_SIDE);
        return CLI_BAD;
    }
    char *chosen = choose_ops(options, &count);
    if (!chosen) return CLI_BAD;
    int status = bench_devices_open(options, &devices, &table);
    if (!status) status = measure(chosen, count, &lanes, &devices, &table);
    if (status <= CLI_MISMATCH && write_files(options, &table)) status = CLI_BAD;
    free(table.rows);
    free(chosen);
    return bench_devices_close(options, &devices, &table, status);
}
