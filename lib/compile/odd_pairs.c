/* Words for pairs and cells, in the tokpidjin dialect, given what is none.
 *
 * A pair may be missing, and counts as an int then: which it is may be known only to the lane. Any tuple of two has a
 * first and a second item, and a place beside a grid has no colour. */
#include "cl/word.h"
#include "compile/odd.h"

/* Whether a pair is missing, told where the pair itself is: so of elements that all have to do with one pair it is one
 * choice for them all. */
static uint32_t is_missing(compiler *c, const value *pair) {
    uint32_t saved = enter_scope_of(c, pair);
    uint32_t missing = emit_kernel2(c, KERNEL_equality, T_IJ, pair->step, emit_const(c, EMPTY_IJ));
    c->scope = saved;
    return missing;
}

/* A missing pair counts as an int, so that two of them, or one and an int, make an int: which it is, only the lane
 * knows. `pairs` are the arguments as pairs, `given` as they were; NULL if what comes of it is one or the other for
 * certain, or may be either for each element of a container. */
const value *odd_int_or_pair(compiler *c, const word_row *w, const value *const *pairs, const value *const *given) {
    const value *ints[2];
    uint32_t missing = 0;
    if (!c->safe) return NULL;
    for (int i = 0; i < 2; i++) {
        ints[i] = is_int(pairs[i]) ? pairs[i] : make_const(c, w->manner - MANNER_PAIR_0, T_INT);
        if (is_int(pairs[i])) continue;
        const value *pair = as_pair_if_some(c, given[i], SIG_IJ_LONG);
        if (!pair || !may_lack(c, pair)) return NULL;
        if (!is_in_text(c) && c->steps[pair->step].scope > SCOPE_LANES) return NULL;
        missing = missing ? emit_kernel2(c, KERNEL_both, 0, missing, is_missing(c, pair)) : is_missing(c, pair);
    }
    if (!missing) return NULL;
    const value *as_int = call_two(c, w->op, ints[0], ints[1]), *as_pair = call_two(c, w->op, pairs[0], pairs[1]);
    return as_int && as_pair ? make_choice(c, missing, as_int, as_pair) : NULL;
}

/* Beside a grid, whatever the column is, there is none; inside the call fails for a column that is no int. */
static const value *index_beside(compiler *c, const value *grid, const value *place) {
    const value *rows = as_signature(c, grid, SIG_GRID), *row = field_of(c, place, 0);
    if (!rows || !row || !is_int(row)) return NULL;
    uint32_t below = emit_kernel2(c, KERNEL_greater, 0, emit_const(c, 0), row->step);
    uint32_t height = emit_kernel1(c, KERNEL_height_grid, 0, rows->step);
    uint32_t above = emit_kernel1(c, KERNEL_flip, 0, emit_kernel2(c, KERNEL_greater, 0, height, row->step));
    uint32_t beside = emit_kernel2(c, KERNEL_either, 0, below, above);
    uint32_t is_right =
        emit_kernel2(c, KERNEL_both, 0, beside, emit_kernel2(c, KERNEL_greater, 0, height, emit_const(c, 0)));
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, emit_const(c, NONE), is_right), T_INT);
}

