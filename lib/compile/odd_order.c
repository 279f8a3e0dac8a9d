/* Words that order and compare, in the tokpidjin dialect, given what has no order or is equal to nothing.
 *
 * Which values are of one kind, so that Python can sort them, and which are nan may be known only to the lane. */
#include "cl/guest.h"
#include "cl/word.h"
#include "compile/odd.h"

/* Ints among which there may be guests have an order if they are all of one kind; else the container fails. */
static const value *in_order(compiler *c, const value *container) {
    int64_t first[3] = {GUEST_FIRST, GUEST_FIRST + GUEST_KIND_ROOM, GUEST_FIRST + 2 * GUEST_KIND_ROOM};
    uint32_t most = or_instead(c, STAND_IN_ZERO, call_one(c, OP_maximum, container))->step;
    uint32_t least = or_instead(c, STAND_IN_ZERO, call_one(c, OP_minimum, container))->step, alike = emit_const(c, 1);
    for (int i = 0; i < 3; i++) { /* both are before where a kind begins, or neither is */
        uint32_t begin = emit_const(c, first[i] - 1);
        uint32_t equal[2] = {emit_kernel2(c, KERNEL_greater, 0, most, begin),
                             emit_kernel2(c, KERNEL_greater, 0, least, begin)};
        alike = emit_kernel2(c, KERNEL_both, 0, alike, emit_kernel(c, KERNEL_equality, T_BOOL, 2, equal));
    }
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, container->step, alike), container->type);
}

/* None that is neither above nor below anything. */
static int none_is_nan(const graph_step *s) {
    return s->fails & FAILS_NONE_IS_TRUE && !(s->fails & FAILS_NONE_IS_LOWEST);
}

/* By a number that names no side, none is no nan. */
static int names_a_side(const compiler *c, const graph_step *s) {
    int64_t number;
    if (s->kind != STEP_KERNEL || s->kernel_id != KERNEL_col_row) return 1;
    return step_is_const(c, s->arg[1], &number) && number >= 0 && number <= 3;
}

static int may_be_nan(const compiler *c, const value *v) {
    return v->kind == V_DATA && v->type == T_INT && none_is_nan(&c->steps[v->step]);
}

/* A column as it was made, which others may only hand on from one side of a choice to the next. */
static const graph_step *made_as(const compiler *c, uint32_t step) {
    const graph_step *s = &c->steps[step];
    while (s->kind == STEP_SPREAD || (s->kind == STEP_KERNEL && s->kernel_id == KERNEL_identity && !s->fails))
        s = &c->steps[s->arg[0]];
    return s;
}

/* Whether a pair has nan in it, and nothing else that is no int; 0: it has none. */
static uint32_t has_nan(compiler *c, const value *pair) {
    int may_be[2];
    uint32_t is[2];
    if (!c->safe || !is_in_text(c) || pair->kind != V_DATA || pair->type != T_IJ) return 0;
    const graph_step *made = made_as(c, pair->step);
    if (made->kind != STEP_KERNEL || made->kernel_id != KERNEL_pack_ij) return 0;
    for (int i = 0; i < 2; i++) {
        const graph_step *item = made_as(c, made->arg[i]);
        may_be[i] = none_is_nan(item) && names_a_side(c, item);
    }
    if (!may_be[0] && !may_be[1]) return 0;
    for (int i = 0; i < 2; i++) {
        const value *item = field_of(c, pair, i);
        is[i] = item ? emit_kernel2(c, KERNEL_equality, T_INT, item->step, emit_const(c, NONE)) : 0;
    }
    for (int i = 0; i < 2; i++)
        if (!may_be[i]) return emit_kernel2(c, KERNEL_both, 0, is[!i], emit_kernel1(c, KERNEL_flip, 0, is[i]));
    return emit_kernel2(c, KERNEL_either, 0, is[0], is[1]);
}

/* Nan is neither above nor below the other of two, so that both are in order as they are. At a rank where there is
 * nothing it is 0. */
static const value *beside_nan(compiler *c, const value *pair, const value *rank, const value *usual) {
    uint32_t has = has_nan(c, pair);
    const value *nth = has ? or_instead(c, STAND_IN_ZERO, call_two(c, OP_get_nth, pair, rank)) : NULL;
    if (!nth || !is_int(nth) || !(usual = or_instead(c, STAND_IN_ZERO, usual))) return NULL;
    uint32_t step[3] = {has, nth->step, usual->step};
    graph_step s = {.kind = STEP_KERNEL, .kernel_id = KERNEL_shelter, .scope = c->scope, .args = 1};
    s.arg[0] = emit_kernel(c, KERNEL_branch, 0, 3, step);
    s.fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(STAND_IN_ZERO) | FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_TRUE;
    return make_data(c, emit(c, s), T_INT);
}

const value *odd_extreme(compiler *c, int op, const value *v) {
    if (v->type == T_IJ) return has_nan(c, v) ? beside_nan(c, v, make_const(c, 0, T_INT), call_one(c, op, v)) : NULL;
    if (type_head(v->type) == T_RECORD) return dead_value(c); /* of two that have no order */
    return may_have_guests(c, v) && type_is_container(v->type) ? call_one(c, op, in_order(c, v)) : NULL;
}

/* What is sorted need not be ints; where there is nothing at that rank it is 0. */
const value *odd_rank(compiler *c, const value *const *arg) {
    const value *container = arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL;
    type_code t = container ? type_element(container->type) : T_INT;
    if (t == T_INT && container && c->safe && may_have_guests(c, container))
        return call_two(c, OP_get_rank, in_order(c, container), arg[1]);
    if (is_int(arg[1]) && has_nan(c, arg[0]))
        return beside_nan(c, arg[0], arg[1], call_two(c, OP_get_rank, arg[0], arg[1]));
    if (t == T_INT || t == T_BOOL || t == T_NEVER) return NULL;
    const value *by_itself[3] = {container, make_op(c, OP_identity), arg[1]};
    const value *found = call_op(c, OP_get_arg_rank, 3, by_itself);
    if (!found || !c->safe || !is_in_text(c) || !is_int(arg[1])) return found;
    const value *inside = call_one(c, OP_flip, rank_is_outside(c, container, arg[1]));
    return inside ? make_choice(c, inside->step, found, make_const(c, 0, T_INT)) : NULL;
}

/* Minus infinity is below all that is a number. */
const value *odd_greater(compiler *c, const value *const *arg) {
    const value *none = make_const(c, NONE, T_INT), *greater = NULL;
    if (!c->safe || !is_int(arg[0]) || !is_int(arg[1])) return NULL;
    if (!(c->steps[arg[1]->step].fails & FAILS_NONE_IS_LOWEST)) return NULL;
    const value *is_number = call_one(c, OP_flip, call_two(c, OP_equality, arg[0], none));
    const value *below = call_two(c, OP_both, call_two(c, OP_equality, arg[1], none), is_number);
    greater = or_instead(c, STAND_IN_ZERO, call_two(c, OP_greater, arg[0], arg[1]));
    return call_two(c, OP_either, below, greater);
}

/* What is nan is equal to nothing. */
const value *odd_equality(compiler *c, const value *const *arg) {
    if (!c->safe || !is_int(arg[0]) || !is_int(arg[1]) || !(may_be_nan(c, arg[0]) || may_be_nan(c, arg[1])))
        return NULL;
    const value *equal = call_two(c, OP_equality, arg[0], arg[1]);
    const value *none = call_two(c, OP_equality, arg[may_be_nan(c, arg[0]) ? 0 : 1], make_const(c, NONE, T_INT));
    return call_two(c, OP_both, equal, call_one(c, OP_flip, none));
}
