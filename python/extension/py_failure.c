/* Where a lane has failed, as a dict: it is run once more, for those who ask. */
#include "py_arcl.h"

static PyObject *level_list(const arcl_failure *f) {
    static const char *const kinds[] = {"element", "pair", "round"};
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < f->depth && i < ARCL_FAILURE_LEVELS; i++) {
        const arcl_failure_level *l = &f->level[i];
        PyObject *one = Py_BuildValue("{s:s,s:I,s:I,s:I}", "kind", kinds[l->kind], "index", l->index, "other", l->other,
                                      "count", l->count);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

PyObject *failure_dict(const arcl_failure *f) {
    PyObject *levels = level_list(f);
    return levels
               ? Py_BuildValue("{s:i,s:s,s:I,s:I,s:I,s:s,s:N}", "status", (int)f->status, "op", f->op, "step", f->step,
                               "line", f->line, "column", f->column, "message", f->message, "levels", levels)
               : NULL;
}

/* failure(result or None, lane, source, index, types, grid_result, safe, batch) */
PyObject *context_failure(context_object *self, PyObject *args) {
    PyObject *result, *type_texts;
    source_object *source;
    batch_object *batch;
    unsigned lane;
    int index, grid_result, safe;
    wanted_program wanted;
    arcl_failure failure = {.status = ARCL_OK};
    arcl_error error;
    library_call call;
    if (!PyArg_ParseTuple(args, "OIO!iOppO!", &result, &lane, types.source, &source, &index, &type_texts, &grid_result,
                          &safe, types.batch, &batch) ||
        wanted_set(&wanted, type_texts, grid_result, safe))
        return NULL;
    if (call_begin(&call, self, 0)) {
        Py_XDECREF(wanted.kept);
        return NULL;
    }
    arcl_status status = arcl_result_failure(
        self->context, PyObject_TypeCheck(result, types.result) ? ((result_object *)result)->result : NULL, lane,
        (arcl_definition){source->source, index}, &wanted.options, batch->batch, &failure, &error);
    call_end(&call, status);
    Py_XDECREF(wanted.kept);
    return status ? raise_status(status, &error) : failure_dict(&failure);
}
