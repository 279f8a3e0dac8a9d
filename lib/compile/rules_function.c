/* Ops that make functions. Nothing runs: a function is kept until somebody calls it. */
#include "compile/compiler.h"

/* Whether what is called is a function is seen when it is called: many functions never are. */
static const value *made_of(compiler *c, int op, int form, const value *const *arg) {
    int count = op_rows[op].arity;
    return make_function(c, form, count, arg[0], arg[1], count > 2 ? arg[2] : NULL);
}

const value *rule_compose(compiler *c, int op, const value *const *arg) { return made_of(c, op, F_COMPOSE, arg); }

const value *rule_chain(compiler *c, int op, const value *const *arg) { return made_of(c, op, F_CHAIN, arg); }

const value *rule_matcher(compiler *c, int op, const value *const *arg) { return made_of(c, op, F_MATCHER, arg); }

/* Whether one side of a choice is no function: in tokpidjin there is none to bind then, and a default instead. */
static int may_be_data(compiler *c, const value *v) {
    if (v->kind != V_CHOICE) return v->kind != V_FUNCTION;
    return may_unfold(c) && (may_be_data(c, v->part[0]) || may_be_data(c, v->part[1]));
}

static const value *bound_side(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind == V_FUNCTION || arg[0]->kind == V_CHOICE) return rule_bind(c, op, arg);
    return make_function(c, F_NOTHING, 0, NULL, NULL, NULL);
}

const value *rule_bind(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind != V_FUNCTION && arg[0]->kind != V_CHOICE) return reject_argument(c, op, 0, arg[0], "a function");
    if (c->safe && c->triples && arg[0]->kind == V_CHOICE && may_be_data(c, arg[0])) {
        const value *yes[2] = {arg[0]->part[0], arg[1]}, *no[2] = {arg[0]->part[1], arg[1]};
        const value *side[2] = {bound_side(c, op, yes), bound_side(c, op, no)};
        return side[0] && side[1] ? make_choice(c, arg[0]->step, side[0], side[1]) : NULL;
    }
    return made_of(c, op, op == OP_lbind ? F_LBIND : F_RBIND, arg);
}

const value *rule_power(compiler *c, int op, const value *const *arg) {
    const value *count = as_signature(c, arg[1], SIG_INT);
    if (!count) return reject_argument(c, op, 1, arg[1], "an int");
    const value *given[3] = {arg[0], count, NULL};
    return made_of(c, op, F_POWER, given);
}

const value *rule_fork(compiler *c, int op, const value *const *arg) { return made_of(c, op, F_FORK, arg); }
