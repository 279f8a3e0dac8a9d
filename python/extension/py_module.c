/* The module arcl._arcl: its types and exceptions, and what all objects have in common. */
#include "py_arcl.h"
#include "py_layout.h"

module_types types;

void *object_new(PyTypeObject *type, context_object *owner) {
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *made = allocate(type, 0);
    if (made) Py_INCREF(owner);
    return made;
}

void object_free(PyObject *self, context_object *owner) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_XDECREF(owner);
    Py_DECREF(type);
}

PyObject *pair_item(PyObject *pair, Py_ssize_t index, PyTypeObject *type) {
    PyObject *item = PyTuple_Check(pair) && PyTuple_Size(pair) == 2 ? PyTuple_GetItem(pair, index) : NULL;
    if (item && PyObject_TypeCheck(item, type)) return item;
    return PyErr_Format(PyExc_TypeError, "a pair is expected whose item %zd is a %R", index, (PyObject *)type);
}

PyObject *raise_status(arcl_status status, const arcl_error *error) {
    PyObject *kind = status == ARCL_NO_MEMORY       ? types.no_memory
                     : status == ARCL_DEVICE_FAILED ? types.device_failed
                     : status == ARCL_CANCELLED     ? types.cancelled
                                                    : types.invalid;
    if (status == ARCL_CANCELLED && PyErr_CheckSignals()) return NULL; /* KeyboardInterrupt says it better */
    PyObject *text = PyUnicode_DecodeUTF8(error->message, (Py_ssize_t)strlen(error->message), "replace");
    if (text) PyErr_SetObject(kind, text);
    Py_XDECREF(text);
    return NULL;
}

/* ---- calls ---- */

/* Lanes that a run may have without Ctrl-C being looked for: their budgets do not let these take long, and looking for
 * it takes two system calls, which is more than a small program takes. */
#define QUICK_LANES 16

/* A wish to cancel is used up by the next call that heeds it: here one that has nothing to do. */
static void forget_cancel(context_object *owner) {
    arcl_source *nothing = NULL;
    arcl_program *none[1];
    if (arcl_source_parse(owner->context, "", 0, NULL, &nothing, NULL) == ARCL_SUCCESS)
        arcl_source_compile(owner->context, nothing, NULL, none, NULL);
    arcl_source_free(nothing);
    owner->stale_cancel = 0;
}

int call_begin(library_call *call, context_object *owner, size_t lanes) {
    if (!PyThread_acquire_lock(owner->lock, NOWAIT_LOCK)) {
        PyLockStatus taken = PY_LOCK_FAILURE;
        while (taken != PY_LOCK_ACQUIRED) {
            Py_BEGIN_ALLOW_THREADS;
            taken = PyThread_acquire_lock_timed(owner->lock, -1, 1);
            Py_END_ALLOW_THREADS;
            if (taken != PY_LOCK_ACQUIRED && PyErr_CheckSignals()) return -1;
        }
    }
    if (owner->stale_cancel) forget_cancel(owner);
    owner->running = 1;
    call->owner = owner;
    call->watched = lanes > QUICK_LANES && interrupt_watch(owner->context);
    if (call->watched && PyErr_CheckSignals()) { /* one that came before anybody watched */
        interrupt_ignore();
        owner->running = 0;
        PyThread_release_lock(owner->lock);
        return -1;
    }
    call->thread = PyEval_SaveThread();
    return 0;
}

void call_end(library_call *call, arcl_status status) {
    PyEval_RestoreThread(call->thread);
    call->owner->running = 0;
    if (call->watched && interrupt_ignore() && status != ARCL_CANCELLED) call->owner->stale_cancel = 1;
    PyThread_release_lock(call->owner->lock);
}

/* ---- the module ---- */

static PyObject *module_main_thread(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    interrupt_main_thread();
    Py_RETURN_NONE;
}

static PyObject *module_default_profile(PyObject *module, PyObject *unused) {
    char path[4096];
    (void)module, (void)unused;
    return PyUnicode_DecodeFSDefault(arcl_profile_default_path(path, sizeof path));
}

static PyObject *module_near(PyObject *module, PyObject *args) {
    const char *wanted, *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "ss", &wanted, &name)) return NULL;
    return PyBool_FromLong(arcl_name_is_near(wanted, name));
}

