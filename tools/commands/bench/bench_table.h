/* What has been measured, and its forms: the table on standard output, and JSON in google-benchmark's layout, which
 * other tools can read too. */
#ifndef ARCL_BENCH_TABLE_H
#define ARCL_BENCH_TABLE_H
#include <stdio.h>

#include "commands/bench/bench_measure.h"

enum { BENCH_MOST_DEVICES = 8 };

typedef struct bench_device {
    char id[16], name[128];
} bench_device;

typedef struct bench_row {
    const char *op;
    int device; /* index of bench_table's */
    uint32_t lanes;
    bench_times times;
} bench_row;

/* Rows are by op, then by device, then by lanes in ascending order. */
typedef struct bench_table {
    bench_device devices[BENCH_MOST_DEVICES];
    int device_count, side, threads;
    bench_row *rows;
    size_t count, expected; /* of the rows: measured, and to be measured altogether */
} bench_table;

/* Nanoseconds per lane. */
double bench_row_cost(const bench_row *row);

void bench_table_head(void);
void bench_table_print(const bench_table *table, const bench_row *row);

/* 0, or -1 after a message. */
int bench_table_json(const bench_table *table, const char *path);

#endif
