/* Words that call functions, in the tokpidjin dialect, given what is none.
 *
 * What is never called may be anything; calling what is no function fails only where it is done. */
#include "cl/word.h"
#include "compile/odd.h"

/* Once, what is no function either is what it is; twice it is a function that fails where it is called. */
const value *odd_power(compiler *c, const value *const *arg) {
    if (!c->safe || arg[0]->kind == V_FUNCTION || arg[0]->kind == V_CHOICE || !is_int(arg[1])) return NULL;
    const value *once = call_two(c, OP_equality, arg[1], make_const(c, 1, T_INT));
    const value *twice = make_function(c, F_COMPOSE, 2, arg[0], arg[0], NULL);
    int64_t known;
    if (!once || !twice) return NULL;
    if (step_is_const(c, once->step, &known)) return known ? arg[0] : twice;
    return make_choice(c, once->step, arg[0], twice);
}

/* What is picked from is a default where there is none. */
const value *odd_pick(compiler *c, int op, const value *const *arg) {
    if (!c->safe) return NULL;
    return call1(c, arg[2], call_word(c, OP_COUNT + (op == OP_c_iz_n ? WORD_c_iz : WORD_c_zo), 2, arg));
}

/* What is no function is not called for the elements of a container that has none: what comes of it is an empty set, of
 * a set, or of a word that answers with one. */
const value *odd_uncalled(compiler *c, const word_row *w, const value *f, const value *v) {
    if (!c->safe || !is_in_text(c) || f->kind == V_FUNCTION || f->kind == V_CHOICE) return NULL;
    const value *container = v->kind == V_DATA ? as_container(c, v) : NULL;
    if (!container || (type_head(container->type) != T_SET && w->empty != ANSWER_SET)) return NULL;
    return where_some(c, container, make_const(c, 0, type_tuple(T_NEVER)), empty_set(c));
}
