/* Accumulator: submissions from any thread, run together. Its context is its own: nothing else may run there. Who
 * submits keeps the program until the answer is taken (python/arcl/futures.py). */
#include "py_arcl.h"

typedef struct accumulator_object {
    PyObject_HEAD context_object *owner;
    arcl_accumulator *accumulator;
} accumulator_object;

static PyObject *accumulator_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    context_object *owner;
    arcl_accumulator_options options = {0};
    unsigned long long delay;
    arcl_error error;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!IIK", types.context, &owner, &options.lanes, &options.pending, &delay)) return NULL;
    options.delay = delay;
    accumulator_object *self = object_new(type, owner);
    if (!self) return NULL;
    self->owner = owner;
    arcl_status status = arcl_accumulator_create(owner->context, &options, &self->accumulator, &error);
    if (status == ARCL_SUCCESS) return (PyObject *)self;
    Py_DECREF(self);
    return raise_status(status, &error);
}

static void accumulator_dealloc(accumulator_object *self) {
    Py_BEGIN_ALLOW_THREADS; /* it runs what still waits */
    arcl_accumulator_free(self->accumulator);
    Py_END_ALLOW_THREADS;
    object_free((PyObject *)self, self->owner);
}

static PyObject *accumulator_submit(accumulator_object *self, PyObject *args) {
    compiled_object *program;
    batch_object *batch;
    arcl_ticket ticket;
    arcl_error error;
    arcl_status status;
    if (!PyArg_ParseTuple(args, "O!O!", types.compiled, &program, types.batch, &batch)) return NULL;
    if (!batch->batch || batch->owner != self->owner)
        return PyErr_Format(PyExc_TypeError, "a batch of the accumulator's own context is expected");
    Py_BEGIN_ALLOW_THREADS; /* it waits while too much is pending */
    status = arcl_accumulator_submit(self->accumulator, program->program, batch->batch, &ticket, &error);
    Py_END_ALLOW_THREADS;
    if (status) return raise_status(status, &error);
    batch->batch = NULL;
    return PyLong_FromUnsignedLongLong(ticket);
}

static PyObject *accumulator_poll(accumulator_object *self, PyObject *ticket) {
    unsigned long long number = PyLong_AsUnsignedLongLong(ticket);
    if (PyErr_Occurred()) return NULL;
    return PyLong_FromLong(arcl_accumulator_poll(self->accumulator, number));
}

static PyObject *accumulator_take(accumulator_object *self, PyObject *ticket) {
    unsigned long long number = PyLong_AsUnsignedLongLong(ticket);
    arcl_result *result = NULL;
    arcl_error error;
    arcl_status status;
    if (PyErr_Occurred()) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = arcl_accumulator_take(self->accumulator, number, &result, &error);
    Py_END_ALLOW_THREADS;
    return status ? raise_status(status, &error) : result_wrap(self->owner, result);
}

static PyObject *accumulator_flush(accumulator_object *self, PyObject *unused) {
    (void)unused;
    arcl_accumulator_flush(self->accumulator);
    Py_RETURN_NONE;
}

static PyObject *accumulator_close(accumulator_object *self, PyObject *unused) {
    (void)unused;
    Py_BEGIN_ALLOW_THREADS;
    arcl_accumulator_close(self->accumulator);
    Py_END_ALLOW_THREADS;
    Py_RETURN_NONE;
}

static PyObject *accumulator_report(accumulator_object *self, PyObject *unused) {
    arcl_accumulator_report r = arcl_accumulator_report_get(self->accumulator);
    (void)unused;
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K}", "submissions", (unsigned long long)r.submissions,
                         "lanes", (unsigned long long)r.lanes, "answered", (unsigned long long)r.answered, "failed",
                         (unsigned long long)r.failed, "groups", (unsigned long long)r.groups, "by_cost",
                         (unsigned long long)r.by_cost, "by_size", (unsigned long long)r.by_size, "by_delay",
                         (unsigned long long)r.by_delay, "by_request", (unsigned long long)r.by_request);
}

static PyMethodDef methods[] = {
    {"submit", (PyCFunction)accumulator_submit, METH_VARARGS, "submit(program, batch) -> ticket; takes the batch."},
    {"poll", (PyCFunction)accumulator_poll, METH_O, "1 if there is an answer, 0 if not, -1: no such ticket."},
    {"take", (PyCFunction)accumulator_take, METH_O, "Waits for the answer."},
    {"flush", (PyCFunction)accumulator_flush, METH_NOARGS, "Runs what waits from now on."},
    {"close", (PyCFunction)accumulator_close, METH_NOARGS, "Takes no more, and runs what waits."},
    {"report", (PyCFunction)accumulator_report, METH_NOARGS, "What was submitted and run, as a dict."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_new, accumulator_new}, {Py_tp_dealloc, accumulator_dealloc}, {Py_tp_methods, methods}, {0, NULL}};
PyType_Spec accumulator_spec = {"arcl._arcl.Accumulator", sizeof(accumulator_object), 0, Py_TPFLAGS_DEFAULT, slots};
