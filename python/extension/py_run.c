/* Many programs, each on a batch of its own, in one go. */
#include "py_arcl.h"

typedef struct running {
    int count;
    const arcl_program **programs;
    const arcl_batch **batches;
    arcl_result **results;
    size_t lanes;
} running;

static int take_jobs(running *r, PyObject *programs, PyObject *batches) {
    for (int i = 0; i < r->count; i++) {
        PyObject *program = PyList_GetItem(programs, i), *batch = PyList_GetItem(batches, i);
        if (!PyObject_TypeCheck(program, types.compiled) || !PyObject_TypeCheck(batch, types.batch) ||
            !((batch_object *)batch)->batch) {
            PyErr_Format(PyExc_TypeError, "programs and batches are expected");
            return -1;
        }
        r->programs[i] = ((compiled_object *)program)->program;
        r->batches[i] = ((batch_object *)batch)->batch;
        r->lanes += arcl_batch_lanes(r->batches[i]);
    }
    return 0;
}

static PyObject *wrap_all(context_object *owner, const running *r) {
    PyObject *list = PyList_New(r->count);
    for (int i = 0; list && i < r->count; i++) {
        PyObject *made = result_wrap(owner, r->results[i]);
        r->results[i] = NULL;
        if (!made || PyList_SetItem(list, i, made)) Py_CLEAR(list);
    }
    for (int i = 0; i < r->count; i++) arcl_result_free(r->results[i]);
    return list;
}

PyObject *context_run(context_object *self, PyObject *args) {
    PyObject *programs, *batches, *list = NULL;
    arcl_error error;
    library_call call;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &programs, &PyList_Type, &batches)) return NULL;
    running r = {.count = (int)PyList_Size(programs)};
    if (PyList_Size(batches) != r.count) return PyErr_Format(PyExc_TypeError, "as many batches as programs, please");
    size_t n = (size_t)r.count + 1;
    r.programs = PyMem_Calloc(n, sizeof *r.programs);
    r.batches = PyMem_Calloc(n, sizeof *r.batches);
    r.results = PyMem_Calloc(n, sizeof *r.results);
    if (!r.programs || !r.batches || !r.results)
        PyErr_NoMemory();
    else if (!take_jobs(&r, programs, batches) && !call_begin(&call, self, r.lanes)) {
        arcl_status status = arcl_run_many(self->context, r.count, r.programs, r.batches, r.results, &error);
        call_end(&call, status);
        list = status ? raise_status(status, &error) : wrap_all(self, &r);
    }
    PyMem_Free(r.programs);
    PyMem_Free(r.batches);
    PyMem_Free(r.results);
    return list;
}