/* At what is no pair there is nothing: at () none, at all else the call fails. */
const value *odd_index(compiler *c, const value *grid, const value *place) {
    if (place->kind == V_DATA && is_record_of_two(place)) return index_beside(c, grid, place);
    int is_tuple = place->kind == V_DATA && (place->type == T_GRID || type_head(place->type) == T_TUPLE);
    if (!is_tuple || (type_join(type_element(place->type), T_INT) && type_element(place->type) != T_NEVER)) return NULL;
    uint32_t step[3] = {as_truth(c, place)->step, emit_const(c, 0), emit_const(c, NONE)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
}

static const value *frontier_of(compiler *c, int op, const value *item) {
    uint32_t line[3] = {emit_const(c, 0), emit_const(c, 30), emit_const(c, 1)};
    const value *all = make_data(c, emit_kernel(c, KERNEL_interval, 0, 3, line), type_set(T_INT));
    const value *one = call_one(c, OP_initset, item);
    return op == OP_vfrontier ? call_two(c, OP_product, all, one) : call_two(c, OP_product, one, all);
}

/* At what is no pair of ints but has two items, the frontier has the item itself. */
const value *odd_frontier(compiler *c, int op, const value *v) {
    if (c->safe && v->kind == V_DATA && type_head(v->type) == T_RECORD)
        return frontier_of(c, op, field_of(c, v, op == OP_vfrontier));
    const value *tuple = v->kind == V_DATA && !is_nothing(v) ? as_container(c, v) : NULL;
    if (!c->safe || !tuple || type_head(tuple->type) != T_TUPLE || v->type == T_IJ || v->type == T_CELL) return NULL;
    uint32_t place = emit_const(c, op == OP_vfrontier);
    const value *item = make_data(c, emit_kernel2(c, KERNEL_nth, 0, tuple->step, place), type_element(tuple->type));
    return frontier_of(c, op, item);
}

/* The first two items of a tuple that is no cell. */
const value *odd_toij(compiler *c, const value *v) {
    int is_tuple = v->kind == V_DATA && is_tuple_type(v->type) && v->type != T_IJ && v->type != T_CELL;
    if (!c->safe || !is_tuple || is_nothing(v) || v->type == TYPE_INT_TUPLE) return NULL;
    const value *item[2] = {item_of(c, v, 0), item_of(c, v, 1)};
    return item[0] && item[1] ? make_tuple(c, 0, 2, item) : NULL;
}

/* Beside 0 may be anything. */
const value *odd_vector(compiler *c, int op, const value *v) {
    const value *zero = make_const(c, 0, T_INT), *item[2] = {op == OP_toivec ? v : zero, op == OP_toivec ? zero : v};
    return c->safe && is_in_text(c) && (v->kind == V_FUNCTION || v->kind == V_TUPLE) ? make_tuple(c, 0, 2, item) : NULL;
}

/* A cell of two of anything and anything. */
const value *odd_cell_of_any(compiler *c, const value *const *arg) {
    int is_odd = arg[0]->kind == V_DATA && is_tuple_type(arg[0]->type) && arg[0]->type != T_IJ &&
                 arg[0]->type != T_CELL && !is_nothing(arg[0]);
    if (!c->safe || !is_odd || arg[1]->kind == V_CHOICE) return NULL;
    if (arg[0]->type == T_GRID && arg[1]->kind != V_DATA) return NULL;
    if (arg[0]->type == TYPE_INT_TUPLE && is_int(arg[1])) return NULL;
    if (arg[1]->kind != V_DATA && !is_in_text(c)) return NULL;
    const value *item[3] = {item_of(c, arg[0], 0), item_of(c, arg[0], 1), arg[1]};
    return item[0] && item[1] ? make_tuple(c, 0, 3, item) : NULL;
}

/* A number that is none is that of no corner and no side: the corner is the first then, and a side there is none. */
const value *odd_number(compiler *c, int op, const value *const *arg) {
    int64_t known;
    if (!c->safe || !is_int(arg[1]) || (step_is_const(c, arg[1]->step, &known) && known != NONE)) return NULL;
    if (c->steps[arg[1]->step].kind == STEP_INPUT) return NULL;
    const value *none = call_two(c, OP_equality, arg[1], make_const(c, NONE, T_INT));
    const value *number[3] = {none, make_const(c, op == OP_corner ? 0 : 4, T_INT), arg[1]};
    const value *given[2] = {arg[0], none ? call_op(c, OP_branch, 3, number) : NULL};
    return given[1] ? call_op(c, op, 2, given) : NULL;
}

/* The first two items of whatever is a tuple, and a colour. */
const value *odd_cell(compiler *c, const word_row *w, const value *const *arg) {
    if (c->safe && is_nothing(arg[0]))
        return make_const(c, 0, type_tuple(T_NEVER)); /* the default of a call that fails */
    if (c->safe && arg[0]->kind == V_DATA && arg[0]->type == T_CELL)
        return call_two(c, OP_ascell, as_signature(c, arg[0], SIG_IJ_LONG), arg[1]);
    const value *list = c->safe && arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL, *item[3];
    type_code e = list && type_head(list->type) == T_TUPLE ? type_element(list->type) : T_INT;
    if (e == T_INT || e == T_BOOL || e == T_NEVER || arg[1]->kind != V_DATA)
        return arg[1]->kind == V_DATA ? NULL : odd_paint(c, w->op, arg, 1 << 1);
    for (int i = 0; i < 2; i++) item[i] = make_data(c, emit_kernel2(c, KERNEL_nth, 0, list->step, emit_const(c, i)), e);
    item[2] = arg[1];
    return make_tuple(c, 0, 3, item);
}
