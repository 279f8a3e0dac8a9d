/* Source: a text that was parsed, and the ways from its definitions to programs and to other texts. */
#include "py_arcl.h"

static void source_dealloc(source_object *self) {
    arcl_source_free(self->source);
    object_free((PyObject *)self, self->owner);
}

static PyObject *source_names(source_object *self, PyObject *unused) {
    int count = arcl_source_count(self->source);
    PyObject *names = PyList_New(count);
    char name[256];
    (void)unused;
    for (int i = 0; names && i < count; i++) {
        PyObject *text = PyUnicode_FromString(arcl_source_name(self->source, i, name, sizeof name));
        if (!text || PyList_SetItem(names, i, text)) Py_CLEAR(names);
    }
    return names;
}

static PyObject *source_dialect(source_object *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(arcl_dialect_name(arcl_source_dialect(self->source)));
}

static PyObject *source_is_battery(source_object *self, PyObject *index) {
    long i = PyLong_AsLong(index);
    if (i == -1 && PyErr_Occurred()) return NULL;
    int is_result = arcl_source_describe(self->source, (int)i).kind != ARCL_SOLVER;
    return PyBool_FromLong(is_result || arcl_source_is_battery(self->source, (int)i));
}

static PyObject *source_format(source_object *self, PyObject *args) {
    int index, is_inline;
    const char *dialect_name;
    char *text = NULL;
    size_t length = 0;
    arcl_error error;
    if (!PyArg_ParseTuple(args, "ips", &index, &is_inline, &dialect_name)) return NULL;
    int dialect = arcl_dialect_find(dialect_name);
    if (dialect < 0) return PyErr_Format(types.invalid, "'%s' is no dialect: arc-dsl, tokpidjin or auto", dialect_name);
    arcl_status status = arcl_source_translate(self->owner->context, self->source, index, (arcl_dialect)dialect,
                                               is_inline, &text, &length, &error);
    if (status) return raise_status(status, &error);
    PyObject *made = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    arcl_text_free(text);
    return made;
}

static PyObject *source_key(source_object *self, PyObject *index) {
    arcl_key key;
    arcl_error error;
    char text[33];
    long i = PyLong_AsLong(index);
    if (i == -1 && PyErr_Occurred()) return NULL;
    arcl_status status = arcl_source_key(self->owner->context, self->source, (int)i, &key, &error);
    if (status) return raise_status(status, &error);
    PyOS_snprintf(text, sizeof text, "%016llx%016llx", (unsigned long long)key.high, (unsigned long long)key.low);
    return PyUnicode_FromString(text);
}

int wanted_set(wanted_program *wanted, PyObject *type_texts, int grid_result, int safe) {
    *wanted = (wanted_program){.options = {.grid_result = grid_result, .policy = safe ? ARCL_SAFE : ARCL_STRICT}};
    if (type_texts == Py_None) return 0;
    if (!(wanted->kept = PySequence_Tuple(type_texts))) return -1;
    Py_ssize_t count = PyTuple_Size(wanted->kept);
    if (count > MAX_ARGUMENTS) {
        PyErr_Format(types.invalid, "a program has at most %d parameters, not %zd", MAX_ARGUMENTS, count);
        Py_CLEAR(wanted->kept);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(wanted->type[i] = PyBytes_AsString(PyTuple_GetItem(wanted->kept, i)))) {
            Py_CLEAR(wanted->kept);
            return -1;
        }
    wanted->options.types = wanted->type;
    wanted->options.type_count = (int)count;
    return 0;
}

/* The program is compiled for a context that need not be the source's own. */
static PyObject *source_compile(source_object *self, PyObject *args) {
    context_object *context;
    PyObject *type_texts;
    int index, grid_result, safe;
    wanted_program wanted;
    arcl_program *program = NULL;
    arcl_error error;
    if (!PyArg_ParseTuple(args, "O!iOpp", types.context, &context, &index, &type_texts, &grid_result, &safe) ||
        wanted_set(&wanted, type_texts, grid_result, safe))
        return NULL;
    arcl_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = arcl_program_compile(context->context, self->source, index, &wanted.options, &program, &error);
    Py_END_ALLOW_THREADS;
    Py_XDECREF(wanted.kept);
    if (status) return raise_status(status, &error);
    return compiled_wrap(context, program, arcl_source_dialect(self->source));
}

static PyMethodDef methods[] = {
    {"names", (PyCFunction)source_names, METH_NOARGS, "The names of its definitions."},
    {"is_battery", (PyCFunction)source_is_battery, METH_O, "Whether a definition is a battery's."},
    {"format", (PyCFunction)source_format, METH_VARARGS, "format(index, inline, dialect): the normal form, as text."},
    {"key", (PyCFunction)source_key, METH_O, "A hash of the normal form."},
    {"compile", (PyCFunction)source_compile, METH_VARARGS, "compile(context, index, types, grid_result, safe)"},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"dialect", (getter)source_dialect, NULL, "arc-dsl or tokpidjin.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, source_dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, properties}, {0, NULL}};
PyType_Spec source_spec = {"arcl._arcl.Source", sizeof(source_object), 0, Py_TPFLAGS_DEFAULT, slots};
