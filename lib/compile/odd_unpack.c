/* Elements of a container as so many items each, in the tokpidjin dialect, as Python unpacks them: `for i, j in patch`.
 *
 * What the elements are does not matter to Python, only that each has as many items. Locations and cells are what the
 * language has ops for, and do not come here but among others. */
#include "cl/word.h"
#include "compile/odd.h"

static int is_of_items(type_code e) {
    return e == T_GRID || e == T_IJ || e == T_CELL || (type_is_container(e) && type_element(e) != T_NEVER);
}

/* Whether each element has so many items; that there is none is right too. */
static const value *has_items_each(compiler *c, const value *container, int count) {
    const value *sizes = call_two(c, OP_apply, make_op(c, OP_size), as_tuple(c, container));
    const value *others = call_two(c, OP_remove, make_const(c, count, T_INT), sizes);
    return others ? call_one(c, OP_flip, as_truth(c, others)) : NULL;
}

const value *demand_items(compiler *c, const value *container, int count) {
    type_code e = container ? type_element(container->type) : 0;
    if (type_head(e) == T_RECORD) return type_fields(e) == count ? container : NULL;
    if (e == T_NEVER) return container;
    const value *right = is_of_items(e) ? has_items_each(c, container, count) : NULL;
    if (!right) return NULL;
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, container->step, right->step), container->type);
}

const value *item_of(compiler *c, const value *element, int place) {
    if (has_fields(element)) return field_of(c, element, place);
    const value *list = as_container(c, element);
    if (!list) return NULL;
    return make_data(c, emit_kernel2(c, KERNEL_nth, 1, list->step, emit_const(c, place)), type_element(list->type));
}

/* The first two items of an element, and what comes behind them, if anything does. */
static const value *two_items_and(compiler *c, const value *element, const void *last) {
    const value *item[3] = {item_of(c, element, 0), item_of(c, element, 1), last};
    return item[0] && item[1] ? make_tuple(c, 0, last ? 3 : 2, item) : NULL;
}

static const value *two_items_each(compiler *c, const value *v, int count, const value *last) {
    const value *right = demand_items(c, v->kind == V_DATA ? as_container(c, v) : NULL, count);
    return right ? distinct(c, map_each_of(c, right, two_items_and, last)) : NULL;
}

/* Whether a container has elements that the ops for patches know nothing of. */
static int has_odd_elements(const value *v) {
    type_code e = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : T_NEVER;
    if (type_head(e) == T_RECORD || e == T_GRID) return 1;
    return type_is_container(e) && e != TYPE_INT_TUPLE && type_element(e) != T_NEVER;
}

const value *odd_recolor(compiler *c, const word_row *w, const value *const *arg) {
    if (!c->safe || arg[0]->kind == V_CHOICE || !has_odd_elements(arg[1])) return NULL;
    const value *color = is_int(arg[0]) ? arg[0] : as_guest(c, arg[0]);
    return color ? two_items_each(c, arg[1], word_kind(w) == WORD_OF_OBJECT ? 3 : 2, color) : NULL;
}

/* Whether an op unpacks an argument, `i, j = loc`, so that a set of two ints is a pair to it. */
static int unpacks(int op, int position) {
    switch (op) {
    case OP_index:
    case OP_shift: return position == 1;
    case OP_move: return position == 2;
    case OP_connect: return 1;
    default: return 0;
    }
}

