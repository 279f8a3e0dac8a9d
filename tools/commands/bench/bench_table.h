/* What has been measured, as the table on standard output. */
#ifndef ARCL_BENCH_TABLE_H
#define ARCL_BENCH_TABLE_H
#include <stdio.h>

#include "commands/bench/bench_inputs.h"
#include "commands/bench/bench_machine.h"
#include "commands/bench/bench_measure.h"

enum { BENCH_MOST_DEVICES = 8 };

typedef struct bench_device {
    char id[16], name[128];
} bench_device;

typedef struct bench_row {
    const char *op;
    int device; /* index of bench_table's */
    uint32_t lanes;
    bench_amount amount; /* of inputs and outputs of a run */
    bench_times times;
    bench_summary sum; /* of the times, when all are there */
} bench_row;

/* Rows are by op, then by device, then by lanes in ascending order; an op has all of its rows or none. */
typedef struct bench_table {
    bench_device devices[BENCH_MOST_DEVICES];
    int device_count, side, threads;
    int repetitions; /* wanted of each row */
    double seconds;  /* that each takes at least */
    bench_machine machine;
    bench_row *rows;
    size_t count, expected; /* of the rows: measured, and to be measured altogether */
} bench_table;

/* A spread above this is worth a warning. */
#define BENCH_LARGE_SPREAD 0.1

/* Nanoseconds per lane. */
double bench_row_cost(const bench_row *row);

/* "rot90/host/100" */
char *bench_row_name(const bench_table *table, const bench_row *row, char *to, size_t room);

void bench_table_head(const bench_table *table);
void bench_table_print(const bench_table *table, const bench_row *row);

/* Says, when all is measured, how far the times can be trusted, if that is not far. */
void bench_table_warn(const bench_table *table);

#endif
