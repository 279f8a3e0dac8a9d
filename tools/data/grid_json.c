#include "data/grid_json.h"

#include <stdarg.h>
#include <stdio.h>

enum { LARGEST_SIDE = 255, LARGEST_COLOUR = 9 };

/* Where the reason goes if a grid is refused. */
typedef struct refusal {
    char *why;
    size_t size;
} refusal;

__attribute__((format(printf, 2, 3))) static int refuse(refusal *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->why, r->size, format, arguments);
    va_end(arguments);
    return -1;
}

static int read_row(refusal *r, const char *where, json_node row, size_t i, size_t w, signed char *cells) {
    char buf[64];
    if (!node_is_array(row))
        return refuse(r, "%s[%zu] is %s; a row is an array of cells", where, i, node_describe(row, buf, sizeof buf));
    if (node_size(row) != w)
        return refuse(r, "%s[%zu] has %zu cells, but the first row has %zu; all rows of a grid have the same length",
                      where, i, node_size(row), w);
    for (size_t j = 0; j < w; j++) {
        json_node cell = node_item(row, j);
        int64_t colour = node_is_int(cell) ? node_int(cell) : -1;
        if (colour < 0 || colour > LARGEST_COLOUR)
            return refuse(r, "%s[%zu][%zu] is %s; cells are ints from 0 to %d", where, i, j,
                          node_describe(cell, buf, sizeof buf), LARGEST_COLOUR);
        cells[j] = (signed char)colour;
    }
    return 0;
}

int grid_json_read(hoard *memory, const char *where, json_node rows, task_grid *grid, char *why, size_t size) {
    refusal r = {why, size};
    char buf[64];
    if (!node_is_array(rows))
        return refuse(&r, "%s is %s; a grid is an array of rows", where, node_describe(rows, buf, sizeof buf));
    size_t h = node_size(rows);
    json_node first = node_item(rows, 0);
    size_t w = node_is_array(first) ? node_size(first) : 0;
    if (h == 0 || (w == 0 && node_is_array(first)))
        return refuse(&r, "%s is empty; a grid has at least one row of at least one cell", where);
    if (h > LARGEST_SIDE || w > LARGEST_SIDE)
        return refuse(&r, "%s is %zux%zu; a grid has at most %d rows and columns", where, h, w, LARGEST_SIDE);
    grid->h = (int)h;
    grid->w = (int)w;
    grid->cells = hoard_take(memory, h * w);
    for (size_t i = 0; i < h; i++)
        if (read_row(&r, where, node_item(rows, i), i, w, grid->cells + i * w)) return -1;
    return 0;
}

json_t *grid_json_make(int h, int w, const signed char *cells) {
    json_t *rows = json_array();
    for (int i = 0; i < h; i++) {
        json_t *row = json_array();
        for (int j = 0; j < w; j++) json_array_append_new(row, json_integer(cells[i * w + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}
