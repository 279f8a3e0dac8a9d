/* arcl bench: microbenchmarks of single ops, as a table, as JSON and as a picture, compared with earlier ones; or two
 * such JSON files compared. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/op_name.h"
#include "cli/options.h"
#include "commands/bench/bench_compare.h"
#include "commands/bench/bench_json.h"
#include "commands/bench/bench_op.h"
#include "commands/bench/bench_svg.h"

enum { DEFAULT_SIDE = 10, LEAST_SIDE = 4, MOST_LANES = 1000000, DEFAULT_REPETITIONS = 10 };
static const double default_seconds = 0.005, most_seconds = 100;

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

/* Seconds, with or without a fraction. */
static int parse_seconds(const char *text, double *seconds) {
    char *end = NULL;
    *seconds = *text >= '0' && *text <= '9' ? strtod(text, &end) : -1;
    if (end && *end == 's') end++;
    if (*seconds >= 0 && *seconds <= most_seconds && !*end) return 0;
    message_error("--min-time %s: expected seconds, up to %.0f, as in 0.05", text, most_seconds);
    return -1;
}

/* ---- which ops ---- */

/* Keeps of the chosen ops those whose name fits the pattern. */
static int filter_ops(const char *pattern, char *chosen) {
    regex_t fits;
    int code = regcomp(&fits, pattern, REG_EXTENDED | REG_NOSUB);
    if (code == REG_ESPACE) allocation_none();
    if (code) {
        char why[128];
        regerror(code, &fits, why, sizeof why);
        message_error("--filter %s: no regular expression: %s", pattern, why);
        return -1;
    }
    int found = 0;
    for (int i = 0; i < arcl_op_count(); i++) {
        code = chosen[i] ? regexec(&fits, arcl_op_get(i).name, 0, NULL, 0) : REG_NOMATCH;
        if (code == REG_ESPACE) allocation_none();
        chosen[i] = code == 0;
        found |= chosen[i];
    }
    regfree(&fits);
    if (!found) message_error("--filter %s: fits no op; `arcl ops` lists them", pattern);
    return found ? 0 : -1;
}

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
    if (options->filter && filter_ops(options->filter, chosen)) {
        free(chosen);
        return NULL;
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
    bench_table_head(table);
    for (int i = 0; i < arcl_op_count() && status <= CLI_MISMATCH && !interrupt_has_come(); i++) {
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

/* Files, and the comparison with an earlier one. What was interrupted is there as far as it was measured. */
static int tell(const cli_options *options, const bench_table *table, const bench_file *earlier) {
    int status = CLI_DONE;
    message_progress_end();
    if (interrupt_has_come()) message_error("interrupted: %zu of %zu rows are there", table->count, table->expected);
    bench_table_warn(table);
    if (options->svg && bench_svg(table, options->svg)) status = CLI_BAD;
    if (!options->json && !earlier->content) return status;
    bench_file now = {"this measurement", bench_json(table)};
    if (options->json && bench_json_write(now.content, options->json)) status = CLI_BAD;
    if (!status && earlier->content && table->count) {
        putchar('\n');
        status = bench_compare(earlier, &now);
    }
    json_decref(now.content);
    return status;
}

static int measure_all(const cli_options *options, const bench_lanes *lanes, bench_table *table,
                       const bench_file *earlier) {
    bench_devices devices;
    int count;
    char *chosen = choose_ops(options, &count);
    if (!chosen) return CLI_BAD;
    int status = bench_devices_open(options, &devices, table);
    interrupt_defer();
    if (!status) status = measure(chosen, count, lanes, &devices, table);
    if (status <= CLI_MISMATCH && tell(options, table, earlier)) status = CLI_BAD;
    free(table->rows);
    free(chosen);
    status = bench_devices_close(options, &devices, table, status);
    fflush(stdout);
    interrupt_defer_ends();
    return status;
}

/* No op is called like a file. */
static int names_file(const char *argument) { return strchr(argument, '.') || strchr(argument, '/'); }

static int compare_files(const bench_file *before, const char *path) {
    bench_file after;
    if (bench_file_load(path, &after)) return CLI_BAD;
    int status = bench_compare(before, &after);
    json_decref(after.content);
    return status;
}

static int measure_or_compare(const cli_options *options, const bench_file *earlier) {
    bench_lanes lanes;
    bench_table table = {.side = options->size ? (int)options->size : DEFAULT_SIDE,
                         .repetitions = options->repetitions ? (int)options->repetitions : DEFAULT_REPETITIONS,
                         .seconds = default_seconds};
    if (earlier->content && options->count == 1 && names_file(options->arguments[0]))
        return compare_files(earlier, options->arguments[0]);
    if (parse_lanes(options->lanes ? options->lanes : "1,10,100,1000,10000", &lanes)) return CLI_BAD;
    if (options->min_time && parse_seconds(options->min_time, &table.seconds)) return CLI_BAD;
    if (table.side < LEAST_SIDE) {
        message_error("--size %d: the least side is %d", table.side, LEAST_SIDE);
        return CLI_BAD;
    }
    return measure_all(options, &lanes, &table, earlier);
}

int cmd_bench(const cli_options *options) {
    bench_file earlier = {NULL, NULL};
    if (options->compare && bench_file_load(options->compare, &earlier)) return CLI_BAD;
    int status = measure_or_compare(options, &earlier);
    json_decref(earlier.content);
    return status;
}
