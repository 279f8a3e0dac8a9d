/* What every line of a definition makes of a lane, as dicts: the library's trace, looked at once. */
#include <stdlib.h>

#include "py_arcl.h"

/* A trace, and where each of its lines has failed: for that, lanes run again, which is done while the context is
 * held. */
typedef struct traced_lane {
    arcl_trace *trace;
    uint32_t lane;
    arcl_failure *failures;
} traced_lane;

static arcl_status find_failures(traced_lane *t, arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    for (int i = 0; i < arcl_trace_lines(t->trace) && !status; i++) {
        arcl_lane_status was = arcl_trace_status(t->trace, i, t->lane);
        if (was != ARCL_OK && was != ARCL_LANE_STATUSES)
            status = arcl_trace_failure(t->trace, i, t->lane, &t->failures[i], error);
    }
    return status;
}

static PyObject *no_value(void) { Py_RETURN_NONE; }

static PyObject *line_dict(const traced_lane *t, int number) {
    static const char *const kinds[] = {"value", "function", "unused"};
    arcl_trace_line line = arcl_trace_line_get(t->trace, number);
    arcl_lane_status status = arcl_trace_status(t->trace, number, t->lane);
    int has_value = status == ARCL_OK, has_failed = !has_value && status != ARCL_LANE_STATUSES;
    PyObject *value = has_value ? output_value(arcl_trace_value(t->trace, number, t->lane)) : no_value();
    PyObject *elements =
        has_value && *line.element_type ? output_items(arcl_trace_elements(t->trace, number, t->lane)) : no_value();
    PyObject *failure = has_failed ? failure_dict(&t->failures[number]) : no_value();
    if (value && elements && failure)
        return Py_BuildValue("{s:s,s:I,s:s,s:s,s:i,s:N,s:N,s:N}", "text", line.text, "line", line.line, "kind",
                             kinds[line.kind], "type", line.type, "status", (int)status, "value", value, "elements",
                             elements, "failure", failure);
    Py_XDECREF(value);
    Py_XDECREF(elements);
    Py_XDECREF(failure);
    return NULL;
}

static PyObject *all_lines(const traced_lane *t) {
    int count = arcl_trace_lines(t->trace);
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyObject *line = line_dict(t, i);
        if (!line || PyList_SetItem(list, i, line)) Py_CLEAR(list);
    }
    return list;
}

/* trace(source, index, types, safe, batch): of the batch's only lane. */
PyObject *context_trace(context_object *self, PyObject *args) {
    PyObject *type_texts, *list = NULL;
    source_object *source;
    batch_object *batch;
    int index, safe;
    wanted_program wanted;
    traced_lane t = {.lane = 0};
    arcl_error error;
    library_call call;
    if (!PyArg_ParseTuple(args, "O!iOpO!", types.source, &source, &index, &type_texts, &safe, types.batch, &batch) ||
        wanted_set(&wanted, type_texts, 0, safe))
        return NULL;
    if (!call_begin(&call, self, 0)) {
        arcl_status status = arcl_trace_create(self->context, (arcl_definition){source->source, index}, &wanted.options,
                                               batch->batch, &t.trace, &error);
        if (!status) {
            t.failures = calloc((size_t)arcl_trace_lines(t.trace) + 1, sizeof *t.failures);
            if (!t.failures) error = (arcl_error){"out of memory"};
            status = t.failures ? find_failures(&t, &error) : ARCL_NO_MEMORY;
        }
        call_end(&call, status);
        list = status ? raise_status(status, &error) : all_lines(&t);
    }
    arcl_trace_free(t.trace);
    free(t.failures);
    Py_XDECREF(wanted.kept);
    return list;
}
