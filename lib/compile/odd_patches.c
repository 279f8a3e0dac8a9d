/* Words that ask where a patch is, in the tokpidjin dialect, given what is none.
 *
 * What is no patch has the box of the origin; rows of ints are locations or cells by how many items they have, which
 * only the lane knows. */
#include "cl/word.h"
#include "compile/odd.h"

/* Rows of three are cells; of another length they are what they are, as other containers of what has a length. */
const value *odd_places(compiler *c, const word_row *w, const value *v) {
    int may_be_rows = v->kind == V_DATA &&
                      (v->type == T_GRID || (type_is_container(v->type) && type_element(v->type) == TYPE_INT_TUPLE));
    const value *rows = w->manner == MANNER_AS_IS && c->safe && is_in_text(c) && may_be_rows ? as_rows(c, v) : NULL;
    const value *places = rows ? call_one(c, OP_toindices, as_signature(c, rows, SIG_OBJECT)) : NULL;
    const value *first = rows ? call_one(c, OP_width, rows) : NULL;
    const value *is_cells = call_two(c, OP_equality, first, make_const(c, 3, T_INT));
    if (!places || !is_cells) return NULL;
    const value *itself = where_some(c, rows, v, make_const(c, 0, TYPE_IJ_SET));
    return itself ? make_choice(c, is_cells->step, places, itself) : NULL;
}

/* Whether a patch touches the upper or left edge does not depend on the grid. */
const value *odd_bordering(compiler *c, const value *const *arg) {
    const value *grid = arg[1]->kind == V_CHOICE ? arg[1] : as_signature(c, arg[1], SIG_GRID);
    return grid || c->failed ? NULL : call_two(c, OP_bordering, arg[0], make_const(c, 0, T_GRID));
}

/* Where the center of its locations is, a location of its own; where these have none, it fails. */
static const value *center_alone(compiler *c, const value *v) {
    const value *places = call_word(c, OP_COUNT + WORD_toindices, 1, &v);
    const value *center = places ? call_word(c, OP_COUNT + WORD_center, 1, &places) : NULL;
    if (!center || center->kind != V_DATA || center->type != T_IJ) return NULL;
    uint32_t missing = emit_kernel2(c, KERNEL_equality, T_IJ, center->step, emit_const(c, EMPTY_IJ));
    uint32_t sound = emit_kernel2(c, KERNEL_demand, LANE_TYPE, center->step, emit_kernel1(c, KERNEL_flip, 0, missing));
    return call_one(c, OP_initset, make_data(c, sound, T_IJ));
}

/* What is no patch is where its center is: that of the origin's box. */
static const value *position_of_any(compiler *c, const value *const *arg, int first) {
    const value *given[2] = {arg[0], arg[1]};
    for (int i = first; i < 2; i++) {
        if (arg[i]->kind != V_DATA || is_int(arg[i])) continue;
        const value *is_patch = rows_are_patch(c, arg[i]);
        if (!is_patch && (!is_no_patch(arg[i]) || (has_fields(arg[i]) && type_head(arg[i]->type) != T_RECORD)))
            continue;
        const value *patch = is_patch ? position_of_any(c, given, i + 1) : NULL;
        if (!(given[i] = center_alone(c, arg[i]))) return NULL;
        const value *alone = position_of_any(c, given, i + 1);
        return patch && alone ? make_choice(c, is_patch->step, patch, alone) : alone;
    }
    return call_op(c, OP_position, 2, given);
}

const value *odd_position(compiler *c, const value *const *arg) {
    return c->safe && is_in_text(c) ? position_of_any(c, arg, 0) : NULL;
}

