/* Arrays of ints, of NumPy or whatever else has the buffer protocol, seen where they are.
 *
 * The protocol is a part of the limited API from Python 3.11 on only. The two functions are older than Python 3.9, and
 * what they fill in has not changed since Python 3.0 (and must not, since 3.11), so they are looked up when the module
 * is imported instead of being linked: the module's list of symbols stays that of 3.9. */
#include <dlfcn.h>
#include <string.h>

#include "py_arcl.h"

#define VIEW_WRITABLE 0x01
#define VIEW_WITH_FORMAT 0x04
#define VIEW_WITH_STRIDES 0x18

static int (*get_buffer)(PyObject *, array_view *, int);
static void (*release_buffer)(array_view *);
static int (*check_buffer)(PyObject *);

static int look_up(const char *name, void *function) {
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
    if (found) return 0;
    PyErr_Format(PyExc_ImportError, "this Python has no %s", name);
    return -1;
}

int array_start(void) {
    return look_up("PyObject_GetBuffer", &get_buffer) || look_up("PyBuffer_Release", &release_buffer) ||
                   look_up("PyObject_CheckBuffer", &check_buffer)
               ? -1
               : 0;
}

int array_is(PyObject *object) { return check_buffer(object); }

char array_code(const array_view *view) {
    const char *format = view->format ? view->format : "B";
    if (*format && strchr("@=<", *format)) format++;
    if (!*format || format[1] || !strchr("bB?hHiIlLqQ", *format)) return 0;
    return *format;
}

int array_open(PyObject *object, array_view *view, int is_writable) {
    if (get_buffer(object, view, VIEW_WITH_STRIDES | VIEW_WITH_FORMAT | (is_writable ? VIEW_WRITABLE : 0))) return -1;
    if (array_code(view)) return 0;
    PyErr_Format(PyExc_TypeError, "an array of ints is expected, not of '%s' (as the struct module names it)",
                 view->format);
    release_buffer(view);
    return -1;
}

void array_close(array_view *view) { release_buffer(view); }

int columns_open(PyObject *columns, array_view *views, int count, int is_writable) {
    if (!PyTuple_Check(columns) || PyTuple_Size(columns) != count) {
        PyErr_Format(PyExc_TypeError, "a tuple of %d columns is expected", count);
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (array_open(PyTuple_GetItem(columns, i), &views[i], is_writable)) {
            columns_close(views, i);
            return -1;
        }
    return 0;
}

void columns_close(array_view *views, int count) {
    for (int i = 0; i < count; i++) array_close(&views[i]);
}

#define READ(type)                                                                                                     \
    {                                                                                                                  \
        type value;                                                                                                    \
        memcpy(&value, at, sizeof value);                                                                              \
        return (long long)value;                                                                                       \
    }

long long array_int(const char *at, char code) {
    switch (code) {
    case 'b': READ(signed char)
    case 'B':
    case '?': READ(unsigned char)
    case 'h': READ(short)
    case 'H': READ(unsigned short)
    case 'i': READ(int)
    case 'I': READ(unsigned)
    case 'l': READ(long)
    case 'L': READ(unsigned long)
    case 'q': READ(long long)
    default: READ(unsigned long long)
    }
}
