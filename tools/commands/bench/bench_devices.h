/* The devices that are measured, each with a context of its own, and the host, whose results are the right ones. */
#ifndef ARCL_BENCH_DEVICES_H
#define ARCL_BENCH_DEVICES_H
#include "cli/options.h"
#include "commands/bench/bench_table.h"

typedef struct bench_devices {
    arcl_context *contexts[BENCH_MOST_DEVICES]; /* as many as the table has devices */
    arcl_context *reference;                    /* the host's */
    int report;                                 /* what runs is counted, for --report */
} bench_devices;

/* Opens those that --device lists, or the host and all that are ready, and names them in the table. Returns an exit
 * status; bench_devices_close has to be called in any case. */
int bench_devices_open(const cli_options *options, bench_devices *devices, bench_table *table);
int bench_devices_close(const cli_options *options, bench_devices *devices, bench_table *table, int status);

#endif
