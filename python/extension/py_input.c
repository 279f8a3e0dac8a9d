/* Python values as arguments of a batch: ints, tuples, lists, sets and arrays, part by part, and grids by a short
 * cut, because there are thousands of them. What a value must be like is the batch's business; here only its parts
 * are found.
 *
 * Cells are nearly always the ints 0 to 9, which Python makes once and keeps side by side: which of them an object
 * is follows from its address (py_layout.h). Where that is not known, or for other numbers, Python is asked. */
#include <string.h>

#include "py_arcl.h"
#include "py_layout.h"

#define SMALL_GRID 1024 /* cells, for which the stack has room */

static int int_of(PyObject *o, long long *value) {
    PyObject *number = PyNumber_Index(o);
    int overflow = 0;
    if (!number) return -1;
    *value = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (overflow) *value = overflow < 0 ? INT64_MIN : INT64_MAX; /* which no type of the library holds */
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

static int add_int(arcl_batch *batch, long long value) {
    arcl_error error;
    arcl_status status = arcl_batch_add_int(batch, value, &error);
    if (status) raise_status(status, &error);
    return status ? -1 : 0;
}

static int add_mark(arcl_batch *batch, arcl_status (*mark)(arcl_batch *, arcl_error *)) {
    arcl_error error;
    arcl_status status = mark(batch, &error);
    if (status) raise_status(status, &error);
    return status ? -1 : 0;
}

/* ---- grids ---- */

/* The cells of a row, asked for one by one. Who is asked may be Python code, which may do anything, also to the row. */
static int cells_by_asking(PyObject *row, Py_ssize_t w, signed char *cells) {
    for (Py_ssize_t j = 0; j < w; j++) {
        long long value;
        PyObject *cell = item_at(row, j);
        if (!cell) return -1;
        if (!PyIndex_Check(cell)) return 1;
        Py_INCREF(cell);
        int failed = int_of(cell, &value);
        Py_DECREF(cell);
        if (failed) return -1;
        if (value > 127 || value < -127) return 1;
        cells[j] = (signed char)value;
    }
    return 0;
}

/* The cells of a grid that is a tuple or list of such; 1 if it is something else, which the long way then tells. */
static int cells_of_rows(PyObject *rows, Py_ssize_t h, Py_ssize_t w, signed char *cells) {
    for (Py_ssize_t i = 0; i < h; i++, cells += w) {
        if (length_of(rows) != h) return 1;
        PyObject *const *known = items_of(rows);
        PyObject *row = known ? known[i] : item_at(rows, i);
        if (!row || !is_sequence(row) || length_of(row) != w) return row ? 1 : -1;
        PyObject *const *items = items_of(row);
        if (items && digits_of(items, w, cells)) continue;
        Py_INCREF(row);
        int status = cells_by_asking(row, w, cells);
        Py_DECREF(row);
        if (status) return status;
    }
    return 0;
}

/* How many columns the grid has whose rows these are; -1 if that cannot be told. */
static Py_ssize_t width_of(PyObject *rows) {
    PyObject *first = length_of(rows) ? item_at(rows, 0) : NULL;
    return first && is_sequence(first) ? length_of(first) : -1;
}

static int add_cells(arcl_batch *batch, Py_ssize_t h, Py_ssize_t w, const signed char *cells) {
    arcl_error error;
    if (h > 0xffff || w > 0xffff) {
        PyErr_Format(types.invalid, "a grid of %zd by %zd is too large", h, w);
        return -1;
    }
    arcl_status status = arcl_batch_add_grid(batch, (int)h, (int)w, cells, &error);
    if (status) raise_status(status, &error);
    return status ? -1 : 0;
}

/* 1: it is not a grid that this can do. */
static int add_rows(arcl_batch *batch, PyObject *rows) {
    signed char small[SMALL_GRID], *cells = small;
    Py_ssize_t h = length_of(rows), w = width_of(rows);
    if (w < 0 || h > 0xffff || w > 0xffff) return 1;
    if (h * w > SMALL_GRID && !(cells = PyMem_Malloc((size_t)(h * w)))) {
        PyErr_NoMemory();
        return -1;
    }
    int status = cells_of_rows(rows, h, w, cells);
    if (!status) status = add_cells(batch, h, w, cells);
    if (cells != small) PyMem_Free(cells);
    return status;
}

/* ---- arrays ---- */

static int is_bytes(const array_view *view) {
    char code = array_code(view);
    return code == 'b' || code == 'B' || code == '?';
}

/* Unsigned bytes above 127 would look like negative ones. */
static int has_high_bytes(const array_view *view, Py_ssize_t count, Py_ssize_t h, Py_ssize_t w,
                          const Py_ssize_t *step) {
    unsigned char all = 0;
    if (array_code(view) != 'B') return 0;
    for (Py_ssize_t n = 0; n < count; n++)
        for (Py_ssize_t i = 0; i < h; i++) {
            const unsigned char *row = (const unsigned char *)view->buf + n * step[0] + i * step[1];
            for (Py_ssize_t j = 0; j < w; j++) all |= row[j];
        }
    return all > 127;
}

/* The grid that an array has at some place, in rows and columns by the last two of its dimensions. */
static int copy_grid(const array_view *view, const char *at, signed char *cells) {
    const Py_ssize_t *shape = view->shape + view->ndim - 2, *step = view->strides + view->ndim - 2;
    char code = array_code(view);
    for (Py_ssize_t i = 0; i < shape[0]; i++)
        for (Py_ssize_t j = 0; j < shape[1]; j++) {
            long long value = array_int(at + i * step[0] + j * step[1], code);
            if (value > 127 || value < -127) {
                PyErr_Format(types.invalid, "%lld is outside the range of a grid's cell", value);
                return -1;
            }
            *cells++ = (signed char)value;
        }
    return 0;
}

/* All grids of an array of two or three dimensions. Bytes are handed over where they are, if those of a row lie side by
 * side. */
static int add_view(arcl_batch *batch, const array_view *view) {
    int is_many = view->ndim == 3;
    Py_ssize_t count = is_many ? view->shape[0] : 1, h = view->shape[view->ndim - 2], w = view->shape[view->ndim - 1];
    Py_ssize_t step[3] = {is_many ? view->strides[0] : 0, view->strides[view->ndim - 2], view->strides[view->ndim - 1]};
    if (count > UINT32_MAX || h > 0xffff || w > 0xffff) {
        PyErr_Format(types.invalid, "%zd grids of %zd by %zd are too large", count, h, w);
        return -1;
    }
    if (is_bytes(view) && (step[2] == 1 || w <= 1) && !has_high_bytes(view, count, h, w, step)) {
        arcl_error error;
        arcl_status status =
            arcl_batch_add_grids(batch, (uint32_t)count, (int)h, (int)w, view->buf, step[0], step[1], &error);
        if (status) raise_status(status, &error);
        return status ? -1 : 0;
    }
    signed char *cells = PyMem_Malloc((size_t)(h * w) + 1);
    int status = 0;
    if (!cells) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t n = 0; n < count && !status; n++) {
        status = copy_grid(view, (const char *)view->buf + n * step[0], cells);
        if (!status) status = add_cells(batch, h, w, cells);
    }
    PyMem_Free(cells);
    return status;
}

