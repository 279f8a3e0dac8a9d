/* Compiled: a program that can be called like the Python function that it stands for, or run over a batch. */
#include <string.h>

#include "py_arcl.h"

static int is_grid(const char *type) { return strncmp(type, "grid", 4) == 0 && (type[4] == ' ' || !type[4]); }

/* In tokpidjin a cell is (i, j, c): that is another type to a batch. */
static void write_as_triples(char *type_texts) {
    for (char *at = type_texts; (at = strstr(at, "cell"));) {
        memcpy(at, "ijc", 3);
        memmove(at + 3, at + 4, strlen(at + 4) + 1);
    }
}

PyObject *compiled_wrap(context_object *owner, arcl_program *program, arcl_dialect dialect) {
    compiled_object *self = object_new(types.compiled, owner);
    size_t at = 0;
    if (!self) {
        arcl_program_free(program);
        return NULL;
    }
    self->owner = owner;
    self->program = program;
    self->arguments = arcl_program_parameters(program);
    for (int i = 0; i < self->arguments; i++) {
        if (i) self->types[at++] = ' ';
        arcl_program_parameter_type(program, i, self->types + at, 64);
        at += strlen(self->types + at);
    }
    if (dialect == ARCL_TOKPIDJIN) write_as_triples(self->types);
    return (PyObject *)self;
}

static void compiled_dealloc(compiled_object *self) {
    arcl_program_free(self->program);
    object_free((PyObject *)self, self->owner);
}

/* LaneFailed(status, result): what it means is said in Python. */
static PyObject *raise_lane(context_object *owner, arcl_result *result) {
    PyObject *wrapped = result_wrap(owner, result);
    PyObject *value = wrapped ? Py_BuildValue("(iN)", (int)arcl_result_status(result, 0), wrapped) : NULL;
    if (value) PyErr_SetObject(types.lane_failed, value);
    Py_XDECREF(value);
    return NULL;
}

static PyObject *run_one(compiled_object *self, arcl_batch *batch) {
    arcl_result *result = NULL;
    arcl_error error;
    library_call call;
    if (call_begin(&call, self->owner, 1)) return NULL;
    arcl_status status = arcl_run(self->owner->context, self->program, batch, &result, &error);
    call_end(&call, status);
    if (status) return raise_status(status, &error);
    if (arcl_result_status(result, 0) != ARCL_OK) return raise_lane(self->owner, result);
    PyObject *value = output_lane(result, 0);
    arcl_result_free(result);
    return value;
}

static PyObject *compiled_call(compiled_object *self, PyObject *args, PyObject *keywords) {
    arcl_batch *batch = NULL;
    arcl_error error;
    const char *type = self->types;
    int failed = 0;
    if (keywords && PyDict_Size(keywords)) return PyErr_Format(PyExc_TypeError, "arguments have no names here");
    if (PyTuple_Size(args) != self->arguments)
        return PyErr_Format(PyExc_TypeError, "%d arguments are expected (%s), not %zd", self->arguments, self->types,
                            PyTuple_Size(args));
    arcl_status status = arcl_batch_create(self->owner->context, self->types, &batch, &error);
    if (status) return raise_status(status, &error);
    for (int i = 0; i < self->arguments && !failed; i++) {
        failed = input_add(batch, PyTuple_GetItem(args, i), is_grid(type));
        type += strcspn(type, " ");
        type += *type == ' ';
    }
    PyObject *value = failed ? NULL : run_one(self, batch);
    arcl_batch_free(batch);
    return value;
}

static PyObject *compiled_run(compiled_object *self, PyObject *arg) {
    batch_object *batch = (batch_object *)arg;
    arcl_result *result = NULL;
    arcl_error error;
    library_call call;
    if (!PyObject_TypeCheck(arg, types.batch) || !batch->batch || batch->owner != self->owner)
        return PyErr_Format(PyExc_TypeError, "a batch of the same engine is expected");
    if (call_begin(&call, self->owner, arcl_batch_lanes(batch->batch))) return NULL;
    arcl_status status = arcl_run(self->owner->context, self->program, batch->batch, &result, &error);
    call_end(&call, status);
    return status ? raise_status(status, &error) : result_wrap(self->owner, result);
}

/* Most programs take a grid and make one: the text of that is made once. */
static PyObject *type_value(const char *text) {
    static PyObject *grid;
    if (strcmp(text, "grid")) return PyUnicode_FromString(text);
    if (!grid && !(grid = PyUnicode_InternFromString(text))) return NULL;
    Py_INCREF(grid);
    return grid;
}

static PyObject *compiled_types(compiled_object *self, void *unused) {
    (void)unused;
    return type_value(self->types);
}

static PyObject *compiled_are_grids(compiled_object *self, void *unused) {
    unsigned long are_grids = 0;
    const char *type = self->types;
    (void)unused;
    for (int i = 0; i < self->arguments; i++) {
        if (is_grid(type)) are_grids |= 1ul << i;
        type += strcspn(type, " ");
        type += *type == ' ';
    }
    return PyLong_FromUnsignedLong(are_grids);
}

static PyObject *compiled_result_type(compiled_object *self, void *unused) {
    char text[512];
    (void)unused;
    return type_value(arcl_program_result_type(self->program, text, sizeof text));
}

static PyObject *compiled_steps(compiled_object *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(arcl_program_steps(self->program));
}

static PyMethodDef methods[] = {{"run", (PyCFunction)compiled_run, METH_O, "run(batch) -> Result"},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"types", (getter)compiled_types, NULL, "Of its parameters, separated by blanks.", NULL},
    {"are_grids", (getter)compiled_are_grids, NULL, "Bit i says that parameter i is a grid.", NULL},
    {"result_type", (getter)compiled_result_type, NULL, "Of its value.", NULL},
    {"steps", (getter)compiled_steps, NULL, "Kernels, scopes and joins.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_call, compiled_call},
                              {Py_tp_dealloc, compiled_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};
PyType_Spec compiled_spec = {"arcl._arcl.Compiled", sizeof(compiled_object), 0, Py_TPFLAGS_DEFAULT, slots};
