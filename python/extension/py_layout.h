/* Where CPython keeps the items of tuples and lists, and the ints that cells nearly always are. The limited API asks
 * for every item by a call; a batch has a hundred thousand of them. So, when the module is imported, it is looked up
 * where they lie, and tried; where it is otherwise than expected, nothing is known, and the calls are made. */
#ifndef ARCL_PY_LAYOUT_H
#define ARCL_PY_LAYOUT_H
#include <stdint.h>
#include <string.h>

#include "py_arcl.h"

typedef struct object_layout {
    size_t tuple_items; /* bytes from a tuple to its first item; 0: not known */
    size_t list_items;  /* bytes from a list to the pointer to its first item; 0: not known */
    uint64_t zero;      /* where the int 0 is, if those up to DIGITS - 1 follow it side by side; 0: not known */
} object_layout;
extern object_layout layout;

#define DIGITS 16     /* a power of two */
#define DIGIT_SHIFT 5 /* an int that is so small has 32 bytes */

int layout_start(void); /* -1 after an exception */

/* The types themselves are known by their addresses; who derives from them has to be asked. */
static inline int is_tuple(PyObject *o) {
    return Py_TYPE(o) == &PyTuple_Type || (Py_TYPE(o) != &PyList_Type && PyTuple_Check(o));
}
static inline int is_sequence(PyObject *o) { return Py_TYPE(o) == &PyList_Type || is_tuple(o) || PyList_Check(o); }

/* Of a tuple or a list; NULL if that is not known. A list's may move whenever Python code runs. */
static inline PyObject *const *items_of(PyObject *sequence) {
    char *at = (char *)sequence;
    if (is_tuple(sequence)) return layout.tuple_items ? (PyObject *const *)(void *)(at + layout.tuple_items) : NULL;
    return layout.list_items ? *(PyObject *const **)(void *)(at + layout.list_items) : NULL;
}

static inline Py_ssize_t length_of(PyObject *sequence) { return Py_SIZE(sequence); }

/* A borrowed reference; NULL after an exception, if there is no such item (any more). */
static inline PyObject *item_at(PyObject *sequence, Py_ssize_t i) {
    return is_tuple(sequence) ? PyTuple_GetItem(sequence, i) : PyList_GetItem(sequence, i);
}

typedef uint64_t pointer_pair __attribute__((vector_size(16)));

static inline pointer_pair distances(PyObject *const *items, uint64_t zero) {
    pointer_pair two;
    memcpy(&two, items, sizeof two);
    return two - zero;
}

/* Eight cells; returns what the distances of their objects from zero have together. */
static inline uint64_t eight_digits(PyObject *const *items, signed char *cells, uint64_t zero) {
    const int shift = DIGIT_SHIFT;
    pointer_pair a = distances(items, zero), b = distances(items + 2, zero);
    pointer_pair c = distances(items + 4, zero), d = distances(items + 6, zero);
    pointer_pair all = a | b | c | d;
    pointer_pair every_other = a >> shift | b << (16 - shift) | c << (32 - shift) | d << (48 - shift);
    uint64_t packed = every_other[0] | every_other[1] << 8;
    memcpy(cells, &packed, sizeof packed);
    return all[0] | all[1];
}

/* The values of ints that are all between 0 and DIGITS - 1; otherwise 0 is returned, and the cells are of no use. The
 * last eight may be in part what was looked at already. */
static inline int digits_of(PyObject *const *items, Py_ssize_t count, signed char *cells) {
    const uint64_t zero = layout.zero;
    uint64_t all = 0;
    if (!zero) return 0;
    if (count >= 8) {
        for (Py_ssize_t i = 0; i < count - 8; i += 8) all |= eight_digits(items + i, cells + i, zero);
        all |= eight_digits(items + count - 8, cells + count - 8, zero);
    } else
        for (Py_ssize_t i = 0; i < count; i++) {
            uint64_t distance = (uintptr_t)items[i] - zero;
            all |= distance;
            cells[i] = (signed char)(distance >> DIGIT_SHIFT);
        }
    return (all & ~((uint64_t)(DIGITS - 1) << DIGIT_SHIFT)) == 0;
}

#endif
