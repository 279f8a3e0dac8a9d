/* Many programs, each on a batch of its own, in one go. Of hundreds of results few are looked at one by one: objects
 * are made of them when somebody asks for one. */
#include <string.h>

#include "py_arcl.h"

typedef struct job {
    compiled_object *program;
    batch_object *batch;
    arcl_result *result; /* NULL: its object has it */
    PyObject *made;      /* NULL: nobody has asked for it */
} job;

typedef struct run_object {
    PyObject_HEAD context_object *owner;
    Py_ssize_t count, room;
    job *jobs;
} run_object;

static void run_dealloc(run_object *self) {
    for (Py_ssize_t i = 0; i < self->count; i++) {
        job *j = &self->jobs[i];
        arcl_result_free(j->result);
        Py_XDECREF(j->made);
        Py_DECREF(j->program);
        Py_DECREF(j->batch);
    }
    PyMem_Free(self->jobs);
    object_free((PyObject *)self, self->owner);
}

/* A run without jobs that has room for so many; NULL after an exception. */
static run_object *run_create(context_object *owner, Py_ssize_t room) {
    run_object *self = object_new(types.run, owner);
    if (!self) return NULL;
    self->owner = owner;
    self->count = 0;
    self->room = room;
    self->jobs = PyMem_Calloc((size_t)room + 1, sizeof *self->jobs);
    if (self->jobs) return self;
    Py_DECREF(self);
    PyErr_NoMemory();
    return NULL;
}

/* 0 if these are no program and batch of the run's own context. */
static int add_job(run_object *self, PyObject *program, PyObject *batch) {
    if (self->count == self->room || !PyObject_TypeCheck(program, types.compiled) ||
        !PyObject_TypeCheck(batch, types.batch))
        return 0;
    job *j = &self->jobs[self->count];
    j->program = (compiled_object *)program;
    j->batch = (batch_object *)batch;
    if (!j->batch->batch || j->batch->owner != self->owner || j->program->owner != self->owner) return 0;
    Py_INCREF(program);
    Py_INCREF(batch);
    self->count++;
    return 1;
}

static arcl_status run_jobs(run_object *self, const arcl_program **programs, const arcl_batch **batches,
                            arcl_result **results, arcl_error *error) {
    size_t lanes = 0;
    library_call call;
    for (Py_ssize_t i = 0; i < self->count; i++) {
        programs[i] = self->jobs[i].program->program;
        batches[i] = self->jobs[i].batch->batch;
        lanes += arcl_batch_lanes(batches[i]);
    }
    error->message[0] = 0;
    if (call_begin(&call, self->owner, lanes)) return ARCL_INVALID; /* and there is an exception */
    arcl_status status = arcl_run_many(self->owner->context, (int)self->count, programs, batches, results, error);
    call_end(&call, status);
    for (Py_ssize_t i = 0; i < self->count && status == ARCL_SUCCESS; i++) self->jobs[i].result = results[i];
    return status;
}

/* Runs all jobs; the run itself, or NULL after an exception, when it is gone. */
static PyObject *run_all(run_object *self) {
    size_t n = (size_t)self->count + 1;
    const arcl_program **programs = PyMem_Calloc(n, sizeof *programs);
    const arcl_batch **batches = PyMem_Calloc(n, sizeof *batches);
    arcl_result **results = PyMem_Calloc(n, sizeof *results);
    arcl_error error;
    if (!programs || !batches || !results)
        PyErr_NoMemory();
    else {
        arcl_status status = run_jobs(self, programs, batches, results, &error);
        if (status && !PyErr_Occurred()) raise_status(status, &error);
    }
    PyMem_Free(programs);
    PyMem_Free(batches);
    PyMem_Free(results);
    if (!PyErr_Occurred()) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

PyObject *context_run(context_object *self, PyObject *args) {
    PyObject *programs, *batches;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &programs, &PyList_Type, &batches)) return NULL;
    Py_ssize_t count = PyList_Size(programs);
    if (PyList_Size(batches) != count) return PyErr_Format(PyExc_TypeError, "as many batches as programs, please");
    run_object *run = run_create(self, count);
    for (Py_ssize_t i = 0; run && i < count; i++)
        if (!add_job(run, PyList_GetItem(programs, i), PyList_GetItem(batches, i))) {
            PyErr_Format(PyExc_TypeError, "programs and batches of one engine are expected");
            Py_CLEAR(run);
        }
    return run ? run_all(run) : NULL;
}

