/* Sorting a tuple of two that are of different types, or of which one is a function. No column has one or the other of
 * these, so what comes of it is a choice: their keys decide, in every lane. */
#include "compile/compiler.h"

int is_record_of_two(const value *v) {
    if (v->kind == V_TUPLE) return v->count == 2 && !v->is_set;
    return v->kind == V_DATA && type_head(v->type) == T_RECORD && type_fields(v->type) == 2;
}

static const value *item_of_two(compiler *c, const value *v, int place) {
    return v->kind == V_TUPLE ? v->part[place] : field_of(c, v, place);
}

/* Whether none is what is neither above nor below anything. */
static int may_be_nan(const compiler *c, const value *key) {
    unsigned nan = FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_TRUE;
    return key->kind == V_DATA && key->type == T_INT && (c->steps[key->step].fails & nan) == nan;
}

/* Keys that are no ints: the other's place is first, of the places of both in descending order. */
static const value *is_above_any(compiler *c, const value *key, const value *other) {
    const value *two[2] = {other, key}, *place[2] = {make_const(c, 0, T_INT), make_const(c, 1, T_INT)};
    type_code t = type_unify(key->type, other->type);
    int are_sets = type_head(key->type) == T_SET && type_head(other->type) == T_SET;
    if (!t && are_sets) /* which have nothing in common */
        return call_two(c, OP_both, as_truth(c, key), call_one(c, OP_flip, as_truth(c, other)));
    for (int i = 0; i < 2 && t; i++)
        if (!(two[i] = convert_to(c, two[i], t))) return NULL;
    if (!t || !type_has_order(t)) return NULL;
    uint32_t keys = emit_kernel2(c, KERNEL_pack_two, 0, two[0]->step, two[1]->step);
    uint32_t places = emit_kernel2(c, KERNEL_pack_two, 0, place[0]->step, place[1]->step);
    unsigned down = type_head(t) == T_SET ? KERNEL_order_down_sets : KERNEL_order_down;
    const value *sorted = make_data(c, emit_kernel2(c, down, t, places, keys), TYPE_INT_TUPLE);
    return as_truth(c, call_one(c, OP_first, sorted));
}

static int is_container(const value *v) { return v->kind == V_DATA && (type_is_container(v->type) || v->type == T_IJ); }

/* Whether the key of one item is above that of the other. */
static const value *is_above(compiler *c, const value *const *item, const value *f, int which) {
    const value *key[2] = {call1(c, f, item[0]), NULL};
    if (!key[0] || !(key[1] = call1(c, f, item[1]))) return NULL;
    if (is_container(key[0]) && is_container(key[1])) return is_above_any(c, key[which], key[!which]);
    const value *above = call_two(c, OP_greater, key[which], key[!which]);
    return may_be_nan(c, key[0]) || may_be_nan(c, key[1]) ? or_instead(c, STAND_IN_ZERO, above) : above;
}

static const value *choose(compiler *c, const value *condition, const value *yes, const value *no) {
    const value *arg[3] = {condition, yes, no};
    return condition && yes && no ? call_op(c, OP_branch, 3, arg) : NULL;
}

const value *record_at_rank(compiler *c, const value *v, const value *f, const value *rank) {
    int64_t known;
    if (!step_is_const(c, rank->step, &known))
        return reject(c, "a rank among values of different types must be a number");
    int place = place_of(known, 2);
    if (place < 0) return failed_value(c, ARCL_LANE_EMPTY);
    const value *item[2] = {item_of_two(c, v, 0), item_of_two(c, v, 1)};
    return choose(c, is_above(c, item, f, 1), item[!place], item[place]);
}

const value *record_by_keys(compiler *c, int op, const value *const *arg) {
    const value *item[2] = {item_of_two(c, arg[0], 0), item_of_two(c, arg[0], 1)};
    const value *above = is_above(c, item, arg[1], op == OP_argmax);
    if (op == OP_order) {
        const value *turned[2] = {item[1], item[0]};
        return choose(c, above, make_tuple(c, 0, 2, turned), arg[0]);
    }
    return choose(c, above, item[1], item[0]);
}
