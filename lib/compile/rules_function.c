/* Ops that make functions. Nothing runs: a function is kept until somebody calls it. */
#include "compile/compiler.h"

static int is_function(const value *v) { return v->kind == V_FUNCTION || v->kind == V_CHOICE; }

static const value *make_checked(compiler *c, int op, int form, int functions, const value *const *arg) {
    int count = op_rows[op].arity;
    for (int i = 0; i < functions; i++)
        if (!is_function(arg[i])) return reject_argument(c, op, i, arg[i], "a function");
    return make_function(c, form, count, arg[0], arg[1], count > 2 ? arg[2] : NULL);
}

const value *rule_compose(compiler *c, int op, const value *const *arg) {
    return make_checked(c, op, F_COMPOSE, 2, arg);
}

const value *rule_chain(compiler *c, int op, const value *const *arg) { return make_checked(c, op, F_CHAIN, 3, arg); }

const value *rule_matcher(compiler *c, int op, const value *const *arg) {
    return make_checked(c, op, F_MATCHER, 1, arg);
}

const value *rule_bind(compiler *c, int op, const value *const *arg) {
    const value *f = make_checked(c, op, op == OP_lbind ? F_LBIND : F_RBIND, 1, arg);
    if (f && function_arity(f) < 1) return reject_argument(c, op, 0, arg[0], "a function of 2 to 4 arguments");
    return f;
}

const value *rule_power(compiler *c, int op, const value *const *arg) {
    const value *count = as_signature(c, arg[1], SIG_INT);
    if (!count) return reject_argument(c, op, 1, arg[1], "an int");
    const value *given[3] = {arg[0], count, NULL};
    return make_checked(c, op, F_POWER, 1, given);
}

const value *rule_fork(compiler *c, int op, const value *const *arg) { return make_checked(c, op, F_FORK, 3, arg); }
