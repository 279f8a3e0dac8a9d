/* Runs of a program, timed one by one: the median does not mind the few that something else has interrupted. */
#include "commands/bench/bench_measure.h"

#include <stdlib.h>
#include <string.h>

#include "cli/stopwatch.h"

/* Enough is 5 runs and 50 ms. Short runs are that many in 50 ms that no more are needed. */
enum { LEAST_RUNS = 5, MOST_RUNS = 1000 };
static const double least_seconds = 0.05;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

arcl_status bench_measure(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                          bench_times *times, arcl_result **result, arcl_error *error) {
    double seconds[MOST_RUNS], all = 0, start = stopwatch_now();
    uint32_t runs = 0;
    arcl_status status = arcl_run(context, program, batch, result, error);
    times->first = stopwatch_now() - start;
    double processor = stopwatch_processor();
    while (!status && runs < MOST_RUNS && (runs < LEAST_RUNS || all < least_seconds)) {
        arcl_result *again = NULL;
        start = stopwatch_now();
        status = arcl_run(context, program, batch, &again, error);
        seconds[runs] = stopwatch_now() - start;
        all += seconds[runs++];
        arcl_result_free(again);
    }
    if (status) return status;
    times->processor = (stopwatch_processor() - processor) / runs;
    times->median = median_of(seconds, runs);
    times->runs = runs;
    return ARCL_SUCCESS;
}

static int same_value(arcl_value a, arcl_value b) {
    arcl_kind kind = arcl_value_kind(a);
    if (kind != arcl_value_kind(b)) return 0;
    if (kind == ARCL_NONE) return 1;
    if (kind == ARCL_INT || kind == ARCL_BOOL) return arcl_value_int(a) == arcl_value_int(b);
    uint32_t count = arcl_value_count(a);
    int same = count == arcl_value_count(b);
    for (uint32_t i = 0; same && i < count; i++) same = same_value(arcl_value_item(a, i), arcl_value_item(b, i));
    return same;
}

static int same_lane(const arcl_result *a, const arcl_result *b, uint32_t lane) {
    int ah, aw, bh, bw;
    if (arcl_result_status(a, lane) != arcl_result_status(b, lane)) return 0;
    if (arcl_result_status(a, lane) != ARCL_OK) return 1;
    const signed char *x = arcl_result_grid(a, lane, &ah, &aw), *y = arcl_result_grid(b, lane, &bh, &bw);
    if (x && y) return ah == bh && aw == bw && memcmp(x, y, (size_t)ah * (size_t)aw) == 0;
    return same_value(arcl_result_value(a, lane), arcl_result_value(b, lane));
}

int64_t bench_difference(const arcl_result *a, const arcl_result *b) {
    for (uint32_t lane = 0; lane < arcl_result_lanes(a); lane++)
        if (!same_lane(a, b, lane)) return lane;
    return -1;
}
