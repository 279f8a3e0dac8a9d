/* One op on all devices with all numbers of lanes. */
#ifndef ARCL_BENCH_OP_H
#define ARCL_BENCH_OP_H
#include "commands/bench/bench_case.h"
#include "commands/bench/bench_devices.h"
#include "commands/bench/bench_table.h"

enum { BENCH_MOST_LANES = 16 };

typedef struct bench_lanes {
    uint32_t values[BENCH_MOST_LANES]; /* ascending */
    int count;
} bench_lanes;

/* Adds the op's rows to the table and prints them. Returns an exit status: CLI_MISMATCH, after a message, if a device's
 * results are not those of the host. */
int bench_op(const bench_case *one, const bench_lanes *lanes, const bench_devices *devices, bench_table *table);

#endif
