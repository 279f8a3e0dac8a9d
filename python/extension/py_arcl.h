/* What the files of the extension share: its objects, and how each of them calls the library. Every file wraps one
 * part of lib/arcl.h in a type of its own; what is nicer in Python (classes, texts, tables) is in python/arcl/.
 *
 * It is compiled with the limited API of CPython 3.9, so that one binary serves all later versions. */
#ifndef ARCL_PY_ARCL_H
#define ARCL_PY_ARCL_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "arcl.h"

/* ---- objects: each keeps the context alive in whose memory it lives ---- */

typedef struct context_object {
    PyObject_HEAD arcl_context *context;
    PyThread_type_lock lock; /* who holds it runs, or looks at what runs write */
    int running;             /* somebody is in a call that can be cancelled */
    int stale_cancel;        /* a wish to cancel came too late for its call, and would end the next one */
} context_object;

typedef struct source_object {
    PyObject_HEAD context_object *owner;
    arcl_source *source;
} source_object;

#define MAX_ARGUMENTS 4
#define TYPE_TEXTS (MAX_ARGUMENTS * 64)
typedef struct compiled_object {
    PyObject_HEAD context_object *owner;
    arcl_program *program;
    int arguments;
    char types[TYPE_TEXTS]; /* as arcl_batch_create takes them */
} compiled_object;

typedef struct batch_object {
    PyObject_HEAD context_object *owner;
    arcl_batch *batch; /* NULL: an accumulator has it */
    char types[TYPE_TEXTS];
} batch_object;

typedef struct result_object {
    PyObject_HEAD context_object *owner;
    arcl_result *result;
} result_object;

/* The types, made when the module is imported. */
typedef struct module_types {
    PyTypeObject *context, *source, *compiled, *batch, *result, *run, *battery, *accumulator;
    PyObject *error, *invalid, *no_memory, *device_failed, *cancelled, *lane_failed;
} module_types;
extern module_types types;

/* An object without its own fields set, that holds a reference to the context; NULL after an exception. */
void *object_new(PyTypeObject *type, context_object *owner);
void object_free(PyObject *self, context_object *owner);

/* An item of a pair, borrowed; NULL after an exception, if it is no pair or the item not of that type. */
PyObject *pair_item(PyObject *pair, Py_ssize_t index, PyTypeObject *type);

/* Raises what a status of the library means; returns NULL. */
PyObject *raise_status(arcl_status status, const arcl_error *error);

/* ---- calls ---- */

/* Between the two nobody else runs in the context, and other Python threads go on. `lanes`: how many there are to run;
 * Ctrl-C ends calls of the main thread that may take long. call_begin returns -1 after an exception. */
typedef struct library_call {
    context_object *owner;
    PyThreadState *thread;
    int watched;
} library_call;
int call_begin(library_call *call, context_object *owner, size_t lanes);
void call_end(library_call *call, arcl_status status);

/* ---- Ctrl-C (py_interrupt.c) ---- */

/* Lets SIGINT end what runs in the context until interrupt_ignore, which tells whether one came. Only for the main
 * thread; interrupt_watch returns 0 in others. */
int interrupt_watch(arcl_context *context);
int interrupt_ignore(void);
void interrupt_main_thread(void); /* the caller is it */

/* ---- values (py_input.c, py_output.c) ---- */

/* Adds an argument, or many lanes that consist of one grid each, to a batch; 0, or -1 after an exception. */
int input_add(arcl_batch *batch, PyObject *value, int is_grid);
int input_add_grids(arcl_batch *batch, PyObject *grids);

int output_start(void);
PyObject *output_value(arcl_value value);
PyObject *output_items(arcl_value container); /* as a tuple, also those of a set, in its order */
PyObject *output_lane(const arcl_result *result, uint32_t lane);

/* ---- arrays (py_array.c) ---- */

typedef struct array_view { /* Py_buffer, as it has been since Python 3.0 and is for good since 3.11 */
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} array_view;

int array_start(void);
/* Whether the object is an array; array_open then looks at its memory without copying it. Ints only. */
int array_is(PyObject *object);
int array_open(PyObject *object, array_view *view, int is_writable);
void array_close(array_view *view);
char array_code(const array_view *view); /* the struct module's letter for its elements */
long long array_int(const char *at, char code);

/* Columns of scores, a number per lane each; the caller's arrays. */
typedef enum score_column { STATUS, MATCH, SAME_SHAPE, USABLE, CELLS, WORDS, FINGERPRINT, SCORE_COLUMNS } score_column;
#define NOT_RUN 255 /* in the column of statuses */
int columns_open(PyObject *columns, array_view *views, int count, int is_writable);
void columns_close(array_view *views, int count);

/* ---- the parts of the library ---- */

extern PyType_Spec context_spec, source_spec, compiled_spec, batch_spec, result_spec, run_spec, battery_spec,
    accumulator_spec;
PyObject *result_wrap(context_object *owner, arcl_result *result);
PyObject *compiled_wrap(context_object *owner, arcl_program *program, arcl_dialect dialect);

PyObject *context_report(context_object *self, PyObject *unused);                    /* py_report.c */
PyObject *context_devices(context_object *self, PyObject *unused);                   /* py_report.c */
PyObject *context_explain(context_object *self, PyObject *args, PyObject *keywords); /* py_plan.c */
PyObject *context_compile(context_object *self, PyObject *args);                     /* py_compile.c */
PyObject *context_run(context_object *self, PyObject *args);                         /* py_run.c */
PyObject *context_run_named(context_object *self, PyObject *args);                   /* py_run.c */
PyObject *context_failure(context_object *self, PyObject *args);                     /* py_failure.c */
PyObject *failure_dict(const arcl_failure *failure);                                 /* py_failure.c */
PyObject *context_trace(context_object *self, PyObject *args);                       /* py_trace.c */
PyObject *context_score(context_object *self, PyObject *args);                       /* py_score.c */
PyObject *module_tally(PyObject *module, PyObject *args);                            /* py_tally.c */
PyObject *module_ops(PyObject *module, PyObject *args);                              /* py_ops.c */

/* A compile's options from Python: types (None or a sequence of bytes), grid_result, safe. The texts are borrowed from
 * `kept`, which the caller releases. */
typedef struct wanted_program {
    arcl_compile_options options;
    const char *type[MAX_ARGUMENTS];
    PyObject *kept;
} wanted_program;
int definitions_take(PyObject *list, arcl_definition *definitions); /* of [(source, index)]; -1 after an exception */
int wanted_set(wanted_program *wanted, PyObject *type_texts, int grid_result, int safe);

#endif