/* Of what has no length nothing is near to anything, nor of what is empty, whatever the other is. */
const value *odd_manhattan(compiler *c, const value *const *arg) {
    const value *none = make_const(c, NONE, T_INT), *some[2];
    int is_odd = 0;
    for (int i = 0; i < 2; i++)
        if (is_int(arg[i]) || arg[i]->kind == V_FUNCTION || is_nothing(arg[i])) return none;
    for (int i = 0; i < 2; i++) {
        if (!c->safe || arg[i]->kind != V_DATA || !(some[i] = as_truth(c, arg[i]))) return NULL;
        is_odd = is_odd || (arg[i]->type != TYPE_IJ_SET && arg[i]->type != TYPE_OBJECT);
    }
    const value *both = is_odd ? call_two(c, OP_both, some[0], some[1]) : NULL, *near = NULL;
    if (!both) return NULL;
    c->trying++;
    near = call_op(c, OP_manhattan, 2, arg);
    c->trying--;
    if (!near && !c->fatal) c->failed = 0;
    near = near && near->kind == V_DATA && near->type == T_INT ? or_instead(c, STAND_IN_ZERO, near)
                                                               : make_const(c, 0, T_INT);
    if (!near || c->failed) return NULL;
    uint32_t step[3] = {both->step, near->step, none->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
}

/* From a box no tuple is taken away: of rows only those that are cells have their locations in a set. */
const value *odd_delta(compiler *c, const value *v) {
    if (!c->safe || v->kind != V_DATA || !is_tuple_type(v->type)) return NULL;
    if (v->type == type_tuple(T_IJ)) return make_const(c, 0, TYPE_IJ_SET);
    if (v->type != T_GRID && v->type != type_tuple(TYPE_INT_TUPLE)) return NULL;
    const value *cells = as_signature(c, as_rows(c, v), SIG_OBJECT);
    return or_instead(c, STAND_IN_ZERO, call_one(c, OP_delta, cells));
}

/* ---- mean places ---- */

/* The sum of ints by a count that is no less than they are many: as rows of locations, each in a column of its own. */
static const value *mean_of(compiler *c, const value *ints, const value *count) {
    const value *more =
        call_two(c, OP_repeat, make_const(c, 0, T_INT), call_two(c, OP_subtract, count, call_one(c, OP_size, ints)));
    const value *line[3] = {make_const(c, 0, T_INT), count, make_const(c, 1, T_INT)};
    const value *all = call_two(c, OP_combine, ints, more), *columns = count ? call_op(c, OP_interval, 3, line) : NULL;
    const value *mean = call_one(c, OP_centerofmass, distinct(c, call_two(c, OP_pair, all, columns)));
    return mean ? field_of(c, mean, 0) : NULL;
}

typedef struct mean_places {
    const value *elements, *count;
} mean_places;

static const value *mean_at(compiler *c, const value *place, const void *arg) {
    const mean_places *mean = arg;
    const value *nth = make_function(c, F_RBIND, 2, make_op(c, OP_COUNT + WORD_get_nth_f), place, NULL);
    const value *items = nth ? call_two(c, OP_apply, nth, mean->elements) : NULL;
    return items ? mean_of(c, items, mean->count) : NULL;
}

static const value *ints_each(compiler *c, const value *element, const void *arg) {
    (void)arg;
    return as_container(c, element);
}

/* Items as tuples of ints, in a tuple; NULL: they are none, or a set of locations or cells, which the op knows. */
static const value *tuples_of_ints(compiler *c, const value *v) {
    type_code e = v->kind != V_DATA            ? 0
                  : v->type == T_GRID          ? TYPE_INT_TUPLE
                  : type_is_container(v->type) ? type_element(v->type)
                                               : 0;
    if (e == TYPE_INT_TUPLE) return as_tuple(c, as_container(c, v));
    int is_known = (e == T_IJ || e == T_CELL) && type_head(v->type) == T_TUPLE;
    return is_known ? map_each_of(c, v, ints_each, NULL) : NULL;
}

/* Each item's mean. Tuples of three are cells, of which each place counts once, but all divide. */
const value *odd_centerofmass(compiler *c, const value *v) {
    const value *all = c->safe && is_in_text(c) ? tuples_of_ints(c, v) : NULL;
    if (!all) return NULL;
    const value *sizes = call_two(c, OP_apply, make_op(c, OP_size), all), *three = make_const(c, 3, T_INT);
    const value *is_cells = call_two(c, OP_equality, or_instead(c, STAND_IN_ZERO, call_one(c, OP_first, sizes)), three);
    const value *places = call_one(c, OP_toindices, as_signature(c, as_rows(c, all), SIG_OBJECT));
    const value *tuples = places ? or_instead(c, STAND_IN_ZERO, map_each_of(c, places, ints_each, NULL)) : NULL;
    if (!is_cells || !tuples || tuples->type != all->type) return NULL;
    uint32_t step[3] = {is_cells->step, tuples->step, all->step};
    mean_places mean = {make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), all->type), call_one(c, OP_size, all)};
    const value *counts = call_two(c, OP_apply, make_op(c, OP_size), mean.elements);
    const value *line[3] = {make_const(c, 0, T_INT), call_one(c, OP_minimum, counts), make_const(c, 1, T_INT)};
    const value *numbers = line[1] ? call_op(c, OP_interval, 3, line) : NULL;
    const value *made = numbers ? map_each_of(c, numbers, mean_at, &mean) : NULL;
    return made ? where_some(c, all, pair_or_tuple(c, made), make_const(c, EMPTY_IJ, T_IJ)) : NULL;
}

