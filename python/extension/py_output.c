/* What the library computes as Python values: ints, bools, None, tuples and frozensets, nested as in the DSL itself. */
#include <string.h>

#include "py_arcl.h"
#include "py_layout.h"

/* The value of every byte that a cell can be, made once; the lowest is none. */
#define CELLS 256
static PyObject *cell_value[CELLS];

int output_start(void) {
    for (int i = 0; i < CELLS; i++) {
        int cell = i < 128 ? i : i - CELLS;
        cell_value[i] = cell == -128 ? Py_None : PyLong_FromLong(cell);
        if (!cell_value[i]) return -1;
        Py_INCREF(cell_value[i]);
    }
    return 0;
}

static PyObject *row_value(const signed char *cells, int w) {
    PyObject *row = PyTuple_New(w);
    PyObject **items = row ? (PyObject **)items_of(row) : NULL;
    for (int j = 0; row && j < w; j++) {
        PyObject *cell = cell_value[(unsigned char)cells[j]];
        Py_INCREF(cell);
        if (items)
            items[j] = cell;
        else
            PyTuple_SetItem(row, j, cell);
    }
    return row;
}

/* A row like the one before it is that one: of the outputs of ARC's tasks, a quarter is. */
static PyObject *grid_value(const signed char *cells, int h, int w) {
    PyObject *rows = PyTuple_New(h), *row = NULL;
    for (int i = 0; rows && i < h; i++, cells += w) {
        if (i && memcmp(cells, cells - w, (size_t)w) == 0)
            Py_INCREF(row);
        else
            row = row_value(cells, w);
        if (!row || PyTuple_SetItem(rows, i, row)) Py_CLEAR(rows);
    }
    return rows;
}

PyObject *output_items(arcl_value value) {
    uint32_t count = arcl_value_count(value);
    PyObject *made = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; made && i < count; i++) {
        PyObject *item = output_value(arcl_value_item(value, i));
        if (!item || PyTuple_SetItem(made, (Py_ssize_t)i, item)) Py_CLEAR(made);
    }
    return made;
}

PyObject *output_value(arcl_value value) {
    switch (arcl_value_kind(value)) {
    case ARCL_INT: return PyLong_FromLongLong(arcl_value_int(value));
    case ARCL_BOOL: return PyBool_FromLong(arcl_value_int(value) != 0);
    case ARCL_NONE: Py_RETURN_NONE;
    case ARCL_FUNCTION: return PyUnicode_FromString("function");
    case ARCL_TUPLE: return output_items(value);
    default: {
        PyObject *items = output_items(value), *set = items ? PyFrozenSet_New(items) : NULL;
        Py_XDECREF(items);
        return set;
    }
    }
}

PyObject *output_lane(const arcl_result *result, uint32_t lane) {
    int h, w;
    const signed char *cells = arcl_result_grid(result, lane, &h, &w);
    if (cells && h) return grid_value(cells, h, w);
    return output_value(arcl_result_value(result, lane));
}
