/* Odd calls: words of the tokpidjin dialect given what they were not made for, and which rule is for which.
 *
 * Python finds out what a value is when it is used: a colour that is painted nowhere, an offset by which nothing moves
 * or a number that no turn has may be anything, and any container of containers is read row by row. Which it is may be
 * known only to the lane, and then values of several types are a choice. Rules put the same together from ops that
 * look, a file for each kind of values (odd.h); here is only which op has which. */
#include "cl/word.h"
#include "compile/odd.h"

/* ---- of values as they were given ---- */

static int is_grid_beside_odd(const value *const *arg) {
    return (is_grid(arg[0]) && is_odd_grid(arg[1])) || (is_odd_grid(arg[0]) && is_grid(arg[1]));
}

/* Pairs are gone through one by one, and may be in a set. Of none of them the first number will do. */
static const value *mirror_of_set(compiler *c, const value *v) {
    if (c->safe && is_nothing(v)) return make_const(c, 0, T_INT);
    if (!c->safe || v->kind != V_DATA || type_head(v->type) != T_SET) return NULL;
    const value *pairs = as_tuple(c, v);
    return pairs ? call_word(c, OP_COUNT + WORD_a_mr, 1, &pairs) : NULL;
}

/* What is empty has no items to compute with, so that it is () again. In the text that is a pair that may be missing;
 * for each element it would be one that is. */
static int is_mapped_nothing(const compiler *c, const value *v) { return c->safe && is_nothing(v) && !is_in_text(c); }

static const value *colours_of(compiler *c, const word_row *w, const value *v) {
    return w->manner == MANNER_ROWS ? distinct(c, odd_items_of_rows(c, v)) : odd_palette(c, v);
}

static const value *rule_of_given(compiler *c, const word_row *w, const value *const *given) {
    switch (w->op) {
    case OP_p_g: return odd_colours(c, w, given[0]);
    case OP_get_nth: return odd_nth(c, w, given[0]);
    case OP_a_mr: return mirror_of_set(c, given[0]);
    case OP_toij: return odd_toij(c, given[0]);
    case OP_toivec:
    case OP_tojvec: return odd_vector(c, w->op, given[0]);
    case OP_asindices: return odd_asindices(c, given[0]);
    case OP_corners: return odd_corners(c, given[0]);
    case OP_delta: return odd_delta(c, given[0]);
    case OP_centerofmass: return odd_centerofmass(c, given[0]);
    case OP_uppermost:
    case OP_lowermost:
    case OP_leftmost:
    case OP_rightmost: return odd_side(c, w, given[0]);
    case OP_col_row: return odd_side_by_number(c, given);
    case OP_ascell: return odd_cell_of_any(c, given);
    case OP_celltuple: return odd_celltuple(c, given);
    case OP_toindices: {
        const value *places = odd_places(c, w, given[0]);
        return places || c->failed ? places : odd_toindices(c, w, given[0]);
    }
    case OP_recolor: return odd_recolor(c, w, given);
    case OP_sizefilter:
    case OP_sizefilter_tuple: return odd_sizefilter(c, w, given);
    case OP_color: return odd_color(c, given[0]);
    case OP_dedupe_pair_tuple: return odd_dedupe_pairs(c, given[0]);
    case OP_palette: return colours_of(c, w, given[0]);
    case OP_numcolors: return call_one(c, OP_size, colours_of(c, w, given[0]));
    case OP_colorcount: return odd_colour_count(c, w, given);
    case OP_mostcolor:
    case OP_leastcolor: return odd_common_colour(c, w, given[0]);
    case OP_square:
        if (w->manner == MANNER_PATCH) return odd_square(c, given[0]);
        return w->manner == MANNER_GRID ? odd_measure(c, w->op, given[0]) : NULL;
    case OP_width:
    case OP_shape:
    case OP_portrait: return w->manner == MANNER_GRID ? odd_measure(c, w->op, given[0]) : NULL;
    case OP_double: return is_mapped_nothing(c, given[0]) ? dead_value(c) : odd_arithmetic(c, w, given);
    case OP_invert:
    case OP_halve:
    case OP_increment:
    case OP_decrement:
    case OP_crement:
    case OP_sign: return is_mapped_nothing(c, given[0]) ? dead_value(c) : NULL;
    case OP_add:
    case OP_multiply: return odd_arithmetic(c, w, given);
    case OP_ulcorner:
    case OP_urcorner:
    case OP_llcorner:
    case OP_lrcorner:
    case OP_corner: return odd_corner(c, w, given);
    case OP_cellwise_filled: return odd_filled(c, given);
    case OP_get_color_rank:
        return w->manner == MANNER_ROWS ? odd_color_rank(c, given) : odd_color_rank_of_rows(c, given);
    case OP_vupscale: return odd_repeated(c, given);
    case OP_hmirror: return w->manner == MANNER_GRID ? odd_reversed(c, given[0]) : odd_mirrored_rows(c, w, given);
    case OP_vmirror:
    case OP_dmirror:
    case OP_cmirror: return odd_mirrored_rows(c, w, given);
    case OP_shift: return odd_shifted_rows(c, w, given);
    case OP_normalize: return odd_moved_rows(c, w, given);
    case OP_mir_rot_f: {
        const value *same = odd_mirror(c, w, given);
        return same || c->failed ? same : odd_moved_rows(c, w, given);
    }
    case OP_hconcat: return odd_rows_joined(c, given);
    case OP_merge: {
        const value *merged = odd_merged(c, given[0]);
        return merged || c->failed ? merged : odd_guests_merged(c, given[0]);
    }
    case OP_combine:
        if (w->manner == MANNER_ONLY_TUPLE) return odd_tuples_joined(c, given);
        if (w->manner == MANNER_ONLY_SET && !(is_of_kind(given[0], T_SET) && is_of_kind(given[1], T_SET))) return NULL;
        return odd_joined(c, given);
    case OP_vconcat: return is_grid_beside_odd(given) ? NULL : odd_tuples_joined(c, given);
    case OP_fill:
    case OP_cover: return odd_empty_rows(c, given[0]);
    case OP_replace:
    case OP_switch: return odd_replaced(c, w->op, given);
    case OP_tophalf:
    case OP_bottomhalf: return odd_half(c, w->op, given[0]);
    case OP_colorfilter: return odd_colorfilter(c, given[0], given[1]);
    default: return NULL;
    }
}

