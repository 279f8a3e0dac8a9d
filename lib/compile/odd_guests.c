/* Words that look into the elements of a container, in the tokpidjin dialect, where these are guests.
 *
 * Guests of one list are of one type, so what a word does to containers of that type it does to them list by list. */
#include "cl/word.h"
#include "compile/guests.h"
#include "compile/odd.h"

/* n -> whether it is one of the numbers from `first` on. */
static const value *is_from(compiler *c, int64_t first, int count) {
    const value *above = make_function(c, F_RBIND, 2, make_op(c, OP_greater), make_const(c, first - 1, T_INT), NULL);
    const value *below =
        make_function(c, F_LBIND, 2, make_op(c, OP_greater), make_const(c, first + count, T_INT), NULL);
    return c->failed ? NULL : make_function(c, F_FORK, 3, make_op(c, OP_both), above, below);
}

static const value *those_from(compiler *c, const value *set, int64_t first, int count) {
    const value *given[2] = {set, is_from(c, first, count)};
    return given[1] ? call_op(c, OP_sfilter, 2, given) : NULL;
}

static const value *guest_in_list(compiler *c, const value *number, const void *guest) {
    const struct guest *of = guest;
    uint32_t place = emit_kernel2(c, KERNEL_subtract_int, 0, number->step, emit_const(c, of->number));
    return make_data(c, emit_kernel2(c, KERNEL_nth, 0, of->what->step, place), type_element(of->what->type));
}

/* What a guest of the set has in it, or all guests of that list, as guests; NULL: it is no container. */
static const value *items_of_guest(compiler *c, const value *set, const struct guest *guest) {
    const value *items = NULL;
    if (GUEST_IS_OF_LIST(guest->number)) {
        const value *those = those_from(c, set, guest->number, GUEST_LIST_ROOM);
        const value *all = those ? map_each_of(c, as_tuple(c, those), guest_in_list, guest) : NULL;
        items = distinct(c, all && all->kind == V_DATA ? all : NULL);
        if (items) items = call_word(c, OP_COUNT + WORD_merge, 1, &items);
    } else if (guest->shown->type != T_FUNCTION) {
        const value *is_there = call_two(c, OP_contained, make_const(c, guest->number, T_INT), set);
        items = distinct(c, as_container(c, guest->shown));
        uint32_t step[3] = {is_there ? is_there->step : 0, items ? items->step : 0, emit_const(c, 0)};
        items = is_there && items ? make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), items->type) : NULL;
    }
    return items && items->kind == V_DATA && type_is_container(items->type) ? as_guests(c, items) : NULL;
}

/* All that guests in a set have in them; an int among these has nothing that could be. */
const value *odd_guests_merged(compiler *c, const value *v) {
    if (!c->safe || v->kind != V_DATA || v->type != type_set(T_INT) || !is_in_text(c) || !may_have_guests(c, v))
        return NULL;
    uint32_t marks = guests_in(c, v);
    const value *all = make_const(c, 0, type_set(T_INT));
    for (int i = 0; i < c->guest_count && all; i++)
        if (marks >> i & 1) all = call_two(c, OP_combine, all, items_of_guest(c, v, &c->guests[i]));
    const value *least = or_instead(c, STAND_IN_ZERO, call_one(c, OP_minimum, v));
    const value *are_guests = call_two(c, OP_greater, least, make_const(c, GUEST_FIRST - 1, T_INT));
    const value *empty = call_one(c, OP_flip, as_truth(c, v)), *right = call_two(c, OP_either, are_guests, empty);
    return all && right ? make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, all->step, right->step), all->type)
                        : NULL;
}
