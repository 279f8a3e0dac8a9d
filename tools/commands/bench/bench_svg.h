/* A picture of what has been measured: the cost of a lane over the number of lanes, a panel per op. */
#ifndef ARCL_BENCH_SVG_H
#define ARCL_BENCH_SVG_H
#include "commands/bench/bench_table.h"

/* 0, or -1 after a message. */
int bench_svg(const bench_table *table, const char *path);

#endif
