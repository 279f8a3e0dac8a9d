/* Batch: inputs, a set of arguments per lane, added one lane at a time or whole columns at once. */
#include <string.h>

#include "py_arcl.h"

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    context_object *owner;
    const char *type_texts;
    arcl_error error;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!s", types.context, &owner, &type_texts)) return NULL;
    batch_object *self = object_new(type, owner);
    if (!self) return NULL;
    self->owner = owner;
    PyOS_snprintf(self->types, sizeof self->types, "%s", type_texts);
    arcl_status status = arcl_batch_create(owner->context, type_texts, &self->batch, &error);
    if (status == ARCL_SUCCESS) return (PyObject *)self;
    Py_DECREF(self);
    return raise_status(status, &error);
}

static void batch_dealloc(batch_object *self) {
    arcl_batch_free(self->batch);
    object_free((PyObject *)self, self->owner);
}

static PyObject *gone(void) {
    PyErr_SetString(types.invalid, "this batch has been submitted, and belongs to the accumulator");
    return NULL;
}

/* add(are_grids, *arguments): one lane, or a part of one. */
static PyObject *batch_add(batch_object *self, PyObject *args) {
    if (!self->batch) return gone();
    unsigned long are_grids = PyLong_AsUnsignedLong(PyTuple_GetItem(args, 0));
    for (Py_ssize_t i = 1; i < PyTuple_Size(args); i++)
        if (input_add(self->batch, PyTuple_GetItem(args, i), (int)(are_grids >> (i - 1) & 1))) return NULL;
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* Columns of equal length, one per argument. */
static int add_columns(arcl_batch *batch, PyObject *columns, unsigned long are_grids) {
    Py_ssize_t count = PyTuple_Size(columns), lanes = PyObject_Length(PyTuple_GetItem(columns, 0));
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t length = PyObject_Length(PyTuple_GetItem(columns, i));
        if (length < 0) return -1;
        if (length == lanes) continue;
        PyErr_Format(types.invalid, "argument %zd is given for %zd lanes, the first one for %zd", i + 1, length, lanes);
        return -1;
    }
    for (Py_ssize_t lane = 0; lane < lanes; lane++)
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject *value = PySequence_GetItem(PyTuple_GetItem(columns, i), lane);
            int status = value ? input_add(batch, value, (int)(are_grids >> i & 1)) : -1;
            Py_XDECREF(value);
            if (status) return -1;
        }
    return 0;
}

static PyObject *batch_extend(batch_object *self, PyObject *args) {
    PyObject *columns;
    unsigned long are_grids;
    if (!self->batch) return gone();
    if (!PyArg_ParseTuple(args, "kO!", &are_grids, &PyTuple_Type, &columns)) return NULL;
    Py_ssize_t count = PyTuple_Size(columns);
    int failed = !count                         ? 0
                 : count == 1 && are_grids == 1 ? input_add_grids(self->batch, PyTuple_GetItem(columns, 0))
                                                : add_columns(self->batch, columns, are_grids);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static Py_ssize_t batch_length(batch_object *self) { return (Py_ssize_t)arcl_batch_lanes(self->batch); }

static PyMethodDef methods[] = {
    {"add", (PyCFunction)batch_add, METH_VARARGS, "add(are_grids, *arguments): bit i says that argument i is a grid."},
    {"extend", (PyCFunction)batch_extend, METH_VARARGS, "extend(are_grids, columns): many lanes."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, batch_new},
                              {Py_tp_dealloc, batch_dealloc},
                              {Py_tp_methods, methods},
                              {Py_sq_length, batch_length},
                              {0, NULL}};
PyType_Spec batch_spec = {"arcl._arcl.Batch", sizeof(batch_object), 0, Py_TPFLAGS_DEFAULT, slots};
