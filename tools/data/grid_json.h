/* Grids in JSON: rows of numbers from 0 to 9, read and checked, and written. Knows nothing of the files they are in. */
#ifndef ARCL_GRID_JSON_H
#define ARCL_GRID_JSON_H
#include <jansson.h>

#include "cli/allocation.h"

typedef struct task_grid {
    int h, w;
    signed char *cells; /* row by row; NULL: the file does not give this grid */
} task_grid;

/* Reads a grid into `memory`; `where` is its place, for messages. Returns 0, or -1 with the reason in why. */
int grid_json_read(hoard *memory, const char *where, const json_t *rows, task_grid *grid, char *why, size_t size);

/* Rows of numbers, a new reference. */
json_t *grid_json_make(int h, int w, const signed char *cells);

/* What a JSON value is, in the words of a message; the buffer is for numbers. */
const char *json_describe(const json_t *value, char *buf, size_t size);

#endif
