/* Words for colours, in the tokpidjin dialect, given what is none, or what has none.
 *
 * Painted, looked for or counted may be anything. What is no int gets into a grid as a guest (guests.c), and a
 * container of containers is read row by row, whatever is in the rows. */
#include "cl/word.h"
#include "compile/odd.h"

/* ---- to paint with, and to look for ---- */

/* Painted with what is no int, a grid or a patch has that in it. */
const value *odd_paint(compiler *c, int op, const value *const *arg, unsigned colours) {
    const value *given[4];
    int is_odd = 0;
    for (int i = 0; i < op_rows[op].arity; i++) {
        given[i] = arg[i];
        if (!(colours >> i & 1) || may_be_int(arg[i])) continue;
        if (!(given[i] = as_guest(c, arg[i]))) return NULL;
        is_odd = 1;
    }
    return is_odd ? call_op(c, op, op_rows[op].arity, given) : NULL;
}

/* Where something else than ints may be among ints, what is looked for may be such a thing. */
const value *odd_look_for(compiler *c, const word_row *w, const value *const *arg, int sought) {
    const value *given[2] = {arg[0], arg[1]};
    if (!c->safe || arg[sought]->kind == V_CHOICE || is_int(arg[sought])) return NULL;
    const value *among = arg[!sought]->kind == V_DATA ? arg[!sought] : NULL;
    if (among && type_head(among->type) == T_RECORD) among = given[!sought] = as_container(c, among);
    if (!among || !may_have_guests(c, among) || !(given[sought] = as_guest(c, arg[sought]))) return NULL;
    return call_op(c, w->op, 2, given);
}

/* A grid that has something else than ints in it is none to who asks. */
const value *odd_asked_for_grid(compiler *c, int op, const value *grid) {
    if (grid->kind != V_DATA || grid->type != T_GRID || !may_have_guests(c, grid)) return NULL;
    const value *is_none = has_guest(c, grid), *object = op == OP_asobject ? call_one(c, op, grid) : NULL;
    if (!is_none || !object) return is_none;
    uint32_t step[3] = {is_none->step, emit_const(c, 0), object->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_OBJECT);
}

/* In what is no grid, and has no row that could be taken for one, 0 is everywhere. */
const value *odd_filled(compiler *c, const value *const *arg) {
    type_code t = arg[1]->kind == V_DATA ? arg[1]->type : T_INT;
    int is_odd_record = type_head(t) == T_RECORD && (type_field(t, 0) == T_INT || type_field(t, 0) == T_BOOL);
    int has_no_rows = t == T_INT || t == T_BOOL || t == T_IJ || t == T_CELL || t == TYPE_INT_TUPLE ||
                      type_head(t) == T_SET || is_odd_record;
    if (!c->safe || arg[1]->kind == V_CHOICE || arg[2]->kind == V_CHOICE || !has_no_rows || !is_grid(arg[0]))
        return NULL;
    const value *zeros = call_two(c, OP_canvas, make_const(c, 0, T_INT), call_one(c, OP_shape, arg[0]));
    const value *given[3] = {arg[0], zeros, is_int(arg[2]) ? arg[2] : as_guest(c, arg[2])};
    return zeros && given[2] ? call_op(c, OP_cellwise_filled, 3, given) : NULL;
}

/* ---- in rows ---- */

/* What is in the rows of a container whose rows are no ints, in order; NULL: it has none such. */
const value *odd_items_of_rows(compiler *c, const value *v) {
    if (c->safe && v->kind == V_DATA && type_head(v->type) == T_RECORD) return call_one(c, OP_merge, v);
    type_code row = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : 0;
    if (row != T_GRID && (!row || !type_is_container(row) || type_element(row) == T_NEVER)) return NULL;
    return row == TYPE_INT_TUPLE ? NULL : call_one(c, OP_merge, v);
}

/* Of what has no rows but items: nothing is in it but where there are none. */
static const value *no_colours(compiler *c, const value *v, int is_object) {
    const value *container = c->safe && is_in_text(c) && v->kind == V_DATA ? as_container(c, v) : NULL;
    type_code e = container ? type_element(container->type) : 0;
    if (!e || e == T_NEVER || (e != T_INT && e != T_BOOL && !(is_object && e == T_IJ))) return NULL;
    return where_some(c, container, empty_set(c), make_const(c, 0, type_tuple(T_NEVER)));
}

