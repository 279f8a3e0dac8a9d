/* Corners, in the tokpidjin dialect, of what is no patch.
 *
 * To Python a corner is the least or the greatest of the first items of all elements, and of the second: elements may
 * be any containers, and there may be more items, or one. Of three the last is left out, as that of cells is. */
#include "cl/word.h"
#include "compile/odd.h"

/* For each place in an element, whether the greatest counts. */
typedef struct corner_sides {
    int op;
    const value *elements;
} corner_sides;

static const value *extreme_at(compiler *c, const value *elements, const value *place, int op) {
    const value *nth = make_function(c, F_RBIND, 2, make_op(c, OP_COUNT + WORD_get_nth_f), place, NULL);
    const value *items = nth ? call_two(c, OP_apply, nth, elements) : NULL;
    return call_two(c, op, items, make_op(c, OP_identity));
}

static const value *side_at(compiler *c, const value *place, const void *arg) {
    const corner_sides *sides = arg;
    int ops[2] = {sides->op == OP_llcorner || sides->op == OP_lrcorner ? OP_argmax : OP_argmin,
                  sides->op == OP_urcorner || sides->op == OP_lrcorner ? OP_argmax : OP_argmin};
    const value *first = extreme_at(c, sides->elements, place, ops[0]);
    if (ops[0] == ops[1]) return first;
    const value *both[3] = {place, extreme_at(c, sides->elements, place, ops[1]), first};
    return both[1] && first ? call_op(c, OP_branch, 3, both) : NULL;
}

/* How many items of the elements there is a corner of; where there can be none, it fails. */
static const value *places_in(compiler *c, int op, const value *elements, int drops_third) {
    const value *sizes = call_two(c, OP_apply, make_op(c, OP_size), elements), *zero = make_const(c, 0, T_INT);
    const value *least = call_one(c, OP_minimum, sizes), *most = call_one(c, OP_maximum, sizes);
    const value *first = or_instead(c, STAND_IN_ZERO, call_one(c, OP_first, sizes)), *three = make_const(c, 3, T_INT);
    const value *is_cell = call_two(c, OP_equality, first, three);
    const value *alike = call_two(c, OP_equality, least, most);
    if (!is_cell || !alike) return NULL;
    uint32_t cells[3] = {is_cell->step, alike->step, emit_const(c, 1)};
    const value *right = make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, cells), T_BOOL), *count = least;
    if (drops_third) {
        uint32_t two[3] = {is_cell->step, emit_const(c, 2), least->step};
        count = make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, two), T_INT);
    }
    if (op == OP_urcorner || op == OP_llcorner) {
        const value *few = call_two(c, OP_greater, three, count);
        right = drops_third ? call_two(c, OP_both, right, few) : few;
    }
    const value *line[3] = {zero, count, make_const(c, 1, T_INT)}, *places = call_op(c, OP_interval, 3, line);
    if (!places || !right || (!drops_third && op != OP_urcorner && op != OP_llcorner)) return places;
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, places->step, right->step), places->type);
}

static int is_corner(int op) {
    return op == OP_ulcorner || op == OP_urcorner || op == OP_llcorner || op == OP_lrcorner;
}

/* The op that a word is, `corner` being one of four; 0: it is none. */
static int corner_op(compiler *c, const word_row *w, const value *const *arg) {
    static const int by_number[4] = {OP_ulcorner, OP_urcorner, OP_llcorner, OP_lrcorner};
    int64_t number;
    if (w->op != OP_corner) return is_corner(w->op) ? w->op : 0;
    if (!may_be_int(arg[1])) return OP_ulcorner;
    if (arg[1]->kind != V_DATA || !step_is_const(c, arg[1]->step, &number)) return 0;
    return by_number[number < 0 || number > 3 ? 0 : number];
}

/* Cells, to a word for locations, have a third item each that is the least or the greatest. */
static const value *corner_of_cells(compiler *c, int op, const value *cells) {
    const value *colours = call_one(c, OP_palette, cells);
    const value *place = call_one(c, op, call_one(c, OP_toindices, cells));
    const value *colour = call_one(c, op == OP_ulcorner ? OP_minimum : OP_maximum, colours);
    return place ? call_two(c, OP_ascell, place, colour) : NULL;
}

const value *odd_corner(compiler *c, const word_row *w, const value *const *arg) {
    int is_cells = c->safe && arg[0]->kind == V_DATA && type_is_container(arg[0]->type) &&
                   type_element(arg[0]->type) == T_CELL && word_kind(w) == WORD_OF_INDICES;
    if (is_cells && (w->op == OP_ulcorner || w->op == OP_lrcorner)) return corner_of_cells(c, w->op, as_set(c, arg[0]));
    int op = c->safe && arg[0]->kind == V_DATA ? corner_op(c, w, arg) : 0;
    enum word_kind kind = word_kind(w);
    if (!op || kind == WORD_OF_OBJECT) return NULL;
    type_code t = arg[0]->type, e = t == T_GRID ? TYPE_INT_TUPLE : type_is_container(t) ? type_element(t) : T_NEVER;
    if (e != T_GRID && e != T_MIX && !(type_is_container(e) && type_element(e) != T_NEVER)) return NULL;
    if (!is_in_text(c) && (e == TYPE_INT_TUPLE || e == T_MIX)) return NULL; /* rows of ints may be locations */
    const value *elements = e == T_MIX ? mixes_as_tuples(c, arg[0]) : as_tuple(c, as_container(c, arg[0]));
    if (!elements) return NULL;
    e = type_element(elements->type);
    const value *places = places_in(c, op, elements, kind != WORD_OF_INDICES);
    const value *made = places ? map_each_of(c, places, side_at, &(corner_sides){op, elements}) : NULL;
    if (!made || e != TYPE_INT_TUPLE) return made;
    if (t == T_GRID && may_have_guests(c, arg[0])) { /* which do not compare with ints */
        const value *has = has_guest(c, arg[0]), *none = make_const(c, 0, type_tuple(T_NEVER));
        return has && none ? make_choice(c, has->step, none, made) : NULL;
    }
    return pair_or_tuple(c, made); /* rows of ints may be locations after all */
}
