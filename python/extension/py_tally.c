/* The scores of lanes, counted for every pair of a program and a task: what a table has rows of. The numbers are
 * those that `arcl score --json` has of such a pair. */
#include "py_arcl.h"

/* What is known of examples and pairs. */
enum { IS_TRAIN, EXPECTED_CELLS, EXAMPLE_COLUMNS };
enum { FIRST_LANE, FIRST_EXAMPLE, EXAMPLES, PAIR_COLUMNS };

/* What is counted. All are 32 bits wide, but for the last two, which have 64. */
enum {
    TRAIN_RIGHT,
    TRAIN_ALL,
    TEST_RIGHT,
    TEST_ALL,
    RIGHT_CELLS,
    ALL_CELLS,
    ERRORS,
    TRAIN_CELLS,
    TRAIN_ERRORS,
    ALL_WORDS,
    BEHAVIOUR,
    TALLY_COLUMNS
};

#define AT(view, type, i) (((type *)(view).buf)[i])

static void count_lane(const array_view *lanes, const array_view *examples, array_view *tally, Py_ssize_t pair,
                       Py_ssize_t lane, Py_ssize_t example) {
    int was_run = AT(lanes[STATUS], uint8_t, lane) != NOT_RUN, is_right = AT(lanes[MATCH], int8_t, lane) == 1;
    int is_train = AT(examples[IS_TRAIN], uint8_t, example), failed = AT(lanes[STATUS], uint8_t, lane) != ARCL_OK;
    uint32_t expected = AT(examples[EXPECTED_CELLS], uint32_t, example);
    if (was_run) {
        uint64_t *behaviour = &AT(tally[BEHAVIOUR], uint64_t, pair);
        AT(tally[ALL_WORDS], uint64_t, pair) += AT(lanes[WORDS], uint32_t, lane);
        *behaviour = (*behaviour ^ AT(lanes[FINGERPRINT], uint64_t, lane)) * 0x9e3779b97f4a7c15u;
        *behaviour ^= *behaviour >> 29;
    }
    if (!expected) return; /* nobody knows the output */
    AT(tally[is_train ? TRAIN_ALL : TEST_ALL], uint32_t, pair)++;
    AT(tally[ALL_CELLS], uint32_t, pair) += expected;
    AT(tally[ERRORS], uint32_t, pair) += (uint32_t)failed;
    if (!was_run) return;
    AT(tally[is_train ? TRAIN_RIGHT : TEST_RIGHT], uint32_t, pair) += (uint32_t)is_right;
    AT(tally[RIGHT_CELLS], uint32_t, pair) += AT(lanes[CELLS], uint32_t, lane);
    if (!is_train) return;
    AT(tally[TRAIN_CELLS], uint32_t, pair) += AT(lanes[CELLS], uint32_t, lane);
    AT(tally[TRAIN_ERRORS], uint32_t, pair) += (uint32_t)failed;
}

/* Whether the lanes and examples of every pair are there, and the columns are as long as there are pairs. */
static int fits(const array_view *lanes, const array_view *examples, const array_view *pairs, const array_view *tally) {
    Py_ssize_t count = pairs[FIRST_LANE].len / 8;
    for (int c = 0; c < PAIR_COLUMNS; c++)
        if (pairs[c].len != count * 8) return 0;
    for (int c = 0; c < TALLY_COLUMNS; c++)
        if (tally[c].len != count * (c < ALL_WORDS ? 4 : 8)) return 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t lane = AT(pairs[FIRST_LANE], int64_t, i), example = AT(pairs[FIRST_EXAMPLE], int64_t, i);
        int64_t many = AT(pairs[EXAMPLES], int64_t, i);
        if (lane < 0 || example < 0 || many < 0 || lane + many > lanes[STATUS].len ||
            example + many > examples[IS_TRAIN].len)
            return 0;
    }
    return 1;
}

/* tally(lanes, examples, pairs, tally): tuples of columns, of which the last, all zeros, are counted into. */
PyObject *module_tally(PyObject *module, PyObject *args) {
    PyObject *given[4];
    array_view lanes[SCORE_COLUMNS], examples[EXAMPLE_COLUMNS], pairs[PAIR_COLUMNS], tally[TALLY_COLUMNS];
    array_view *views[4] = {lanes, examples, pairs, tally};
    static const int columns[4] = {SCORE_COLUMNS, EXAMPLE_COLUMNS, PAIR_COLUMNS, TALLY_COLUMNS};
    int open = 0, done = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO", &given[0], &given[1], &given[2], &given[3])) return NULL;
    while (open < 4 && !columns_open(given[open], views[open], columns[open], open == 3)) open++;
    if (open == 4 && !(done = fits(lanes, examples, pairs, tally)))
        PyErr_SetString(PyExc_ValueError, "the columns do not fit the pairs");
    if (done) {
        Py_BEGIN_ALLOW_THREADS;
        for (Py_ssize_t pair = 0; pair < pairs[FIRST_LANE].len / 8; pair++)
            for (int64_t i = 0; i < AT(pairs[EXAMPLES], int64_t, pair); i++)
                count_lane(lanes, examples, tally, pair, (Py_ssize_t)(AT(pairs[FIRST_LANE], int64_t, pair) + i),
                           (Py_ssize_t)(AT(pairs[FIRST_EXAMPLE], int64_t, pair) + i));
        Py_END_ALLOW_THREADS;
    }
    while (open-- > 0) columns_close(views[open], columns[open]);
    if (!done) return NULL;
    Py_RETURN_NONE;
}
