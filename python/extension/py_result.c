/* Result: what a run has left, looked at lane by lane, or all grids of it as one array. */
#include <string.h>

#include "py_arcl.h"

PyObject *result_wrap(context_object *owner, arcl_result *result) {
    result_object *self = object_new(types.result, owner);
    if (self) {
        self->owner = owner;
        self->result = result;
    } else
        arcl_result_free(result);
    return (PyObject *)self;
}

static void result_dealloc(result_object *self) {
    arcl_result_free(self->result);
    object_free((PyObject *)self, self->owner);
}

static Py_ssize_t result_length(result_object *self) { return (Py_ssize_t)arcl_result_lanes(self->result); }

/* None for a lane that has failed. */
static PyObject *result_item(result_object *self, Py_ssize_t lane) {
    if (lane < 0 || lane >= result_length(self)) return PyErr_Format(PyExc_IndexError, "there is no lane %zd", lane);
    if (arcl_result_status(self->result, (uint32_t)lane) != ARCL_OK) Py_RETURN_NONE;
    return output_lane(self->result, (uint32_t)lane);
}

static PyObject *result_statuses(result_object *self, PyObject *unused) {
    PyObject *made = PyByteArray_FromStringAndSize(NULL, result_length(self));
    (void)unused;
    char *to = made ? PyByteArray_AsString(made) : NULL;
    for (Py_ssize_t i = 0; made && i < result_length(self); i++)
        to[i] = (char)arcl_result_status(self->result, (uint32_t)i);
    return made;
}

static PyObject *result_mishaps(result_object *self, PyObject *arg) {
    unsigned long lane = PyLong_AsUnsignedLong(arg);
    if (PyErr_Occurred()) return NULL;
    return PyLong_FromUnsignedLong(arcl_result_failures(self->result, (uint32_t)lane));
}

/* (rows, columns, alike): the largest sides of all grids, and whether every lane has a grid of just these. */
static PyObject *result_shape(result_object *self, PyObject *unused) {
    int most_h = 0, most_w = 0, least_h = 1 << 30, least_w = 1 << 30, all = 1;
    (void)unused;
    for (uint32_t i = 0; i < arcl_result_lanes(self->result); i++) {
        int h, w;
        const signed char *cells = arcl_result_grid(self->result, i, &h, &w);
        if (arcl_result_status(self->result, i) != ARCL_OK || !cells) {
            all = 0;
            continue;
        }
        most_h = h > most_h ? h : most_h;
        most_w = w > most_w ? w : most_w;
        least_h = h < least_h ? h : least_h;
        least_w = w < least_w ? w : least_w;
    }
    return Py_BuildValue("(iiN)", most_h, most_w, PyBool_FromLong(all && most_h <= least_h && most_w <= least_w));
}

/* cells(rows, columns, pad): a bytearray of so many cells per lane; where a grid has none, `pad`. */
static PyObject *result_cells(result_object *self, PyObject *args) {
    int rows, columns, pad;
    uint32_t lanes = arcl_result_lanes(self->result);
    if (!PyArg_ParseTuple(args, "iii", &rows, &columns, &pad)) return NULL;
    PyObject *made = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)lanes * rows * columns);
    char *to = made ? PyByteArray_AsString(made) : NULL;
    for (uint32_t i = 0; made && i < lanes; i++, to += (size_t)rows * (size_t)columns) {
        int h = 0, w = 0;
        const signed char *cells =
            arcl_result_status(self->result, i) == ARCL_OK ? arcl_result_grid(self->result, i, &h, &w) : NULL;
        if (cells && h == rows && w == columns) {
            memcpy(to, cells, (size_t)h * (size_t)w);
            continue;
        }
        memset(to, pad, (size_t)rows * (size_t)columns);
        for (int row = 0; cells && row < h && row < rows; row++)
            memcpy(to + (size_t)row * (size_t)columns, cells + (size_t)row * (size_t)w,
                   (size_t)(w < columns ? w : columns));
    }
    return made;
}

static PyMethodDef methods[] = {
    {"statuses", (PyCFunction)result_statuses, METH_NOARGS, "A byte per lane."},
    {"mishaps", (PyCFunction)result_mishaps, METH_O, "How many calls have failed in a lane of a safe program."},
    {"shape", (PyCFunction)result_shape, METH_NOARGS, "(rows, columns, alike)"},
    {"cells", (PyCFunction)result_cells, METH_VARARGS, "cells(rows, columns, pad) -> bytearray"},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, result_dealloc},
                              {Py_tp_methods, methods},
                              {Py_sq_length, result_length},
                              {Py_sq_item, result_item},
                              {0, NULL}};
PyType_Spec result_spec = {"arcl._arcl.Result", sizeof(result_object), 0, Py_TPFLAGS_DEFAULT, slots};