const value *odd_colours(compiler *c, const word_row *w, const value *v) {
    const value *all = w->manner == MANNER_ROWS ? as_tuple(c, distinct(c, odd_items_of_rows(c, v))) : NULL;
    return all || c->failed ? all : no_colours(c, v, w->manner == MANNER_OBJECT);
}

/* The colours of rows that are cells, each as often as it is there. */
static const value *colours_of_rows(compiler *c, const value *v) {
    int is_rows = c->safe && v->kind == V_DATA && (v->type == T_GRID || v->type == type_tuple(TYPE_INT_TUPLE));
    const value *cells = is_rows ? as_signature(c, v, SIG_CELLS) : NULL;
    return cells ? call_two(c, OP_apply, make_op(c, OP_COUNT + WORD_last), cells) : NULL;
}

/* The most or least common of what is in the rows. */
const value *odd_common_colour(compiler *c, const word_row *w, const value *v) {
    int op = w->op == OP_mostcolor ? OP_mostcommon : OP_leastcommon;
    const value *colours = w->manner == MANNER_ROWS ? odd_items_of_rows(c, v) : colours_of_rows(c, v);
    return call_one(c, op, as_tuple(c, colours));
}

/* How many rows that are cells have the colour. */
const value *odd_colour_count(compiler *c, const word_row *w, const value *const *given) {
    const value *all = w->manner == MANNER_OBJECT ? colours_of_rows(c, given[0]) : NULL;
    const value *is = all ? make_function(c, F_MATCHER, 2, make_op(c, OP_identity), given[1], NULL) : NULL;
    return is ? call_one(c, OP_size, call_two(c, OP_sfilter, all, is)) : NULL;
}

/* v -> how often the tuple has it. */
static const value *count_in(compiler *c, const value *tuple) {
    const value *equal = make_function(c, F_LBIND, 2, make_op(c, OP_matcher), make_op(c, OP_identity), NULL);
    const value *kept = make_function(c, F_LBIND, 2, make_op(c, OP_sfilter), tuple, NULL);
    return c->failed ? NULL : make_function(c, F_CHAIN, 3, make_op(c, OP_size), kept, equal);
}

/* What is in the rows, by descending count, then as it comes, at a rank. */
const value *odd_color_rank(compiler *c, const value *const *arg) {
    const value *all = as_tuple(c, odd_items_of_rows(c, arg[0]));
    const value *by_count[3] = {call_one(c, OP_dedupe, all), all ? count_in(c, all) : NULL, arg[1]};
    return by_count[0] && by_count[1] ? call_op(c, OP_get_arg_rank, 3, by_count) : NULL;
}

/* Rows of three are cells, in their order. */
const value *odd_color_rank_of_rows(compiler *c, const value *const *given) {
    int is_rows = is_grid(given[0]) || (given[0]->kind == V_DATA && given[0]->type == type_tuple(TYPE_INT_TUPLE));
    const value *rows = c->safe && is_rows ? as_rows(c, given[0]) : NULL;
    const value *columns = rows ? as_container(c, call_one(c, OP_dmirror, rows)) : NULL;
    const value *nth[2] = {columns, make_const(c, 2, T_INT)};
    const value *last = columns ? call_word(c, OP_COUNT + WORD_get_nth_t, 2, nth) : NULL;
    const value *colours[2] = {last ? as_rows(c, call_one(c, OP_initset, last)) : NULL, given[1]};
    const value *rank = colours[0] ? call_op(c, OP_get_color_rank, 2, colours) : NULL;
    const value *is_cells = call_two(c, OP_equality, call_one(c, OP_width, rows), make_const(c, 3, T_INT));
    if (!rank || rank->kind != V_DATA || !is_cells) return NULL;
    rank = make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, rank->step, is_cells->step), T_INT);
    return is_in_text(c) ? where_some(c, rows, rank, empty_set(c)) : rank;
}
