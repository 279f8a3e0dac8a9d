/* What has been measured as JSON in google-benchmark's layout and with its names, which other tools can read too: a
 * benchmark for every repetition, and what they come to as aggregates. */
#ifndef ARCL_BENCH_JSON_H
#define ARCL_BENCH_JSON_H
#include <jansson.h>

#include "commands/bench/bench_table.h"

json_t *bench_json(const bench_table *table);

/* 0, or -1 after a message. */
int bench_json_write(const json_t *object, const char *path);

#endif