const value *odd_given(compiler *c, const word_row *w, const value *const *given) {
    const value *found = odd_unpacked_sets(c, w, given);
    if (!found && !c->failed) found = rule_of_given(c, w, given);
    if (!found && !c->failed) found = odd_run_on_cells(c, w, given);
    return found || c->failed ? found : odd_run_on_guests(c, w, given);
}

/* ---- of values as the word has taken them ---- */

const value *odd_taken(compiler *c, const word_row *w, const value *const *arg, const value *const *given) {
    switch (w->op) {
    case OP_add:
    case OP_subtract:
    case OP_multiply:
    case OP_divide: return odd_int_or_pair(c, w, arg, given);
    case OP_gravitate: return odd_gravitate(c, arg);
    case OP_occurrences: return odd_occurrences(c, arg);
    case OP_subgrid_inside: return odd_subgrid(c, arg);
    case OP_hperiod:
    case OP_vperiod: return odd_period(c, w->op, arg[0]);
    case OP_maximum:
    case OP_minimum: return c->safe && given[0]->kind == V_DATA ? odd_extreme(c, w->op, given[0]) : NULL;
    case OP_c_iz_n:
    case OP_c_zo_n: return odd_pick(c, w->op, arg);
    case OP_get_rank: return odd_rank(c, arg);
    case OP_mir_rot_t: return odd_turn(c, arg);
    case OP_mir_rot_f: return !may_be_int(arg[1]) || is_no_mirror(c, arg[1]) ? arg[0] : NULL;
    case OP_power: return odd_power(c, arg);
    case OP_difference: return odd_difference(c, arg);
    case OP_corner: return may_be_int(arg[1]) ? odd_number(c, w->op, arg) : call_one(c, OP_ulcorner, arg[0]);
    case OP_col_row: return may_be_int(arg[1]) ? odd_number(c, w->op, arg) : make_const(c, NONE, T_INT);
    case OP_manhattan: return odd_manhattan(c, arg);
    case OP_greater: return odd_greater(c, arg);
    case OP_position: return odd_position(c, arg);
    case OP_bordering: return odd_bordering(c, arg);
    case OP_recolor: return odd_paint(c, w->op, arg, 1);
    case OP_fill:
    case OP_underfill: return odd_paint(c, w->op, arg, 1 << 1);
    case OP_contained:
    case OP_remove: {
        const value *found = odd_sought_among_functions(c, arg[0], arg[1], w->op == OP_contained);
        return found || c->failed ? found : odd_look_for(c, w, arg, 0);
    }
    case OP_other:
    case OP_ofcolor:
    case OP_colorcount: return odd_look_for(c, w, arg, 1);
    case OP_asobject:
    case OP_is_no_grid: return odd_asked_for_grid(c, w->op, arg[0]);
    case OP_canvas: return arg[0]->kind == V_FUNCTION ? odd_paint(c, w->op, arg, 1) : NULL;
    case OP_ascell: return odd_cell(c, w, arg);
    case OP_cellwise_filled: return odd_paint(c, w->op, arg, 1 << 2);
    case OP_replace:
    case OP_switch: return odd_paint(c, w->op, arg, 3 << 1);
    case OP_vfrontier:
    case OP_hfrontier: return odd_frontier(c, w->op, given[0]);
    case OP_index: return odd_index(c, arg[0], arg[1]);
    case OP_move: return odd_move(c, arg);
    case OP_shift: return odd_shift(c, arg, given[1]);
    case OP_normalize: return odd_normalize(c, w, arg[0], given[0]);
    case OP_insert: return odd_insert(c, arg);
    case OP_equality: return odd_equality(c, arg);
    case OP_apply:
    case OP_mapply: return odd_uncalled(c, w, arg[0], arg[1]);
    case OP_sfilter: return w->answer == ANSWER_TUPLE ? odd_uncalled(c, w, arg[1], arg[0]) : NULL;
    case OP_extract:
    case OP_get_arg_rank: return w->empty == ANSWER_SET ? odd_uncalled(c, w, arg[1], arg[0]) : NULL;
    default: return NULL;
    }
}

/* ---- of what may be empty ---- */

const value *odd_where_empty(compiler *c, int callable, int count, const value *const *given, const value *wrong) {
    const value *tried[4];
    enum op_family family = op_rows[callable_word(callable)->op].family;
    if (count > 4 || family == FAMILY_function || family == FAMILY_higher || !is_in_text(c)) return wrong;
    const value *found = wrong;
    for (int i = 0; i < count; i++) tried[i] = given[i];
    for (int i = 0; i < count && found; i++) {
        const value *v = given[i];
        if (v->kind != V_DATA || !(v->type == T_GRID || type_is_container(v->type))) continue;
        if (v->type != T_GRID && type_element(v->type) == T_NEVER) continue;
        tried[i] = make_const(c, 0, type_container(v->type == T_GRID ? T_TUPLE : type_head(v->type), T_NEVER));
        const value *right = tried[i] ? call_word(c, callable, count, tried) : NULL;
        if (!right || !same_value(right, wrong)) found = where_some(c, v, found, right);
        tried[i] = v;
    }
    return found;
}
