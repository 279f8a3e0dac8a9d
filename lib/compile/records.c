/* Sorting a tuple of two that are of different types. No column has one or the other of these, so what comes of it is a
 * choice: their keys decide, in every lane. */
#include "compile/compiler.h"

int is_record_of_two(const value *v) {
    return v->kind == V_DATA && type_head(v->type) == T_RECORD && type_fields(v->type) == 2;
}

/* Whether none is what is neither above nor below anything. */
static int may_be_nan(const compiler *c, const value *key) {
    unsigned nan = FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_TRUE;
    return key->kind == V_DATA && key->type == T_INT && (c->steps[key->step].fails & nan) == nan;
}

/* Whether the key of one item is above that of the other. */
static const value *is_above(compiler *c, const value *const *item, const value *f, int which) {
    const value *key[2] = {call1(c, f, item[0]), NULL};
    if (!key[0] || !(key[1] = call1(c, f, item[1]))) return NULL;
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
    const value *item[2] = {field_of(c, v, 0), field_of(c, v, 1)};
    return choose(c, is_above(c, item, f, 1), item[!place], item[place]);
}

const value *record_by_keys(compiler *c, int op, const value *const *arg) {
    const value *item[2] = {field_of(c, arg[0], 0), field_of(c, arg[0], 1)};
    const value *above = is_above(c, item, arg[1], op == OP_argmax);
    if (op == OP_order) {
        const value *turned[2] = {item[1], item[0]};
        return choose(c, above, make_tuple(c, 0, 2, turned), arg[0]);
    }
    return choose(c, above, item[1], item[0]);
}
