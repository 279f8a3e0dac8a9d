/* How objects lie in memory, found out and tried when the module is imported (py_layout.h says what for). A tuple has
 * its items behind its head, whose size Python tells; a list has a pointer to them there. That is so in every CPython
 * since 3.0, yet no promise. */
#include "py_layout.h"

#define TRIED 3               /* items of the tuple and the list that it is tried with */
#define LEAST_ADDRESS 0x10000 /* below, a number is a count or a flag, and not where something lies */

object_layout layout;

/* Eight cells are written as one number, from pointers that are numbers of eight bytes. */
static int is_usual_machine(void) {
    const uint64_t one = 1;
    return *(const unsigned char *)&one == 1 && sizeof(PyObject *) == sizeof one;
}

static void find_digits(PyObject *const *digit) {
    int is_found = is_usual_machine();
    for (int i = 0; i < DIGITS; i++) is_found &= (char *)digit[i] == (char *)digit[0] + ((ptrdiff_t)i << DIGIT_SHIFT);
    layout.zero = is_found ? (uintptr_t)digit[0] : 0;
}

static int has_items(PyObject *sequence, PyObject *const *digit) {
    PyObject *const *items = items_of(sequence);
    return Py_SIZE(sequence) == TRIED && memcmp(items, digit, TRIED * sizeof *items) == 0;
}

static int find_tuple_items(PyObject *const *digit) {
    PyObject *size = PyObject_GetAttrString((PyObject *)&PyTuple_Type, "__basicsize__");
    PyObject *tuple = size ? PyTuple_Pack(TRIED, digit[0], digit[1], digit[2]) : NULL;
    if (tuple) {
        layout.tuple_items = PyLong_AsSize_t(size);
        if (!has_items(tuple, digit)) layout.tuple_items = 0;
    }
    Py_XDECREF(size);
    Py_XDECREF(tuple);
    return tuple ? 0 : -1;
}

static int find_list_items(PyObject *const *digit) {
    PyObject *none = PyList_New(0), *list = PyList_New(0);
    int failed = !none || !list;
    for (int i = 0; i < TRIED && !failed; i++) failed = PyList_Append(list, digit[i]);
    if (!failed) {
        layout.list_items = sizeof(PyVarObject);
        uintptr_t at = (uintptr_t)items_of(list);
        int is_pointer = !items_of(none) && at >= LEAST_ADDRESS && at % sizeof(PyObject *) == 0;
        if (!is_pointer || !has_items(list, digit)) layout.list_items = 0;
    }
    Py_XDECREF(none);
    Py_XDECREF(list);
    return failed ? -1 : 0;
}

int layout_start(void) {
    PyObject *digit[DIGITS];
    int made = 0, failed = 0;
    while (made < DIGITS && (digit[made] = PyLong_FromLong(made))) made++;
    if (made == DIGITS) {
        find_digits(digit);
        failed = find_tuple_items(digit) || find_list_items(digit);
    }
    for (int i = 0; i < made; i++) Py_DECREF(digit[i]);
    return made == DIGITS && !failed ? 0 : -1;
}
