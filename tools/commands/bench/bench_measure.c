#include "commands/bench/bench_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/stopwatch.h"

enum { MOST_RUNS = 4096, LEAST_INSIDE = 5, MOST_INSIDE = 64 };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sort_to_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* ---- running ---- */

static arcl_status run_once(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                            double *seconds, arcl_result **result, arcl_error *error) {
    interrupt_run_begins(context);
    double start = stopwatch_now();
    arcl_status status = arcl_run(context, program, batch, result, error);
    *seconds = stopwatch_now() - start;
    interrupt_run_ends();
    return status;
}

arcl_status bench_begin(arcl_context *context, const arcl_program *program, const arcl_batch *batch, bench_times *times,
                        arcl_result **result, arcl_error *error) {
    return run_once(context, program, batch, &times->first, result, error);
}

arcl_status bench_repeat(arcl_context *context, const arcl_program *program, const arcl_batch *batch, double seconds,
                         bench_times *times, arcl_error *error) {
    double taken[MOST_RUNS], all = 0, processor = stopwatch_processor();
    int runs = 0;
    do {
        arcl_result *result = NULL;
        arcl_status status = run_once(context, program, batch, &taken[runs], &result, error);
        arcl_result_free(result);
        if (status) return status;
        all += taken[runs++];
    } while (runs < MOST_RUNS && all < seconds);
    processor = (stopwatch_processor() - processor) / runs;
    times->repetition[times->count++] = (bench_repetition){sort_to_median(taken, runs), processor, (uint32_t)runs};
    return ARCL_SUCCESS;
}

static double kernel_seconds(const arcl_context *context) {
    double sum = 0;
    for (int i = 0; i < arcl_report_count(context); i++) sum += (double)arcl_report_get(context, i).nanoseconds;
    return sum * 1e-9;
}

static double transfer_seconds(const arcl_context *context) {
    double sum = 0;
    for (int i = 0; i < arcl_report_device_count(context); i++)
        sum += (double)arcl_report_device(context, i).transfer_nanoseconds;
    return sum * 1e-9;
}

static uint64_t launches_of_teams(const arcl_context *context) {
    uint64_t sum = 0;
    for (int i = 0; i < arcl_report_count(context); i++) sum += arcl_report_get(context, i).teams;
    return sum;
}

arcl_status bench_look_inside(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                              double seconds, int report, bench_times *times, arcl_error *error) {
    double kernels[MOST_INSIDE], transfers[MOST_INSIDE], taken, all = 0;
    int runs = 0;
    arcl_status status = ARCL_SUCCESS;
    arcl_report_enable(context, 1);
    uint64_t teams_before = launches_of_teams(context);
    while (!status && runs < MOST_INSIDE && (runs < LEAST_INSIDE || all < seconds)) {
        arcl_result *result = NULL;
        double kernels_before = kernel_seconds(context), transfers_before = transfer_seconds(context);
        status = run_once(context, program, batch, &taken, &result, error);
        kernels[runs] = kernel_seconds(context) - kernels_before;
        transfers[runs++] = transfer_seconds(context) - transfers_before;
        all += taken;
        arcl_result_free(result);
    }
    if (arcl_report_device_count(context)) times->shape = launches_of_teams(context) > teams_before ? "team" : "lane";
    if (!report) arcl_report_enable(context, 0);
    if (status) return status;
    times->kernels = sort_to_median(kernels, runs);
    times->transfers = sort_to_median(transfers, runs);
    return ARCL_SUCCESS;
}

/* ---- summing up ---- */

bench_summary bench_sum_up(const bench_times *times) {
    bench_summary s = {0};
    double real[BENCH_MOST_REPETITIONS], squares = 0;
    int count = times->count, rest = count / 10;
    if (!count) return s;
    for (int i = 0; i < count; i++) {
        const bench_repetition *r = &times->repetition[i];
        real[i] = r->real;
        s.mean += r->real / count;
        s.processor += r->processor / count;
        s.runs += r->runs;
    }
    for (int i = 0; i < count; i++) squares += (real[i] - s.mean) * (real[i] - s.mean);
    s.deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
    s.median = sort_to_median(real, count);
    s.minimum = real[0];
    s.low = fmin(real[rest], s.median * (1 - BENCH_LEAST_SPREAD));
    s.high = fmax(real[count - 1 - rest], s.median * (1 + BENCH_LEAST_SPREAD));
    s.spread = fmax(s.high - s.median, s.median - s.low) / s.median;
    return s;
}

/* ---- comparing results ---- */

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
