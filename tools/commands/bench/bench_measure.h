/* How long a program takes on a device, and whether the device computes what the host does. Knows nothing of ops.
 *
 * A repetition is a number of runs, timed one by one, of which the median counts: it does not mind the few that
 * something else has interrupted. Whoever measures several things makes the repetitions of all of them in turn, so that
 * what changes on the machine meanwhile shows in the spread of each. */
#ifndef ARCL_BENCH_MEASURE_H
#define ARCL_BENCH_MEASURE_H
#include <stdint.h>

#include "arcl.h"

enum { BENCH_MOST_REPETITIONS = 100 };

/* Where the system has put a process and its data makes differences up to this part, which repetitions in one process
 * do not show. */
#define BENCH_LEAST_SPREAD 0.05

typedef struct bench_repetition {
    double real;      /* seconds of a run, the median */
    double processor; /* seconds of all processors together that a run takes on average */
    uint32_t runs;
} bench_repetition;

typedef struct bench_times {
    double compile, first; /* seconds: the program, and its first run, which builds kernels and moves inputs */
    int count;
    bench_repetition repetition[BENCH_MOST_REPETITIONS];
    double kernels;    /* seconds of a run that were spent in kernels, by all threads or queues together */
    double transfers;  /* and in moving data to a device and back, by its own clock */
    const char *shape; /* of kernels that have two (arcl_shape): "lane" or "team"; NULL on the host, which has one */
} bench_times;

/* What all repetitions come to. */
typedef struct bench_summary {
    double minimum, median, mean, deviation; /* seconds; the last: the standard deviation */
    double low, high; /* between which the repetitions are, without a tenth at either end, and that at least */
    double spread;    /* the greater distance of these from the median, as a part of it */
    double processor;
    uint64_t runs;
} bench_summary;

/* The first run, whose result is the caller's to free. */
arcl_status bench_begin(arcl_context *context, const arcl_program *program, const arcl_batch *batch, bench_times *times,
                        arcl_result **result, arcl_error *error) ARCL_CHECKED;

/* One more repetition: runs for at least so many seconds, or often enough. One that is interrupted does not count. */
arcl_status bench_repeat(arcl_context *context, const arcl_program *program, const arcl_batch *batch, double seconds,
                         bench_times *times, arcl_error *error) ARCL_CHECKED;

/* What of a run is kernels and transfers, by runs that are made for that alone, for up to so many seconds: measuring
 * launches costs time. With `report` the context goes on measuring them. */
arcl_status bench_look_inside(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                              double seconds, int report, bench_times *times, arcl_error *error) ARCL_CHECKED;

bench_summary bench_sum_up(const bench_times *times);

/* The first lane whose status or value differs, or -1. */
int64_t bench_difference(const arcl_result *a, const arcl_result *b);

#endif