/* A set has no items by number: inside of the grid the call fails then. */
static const value *zero_if_some(compiler *c, const value *colour) {
    if (!is_int(colour)) return NULL;
    uint32_t none = emit_kernel2(c, KERNEL_equality, T_INT, colour->step, emit_const(c, NONE));
    uint32_t step[3] = {none, colour->step, emit_const(c, 0)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
}

const value *odd_unpacked_sets(compiler *c, const word_row *w, const value *const *given) {
    const value *arg[4];
    int count = op_rows[w->op].arity, is_odd = 0;
    for (int i = 0; i < count; i++) {
        arg[i] = given[i];
        if (!c->safe || !unpacks(w->op, i) || given[i]->kind != V_DATA || given[i]->type != type_set(T_INT)) continue;
        const value *some = as_truth(c, given[i]);
        uint32_t step = some ? emit_kernel2(c, KERNEL_demand, LANE_TYPE, given[i]->step, some->step) : 0;
        arg[i] = make_data(c, step, TYPE_INT_TUPLE); /* () would be a missing pair */
        is_odd = 1;
    }
    if (!is_odd || c->failed) return NULL;
    const value *made = call_word(c, OP_COUNT + (int)(w - word_rows), count, arg);
    return made && w->op == OP_index ? zero_if_some(c, made) : made;
}

static int is_nothing_each(type_code t) {
    type_code e = type_element(t);
    return type_is_container(e) && type_element(e) == T_NEVER;
}

/* The same of a tuple of different things: three items cannot be unpacked of each. */
static const value *record_as_places(compiler *c, const word_row *w, const value *record) {
    const value *first = field_of(c, record, 0), *size = NULL;
    if (!first || w->manner != MANNER_AS_IS || is_int(first)) return NULL;
    if (!(size = call_one(c, OP_size, first))) return NULL;
    const value *is_cell = call_two(c, OP_equality, size, make_const(c, 3, T_INT));
    return is_cell ? make_choice(c, is_cell->step, empty_set(c), record) : NULL;
}

/* The same of a tuple or a set that has functions in it. */
static const value *functions_as_places(compiler *c, const value *v) {
    const value *first = v->count ? v->part[0] : NULL;
    if (!first || first->kind == V_FUNCTION || is_int(first)) return first ? empty_set(c) : NULL;
    const value *size = call_word(c, OP_COUNT + WORD_size, 1, &first);
    const value *is_cell = call_two(c, OP_equality, size, make_const(c, 3, T_INT));
    return is_cell ? make_choice(c, is_cell->step, empty_set(c), v) : NULL;
}

/* Elements of three items are taken for cells, if the first is one; else they are what they are. */
const value *odd_toindices(compiler *c, const word_row *w, const value *v) {
    if (c->safe && is_in_text(c) && v->kind == V_TUPLE && w->manner == MANNER_AS_IS) return functions_as_places(c, v);
    if (!c->safe || !is_in_text(c) || v->kind != V_DATA) return NULL;
    if (has_fields(v) && v->type != T_IJ && v->type != T_CELL) return record_as_places(c, w, v);
    if (type_is_container(v->type) && is_nothing_each(v->type) && w->manner == MANNER_AS_IS)
        return itself_or_empty(c, v);
    if (!has_odd_elements(v)) return NULL;
    if (word_kind(w) == WORD_OF_OBJECT) return two_items_each(c, v, 3, NULL);
    if (w->manner != MANNER_AS_IS) return NULL;
    const value *first = call_one(c, OP_first, v), *places = two_items_each(c, v, 3, NULL);
    const value *size = first && !has_fields(first) ? call_one(c, OP_size, first) : NULL;
    const value *three = make_const(c, 3, T_INT), *itself = itself_or_empty(c, v);
    if (first && has_fields(first)) return field_count(c, first) == 3 ? places : itself;
    const value *is_cell = call_two(c, OP_equality, or_instead(c, STAND_IN_ZERO, size), three);
    return is_cell && places && itself ? make_choice(c, is_cell->step, places, itself) : NULL;
}

/* The number of rows and of items in the first, whatever these are. */
const value *odd_asindices(compiler *c, const value *v) {
    if (!c->safe || v->kind != V_DATA || !is_tuple_type(v->type) || type_is_rows(v->type)) return NULL;
    if (v->type == T_CELL || is_odd_grid(v)) return NULL;
    const value *shape = odd_measure(c, OP_shape, v);
    return shape ? call_one(c, OP_asindices, call_two(c, OP_canvas, make_const(c, 0, T_INT), shape)) : NULL;
}

static const value *item_at(compiler *c, const value *element, const void *place) {
    return item_of(c, element, *(const int *)place);
}

/* The least or the greatest of the first items of all elements, or of the second, if each has two. */
const value *odd_side(compiler *c, const word_row *w, const value *v) {
    int place = w->op == OP_leftmost || w->op == OP_rightmost;
    int least = w->op == OP_uppermost || w->op == OP_leftmost;
    if (!c->safe || !is_in_text(c) || !has_odd_elements(v) || word_kind(w) == WORD_OF_OBJECT) return NULL;
    const value *pairs = demand_items(c, as_container(c, v), 2), *zero = make_const(c, 0, T_INT);
    const value *items = pairs ? map_each_of(c, pairs, item_at, &place) : NULL;
    if (!items || items->kind != V_DATA || !type_has_order(type_element(items->type))) return NULL;
    const value *side = call_two(c, least ? OP_argmin : OP_argmax, items, make_op(c, OP_identity));
    const value *there = side ? is_there(c, side) : NULL;
    const value *found = there ? make_choice(c, there->step, side, zero) : NULL;
    return where_some(c, v, found, w->empty == ANSWER_NAN ? make_const(c, NONE, T_INT) : zero);
}

/* A side by its number is what the word for it says. */
const value *odd_side_by_number(compiler *c, const value *const *given) {
    static const int by_number[4] = {WORD_lowermost, WORD_uppermost, WORD_leftmost, WORD_rightmost};
    int64_t number;
    if (!c->safe || !has_odd_elements(given[0]) || !is_int(given[1])) return NULL;
    if (!step_is_const(c, given[1]->step, &number) || number < 0 || number > 3) return NULL;
    return call_word(c, OP_COUNT + by_number[number], 1, given);
}

/* All four of them, whatever they are. */
const value *odd_corners(compiler *c, const value *v) {
    static const int corner[4] = {WORD_ulcorner, WORD_urcorner, WORD_llcorner, WORD_lrcorner};
    const value *all = NULL;
    if (!c->safe || !has_odd_elements(v)) return NULL;
    if (!is_in_text(c) && type_head(type_element(v->type)) == T_RECORD) return NULL; /* corners of several types */
    for (int i = 0; i < 4; i++) {
        const value *one = call_word(c, OP_COUNT + corner[i], 1, &v), *more[2] = {one, all};
        all = !one ? NULL
              : i  ? call_word(c, OP_COUNT + WORD_insert, 2, more)
                   : call_word(c, OP_COUNT + WORD_initset, 1, &one);
        if (!all) return NULL;
    }
    return all;
}

/* Of the first element, if it is a tuple, the third item is a colour. */
static const value *third_item(compiler *c, const value *element, const void *arg) {
    (void)arg;
    return item_of(c, element, 2);
}

/* Each element of three items is a cell, of which the last one is the colour. */
const value *odd_palette(compiler *c, const value *v) {
    if (!c->safe || !has_odd_elements(v) || type_head(type_element(v->type)) == T_RECORD) return NULL;
    const value *cells = demand_items(c, v, 3), *colours = cells ? map_each_of(c, cells, third_item, NULL) : NULL;
    return colours && colours->kind == V_DATA ? distinct(c, colours) : NULL;
}

const value *odd_color(compiler *c, const value *v) {
    if (c->safe && v->kind == V_DATA && type_head(v->type) == T_RECORD) {
        type_code t = type_field(v->type, 0);
        return t == T_INT || t == T_BOOL || type_head(t) == T_SET ? safe_lowest(c) : NULL;
    }
    type_code e = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : 0;
    int is_tuple = e == T_GRID || (type_head(e) == T_TUPLE && e != TYPE_INT_TUPLE && type_element(e) != T_NEVER);
    if (!c->safe || !(is_tuple || type_head(e) == T_RECORD) || !is_in_text(c)) return NULL;
    const value *first = call_one(c, OP_first, v);
    if (!first || (has_fields(first) && field_count(c, first) < 3)) return NULL;
    const value *zero = make_const(c, 0, T_INT), *third = or_instead(c, STAND_IN_ZERO, item_of(c, first, 2));
    if (!has_fields(first)) {
        const value *size = or_instead(c, STAND_IN_ZERO, call_one(c, OP_size, first));
        const value *is_long = call_two(c, OP_greater, size, make_const(c, 2, T_INT));
        third = is_long && third ? make_choice(c, is_long->step, third, zero) : NULL;
    }
    return where_some(c, v, third, safe_lowest(c));
}

/* Two of anything that are not equal. */
const value *odd_dedupe_pairs(compiler *c, const value *v) {
    const value *container = c->safe && v->kind == V_DATA ? as_container(c, v) : NULL;
    if (!container || !is_of_items(type_element(container->type)) || type_element(container->type) == T_IJ) return NULL;
    const value *pairs = demand_items(c, container, 2);
    return pairs ? call_one(c, OP_dedupe_pair_tuple, pairs) : NULL;
}
