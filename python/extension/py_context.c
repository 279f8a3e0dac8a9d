/* Context: an arcl_context and the lock under which it runs. */
#include <string.h>

#include "py_arcl.h"

static int context_init(context_object *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"threads", "memory", "budget", "chunk", "device", "profile", "frozen", NULL};
    arcl_options options = {.threads = 0};
    unsigned long long memory = 0;
    unsigned budget = 0, chunk = 0;
    arcl_error error;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|iKIIzzp", names, &options.threads, &memory, &budget, &chunk,
                                     &options.device, &options.profile, &options.frozen))
        return -1;
    options.memory = memory;
    options.budget = budget;
    options.chunk = chunk;
    if (self->context) {
        PyErr_SetString(PyExc_RuntimeError, "this context exists already");
        return -1;
    }
    arcl_status status;
    Py_BEGIN_ALLOW_THREADS; /* devices are opened, which may take seconds */
    status = arcl_context_create(&options, &self->context, &error);
    Py_END_ALLOW_THREADS;
    if (status) {
        raise_status(status, &error);
        return -1;
    }
    if (!(self->lock = PyThread_allocate_lock())) PyErr_NoMemory();
    return self->lock ? 0 : -1;
}

static void context_dealloc(context_object *self) {
    arcl_context_free(self->context);
    if (self->lock) PyThread_free_lock(self->lock);
    object_free((PyObject *)self, NULL);
}

static PyObject *context_cancel(context_object *self, PyObject *unused) {
    (void)unused;
    if (self->running) arcl_cancel(self->context); /* otherwise it would end the next call */
    return PyBool_FromLong(self->running);
}

/* In a forked child: whoever held the lock is not there any more. */
static PyObject *context_after_fork(context_object *self, PyObject *unused) {
    PyThread_type_lock fresh = PyThread_allocate_lock();
    (void)unused;
    if (!fresh) return PyErr_NoMemory();
    self->lock = fresh; /* the old one may be held: it cannot be freed */
    self->running = 0;
    Py_RETURN_NONE;
}

static PyObject *context_parse(context_object *self, PyObject *args) {
    const char *text, *name, *dialect_name;
    Py_ssize_t length;
    arcl_error error;
    if (!PyArg_ParseTuple(args, "s#ss", &text, &length, &name, &dialect_name)) return NULL;
    int dialect = arcl_dialect_find(dialect_name);
    if (dialect < 0) return PyErr_Format(types.invalid, "'%s' is no dialect: arc-dsl, tokpidjin or auto", dialect_name);
    source_object *made = object_new(types.source, self);
    if (!made) return NULL;
    made->owner = self;
    arcl_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = arcl_source_parse_dialect(self->context, text, (size_t)length, name, (arcl_dialect)dialect, &made->source,
                                       &error);
    Py_END_ALLOW_THREADS;
    if (status == ARCL_SUCCESS) return (PyObject *)made;
    Py_DECREF(made);
    return raise_status(status, &error);
}

static PyObject *context_cache(context_object *self, PyObject *args) {
    arcl_cache_options options = {0};
    unsigned long long memory = 0, disk = 0;
    arcl_error error;
    library_call call;
    if (!PyArg_ParseTuple(args, "zIKK", &options.directory, &options.programs, &memory, &disk)) return NULL;
    options.memory = memory;
    options.disk = disk;
    if (call_begin(&call, self, 0)) return NULL;
    arcl_status status = arcl_cache_enable(self->context, &options, &error);
    call_end(&call, status);
    if (status) return raise_status(status, &error);
    Py_RETURN_NONE;
}

static PyObject *context_flush(context_object *self, PyObject *unused) {
    arcl_error error;
    library_call call;
    (void)unused;
    if (call_begin(&call, self, 0)) return NULL;
    arcl_status status = arcl_cache_flush(self->context, &error);
    call_end(&call, status);
    if (status) return raise_status(status, &error);
    Py_RETURN_NONE;
}

