/* Many definitions compiled at once, on the threads of a context. */
#include <string.h>

#include "py_arcl.h"

typedef struct compiling {
    arcl_context *context;
    const arcl_compile_options *options;
    arcl_definition *definitions;
    arcl_program **programs;
} compiling;

static void compile_one(void *arg, uint32_t index) {
    const compiling *all = arg;
    const arcl_definition *d = &all->definitions[index];
    if (arcl_program_compile(all->context, d->source, d->index, all->options, &all->programs[index], NULL))
        all->programs[index] = NULL;
}

int definitions_take(PyObject *list, arcl_definition *definitions) {
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        PyObject *source = pair_item(PyList_GetItem(list, i), 0, types.source);
        PyObject *index = source ? pair_item(PyList_GetItem(list, i), 1, &PyLong_Type) : NULL;
        if (!index) return -1;
        long number = PyLong_AsLong(index);
        if (number == -1 && PyErr_Occurred()) return -1;
        definitions[i] = (arcl_definition){((source_object *)source)->source, (int)number};
    }
    return 0;
}

/* How many definitions are meant by a source, which stands for all of its own, or by a list; -1 after an exception. */
static Py_ssize_t count_wanted(PyObject *wanted) {
    if (PyObject_TypeCheck(wanted, types.source)) return arcl_source_count(((source_object *)wanted)->source);
    if (PyList_Check(wanted)) return PyList_Size(wanted);
    PyErr_Format(PyExc_TypeError, "a source or a list of (source, index) is expected");
    return -1;
}

static int take_wanted(PyObject *wanted, arcl_definition *definitions, Py_ssize_t count) {
    if (PyList_Check(wanted)) return definitions_take(wanted, definitions);
    for (Py_ssize_t i = 0; i < count; i++)
        definitions[i] = (arcl_definition){((source_object *)wanted)->source, (int)i};
    return 0;
}

/* What a definition was compiled to, or the message of why it was not: compiled once more, it has one. So there are no
 * messages for the many that are not rejected. */
static PyObject *wrap_one(context_object *context, const compiling *all, Py_ssize_t i) {
    const arcl_definition *d = &all->definitions[i];
    arcl_program *program = all->programs[i];
    arcl_error error;
    all->programs[i] = NULL;
    if (!program && arcl_program_compile(all->context, d->source, d->index, all->options, &program, &error))
        return PyUnicode_DecodeUTF8(error.message, (Py_ssize_t)strlen(error.message), "replace");
    return compiled_wrap(context, program, arcl_source_dialect(d->source));
}

/* (list, how many of them are messages) */
static PyObject *wrap_all(context_object *context, const compiling *all, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    Py_ssize_t rejected = 0;
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *made = wrap_one(context, all, i);
        rejected += made && PyUnicode_Check(made);
        if (!made || PyList_SetItem(list, i, made)) Py_CLEAR(list);
    }
    for (Py_ssize_t i = 0; i < count; i++) arcl_program_free(all->programs[i]);
    return list ? Py_BuildValue("(Nn)", list, rejected) : NULL;
}

PyObject *context_compile(context_object *self, PyObject *args) {
    PyObject *definitions, *type_texts, *made = NULL;
    int grid_result, safe;
    wanted_program wanted;
    library_call call;
    if (!PyArg_ParseTuple(args, "OOpp", &definitions, &type_texts, &grid_result, &safe)) return NULL;
    Py_ssize_t count = count_wanted(definitions);
    if (count < 0 || wanted_set(&wanted, type_texts, grid_result, safe)) return NULL;
    size_t n = (size_t)count + 1;
    compiling all = {.context = self->context,
                     .options = &wanted.options,
                     .definitions = PyMem_Calloc(n, sizeof *all.definitions),
                     .programs = PyMem_Calloc(n, sizeof *all.programs)};
    if (!all.definitions || !all.programs)
        PyErr_NoMemory();
    else if (!take_wanted(definitions, all.definitions, count) && !call_begin(&call, self, 0)) {
        arcl_parallel(self->context, (uint32_t)count, compile_one, &all);
        call_end(&call, ARCL_SUCCESS);
        made = wrap_all(self, &all, count);
    }
    PyMem_Free(all.definitions);
    PyMem_Free(all.programs);
    Py_XDECREF(wanted.kept);
    return made;
}
