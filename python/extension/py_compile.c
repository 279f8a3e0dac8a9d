/* Many definitions compiled at once, on the threads of a context. */
#include <string.h>

#include "py_arcl.h"

typedef struct compiling {
    arcl_context *context;
    const arcl_compile_options *options;
    arcl_definition *definitions;
    arcl_program **programs;
    arcl_error *errors;
} compiling;

static void compile_one(void *arg, uint32_t index) {
    const compiling *all = arg;
    const arcl_definition *d = &all->definitions[index];
    if (arcl_program_compile(all->context, d->source, d->index, all->options, &all->programs[index],
                             &all->errors[index]))
        all->programs[index] = NULL;
}

int definitions_take(PyObject *list, arcl_definition *definitions) {
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        source_object *source;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "O!i", types.source, &source, &definitions[i].index)) return -1;
        definitions[i].source = source->source;
    }
    return 0;
}

/* A list that has, for every definition, what it was compiled to, or the message of why it was not. */
static PyObject *wrap_all(context_object *context, const compiling *all, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        const char *message = all->errors[i].message;
        arcl_dialect dialect = arcl_source_dialect(all->definitions[i].source);
        PyObject *made = all->programs[i] ? compiled_wrap(context, all->programs[i], dialect)
                                          : PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
        all->programs[i] = NULL;
        if (!made || PyList_SetItem(list, i, made)) Py_CLEAR(list);
    }
    for (Py_ssize_t i = 0; i < count; i++) arcl_program_free(all->programs[i]);
    return list;
}

PyObject *context_compile(context_object *self, PyObject *args) {
    PyObject *list, *type_texts, *made = NULL;
    int grid_result, safe;
    wanted_program wanted;
    library_call call;
    if (!PyArg_ParseTuple(args, "O!Opp", &PyList_Type, &list, &type_texts, &grid_result, &safe) ||
        wanted_set(&wanted, type_texts, grid_result, safe))
        return NULL;
    Py_ssize_t count = PyList_Size(list);
    size_t n = (size_t)count + 1;
    compiling all = {.context = self->context,
                     .options = &wanted.options,
                     .definitions = PyMem_Calloc(n, sizeof *all.definitions),
                     .programs = PyMem_Calloc(n, sizeof *all.programs),
                     .errors = PyMem_Calloc(n, sizeof *all.errors)};
    if (!all.definitions || !all.programs || !all.errors)
        PyErr_NoMemory();
    else if (!definitions_take(list, all.definitions) && !call_begin(&call, self, 0)) {
        arcl_parallel(self->context, (uint32_t)count, compile_one, &all);
        call_end(&call, ARCL_SUCCESS);
        made = wrap_all(self, &all, count);
    }
    PyMem_Free(all.definitions);
    PyMem_Free(all.programs);
    PyMem_Free(all.errors);
    Py_XDECREF(wanted.kept);
    return made;
}
