/* The ops of a dialect, as dicts. */
#include "py_arcl.h"

PyObject *module_ops(PyObject *module, PyObject *args) {
    const char *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    int dialect = arcl_dialect_find(name);
    if (dialect < 0) return PyErr_Format(types.invalid, "'%s' is no dialect: arc-dsl or tokpidjin", name);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < arcl_dialect_op_count((arcl_dialect)dialect); i++) {
        arcl_op_info op = arcl_dialect_op_get((arcl_dialect)dialect, i);
        PyObject *made = Py_BuildValue("{s:s,s:s,s:s,s:s,s:i,s:s}", "name", op.name, "family", op.family, "parameters",
                                       op.parameters, "meaning", op.meaning, "arity", op.arity, "type", op.signature);
        if (!made || PyList_Append(list, made)) Py_CLEAR(list);
        Py_XDECREF(made);
    }
    return list;
}