static int add_array(arcl_batch *batch, PyObject *array, int dimensions) {
    array_view view;
    int status = -1;
    if (array_open(array, &view, 0)) return -1;
    if (view.ndim == dimensions)
        status = add_view(batch, &view);
    else
        PyErr_Format(types.invalid, "an array of %d dimensions where one of %d is expected: %s", view.ndim, dimensions,
                     dimensions == 3 ? "(grids, rows, columns)" : "(rows, columns)");
    array_close(&view);
    return status;
}

/* ---- anything ---- */

static int is_container(PyObject *o) {
    if (is_sequence(o) || PyAnySet_Check(o)) return 1;
    return !PyUnicode_Check(o) && !PyBytes_Check(o) && !PyDict_Check(o) && array_is(o);
}

static int add_parts(arcl_batch *batch, PyObject *container) {
    PyObject *iterator = PyObject_GetIter(container), *part;
    int status = iterator ? add_mark(batch, arcl_batch_open) : -1;
    while (!status && (part = PyIter_Next(iterator))) {
        status = input_add(batch, part, 0);
        Py_DECREF(part);
    }
    Py_XDECREF(iterator);
    if (!status && PyErr_Occurred()) status = -1;
    return status ? status : add_mark(batch, arcl_batch_close);
}

int input_add(arcl_batch *batch, PyObject *value, int is_grid) {
    long long number;
    if (is_grid) {
        int status = is_sequence(value) ? add_rows(batch, value) : 1;
        if (status <= 0) return status;
        if (!is_sequence(value) && array_is(value)) return add_array(batch, value, 2);
    }
    if (PyIndex_Check(value)) return int_of(value, &number) ? -1 : add_int(batch, number);
    if (is_container(value)) {
        if (Py_EnterRecursiveCall(" while a value is put into a batch")) return -1;
        int status = add_parts(batch, value);
        Py_LeaveRecursiveCall();
        return status;
    }
    PyErr_Format(PyExc_TypeError, "%R cannot be an argument: ints, tuples, lists, sets and arrays of ints can",
                 (PyObject *)Py_TYPE(value));
    return -1;
}

/* ---- many grids ---- */

/* Grids of one shape that follow each other, handed over together. */
typedef struct grid_group {
    arcl_batch *batch;
    Py_ssize_t h, w, count;
    signed char cells[16 * SMALL_GRID];
} grid_group;

static int group_end(grid_group *g) {
    arcl_error error;
    if (!g->count) return 0;
    arcl_status status =
        arcl_batch_add_grids(g->batch, (uint32_t)g->count, (int)g->h, (int)g->w, g->cells, g->h * g->w, g->w, &error);
    g->count = 0;
    if (status) raise_status(status, &error);
    return status ? -1 : 0;
}

static int group_add(grid_group *g, PyObject *grid) {
    Py_ssize_t h = is_sequence(grid) ? length_of(grid) : 0, w = h ? width_of(grid) : -1, room = sizeof g->cells;
    int is_small = w > 0 && h <= room && w <= room && h * w <= room;
    if (!is_small || h != g->h || w != g->w || (g->count + 1) * h * w > room) {
        if (group_end(g)) return -1;
        g->h = h;
        g->w = w;
    }
    int status = is_small ? cells_of_rows(grid, h, w, g->cells + g->count * h * w) : 1;
    if (status <= 0) {
        g->count += !status;
        return status;
    }
    return group_end(g) ? -1 : input_add(g->batch, grid, 1);
}

int input_add_grids(arcl_batch *batch, PyObject *grids) {
    if (!is_sequence(grids) && array_is(grids)) return add_array(batch, grids, 3);
    PyObject *all = PySequence_Fast(grids, "grids are a list, or an array of three dimensions");
    grid_group group;
    group.batch = batch;
    group.h = group.w = group.count = 0;
    int status = all ? 0 : -1;
    for (Py_ssize_t i = 0; !status && i < length_of(all); i++) {
        PyObject *grid = item_at(all, i);
        Py_INCREF(grid);
        status = group_add(&group, grid);
        Py_DECREF(grid);
    }
    if (!status) status = group_end(&group);
    Py_XDECREF(all);
    return status;
}
