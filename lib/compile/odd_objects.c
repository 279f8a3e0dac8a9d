/* Words for patches, in the tokpidjin dialect, given cells that have something else than a colour.
 *
 * Two ints and anything are a cell to Python. A function that is mapped makes such tuples one by one; to a word that
 * takes a patch they are cells with guests (guests.c) for colours. */
#include "cl/word.h"
#include "compile/odd.h"

static int is_int_type(type_code t) { return t == T_INT || t == T_BOOL; }

/* Whether a container has tuples of two ints and what is none. */
static int has_odd_cells(const value *v) {
    type_code e = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : T_NEVER;
    if (type_head(e) != T_RECORD || type_fields(e) != 3) return 0;
    return is_int_type(type_field(e, 0)) && is_int_type(type_field(e, 1)) && !is_int_type(type_field(e, 2));
}

static int takes_patch(const word_row *w, int position) {
    switch (op_rows[w->op].argument[position]) {
    case SIG_PATCH:
    case SIG_OBJECT:
    case SIG_CELLS: return 1;
    case SIG_PIECE:
    case SIG_ELEMENT: return w->manner != MANNER_GRID && w->manner != MANNER_ROWS;
    default: return 0;
    }
}

static const value *place_in(compiler *c, const value *record, const void *arg) {
    const value *item[2] = {field_of(c, record, 0), field_of(c, record, 1)};
    (void)arg;
    return item[0] && item[1] ? make_tuple(c, 0, 2, item) : NULL;
}

static const value *colour_in(compiler *c, const value *record, const void *arg) {
    (void)arg;
    return field_of(c, record, 2);
}

static const value *with_guests_as_colours(compiler *c, const value *v) {
    const value *all = as_tuple(c, v), *places = map_each_of(c, all, place_in, NULL);
    const value *colours = places ? map_each_of(c, all, colour_in, NULL) : NULL;
    if (!colours || colours->kind != V_DATA || !(colours = as_guests(c, colours))) return NULL;
    const value *cells = call_two(c, OP_celltuple, places, colours);
    return type_head(v->type) == T_SET ? distinct(c, cells) : cells;
}

/* Cells of which the colours are functions. */
const value *odd_celltuple(compiler *c, const value *const *given) {
    const value *functions = given[1];
    if (!c->safe || functions->kind < V_TUPLE || functions->is_set || !is_in_text(c)) return NULL;
    const value *cells[2] = {given[0], functions_as_data(c, functions)};
    return cells[1] ? call_word(c, OP_COUNT + WORD_celltuple, 2, cells) : NULL;
}

/* A tuple of different containers of ints as their rows, which is all that a word sees that only goes through them;
 * NULL: it is none. */
static const value *record_as_rows(compiler *c, const value *v) {
    const value *row[MAX_STATIC];
    if (v->kind != V_DATA || type_head(v->type) != T_RECORD) return NULL;
    for (int i = 0; i < type_fields(v->type); i++)
        if (is_int_type(type_field(v->type, i)) || type_head(type_field(v->type, i)) == T_RECORD) return NULL;
    for (int i = 0; i < type_fields(v->type); i++) {
        const value *field = field_of(c, v, i), *ints = field ? as_container(c, field) : NULL;
        if (!ints || !is_int_type(type_element(ints->type))) return NULL;
        row[i] = make_data(c, ints->step, TYPE_INT_TUPLE);
    }
    return make_list(c, type_fields(v->type), row);
}

/* Whether a word goes by corners, which have as many items as the element has that has the fewest. */
static int goes_by_corners(int op) {
    switch (op) {
    case OP_box:
    case OP_backdrop:
    case OP_corners:
    case OP_corner:
    case OP_ulcorner:
    case OP_urcorner:
    case OP_llcorner:
    case OP_lrcorner: return 1;
    default: return 0;
    }
}

/* The same of a pair and others, of which only two items count then. */
static const value *record_as_pairs(compiler *c, const value *v) {
    const value *pair[MAX_STATIC];
    int has_pair = 0;
    if (!record_as_rows(c, v)) return NULL;
    for (int i = 0; i < type_fields(v->type); i++) {
        const value *field = field_of(c, v, i);
        const value *item[2] = {field ? item_of(c, field, 0) : NULL, field ? item_of(c, field, 1) : NULL};
        if (!item[0] || !item[1]) return NULL;
        pair[i] = make_tuple(c, 0, 2, item);
        if (!pair[i] || pair[i]->type != T_IJ) return NULL; /* it may have guests, which no pair has */
        has_pair = has_pair || field->type == T_IJ;
    }
    return has_pair ? make_list(c, type_fields(v->type), pair) : NULL;
}

const value *odd_run_on_cells(compiler *c, const word_row *w, const value *const *given) {
    const value *arg[4];
    int is_odd = 0;
    for (int i = 0; c->safe && i < op_rows[w->op].arity; i++) {
        arg[i] = given[i];
        if (!takes_patch(w, i)) continue;
        const value *rows = goes_by_corners(w->op) ? record_as_pairs(c, given[i]) : NULL;
        if (!rows && w->op != OP_toindices) rows = record_as_rows(c, given[i]);
        if (rows) {
            arg[i] = rows;
            is_odd = 1;
            continue;
        }
        if (!has_odd_cells(given[i])) continue;
        if (!(arg[i] = with_guests_as_colours(c, given[i]))) return NULL;
        is_odd = 1;
    }
    return is_odd ? call_word(c, OP_COUNT + (int)(w - word_rows), op_rows[w->op].arity, arg) : NULL;
}
