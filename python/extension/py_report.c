/* What there is and what has run, as dicts: devices, and the report of a context. */
#include "py_arcl.h"

typedef unsigned long long big; /* as Py_BuildValue's K takes it */

/* Appends what was made, which may be NULL after an exception, and gives up the list if that fails. */
static void append(PyObject **list, PyObject *made) {
    if (!made || PyList_Append(*list, made)) Py_CLEAR(*list);
    Py_XDECREF(made);
}

static PyObject *device_dict(const arcl_device_info *d) {
    static const char *const states[] = {"ready", "refused", "no device"};
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:I,s:I,s:K,s:K,s:K,s:K,s:s,s:s,s:K}", "id", d->id, "name", d->name,
                         "platform", d->platform, "driver", d->driver, "kind", d->kind, "compute_units",
                         d->compute_units, "largest_group", d->largest_group, "memory", (big)d->memory,
                         "largest_buffer", (big)d->largest_buffer, "local_memory", (big)d->local_memory, "cache",
                         (big)d->cache, "state", states[d->state], "reason", d->reason, "open_nanoseconds",
                         (big)d->open_nanoseconds);
}

PyObject *context_devices(context_object *self, PyObject *unused) {
    PyObject *list = PyList_New(0);
    library_call call;
    (void)unused;
    if (!list || call_begin(&call, self, 0)) {
        Py_XDECREF(list);
        return NULL;
    }
    int count = arcl_device_count(self->context);
    call_end(&call, ARCL_SUCCESS);
    for (int i = 0; list && i < count; i++) {
        arcl_device_info info;
        arcl_error error;
        if (call_begin(&call, self, 0)) break;
        arcl_status status = arcl_device_get(self->context, i, &info, &error); /* it may have to be tested first */
        call_end(&call, status);
        append(&list, status ? raise_status(status, &error) : device_dict(&info));
    }
    if (PyErr_Occurred()) Py_CLEAR(list);
    return list;
}

static PyObject *op_rows(arcl_context *context) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < arcl_report_count(context); i++) {
        arcl_op_report r = arcl_report_get(context, i);
        append(&list, Py_BuildValue("{s:s,s:s,s:K,s:K,s:K,s:K,s:K}", "op", r.name, "device", r.device, "launches",
                                    (big)r.launches, "lanes", (big)r.lanes, "words", (big)r.words, "failures",
                                    (big)r.failures, "nanoseconds", (big)r.nanoseconds));
    }
    return list;
}

static PyObject *device_rows(arcl_context *context) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < arcl_report_device_count(context); i++) {
        arcl_device_report r = arcl_report_device(context, i);
        append(&list, Py_BuildValue("{s:s,s:K,s:K,s:K,s:K,s:K,s:K}", "device", r.device, "launches", (big)r.launches,
                                    "synchronisations", (big)r.synchronisations, "bytes_up", (big)r.bytes_up,
                                    "bytes_down", (big)r.bytes_down, "builds", (big)r.builds, "build_nanoseconds",
                                    (big)r.build_nanoseconds));
    }
    return list;
}

static PyObject *run_dict(arcl_run_report r) {
    return Py_BuildValue("{s:K,s:d,s:d,s:d,s:d}", "runs", (big)r.runs, "predicted", r.predicted, "taken", r.taken,
                         "unpredicted", r.unpredicted, "planning", r.planning);
}

static PyObject *cache_dict(arcl_cache_report r) {
    return Py_BuildValue("{s:i,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K}", "enabled", r.enabled, "program_hits",
                         (big)r.program_hits, "program_misses", (big)r.program_misses, "compile_nanoseconds_saved",
                         (big)r.compile_nanoseconds_saved, "lane_hits", (big)r.lane_hits, "lane_misses",
                         (big)r.lane_misses, "run_nanoseconds_saved", (big)r.run_nanoseconds_saved, "nanoseconds_spent",
                         (big)r.nanoseconds_spent, "sections_read", (big)r.sections_read, "files_written",
                         (big)r.files_written, "refused", (big)r.refused);
}

PyObject *context_report(context_object *self, PyObject *unused) {
    library_call call;
    (void)unused;
    if (call_begin(&call, self, 0)) return NULL; /* nobody runs now; but for Python objects its lock is needed */
    PyEval_RestoreThread(call.thread);
    PyObject *ops = op_rows(self->context), *devices = device_rows(self->context);
    PyObject *runs = run_dict(arcl_report_runs(self->context)), *cache = cache_dict(arcl_report_cache(self->context));
    call.thread = PyEval_SaveThread();
    call_end(&call, ARCL_SUCCESS);
    PyObject *made = ops && devices && runs && cache ? Py_BuildValue("{s:O,s:O,s:O,s:O}", "ops", ops, "devices",
                                                                     devices, "runs", runs, "cache", cache)
                                                     : NULL;
    Py_XDECREF(ops);
    Py_XDECREF(devices);
    Py_XDECREF(runs);
    Py_XDECREF(cache);
    return made;
}