/* Locations without colours repeat only where they have no length to repeat in. */
const value *odd_period(compiler *c, int op, const value *v) {
    const value *rows = v->kind == V_DATA && type_is_rows(v->type) ? as_rows(c, v) : NULL;
    int is_places = v->kind == V_DATA && type_is_container(v->type) && type_element(v->type) == T_IJ;
    if (!c->safe || (!is_places && (!rows || rows->type != T_GRID))) return NULL;
    const value *patch = is_places ? as_set(c, v) : rows_as_patch(c, rows, ROWS_OF_TWO);
    const value *length = patch ? call_one(c, op == OP_hperiod ? OP_width : OP_height, patch) : NULL;
    if (!length) return NULL;
    uint32_t is_short = emit_kernel2(c, KERNEL_greater, 0, emit_const(c, 2), length->step);
    const value *made = make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, length->step, is_short), T_INT);
    if (is_places) return made;
    const value *width = call_one(c, OP_width, rows), *of_cells = call_one(c, op, as_signature(c, rows, SIG_OBJECT));
    const value *is_two = width ? call_two(c, OP_equality, width, make_const(c, 2, T_INT)) : NULL;
    return is_two && of_cells ? make_choice(c, is_two->step, made, of_cells) : NULL;
}

/* Rows as an object, if they have three items each; of two they are locations, which do not occur. */
static const value *rows_occur(compiler *c, const value *const *arg, const value *anywhere) {
    const value *rows = as_rows(c, arg[1]), *width = call_one(c, OP_width, rows), *is_place = NULL;
    const value *object[2] = {arg[0], rows ? as_signature(c, rows, SIG_OBJECT) : NULL};
    const value *somewhere = object[1] ? call_op(c, OP_occurrences, 2, object) : NULL;
    for (int n = 2; n <= 3; n++) {
        const value *is = call_two(c, OP_equality, width, make_const(c, n, T_INT));
        is_place = is_place ? call_two(c, OP_either, is_place, is) : is;
    }
    return is_place && somewhere ? make_choice(c, is_place->step, somewhere, anywhere) : NULL;
}

/* What is no object is found wherever its box fits. */
const value *odd_occurrences(compiler *c, const value *const *arg) {
    type_code t = arg[1]->kind == V_DATA ? arg[1]->type : T_INT;
    int is_rows = t == T_GRID || (type_is_container(t) && type_element(t) == TYPE_INT_TUPLE);
    if (!c->safe || arg[1]->kind == V_CHOICE || !(is_rows || is_no_patch(arg[1]))) return NULL;
    const value *line[3] = {make_const(c, 0, T_INT), NULL, make_const(c, 1, T_INT)}, *places[2];
    for (int i = 0; i < 2; i++) {
        const value *most = call_one(c, i ? OP_width : OP_height, as_signature(c, arg[0], SIG_GRID));
        const value *own = call_word(c, OP_COUNT + (i ? WORD_width_f : WORD_height_f), 1, &arg[1]);
        line[1] = call_one(c, OP_increment, call_two(c, OP_subtract, most, own));
        if (!line[1] || !(places[i] = call_op(c, OP_interval, 3, line))) return NULL;
    }
    const value *anywhere = call_op(c, OP_product, 2, places);
    return anywhere && is_rows ? rows_occur(c, arg, anywhere) : anywhere;
}

/* Rows of more than three are no locations, so that they have the box of the origin, but they begin with two ints. */
const value *odd_subgrid(compiler *c, const value *const *arg) {
    const value *rows = c->safe && arg[0]->kind == V_DATA && type_is_rows(arg[0]->type) ? as_rows(c, arg[0]) : NULL;
    if (!rows || rows->type != T_GRID || type_element(arg[0]->type) == T_IJ) return NULL;
    const value *columns = as_container(c, call_one(c, OP_dmirror, rows)), *least[2];
    const value *wide = call_two(c, OP_greater, call_one(c, OP_width, rows), make_const(c, 3, T_INT));
    const value *inside = call_op(c, OP_subgrid_inside, 2, arg);
    for (int i = 0; i < 2; i++) {
        const value *nth[2] = {columns, make_const(c, i, T_INT)};
        const value *column = columns ? call_word(c, OP_COUNT + WORD_get_nth_t, 2, nth) : NULL;
        if (!(least[i] = call_one(c, OP_minimum, column))) return NULL;
    }
    const value *window[3] = {arg[1], make_tuple(c, 0, 2, least), make_const(c, ((int64_t)1 << 24) + 1, T_IJ)};
    const value *cell = window[1] ? call_word(c, OP_COUNT + WORD_crop, 3, window) : NULL;
    return wide && inside && cell ? make_choice(c, wide->step, cell, inside) : NULL;
}
