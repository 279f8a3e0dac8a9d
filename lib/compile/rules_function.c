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

const value *rule_bind(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind != V_FUNCTION && arg[0]->kind != V_CHOICE) return reject_argument(c, op, 0, arg[0], "a function");
    return made_of(c, op, op == OP_lbind ? F_LBIND : F_RBIND, arg);
}

const value *rule_power(compiler *c, int op, const value *const *arg) {
    const value *count = as_signature(c, arg[1], SIG_INT);
    if (!count) return reject_argument(c, op, 1, arg[1], "an int");
    const value *given[3] = {arg[0], count, NULL};
    return made_of(c, op, F_POWER, given);
}

const value *rule_fork(compiler *c, int op, const value *const *arg) { return made_of(c, op, F_FORK, arg); }
