/* Words for sets and tuples, in the tokpidjin dialect, given what has no type among their elements.
 *
 * Python's containers take anything; here it is a guest there (guests.c), or nothing. */
#include "cl/word.h"
#include "compile/odd.h"

/* Functions are no data. */
const value *odd_difference(compiler *c, const value *const *arg) {
    int are_functions = arg[0]->kind == V_EACH || arg[0]->kind == V_UNION;
    if (c->safe && are_functions && arg[1]->kind == V_DATA && !may_have_guests(c, arg[1]) && as_container(c, arg[1]))
        return arg[0];
    const value *a = arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL, *b = arg[1];
    if (!c->safe || !a || b->kind != V_TUPLE || may_have_guests(c, a)) return NULL;
    for (int i = 0; i < b->count; i++)
        if (b->part[i]->kind != V_FUNCTION) return NULL;
    return a;
}

/* Tuples of different things, taken together: their items are guests among each other. */
const value *odd_merged(compiler *c, const value *v) {
    int is_container = c->safe && v->kind == V_DATA && type_is_container(v->type);
    if (!is_container || type_head(type_element(v->type)) != T_RECORD || !is_in_text(c)) return NULL;
    const value *all = call_one(c, OP_merge, as_grid_of_guests(c, v));
    return type_head(v->type) == T_SET ? distinct(c, all) : all;
}

/* Nothing that is data is equal to a function, or to what has one in it. */
const value *odd_sought_among_functions(compiler *c, const value *v, const value *container, int is_asked) {
    int has_data = container->kind < V_TUPLE;
    if (!c->safe || v->kind != V_DATA || may_be_guest(c, v) || may_have_guests(c, v)) return NULL;
    for (int i = 0; !has_data && i < container->count; i++) {
        const value *item = container->part[i];
        has_data = container->kind == V_UNION || (item->kind != V_FUNCTION && item->kind != V_TUPLE);
    }
    return has_data ? NULL : is_asked ? make_const(c, 0, T_BOOL) : container;
}

/* Nothing among what is something: it has no type of its own there. */
static const value *nothing_of(compiler *c, type_code t) {
    if (t == T_INT) return make_const(c, NONE, t);
    if (t == T_IJ) return make_const(c, EMPTY_IJ, t);
    return t == T_GRID || type_is_container(t) ? make_const(c, 0, t) : NULL;
}

/* Into a set of functions that were made for each element of another, which may have none. */
static const value *insert_among_functions(compiler *c, const value *v, const value *set) {
    value *one = (value *)make_parts(c, V_TUPLE, 1, &v);
    const value *some = as_truth(c, set), *part[2] = {one, set};
    if (!one || !some) return NULL;
    one->is_set = 1;
    const value *more = make_union(c, 1, 2, part), *alone = call_one(c, OP_initset, v);
    return more && alone ? make_choice(c, some->step, more, alone) : NULL;
}

const value *odd_insert(compiler *c, const value *const *arg) {
    const value *v = arg[0], *set = arg[1];
    if (c->safe && set->kind == V_EACH && set->is_set && v->kind != V_CHOICE && is_in_text(c))
        return insert_among_functions(c, v, set);
    if (!c->safe || set->kind != V_DATA || type_head(set->type) != T_SET || v->kind == V_CHOICE) return NULL;
    type_code e = type_element(set->type);
    if (v->kind == V_DATA && v->type == T_CELL && type_head(e) == T_TUPLE)
        return call_two(c, OP_insert, as_container(c, v), set);
    if (e == T_NEVER || (v->kind == V_DATA && type_unify(v->type, e))) return NULL;
    int may_have = is_in_text(c) || is_mapped_in_text(c);
    if (e == T_INT && may_have) return insert_guest(c, v, set); /* among ints nothing is none in any case */
    const value *nothing = v->kind == V_DATA && !is_int(v) ? nothing_of(c, e) : NULL;
    const value *some = nothing && v->type != T_CELL ? as_truth(c, v) : NULL;
    const value *with_nothing = some ? call_two(c, OP_insert, nothing, set) : NULL;
    if (c->failed || (with_nothing && is_nothing(v))) return with_nothing;
    const value *with_guest = may_have ? insert_guest(c, v, set) : NULL;
    /* For each element, what is nothing is none among guests: the sides of a choice would get no more of them. */
    int is_either = with_guest && with_nothing && is_in_text(c);
    return is_either ? make_choice(c, some->step, with_guest, with_nothing) : with_guest;
}

/* Locations have two items each, and cells three. */
const value *odd_sizefilter(compiler *c, const word_row *w, const value *const *arg) {
    type_code e = arg[0]->kind == V_DATA && type_is_container(arg[0]->type) ? type_element(arg[0]->type) : 0;
    if (!c->safe || (e != T_IJ && e != T_CELL) || !is_int(arg[1])) return NULL;
    const value *kept = w->op == OP_sizefilter ? as_set(c, arg[0]) : as_tuple(c, arg[0]);
    const value *is = call_two(c, OP_equality, arg[1], make_const(c, e == T_CELL ? 3 : 2, T_INT));
    if (!kept || !is || (e == T_IJ && type_head(arg[0]->type) == T_TUPLE)) return NULL; /* some may be missing */
    uint32_t step[3] = {is->step, kept->step, emit_const(c, 0)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), kept->type);
}

/* Objects that are tuples may be in a set; a grid is one, of its rows. */
const value *odd_colorfilter(compiler *c, const value *objects, const value *colour) {
    const value *container = objects->kind == V_DATA ? as_container(c, objects) : NULL;
    type_code e = container ? type_element(container->type) : 0;
    if (e != type_tuple(T_CELL) && (e != T_GRID || !c->safe)) return NULL;
    return distinct(c, call_two(c, OP_colorfilter_tuple, as_tuple(c, container), colour));
}
