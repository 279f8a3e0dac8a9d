/* Battery: definitions compiled together, and run over the same lanes. */
#include "py_arcl.h"

typedef struct battery_object {
    PyObject_HEAD context_object *owner;
    arcl_battery *battery;
    PyObject *errors; /* per definition None, or why it was rejected */
    int count;
} battery_object;

/* A text for every error that has one, None for the others. */
static PyObject *list_errors(const arcl_error *errors, int count) {
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyObject *text = *errors[i].message ? PyUnicode_FromString(errors[i].message) : Py_None;
        if (text == Py_None) Py_INCREF(text);
        if (!text || PyList_SetItem(list, i, text)) Py_CLEAR(list);
    }
    return list;
}

static int compile(battery_object *self, PyObject *list, const wanted_program *wanted) {
    size_t n = (size_t)self->count + 1;
    arcl_definition *definitions = PyMem_Calloc(n, sizeof *definitions);
    arcl_error *errors = PyMem_Calloc(n, sizeof *errors), error;
    library_call call;
    int done = 0;
    if (!definitions || !errors)
        PyErr_NoMemory();
    else if (!definitions_take(list, definitions) && !call_begin(&call, self->owner, 0)) {
        arcl_status status = arcl_battery_compile(self->owner->context, definitions, self->count, &wanted->options,
                                                  &self->battery, errors, &error);
        call_end(&call, status);
        if (status)
            raise_status(status, &error);
        else
            done = (self->errors = list_errors(errors, self->count)) != NULL;
    }
    PyMem_Free(definitions);
    PyMem_Free(errors);
    return done ? 0 : -1;
}

static PyObject *battery_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    context_object *owner;
    PyObject *list, *type_texts;
    int grid_result, safe;
    wanted_program wanted;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!O!Opp", types.context, &owner, &PyList_Type, &list, &type_texts, &grid_result,
                          &safe) ||
        wanted_set(&wanted, type_texts, grid_result, safe))
        return NULL;
    battery_object *self = object_new(type, owner);
    if (self) {
        self->owner = owner;
        self->count = (int)PyList_Size(list);
        if (compile(self, list, &wanted)) Py_CLEAR(self);
    }
    Py_XDECREF(wanted.kept);
    return (PyObject *)self;
}

static void battery_dealloc(battery_object *self) {
    arcl_battery_free(self->battery);
    Py_XDECREF(self->errors);
    object_free((PyObject *)self, self->owner);
}

static PyObject *wrap_results(battery_object *self, arcl_result **results) {
    PyObject *list = PyList_New(self->count);
    for (int i = 0; list && i < self->count; i++) {
        PyObject *made = Py_None;
        if (results[i])
            made = result_wrap(self->owner, results[i]);
        else
            Py_INCREF(made);
        results[i] = NULL;
        if (!made || PyList_SetItem(list, i, made)) Py_CLEAR(list);
    }
    for (int i = 0; i < self->count; i++) arcl_result_free(results[i]);
    return list;
}

/* (results, errors): a result per program, or None and why. */
static PyObject *battery_run(battery_object *self, PyObject *arg) {
    batch_object *batch = (batch_object *)arg;
    arcl_error error;
    library_call call;
    PyObject *answer = NULL;
    if (!PyObject_TypeCheck(arg, types.batch) || !batch->batch || batch->owner != self->owner)
        return PyErr_Format(PyExc_TypeError, "a batch of the same engine is expected");
    arcl_result **results = PyMem_Calloc((size_t)self->count + 1, sizeof *results);
    arcl_error *errors = PyMem_Calloc((size_t)self->count + 1, sizeof *errors);
    size_t lanes = (size_t)arcl_batch_lanes(batch->batch) * (size_t)self->count;
    if (!results || !errors)
        PyErr_NoMemory();
    else if (!call_begin(&call, self->owner, lanes)) {
        arcl_status status =
            arcl_battery_run(self->owner->context, self->battery, batch->batch, results, errors, &error);
        call_end(&call, status);
        if (status)
            raise_status(status, &error);
        else {
            PyObject *list = wrap_results(self, results), *texts = list_errors(errors, self->count);
            if (list && texts) answer = PyTuple_Pack(2, list, texts);
            Py_XDECREF(list);
            Py_XDECREF(texts);
        }
    }
    PyMem_Free(results);
    PyMem_Free(errors);
    return answer;
}

static PyObject *battery_errors(battery_object *self, void *unused) {
    (void)unused;
    Py_INCREF(self->errors);
    return self->errors;
}

static PyObject *battery_types(battery_object *self, void *unused) {
    PyObject *list = PyList_New(0);
    char text[64];
    (void)unused;
    for (int i = 0; list && i < arcl_battery_parameters(self->battery); i++) {
        PyObject *one = PyUnicode_FromString(arcl_battery_parameter_type(self->battery, i, text, sizeof text));
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *battery_info(battery_object *self, void *unused) {
    arcl_battery_info i = arcl_battery_describe(self->battery);
    (void)unused;
    return Py_BuildValue("{s:i,s:i,s:i,s:K,s:K}", "programs", i.programs, "rejected", i.rejected, "graphs", i.graphs,
                         "steps_before", (unsigned long long)i.steps_before, "steps_after",
                         (unsigned long long)i.steps_after);
}

static PyMethodDef methods[] = {{"run", (PyCFunction)battery_run, METH_O, "run(batch) -> (results, errors)"},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"errors", (getter)battery_errors, NULL, "Per definition None, or why it was rejected.", NULL},
    {"types", (getter)battery_types, NULL, "Of its parameters.", NULL},
    {"info", (getter)battery_info, NULL, "What was shared.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, battery_new},
                              {Py_tp_dealloc, battery_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};
PyType_Spec battery_spec = {"arcl._arcl.Battery", sizeof(battery_object), 0, Py_TPFLAGS_DEFAULT, slots};