/* ---- by name ---- */

/* Adds a program on inputs that hold a batch of just its types; 0 if that is not what they are. */
static int add_named(run_object *run, PyObject *program, PyObject *given, PyObject *kind, PyObject *attribute) {
    if (!program || (PyObject *)Py_TYPE(given) != kind) return 0;
    PyObject *batch = PyObject_GetAttr(given, attribute);
    int added = batch && add_job(run, program, batch);
    Py_XDECREF(batch); /* the job has it */
    const job *j = added ? &run->jobs[run->count - 1] : NULL;
    return j && strcmp(j->program->types, j->batch->types) == 0;
}

/* Which names have been seen, by their hashes. Names that share one count as equal, which is seldom. */
typedef struct seen_names {
    Py_hash_t *slot; /* -1: empty, which no hash is */
    size_t room;     /* a power of two */
} seen_names;

static int seen_start(seen_names *seen, Py_ssize_t count) {
    for (seen->room = 16; seen->room < 2 * (size_t)count;) seen->room *= 2;
    seen->slot = PyMem_Malloc(seen->room * sizeof *seen->slot);
    if (seen->slot) memset(seen->slot, -1, seen->room * sizeof *seen->slot);
    return seen->slot != NULL;
}

/* 0 if it has been seen before, or is nothing that has a hash. */
static int is_new(seen_names *seen, PyObject *name) {
    Py_hash_t hash = PyObject_Hash(name);
    size_t at = (size_t)hash & (seen->room - 1);
    if (hash == -1) return 0;
    for (; seen->slot[at] != -1; at = (at + 1) & (seen->room - 1))
        if (seen->slot[at] == hash) return 0;
    seen->slot[at] = hash;
    return 1;
}

/* Adds the programs that inputs name; 0 if some cannot be, or if two have one name: the last of them would be meant. */
static int add_all(run_object *run, seen_names *seen, PyObject *programs, PyObject *names, PyObject *inputs,
                   PyObject *kind) {
    static PyObject *attribute;
    Py_ssize_t count = PyList_Size(programs);
    if (!attribute && !(attribute = PyUnicode_InternFromString("batch"))) return 0;
    if (PyList_Size(names) != count || !seen_start(seen, count)) return 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name = PyList_GetItem(names, i);
        PyObject *given = is_new(seen, name) ? PyDict_GetItemWithError(inputs, name) : kind;
        if (given && !add_named(run, PyList_GetItem(programs, i), given, kind, attribute)) return 0;
    }
    return run->count == PyDict_Size(inputs);
}

/* run_named(programs, names, inputs, kind): those programs that a dict has inputs for, each on its own, which are of
 * that kind; in the order of the programs. None if anything is otherwise, which Python sees to. */
PyObject *context_run_named(context_object *self, PyObject *args) {
    PyObject *programs, *names, *inputs, *kind;
    seen_names seen = {NULL, 0};
    if (!PyArg_ParseTuple(args, "O!O!O!O!", &PyList_Type, &programs, &PyList_Type, &names, &PyDict_Type, &inputs,
                          &PyType_Type, &kind))
        return NULL;
    run_object *run = run_create(self, PyDict_Size(inputs));
    int added = run && add_all(run, &seen, programs, names, inputs, kind);
    PyMem_Free(seen.slot);
    if (added) return run_all(run);
    Py_XDECREF(run);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* ---- what has run ---- */

static Py_ssize_t run_length(run_object *self) { return self->count; }

/* (program, batch, result) */
static PyObject *run_item(run_object *self, Py_ssize_t i) {
    if (i < 0 || i >= self->count) return PyErr_Format(PyExc_IndexError, "there is no job %zd", i);
    job *j = &self->jobs[i];
    if (!j->made) {
        j->made = result_wrap(self->owner, j->result);
        j->result = NULL;
        if (!j->made) return NULL;
    }
    return PyTuple_Pack(3, (PyObject *)j->program, (PyObject *)j->batch, j->made);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, run_dealloc}, {Py_sq_length, run_length}, {Py_sq_item, run_item}, {0, NULL}};
PyType_Spec run_spec = {"arcl._arcl.Run", sizeof(run_object), 0, Py_TPFLAGS_DEFAULT, slots};