static PyMethodDef functions[] = {
    {"ops", module_ops, METH_VARARGS, "The ops of a dialect, as dicts."},
    {"tally", module_tally, METH_VARARGS, "tally(lanes, examples, pairs, tally): counts scores per pair."},
    {"main_thread", module_main_thread, METH_NOARGS, "The caller is the main thread, whose runs Ctrl-C ends."},
    {"default_profile", module_default_profile, METH_NOARGS, "Where the profile is if nobody says otherwise."},
    {"is_near", module_near, METH_VARARGS, "Whether a name may be what was meant by another."},
    {NULL, NULL, 0, NULL}};

static int add_type(PyObject *module, PyType_Spec *spec, const char *name, PyTypeObject **made) {
    *made = (PyTypeObject *)PyType_FromSpec(spec);
    if (!*made) return -1;
    Py_INCREF(*made);
    return PyModule_AddObject(module, name, (PyObject *)*made);
}

/* Exceptions of the package are also what Python programs expect of such a failure: a ValueError, a MemoryError. */
static int add_exception(PyObject *module, const char *name, PyObject *also, PyObject **made, const char *meaning) {
    char full[64];
    PyObject *bases = !types.error ? NULL : also ? PyTuple_Pack(2, types.error, also) : PyTuple_Pack(1, types.error);
    PyOS_snprintf(full, sizeof full, "arcl.%s", name);
    *made = PyErr_NewExceptionWithDoc(full, meaning, bases, NULL);
    Py_XDECREF(bases);
    if (!*made) return -1;
    Py_INCREF(*made);
    return PyModule_AddObject(module, name, *made);
}

static int fill_module(PyObject *m) {
    if (add_type(m, &context_spec, "Context", &types.context) || add_type(m, &source_spec, "Source", &types.source) ||
        add_type(m, &compiled_spec, "Compiled", &types.compiled) || add_type(m, &batch_spec, "Batch", &types.batch) ||
        add_type(m, &result_spec, "Result", &types.result) || add_type(m, &run_spec, "Run", &types.run) ||
        add_type(m, &battery_spec, "Battery", &types.battery) ||
        add_type(m, &accumulator_spec, "Accumulator", &types.accumulator))
        return -1;
    if (add_exception(m, "Error", NULL, &types.error, "Whatever the library refuses or cannot do.") ||
        add_exception(m, "InvalidError", PyExc_ValueError, &types.invalid,
                      "Bad input: a text, types, sizes, values.") ||
        add_exception(m, "MemoryLimitError", PyExc_MemoryError, &types.no_memory,
                      "Out of memory, or above the engine's limit.") ||
        add_exception(m, "DeviceError", PyExc_RuntimeError, &types.device_failed,
                      "A device or its driver does not work.") ||
        add_exception(m, "Cancelled", NULL, &types.cancelled, "The run was ended by Engine.cancel.") ||
        add_exception(m, "LaneFailed", NULL, &types.lane_failed, "The status of the only lane, and its result."))
        return -1;
    PyObject *statuses = PyTuple_New(ARCL_LANE_STATUSES);
    for (int i = 0; statuses && i < ARCL_LANE_STATUSES; i++) {
        PyObject *row = Py_BuildValue("(ss)", arcl_lane_status_name((arcl_lane_status)i),
                                      arcl_lane_status_meaning((arcl_lane_status)i));
        if (!row || PyTuple_SetItem(statuses, i, row)) return -1;
    }
    if (!statuses || PyModule_AddObject(m, "STATUSES", statuses)) return -1;
    if (PyModule_AddIntConstant(m, "DEFAULT_BUDGET", (long)ARCL_DEFAULT_BUDGET)) return -1;
    if (PyModule_AddIntConstant(m, "NOT_RUN", NOT_RUN)) return -1;
    return PyModule_AddStringConstant(m, "VERSION", arcl_version());
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "arcl._arcl", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__arcl(void);
PyMODINIT_FUNC PyInit__arcl(void) {
    PyObject *m = PyModule_Create(&definition);
    if (m && (array_start() || layout_start() || output_start() || fill_module(m))) Py_CLEAR(m);
    return m;
}
