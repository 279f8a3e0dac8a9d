/* What rules for odd calls ask of values, and make of them in the same way each.
 *
 * A rule is for values of a kind that the op of a word does not take, so it begins with which kind that is. What they
 * share is here; none of it knows a word or an op. */
#include "compile/odd.h"

int is_nothing(const value *v) {
    return v->kind == V_DATA && type_is_container(v->type) && type_element(v->type) == T_NEVER;
}

int may_be_int(const value *v) { return is_int(v) || v->kind == V_CHOICE; }

int may_lack(const compiler *c, const value *v) { return v->kind == V_DATA && v->type == T_IJ && !ij_is_whole(c, v); }

int is_grid(const value *v) { return v->kind == V_DATA && v->type == T_GRID; }

int is_odd_grid(const value *v) {
    type_code row = v->kind == V_DATA && type_head(v->type) == T_TUPLE ? type_element(v->type) : 0;
    if (row == T_GRID) return 1;
    if (row && type_head(row) == T_RECORD) return 1;
    if (!row || type_head(row) != T_TUPLE) return 0;
    type_code cell = type_element(row);
    return cell != T_INT && cell != T_BOOL && cell != T_NEVER;
}

int is_tuple_type(type_code t) {
    return t == T_GRID || t == T_IJ || t == T_CELL || type_head(t) == T_TUPLE || type_head(t) == T_RECORD;
}

/* Whether a value is no patch, nor empty. */
int is_no_patch(const value *v) {
    if (v->kind != V_DATA || !type_is_container(v->type)) return v->kind != V_DATA || v->type != T_GRID;
    type_code e = type_element(v->type);
    return e != T_IJ && e != T_CELL && e != T_MIX && e != T_NEVER && e != TYPE_INT_TUPLE;
}

const value *empty_set(compiler *c) { return make_const(c, 0, type_set(T_NEVER)); }

const value *as_tuple(compiler *c, const value *container) {
    return container ? make_data(c, container->step, type_tuple(type_element(container->type))) : NULL;
}

const value *distinct(compiler *c, const value *container) { return container ? as_set(c, container) : NULL; }

const value *where_some(compiler *c, const value *v, const value *yes, const value *no) {
    const value *some = v ? as_truth(c, v) : NULL;
    return some && yes && no ? make_choice(c, some->step, yes, no) : NULL;
}

const value *itself_or_empty(compiler *c, const value *v) { return where_some(c, v, v, empty_set(c)); }

const value *pair_or_tuple(compiler *c, const value *ints) {
    const value *size = call_one(c, OP_size, ints), *two = make_const(c, 2, T_INT);
    const value *is_pair = call_two(c, OP_equality, or_instead(c, STAND_IN_ZERO, size), two);
    const value *pair = or_instead(c, STAND_IN_MISSING_IJ, as_signature(c, ints, SIG_IJ));
    return is_pair && pair ? make_choice(c, is_pair->step, pair, ints) : NULL;
}

const value *rows_are_patch(compiler *c, const value *v) {
    type_code t = v->kind == V_DATA ? v->type : T_INT;
    if (t != T_GRID && !(type_is_container(t) && type_element(t) == TYPE_INT_TUPLE)) return NULL;
    const value *patch = as_signature(c, v, SIG_PATCH);
    return patch ? is_there(c, patch) : NULL;
}
