/* Many programs scored in one go, into columns of arrays that Python owns: a number per lane and property, no
 * objects. */
#include <string.h>

#include "py_arcl.h"

static const Py_ssize_t column_size[SCORE_COLUMNS] = {1, 1, 1, 1, 4, 4, 8};

typedef struct scoring {
    context_object *context;
    Py_ssize_t count;
    const arcl_program **programs;
    const arcl_batch **batches, **expected;
    Py_ssize_t *firsts; /* per program, where its lanes begin in the columns */
    arcl_result **results;
    arcl_error *errors;
    array_view column[SCORE_COLUMNS];
} scoring;

static int take_job(scoring *s, Py_ssize_t i, PyObject *job) {
    compiled_object *program;
    batch_object *batch, *expected;
    if (!PyArg_ParseTuple(job, "O!O!O!n", types.compiled, &program, types.batch, &batch, types.batch, &expected,
                          &s->firsts[i]))
        return -1;
    s->programs[i] = program->program;
    s->batches[i] = batch->batch;
    s->expected[i] = expected->batch;
    Py_ssize_t end = s->firsts[i] + (Py_ssize_t)arcl_batch_lanes(batch->batch);
    for (int c = 0; c < SCORE_COLUMNS; c++)
        if (s->firsts[i] < 0 || end * column_size[c] > s->column[c].len) {
            PyErr_SetString(PyExc_IndexError, "the columns are too short for the lanes");
            return -1;
        }
    return 0;
}

static void write_scores(const scoring *s, Py_ssize_t i) {
    for (uint32_t lane = 0; lane < arcl_result_lanes(s->results[i]); lane++) {
        arcl_score score = arcl_result_score(s->results[i], lane);
        size_t at = (size_t)s->firsts[i] + lane;
        ((uint8_t *)s->column[STATUS].buf)[at] = (uint8_t)score.status;
        ((int8_t *)s->column[MATCH].buf)[at] = (int8_t)(score.compared ? score.match : -1);
        ((uint8_t *)s->column[SAME_SHAPE].buf)[at] = (uint8_t)score.same_shape;
        ((uint8_t *)s->column[USABLE].buf)[at] = (uint8_t)score.usable;
        ((uint32_t *)s->column[CELLS].buf)[at] = score.cells;
        ((uint32_t *)s->column[WORDS].buf)[at] = score.words;
        ((uint64_t *)s->column[FINGERPRINT].buf)[at] = score.fingerprint;
    }
}

static arcl_status run_some(const scoring *s, Py_ssize_t first, Py_ssize_t count, arcl_error *error) {
    return arcl_score_many(s->context->context, (int)count, s->programs + first, s->batches + first,
                           s->expected + first, 0, s->results + first, error);
}

/* One that needs more memory than there is must not spoil the others: then each is run by itself. */
static arcl_status run_all(const scoring *s, arcl_error *error) {
    arcl_status status = run_some(s, 0, s->count, error);
    if (status != ARCL_NO_MEMORY || s->count == 1) return status;
    for (Py_ssize_t i = 0; i < s->count; i++) {
        status = run_some(s, i, 1, &s->errors[i]);
        if (status == ARCL_NO_MEMORY) s->results[i] = NULL;
        if (status && status != ARCL_NO_MEMORY) {
            *error = s->errors[i];
            return status;
        }
    }
    return ARCL_SUCCESS;
}

/* Per program None, or why it has no scores. */
static PyObject *messages(const scoring *s) {
    PyObject *list = PyList_New(s->count);
    for (Py_ssize_t i = 0; list && i < s->count; i++) {
        PyObject *message = Py_None;
        if (s->results[i])
            Py_INCREF(message);
        else
            message = PyUnicode_FromString(s->errors[i].message);
        if (!message || PyList_SetItem(list, i, message)) Py_CLEAR(list);
    }
    return list;
}

static PyObject *score(scoring *s, size_t lanes) {
    arcl_error error;
    library_call call;
    PyObject *answer = NULL;
    if (call_begin(&call, s->context, lanes)) return NULL;
    arcl_status status = run_all(s, &error);
    for (Py_ssize_t i = 0; i < s->count && !status; i++) write_scores(s, i);
    call_end(&call, status);
    answer = status ? raise_status(status, &error) : messages(s);
    for (Py_ssize_t i = 0; i < s->count; i++) arcl_result_free(s->results[i]);
    return answer;
}

PyObject *context_score(context_object *self, PyObject *args) {
    PyObject *jobs, *columns, *answer = NULL;
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &jobs, &columns)) return NULL;
    scoring s = {.context = self, .count = PyList_Size(jobs)};
    size_t n = (size_t)s.count + 1, lanes = 0;
    s.programs = PyMem_Calloc(n, sizeof *s.programs);
    s.batches = PyMem_Calloc(n, sizeof *s.batches);
    s.expected = PyMem_Calloc(n, sizeof *s.expected);
    s.firsts = PyMem_Calloc(n, sizeof *s.firsts);
    s.results = PyMem_Calloc(n, sizeof *s.results);
    s.errors = PyMem_Calloc(n, sizeof *s.errors);
    int failed = 1, is_open = 0;
    if (!s.programs || !s.batches || !s.expected || !s.firsts || !s.results || !s.errors) {
        PyErr_NoMemory();
    } else {
        is_open = !columns_open(columns, s.column, SCORE_COLUMNS, 1);
        failed = !is_open;
    }
    for (Py_ssize_t i = 0; i < s.count && !failed; i++) {
        failed = take_job(&s, i, PyList_GetItem(jobs, i));
        lanes += failed ? 0 : arcl_batch_lanes(s.batches[i]);
    }
    if (!failed) answer = score(&s, lanes);
    if (is_open) columns_close(s.column, SCORE_COLUMNS);
    PyMem_Free(s.programs);
    PyMem_Free(s.batches);
    PyMem_Free(s.expected);
    PyMem_Free(s.firsts);
    PyMem_Free(s.results);
    PyMem_Free(s.errors);
    return answer;
}
