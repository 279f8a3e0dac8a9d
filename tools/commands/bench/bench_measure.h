/* How long a program takes on a device, and whether the device computes what the host does. Knows nothing of ops. */
#ifndef ARCL_BENCH_MEASURE_H
#define ARCL_BENCH_MEASURE_H
#include <stdint.h>

#include "arcl.h"

typedef struct bench_times {
    double compile, first; /* seconds: the program, and its first run, which builds kernels and moves inputs */
    double median;         /* seconds of a run, after the first */
    double processor;      /* seconds of all processors together that a run takes on average */
    uint32_t runs;
} bench_times;

/* Runs the program on the batch until that has been done often and long enough. *result is that of the first run,
 * whether or not later ones fail; it is the caller's to free. */
arcl_status bench_measure(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                          bench_times *times, arcl_result **result, arcl_error *error) ARCL_CHECKED;

/* The first lane whose status or value differs, or -1. */
int64_t bench_difference(const arcl_result *a, const arcl_result *b);

#endif