static PyObject *context_notices(context_object *self, PyObject *unused) {
    library_call call;
    const char *texts[3];
    (void)unused;
    if (call_begin(&call, self, 0)) return NULL;
    texts[0] = arcl_device_notice();
    texts[1] = arcl_profile_notice(self->context);
    texts[2] = arcl_cache_notice(self->context);
    call_end(&call, ARCL_SUCCESS);
    return Py_BuildValue("(sss)", texts[0], texts[1], texts[2]);
}

static PyObject *context_report_enable(context_object *self, PyObject *on) {
    library_call call;
    int is_on = PyObject_IsTrue(on);
    if (is_on < 0 || call_begin(&call, self, 0)) return NULL;
    arcl_report_enable(self->context, is_on);
    call_end(&call, ARCL_SUCCESS);
    Py_RETURN_NONE;
}

static PyObject *context_report_reset(context_object *self, PyObject *unused) {
    library_call call;
    (void)unused;
    if (call_begin(&call, self, 0)) return NULL;
    arcl_report_reset(self->context);
    call_end(&call, ARCL_SUCCESS);
    Py_RETURN_NONE;
}

static PyObject *context_threads(context_object *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(arcl_context_threads(self->context));
}

static PyMethodDef methods[] = {
    {"cancel", (PyCFunction)context_cancel, METH_NOARGS, "Ends the call that runs; whether there was one."},
    {"after_fork", (PyCFunction)context_after_fork, METH_NOARGS, "To be called in a forked child."},
    {"parse", (PyCFunction)context_parse, METH_VARARGS, "parse(text, name, dialect) -> Source"},
    {"compile", (PyCFunction)context_compile, METH_VARARGS,
     "compile(source or [(source, index)], types, grid_result, safe) -> (programs or why not, how many are not)"},
    {"cache", (PyCFunction)context_cache, METH_VARARGS, "cache(directory, programs, memory, disk)"},
    {"flush", (PyCFunction)context_flush, METH_NOARGS, "Writes what is kept to the cache's directory."},
    {"notices", (PyCFunction)context_notices, METH_NOARGS, "What users should see of devices, profile and cache."},
    {"report_enable", (PyCFunction)context_report_enable, METH_O, "Whether launches are timed."},
    {"report_reset", (PyCFunction)context_report_reset, METH_NOARGS, "Forgets what has run."},
    {"report", (PyCFunction)context_report, METH_NOARGS, "What has run, as a dict."},
    {"devices", (PyCFunction)context_devices, METH_NOARGS, "The devices, as dicts."},
    {"explain", (PyCFunction)(void (*)(void))context_explain, METH_VARARGS | METH_KEYWORDS, "A plan, as a dict."},
    {"run", (PyCFunction)context_run, METH_VARARGS, "run(programs, batches) -> Run"},
    {"run_named", (PyCFunction)context_run_named, METH_VARARGS,
     "run_named(programs, names, inputs, kind) -> Run, or None"},
    {"failure", (PyCFunction)context_failure, METH_VARARGS,
     "failure(result, lane, source, index, types, grid_result, safe, batch): where a lane has failed, as a dict."},
    {"trace", (PyCFunction)context_trace, METH_VARARGS,
     "trace(source, index, types, safe, batch): what every line makes of the batch's lane, as dicts."},
    {"score", (PyCFunction)context_score, METH_VARARGS, "score([(program, batch, expected, first)], columns)"},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"threads", (getter)context_threads, NULL, "Threads that it runs on.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_init, context_init}, {Py_tp_dealloc, context_dealloc}, {Py_tp_methods, methods},
                              {Py_tp_getset, properties}, {Py_tp_new, PyType_GenericNew},   {0, NULL}};
PyType_Spec context_spec = {"arcl._arcl.Context", sizeof(context_object), 0, Py_TPFLAGS_DEFAULT, slots};
