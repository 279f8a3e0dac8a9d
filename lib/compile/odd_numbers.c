/* Arithmetic of the tokpidjin dialect on tuples whose items are no ints.
 *
 * Python computes with the first two items of whatever is a tuple, and an item need be no int: a tuple times an int is
 * that tuple so many times over, and the sum of two tuples is one after the other. */
#include "cl/word.h"
#include "compile/odd.h"

static int is_tuple(const value *v) {
    if (v->kind != V_DATA) return 0;
    return v->type == T_GRID || has_fields(v) || type_head(v->type) == T_TUPLE;
}

static int is_number_type(type_code t) { return t == T_INT || t == T_BOOL || t == T_NEVER; }

/* Whether the items that count are something else than ints. */
static int is_odd(const value *v) {
    if (!is_tuple(v) || v->type == T_IJ || v->type == T_CELL) return 0;
    if (v->type == T_GRID) return 1;
    if (type_head(v->type) == T_TUPLE) return !is_number_type(type_element(v->type));
    return !is_number_type(type_field(v->type, 0)) || !is_number_type(type_field(v->type, 1));
}

static const value *item_at(compiler *c, const value *v, int place) {
    if (is_int(v)) return v;
    if (has_fields(v)) return field_of(c, v, place);
    const value *list = as_container(c, v);
    if (!list) return NULL;
    return make_data(c, emit_kernel2(c, KERNEL_nth, 0, list->step, emit_const(c, place)), type_element(list->type));
}

static const value *compute(compiler *c, int op, const value *a, const value *b) {
    if (!a || !b) return NULL;
    if (is_int(a) && is_int(b)) return call_two(c, op, a, b);
    const value *both[2] = {a, b};
    if (op == OP_add) return is_tuple(a) && is_tuple(b) ? call_word(c, OP_COUNT + WORD_combine_t, 2, both) : NULL;
    const value *tuple = is_int(a) ? b : a, *count = is_int(a) ? a : b;
    if (!is_tuple(tuple) || !is_int(count)) return NULL;
    return call_one(c, OP_merge, call_two(c, OP_repeat, as_container(c, tuple), count));
}

/* Whether a tuple may be empty, and so count as an int; of elements of a container it is not asked, one by one. */
static int may_count(const compiler *c, const value *v) {
    int may_lack = type_head(v->type) == T_TUPLE || (v->type == T_IJ && !ij_is_whole(c, v));
    if (!is_odd(v) && !may_lack) return 0;
    return is_in_text(c) || c->steps[v->step].scope <= SCOPE_LANES;
}

/* The word where a tuple is empty, which counts as an int then; elsewhere what was made of its items. */
static const value *unless_empty(compiler *c, const word_row *w, const value *const *arg, int position,
                                 const value *made) {
    const value *given[2] = {arg[0], arg[1]};
    uint32_t saved = enter_scope_of(c, arg[position]);
    const value *some = as_truth(c, arg[position]);
    c->scope = saved;
    given[position] = make_const(c, 0, type_tuple(T_NEVER));
    const value *counted = call_word(c, OP_COUNT + (int)(w - word_rows), 2, given);
    return some && counted ? make_choice(c, some->step, made, counted) : NULL;
}

/* What is empty for certain counts as an int. */
static const value *counted(compiler *c, int op, const value *v) {
    int is_empty = v->kind == V_DATA && v->type == type_tuple(T_NEVER);
    return is_empty ? make_const(c, op == OP_multiply, T_INT) : v;
}

const value *odd_arithmetic(compiler *c, const word_row *w, const value *const *arg) {
    int op = w->op == OP_double ? OP_multiply : w->op;
    const value *given[2] = {arg[0], w->op == OP_double ? make_const(c, 2, T_INT) : arg[1]}, *item[2];
    if (!c->safe || (!is_odd(given[0]) && !is_odd(given[1]))) return NULL;
    for (int i = 0; i < 2; i++) {
        if (w->op != OP_double && !(given[i] = counted(c, op, given[i]))) return NULL;
        if (!is_int(given[i]) && !is_tuple(given[i])) return NULL;
    }
    for (int i = 0; i < 2; i++)
        if (!(item[i] = compute(c, op, item_at(c, given[0], i), item_at(c, given[1], i)))) return NULL;
    const value *made = make_tuple(c, 0, 2, item);
    for (int i = 0; i < 2 && made && w->op != OP_double; i++)
        if (may_count(c, given[i])) made = unless_empty(c, w, given, i, made);
    return made;
}
