/* Words for grids, in the tokpidjin dialect, given grids of what are no ints.
 *
 * A tuple of tuples of anything is a grid of guests (guests.c), to which a word does what it does to any; words that
 * only put cells elsewhere have what they were back in the end. What is a grid, or may be one, never comes here. */
#include "cl/word.h"
#include "compile/odd.h"

static int takes_grid(const word_row *w, int position) {
    if (op_rows[w->op].argument[position] == SIG_GRID) return 1;
    return position == 0 && (w->manner == MANNER_GRID || w->manner == MANNER_ROWS);
}

/* Whether an op puts cells of one grid elsewhere, and does no more. */
static int only_moves(int op) {
    switch (op) {
    case OP_hmirror:
    case OP_vmirror:
    case OP_dmirror:
    case OP_cmirror:
    case OP_mir_rot_t:
    case OP_rot90:
    case OP_rot180:
    case OP_rot270:
    case OP_tophalf:
    case OP_bottomhalf:
    case OP_lefthalf:
    case OP_righthalf:
    case OP_trim:
    case OP_crop_inside:
    case OP_subgrid_inside:
    case OP_upscale:
    case OP_hupscale:
    case OP_vupscale:
    case OP_downscale:
    case OP_compress: return 1;
    default: return 0;
    }
}

/* Whether rows are in a set, or are sets, which words do not mind that only go through them. */
static int is_odd_set(const word_row *w, const value *v) {
    const value *is = w->manner == MANNER_ROWS ? v : NULL;
    if (!is || is->kind != V_DATA || !type_is_container(is->type)) return 0;
    type_code row = type_element(is->type);
    int by_place = w->op == OP_vmirror || w->op == OP_colorcount; /* which looks into rows otherwise */
    if (type_head(row) == T_SET ? by_place : type_head(is->type) == T_TUPLE) return 0;
    return row == T_GRID || type_head(row) == T_RECORD ||
           (type_is_container(row) && row != TYPE_INT_TUPLE && type_element(row) != T_NEVER);
}

/* Whether an op only goes through the rows of a tuple, so that these may be sets. */
static int takes_sets_as_rows(int op, const value *v) {
    type_code row = v->kind == V_DATA && type_head(v->type) == T_TUPLE ? type_element(v->type) : T_NEVER;
    int goes_through = op == OP_rot90 || op == OP_rot270 || op == OP_lefthalf || op == OP_righthalf || op == OP_fill ||
                       op == OP_paint || op == OP_cover || op == OP_underpaint;
    return goes_through && type_head(row) == T_SET && type_element(row) != T_NEVER;
}

/* Rows that have nothing have nothing to paint. */
const value *odd_empty_rows(compiler *c, const value *v) {
    type_code row = v->kind == V_DATA && type_head(v->type) == T_TUPLE ? type_element(v->type) : T_INT;
    return c->safe && type_is_container(row) && type_element(row) == T_NEVER ? v : NULL;
}

static const value *items_in_order(compiler *c, const value *row, const void *arg) {
    (void)arg;
    return as_tuple(c, as_container(c, row));
}

/* An int that is no cell, nor anything else that is not nothing. */
static int is_none_of(const compiler *c, type_code item, const value *sought) {
    int64_t number;
    if (!is_int(sought) || may_be_guest(c, sought)) return 0;
    return item == T_CELL || (step_is_const(c, sought->step, &number) && number != NONE);
}

/* What is replaced is an int, so that among what are no ints nothing is: these stay, as rows in a tuple. There may be
 * more of them than there are guests. */
const value *odd_replaced(compiler *c, int op, const value *const *given) {
    type_code row = c->safe && given[0]->kind == V_DATA && type_is_container(given[0]->type)
                        ? type_element(given[0]->type)
                        : T_NEVER;
    type_code item = type_is_container(row) ? type_element(row) : T_NEVER;
    if (item == T_NEVER || item == T_INT || item == T_BOOL || item == T_MIX) return NULL;
    if (!is_none_of(c, item, given[1]) || (op == OP_switch && !is_none_of(c, item, given[2]))) return NULL;
    return map_each_of(c, given[0], items_in_order, NULL);
}

/* Whether an op takes what is in a grid as it is, wherever it puts it. */
static int only_places(int op) { return op == OP_toobject || op == OP_fill || op == OP_paint; }

/* Functions of one cell each are one guest to those who do not compare them. */
static int takes_functions(int op) {
    return only_places(op) || (only_moves(op) && op != OP_compress && op != OP_downscale);
}

/* A tuple of different containers, each of which is a row to words that only go through them; NULL: it is none. */
static const value *record_as_grid(compiler *c, const word_row *w, const value *v) {
    const value *row[MAX_STATIC];
    if (!c->safe || !only_places(w->op) || v->kind != V_DATA || type_head(v->type) != T_RECORD) return NULL;
    for (int i = 0; i < field_count(c, v); i++) {
        const value *field = field_of(c, v, i), *items = field ? as_container(c, field) : NULL;
        if (!items || !(items = as_guests(c, items))) return NULL;
        row[i] = as_tuple(c, items);
    }
    return convert_to(c, make_tuple(c, 0, field_count(c, v), row), T_GRID);
}

/* The word on a grid that has guests in the place of what is no int; NULL: there is no such argument. */
const value *odd_run_on_guests(compiler *c, const word_row *w, const value *const *given) {
    const value *arg[4], *rows = NULL;
    for (int i = 0; i < op_rows[w->op].arity; i++) {
        arg[i] = given[i];
        const value *grid = takes_grid(w, i) ? record_as_grid(c, w, given[i]) : NULL;
        if (!grid && takes_grid(w, i) && takes_functions(w->op)) grid = functions_as_grid(c, given[i]);
        if (grid) {
            arg[i] = grid;
            rows = given[i];
            continue;
        }
        int is_odd =
            is_odd_grid(given[i]) || (i == 0 && (is_odd_set(w, given[i]) || takes_sets_as_rows(w->op, given[i])));
        if (!is_odd || !takes_grid(w, i)) continue;
        if (!(arg[i] = as_grid_of_guests(c, given[i]))) return NULL;
        rows = given[i];
    }
    if (!rows) return NULL;
    const value *made = call_word(c, OP_COUNT + (int)(w - word_rows), op_rows[w->op].arity, arg);
    int is_of_records =
        rows->kind == V_DATA && type_is_container(rows->type) && type_head(type_element(rows->type)) == T_RECORD;
    int is_apart = made && is_odd_grid(rows) && !is_of_records && only_moves(w->op) && is_grid(made);
    return is_apart ? grid_of_guests_apart(c, made, rows) : made;
}
