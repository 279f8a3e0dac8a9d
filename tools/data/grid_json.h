/* Grids in JSON: rows of numbers from 0 to 9, read and checked, and written. Knows nothing of the files they are in. */
#ifndef ARCL_GRID_JSON_H
#define ARCL_GRID_JSON_H
#include "data/json_node.h"

typedef struct task_grid {
    int h, w;
    signed char *cells; /* row by row; NULL: the file does not give this grid */
} task_grid;

/* Reads a grid into `memory`; `where` is its place, for messages. Returns 0, or -1 with the reason in why. */
int grid_json_read(hoard *memory, const char *where, json_node rows, task_grid *grid, char *why, size_t size);

/* Rows of numbers, a new reference. */
json_t *grid_json_make(int h, int w, const signed char *cells);

#endif
