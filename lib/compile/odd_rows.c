/* Words of the tokpidjin dialect for grids, of what is none: tuples of tuples of anything, sets of objects, pairs.
 *
 * Python reads any container of containers row by row, and counts, collects or compares what it finds there, ints or
 * not. Ops of the language take grids of ints only; here the same is put together from ops that take containers. What
 * is a grid, or may be one, never comes here. */
#include "cl/word.h"
#include "compile/compiler.h"

/* What is in the rows of a container whose rows are no ints, in order; NULL: it has none such. */
static const value *in_odd_rows(compiler *c, const value *v) {
    type_code row = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : 0;
    if (row != T_GRID && (!row || !type_is_container(row) || type_element(row) == T_NEVER)) return NULL;
    return row == TYPE_INT_TUPLE ? NULL : call_one(c, OP_merge, v);
}

static const value *as_tuple(compiler *c, const value *container) {
    return container ? make_data(c, container->step, type_tuple(type_element(container->type))) : NULL;
}

static const value *distinct(compiler *c, const value *container) { return container ? as_set(c, container) : NULL; }

/* ---- sizes ---- */

static int has_length(type_code t) { return t && t != T_INT && t != T_BOOL && t != T_NEVER; }

/* Items, and items of the first one: 0 of what has no length, or no first. NULL where the compiler cannot say. */
static const value *rows_in(compiler *c, const value *v) {
    if (v->kind == V_FUNCTION || is_int(v)) return make_const(c, 0, T_INT);
    return call_one(c, OP_size, v);
}
static const value *columns_in(compiler *c, const value *v) {
    if (v->kind != V_DATA) return v->kind == V_FUNCTION || v->kind == V_TUPLE ? make_const(c, 0, T_INT) : NULL;
    type_code first = type_head(v->type) == T_TUPLE    ? type_element(v->type)
                      : type_head(v->type) == T_RECORD ? type_field(v->type, 0)
                                                       : 0;
    if (!has_length(first) && !may_have_guests(c, v)) return make_const(c, 0, T_INT);
    const value *row = call_one(c, OP_first, v);
    return row ? or_instead(c, STAND_IN_ZERO, call_word(c, OP_COUNT + WORD_size, 1, &row)) : NULL;
}

static const value *measured(compiler *c, int op, const value *v) {
    if (!c->safe || v->kind == V_CHOICE || as_signature(c, v, SIG_GRID) || c->failed) return NULL;
    const value *size[2] = {rows_in(c, v), columns_in(c, v)};
    if (!size[0] || !size[1]) return NULL;
    switch (op) {
    case OP_width: return size[1];
    case OP_shape: return make_tuple(c, 0, 2, size);
    case OP_portrait: return call_two(c, OP_greater, size[0], size[1]);
    default: /* what is empty has no first row to compare with */
        return call_two(c, OP_both, as_truth(c, size[0]), call_two(c, OP_equality, size[0], size[1]));
    }
}

/* What is no set of locations may have the box of the origin, and some locations twice. */
static const value *square_of(compiler *c, const value *v) {
    if (!c->safe || v->kind == V_CHOICE || (v->kind == V_DATA && (v->type == TYPE_IJ_SET || v->type == TYPE_OBJECT)))
        return NULL;
    const value *height = call_word(c, OP_COUNT + WORD_height_f, 1, &v);
    const value *width = height ? call_word(c, OP_COUNT + WORD_width_f, 1, &v) : NULL;
    const value *is_full = call_two(c, OP_equality, call_two(c, OP_multiply, height, width), call_one(c, OP_size, v));
    return call_two(c, OP_both, is_full, call_two(c, OP_equality, height, width));
}

/* ---- colours ---- */

static int is_odd_grid(const value *v) {
    type_code row = v->kind == V_DATA && type_head(v->type) == T_TUPLE ? type_element(v->type) : 0;
    if (row == T_GRID) return 1;
    if (!row || type_head(row) != T_TUPLE) return 0;
    type_code cell = type_element(row);
    return cell != T_INT && cell != T_BOOL && cell != T_NEVER;
}

static int is_grid(const value *v) { return v->kind == V_DATA && v->type == T_GRID; }

/* In what is no grid, and has no row that could be taken for one, 0 is everywhere. */
static const value *agreeing_in_zeros(compiler *c, const value *const *arg) {
    type_code t = arg[1]->kind == V_DATA ? arg[1]->type : T_INT;
    int has_no_rows =
        t == T_INT || t == T_BOOL || t == T_IJ || t == T_CELL || t == TYPE_INT_TUPLE || type_head(t) == T_SET;
    if (!c->safe || arg[1]->kind == V_CHOICE || arg[2]->kind == V_CHOICE || !has_no_rows || !is_grid(arg[0]))
        return NULL;
    const value *zeros = call_two(c, OP_canvas, make_const(c, 0, T_INT), call_one(c, OP_shape, arg[0]));
    const value *given[3] = {arg[0], zeros, is_int(arg[2]) ? arg[2] : as_guest(c, arg[2])};
    return zeros && given[2] ? call_op(c, OP_cellwise_filled, 3, given) : NULL;
}

/* v -> how often the tuple has it. */
static const value *count_in(compiler *c, const value *tuple) {
    const value *equal = make_function(c, F_LBIND, 2, make_op(c, OP_matcher), make_op(c, OP_identity), NULL);
    const value *kept = make_function(c, F_LBIND, 2, make_op(c, OP_sfilter), tuple, NULL);
    return c->failed ? NULL : make_function(c, F_CHAIN, 3, make_op(c, OP_size), kept, equal);
}

/* What is in the rows, by descending count, then as it comes, at a rank. */
static const value *at_color_rank(compiler *c, const value *const *arg) {
    const value *all = as_tuple(c, in_odd_rows(c, arg[0]));
    const value *by_count[3] = {call_one(c, OP_dedupe, all), all ? count_in(c, all) : NULL, arg[1]};
    return by_count[0] && by_count[1] ? call_op(c, OP_get_arg_rank, 3, by_count) : NULL;
}

/* ---- rows side by side ---- */

static int is_tuple_type(type_code t) {
    return t == T_GRID || t == T_IJ || t == T_CELL || type_head(t) == T_TUPLE || type_head(t) == T_RECORD;
}

/* The rows of any container that has tuples in it; NULL: it has none. */
static const value *tuples_in(compiler *c, const value *v) {
    const value *container = v->kind == V_DATA ? as_container(c, v) : NULL;
    return container && is_tuple_type(type_element(container->type)) ? as_tuple(c, container) : NULL;
}

/* Row by row, as many as both have, whatever they are rows of. */
static const value *joined_rows(compiler *c, const value *const *arg) {
    const value *rows[2] = {tuples_in(c, arg[0]), tuples_in(c, arg[1])};
    if (!rows[0] || !rows[1] || (is_grid(arg[0]) && is_grid(arg[1]))) return NULL;
    const value *grid[2] = {as_rows(c, rows[0]), as_rows(c, rows[1])};
    if (grid[0] && grid[1] && is_grid(grid[0]) && is_grid(grid[1])) return call_op(c, OP_hconcat, 2, grid);
    if (!type_unify(rows[0]->type, rows[1]->type)) return NULL; /* one has guests to the other */
    const value *given[3] = {make_op(c, OP_combine), rows[0], rows[1]};
    return c->failed ? NULL : call_op(c, OP_papply, 3, given);
}

/* A tuple that has functions in it, as one of guests; any other value as it is. */
static const value *as_guests_if_functions(compiler *c, const value *v) {
    const value *item[MAX_STATIC];
    if (!c->safe || v->kind != V_TUPLE || v->is_set || !static_fits(c, v->count)) return v;
    for (int i = 0; i < v->count; i++)
        if (!(item[i] = is_int(v->part[i]) ? v->part[i] : as_guest(c, v->part[i]))) return c->failed ? NULL : v;
    return make_list(c, v->count, item);
}

/* Two containers of what has no common type are one of guests, unless either is empty; NULL: these are not such. */
static const value *joined_apart(compiler *c, const value *const *arg) {
    const value *a = as_container(c, arg[0]), *b = a ? as_container(c, arg[1]) : NULL, *either[2] = {a, b};
    if (!c->safe || !b || !is_in_text(c) || type_unify(type_element(a->type), type_element(b->type))) return NULL;
    const value *some = as_truth(c, a), *more = as_truth(c, b), *guests[2] = {as_guests(c, a), as_guests(c, b)};
    const value *both = guests[0] && guests[1] ? call_op(c, OP_combine, 2, guests) : NULL;
    if (!both && !c->failed) both = call_op(c, OP_combine, 2, either);
    const value *second = type_head(a->type) == T_SET ? distinct(c, b) : as_tuple(c, b);
    if (!some || !more || !both || !second) return NULL;
    const value *first = make_choice(c, more->step, both, a);
    return first ? make_choice(c, some->step, first, second) : NULL;
}

static int has_functions(const value *v) { return v->kind >= V_TUPLE; }

/* A container that has functions in it as ints, of which those stand for functions; NULL: it cannot be. */
static const value *functions_as_guests(compiler *c, const value *v) {
    if (v->kind != V_TUPLE) return NULL;
    const value *ints = v->is_set ? set_of_guests(c, v->count, v->part) : as_guests_if_functions(c, v);
    return ints && ints->kind == V_DATA ? ints : NULL;
}

/* Functions and data, which is known only to be some or none: where there is none, the functions are all there is. What
 * comes of it is of the first one's kind. */
static const value *joined_with_functions(compiler *c, const value *const *arg) {
    int last = has_functions(arg[1]);
    const value *functions = arg[last], *data = as_container(c, arg[!last]), *joined[2];
    if (!c->safe || !data || has_functions(arg[0]) == last || !is_in_text(c)) return NULL;
    const value *alone = last ? of_kind(c, functions, type_head(data->type)) : functions, *some = as_truth(c, data);
    if (!alone || !some) return NULL;
    if (type_element(data->type) == T_NEVER) return alone;
    int is_never_empty = item_of_tuple(c, data, 0) != NULL;
    joined[last] = functions_as_guests(c, functions);
    joined[!last] = joined[last] ? as_guests(c, data) : NULL;
    const value *both = joined[!last] ? call_op(c, OP_combine, 2, joined) : NULL;
    if (!both && !c->failed) both = dead_value(c);
    return both && !is_never_empty ? make_choice(c, some->step, both, alone) : both;
}

/* Tuples one after the other; where both are grids, or may be, that is the op's. */
static const value *joined_tuples(compiler *c, const value *const *given) {
    if (!is_of_kind(given[0], T_TUPLE) || !is_of_kind(given[1], T_TUPLE)) return NULL;
    const value *with_functions = joined_with_functions(c, given);
    if (with_functions || c->failed) return with_functions;
    const value *arg[2] = {as_guests_if_functions(c, given[0]), as_guests_if_functions(c, given[1])};
    if (!arg[0] || !arg[1] || (given[0]->kind == V_TUPLE && given[1]->kind == V_TUPLE)) return NULL;
    if (c->safe && is_int(arg[0]) && is_int(arg[1])) return call_op(c, OP_add, 2, arg); /* as Python joins these */
    for (int i = 0; i < 2; i++)
        if (arg[i]->kind != V_DATA || !is_tuple_type(arg[i]->type)) return NULL;
    if (type_is_rows(arg[0]->type) && type_is_rows(arg[1]->type)) return NULL;
    const value *apart = joined_apart(c, arg);
    return apart || c->failed ? apart : call_op(c, OP_combine, 2, arg);
}

static const value *joined_anything(compiler *c, const value *const *given) {
    const value *with_functions = joined_with_functions(c, given);
    return with_functions || c->failed ? with_functions : joined_apart(c, given);
}

static int is_grid_beside_odd(const value *const *arg) {
    return (is_grid(arg[0]) && is_odd_grid(arg[1])) || (is_odd_grid(arg[0]) && is_grid(arg[1]));
}

/* Each item so many times. */
static const value *repeated_items(compiler *c, const value *const *arg) {
    const value *rows = arg[0]->kind == V_DATA && !is_grid(arg[0]) ? as_rows(c, arg[0]) : NULL;
    const value *container = rows && !is_grid(rows) && c->safe ? as_tuple(c, as_container(c, arg[0])) : NULL;
    if (!container || !is_int(arg[1])) return NULL;
    const value *given[2] = {make_function(c, F_RBIND, 2, make_op(c, OP_repeat), arg[1], NULL), container};
    return given[0] ? call_op(c, OP_mapply, 2, given) : NULL;
}

static const value *reversed_fields(compiler *c, const value *record) {
    const value *item[15];
    int count = field_count(c, record);
    for (int i = 0; i < count; i++)
        if (!(item[i] = field_of(c, record, count - 1 - i))) return NULL;
    return make_tuple(c, 0, count, item);
}

/* A tuple that is no grid, from its end on. */
static const value *reversed(compiler *c, const value *v) {
    if (!c->safe || v->kind != V_DATA || !is_tuple_type(v->type) || type_is_rows(v->type)) return NULL;
    if (type_head(v->type) == T_RECORD) return reversed_fields(c, v);
    const value *list = as_container(c, v);
    return list ? make_data(c, emit_kernel1(c, KERNEL_reverse, 0, list->step), list->type) : NULL;
}

/* ---- pieces ---- */

/* Objects that are tuples may be in a set; a grid is one, of its rows. */
static const value *tuples_of_colour(compiler *c, const value *objects, const value *colour) {
    const value *container = objects->kind == V_DATA ? as_container(c, objects) : NULL;
    type_code e = container ? type_element(container->type) : 0;
    if (e != type_tuple(T_CELL) && (e != T_GRID || !c->safe)) return NULL;
    return distinct(c, call_two(c, OP_colorfilter_tuple, as_tuple(c, container), colour));
}

/* The items of a tuple that is no grid, from a place on and before another. */
static const value *items_between(compiler *c, const value *list, const value *from, const value *to) {
    const value *line[3] = {from, to, make_const(c, 1, T_INT)}, *places = call_op(c, OP_interval, 3, line);
    const value *pick[2] = {make_function(c, F_LBIND, 2, make_op(c, OP_COUNT + WORD_get_nth_t), list, NULL), places};
    return pick[0] && places ? call_op(c, OP_apply, 2, pick) : NULL;
}

static const value *half_of(compiler *c, int op, const value *v) {
    if (!c->safe || v->kind != V_DATA || !is_tuple_type(v->type) || type_is_rows(v->type)) return NULL;
    const value *list = as_container(c, v), *size = call_one(c, OP_size, list), *half = call_one(c, OP_halve, size);
    if (!half) return NULL;
    if (op == OP_tophalf) return items_between(c, list, make_const(c, 0, T_INT), half);
    return items_between(c, list, call_two(c, OP_subtract, size, half), size);
}

/* ---- as a grid ---- */

static int takes_grid(const word_row *w, int position) {
    if (op_rows[w->op].argument[position] == SIG_GRID) return 1;
    return position == 0 && (w->manner == MANNER_GRID || w->manner == MANNER_ROWS);
}

/* Whether an op puts cells of one grid elsewhere, and does no more. */
static int only_moves(int op) {
    switch (op) {
    case OP_hmirror:
    case OP_vmirror:
    case OP_dmirror:
    case OP_cmirror:
    case OP_mir_rot_t:
    case OP_rot90:
    case OP_rot180:
    case OP_rot270:
    case OP_tophalf:
    case OP_bottomhalf:
    case OP_lefthalf:
    case OP_righthalf:
    case OP_trim:
    case OP_crop_inside:
    case OP_subgrid_inside:
    case OP_upscale:
    case OP_hupscale:
    case OP_vupscale:
    case OP_downscale:
    case OP_compress: return 1;
    default: return 0;
    }
}

/* Whether rows are in a set, or are sets, which words do not mind that only go through them. */
static int is_odd_set(const word_row *w, const value *v) {
    const value *is = w->manner == MANNER_ROWS ? v : NULL;
    if (!is || is->kind != V_DATA || !type_is_container(is->type)) return 0;
    type_code row = type_element(is->type);
    int by_place = w->op == OP_vmirror || w->op == OP_colorcount; /* which looks into rows otherwise */
    if (type_head(row) == T_SET ? by_place : type_head(is->type) == T_TUPLE) return 0;
    return row == T_GRID || (type_is_container(row) && row != TYPE_INT_TUPLE && type_element(row) != T_NEVER);
}

/* The word on a grid that has guests in the place of what is no int; NULL: there is no such argument. */
static const value *run_on_guests(compiler *c, const word_row *w, const value *const *given) {
    const value *arg[4], *rows = NULL;
    for (int i = 0; i < op_rows[w->op].arity; i++) {
        arg[i] = given[i];
        if (!takes_grid(w, i) || !(is_odd_grid(given[i]) || (i == 0 && is_odd_set(w, given[i])))) continue;
        if (!(arg[i] = as_grid_of_guests(c, given[i]))) return NULL;
        rows = given[i];
    }
    if (!rows) return NULL;
    const value *made = call_word(c, OP_COUNT + (int)(w - word_rows), op_rows[w->op].arity, arg);
    int is_apart = made && is_odd_grid(rows) && only_moves(w->op) && is_grid(made);
    return is_apart ? grid_of_guests_apart(c, made, rows) : made;
}

/* ---- as a patch ---- */

/* A patch of rows has cells if they are of three ints. How many there are, only the lane knows. */
static const value *moved_rows(compiler *c, const word_row *w, const value *const *given) {
    const value *rows = c->safe && given[0]->kind == V_DATA ? as_rows(c, given[0]) : NULL;
    if (!rows || !is_grid(rows) || type_element(given[0]->type) == T_NEVER || given[0]->type == T_IJ) return NULL;
    if (type_is_container(given[0]->type) && type_element(given[0]->type) != TYPE_INT_TUPLE) return NULL;
    const value *width = call_one(c, OP_width, rows);
    const value *is_three = width ? call_two(c, OP_equality, width, make_const(c, 3, T_INT)) : NULL;
    const value *patch[2] = {as_signature(c, rows, SIG_OBJECT), rows_as_patch(c, rows, ROWS_OF_TWO)}, *moved[2];
    for (int i = 0; i < 2; i++) {
        const value *arg[4] = {patch[i], op_rows[w->op].arity > 1 ? given[1] : NULL};
        if (!is_three || !patch[i]) return NULL;
        moved[i] = call_word(c, OP_COUNT + (int)(w - word_rows), op_rows[w->op].arity, arg);
        if (!moved[i]) return NULL;
    }
    if (is_in_text(c) || moved[0]->kind != V_DATA || moved[1]->kind != V_DATA)
        return make_choice(c, is_three->step, moved[0], moved[1]);
    /* Elements of a container are of one type. */
    for (int i = 0; i < 2; i++)
        if (!(moved[i] = convert_to(c, moved[i], TYPE_MIX_SET))) return NULL;
    uint32_t step[3] = {is_three->step, moved[0]->step, moved[1]->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_MIX_SET);
}

/* What is shifted by () stays what it is. */
static const value *shifted_rows(compiler *c, const word_row *w, const value *const *given) {
    const value *moved = moved_rows(c, w, given), *offset = given[1], *some, *stays;
    if (!moved || !is_in_text(c) || offset->kind != V_DATA || !(some = as_truth(c, given[0]))) return moved;
    int is_nothing = offset->type == type_tuple(T_NEVER);
    if (!is_nothing && (offset->type != T_IJ || ij_is_whole(c, offset))) return moved;
    stays = make_choice(c, some->step, given[0], make_const(c, 0, type_set(T_NEVER)));
    if (is_nothing || !stays) return stays;
    uint32_t missing = emit_kernel2(c, KERNEL_equality, T_IJ, offset->step, emit_const(c, EMPTY_IJ));
    return make_choice(c, missing, stays, moved);
}

/* What is no tuple has no item at a place of a tuple, and that is nan. */
static const value *nth_of_none(compiler *c, const word_row *w, const value *v) {
    int is_none = is_int(v) || v->kind == V_FUNCTION || (v->kind != V_CHOICE && !is_of_kind(v, T_TUPLE));
    return c->safe && is_none && w->manner == MANNER_ONLY_TUPLE ? make_const(c, NONE, T_INT) : NULL;
}

int is_no_mirror(const compiler *c, const value *v) {
    int64_t number;
    return c->safe && is_int(v) && step_is_const(c, v->step, &number) && (number < 0 || number > 3);
}

static const value *mirrored_rows(compiler *c, const word_row *w, const value *const *given) {
    return w->manner == MANNER_PATCH || w->manner == MANNER_INDICES ? moved_rows(c, w, given) : NULL;
}

/* Rows of three are cells; of another length they are what they are, as other containers of what has a length. */
static const value *places_of_rows(compiler *c, const word_row *w, const value *v) {
    int may_be_rows = v->kind == V_DATA &&
                      (v->type == T_GRID || (type_is_container(v->type) && type_element(v->type) == TYPE_INT_TUPLE));
    const value *rows = w->manner == MANNER_AS_IS && c->safe && is_in_text(c) && may_be_rows ? as_rows(c, v) : NULL;
    const value *places = rows ? call_one(c, OP_toindices, as_signature(c, rows, SIG_OBJECT)) : NULL;
    const value *first = rows ? call_one(c, OP_width, rows) : NULL, *some = rows ? as_truth(c, rows) : NULL;
    const value *is_cells = call_two(c, OP_equality, first, make_const(c, 3, T_INT));
    if (!places || !is_cells || !some) return NULL;
    const value *itself = make_choice(c, some->step, v, make_const(c, 0, TYPE_IJ_SET));
    return itself ? make_choice(c, is_cells->step, places, itself) : NULL;
}

/* Of what has no rows but items: nothing is in it but where there are none. */
static const value *no_colours(compiler *c, const value *v, int is_object) {
    const value *container = c->safe && is_in_text(c) && v->kind == V_DATA ? as_container(c, v) : NULL;
    type_code e = container ? type_element(container->type) : 0;
    if (!e || e == T_NEVER || (e != T_INT && e != T_BOOL && !(is_object && e == T_IJ))) return NULL;
    const value *some = as_truth(c, container);
    return some ? make_choice(c, some->step, make_const(c, 0, type_set(T_NEVER)), make_const(c, 0, type_tuple(T_NEVER)))
                : NULL;
}

static const value *colours_in(compiler *c, const word_row *w, const value *v) {
    const value *all = w->manner == MANNER_ROWS ? as_tuple(c, distinct(c, in_odd_rows(c, v))) : NULL;
    return all || c->failed ? all : no_colours(c, v, w->manner == MANNER_OBJECT);
}

/* Rows of three are cells, in their order. */
static const value *color_rank_of_rows(compiler *c, const value *const *given) {
    const value *rows = c->safe && is_grid(given[0]) ? given[0] : NULL;
    const value *columns = rows ? as_container(c, call_one(c, OP_dmirror, rows)) : NULL;
    const value *nth[2] = {columns, make_const(c, 2, T_INT)};
    const value *last = columns ? call_word(c, OP_COUNT + WORD_get_nth_t, 2, nth) : NULL;
    const value *colours[2] = {last ? as_rows(c, call_one(c, OP_initset, last)) : NULL, given[1]};
    const value *rank = colours[0] ? call_op(c, OP_get_color_rank, 2, colours) : NULL;
    const value *is_cells = call_two(c, OP_equality, call_one(c, OP_width, rows), make_const(c, 3, T_INT));
    if (!rank || rank->kind != V_DATA || !is_cells) return NULL;
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, rank->step, is_cells->step), T_INT);
}

static const value *run_on_rows(compiler *c, const word_row *w, const value *const *given) {
    switch (w->op) {
    case OP_p_g: return colours_in(c, w, given[0]);
    case OP_get_nth: return nth_of_none(c, w, given[0]);
    case OP_toindices: return places_of_rows(c, w, given[0]);
    case OP_palette: return w->manner == MANNER_ROWS ? distinct(c, in_odd_rows(c, given[0])) : NULL;
    case OP_numcolors:
        return w->manner == MANNER_ROWS ? call_one(c, OP_size, distinct(c, in_odd_rows(c, given[0]))) : NULL;
    case OP_mostcolor:
    case OP_leastcolor:
        if (w->manner != MANNER_ROWS) return NULL;
        return call_one(c, w->op == OP_mostcolor ? OP_mostcommon : OP_leastcommon,
                        as_tuple(c, in_odd_rows(c, given[0])));
    case OP_square:
        if (w->manner == MANNER_PATCH) return square_of(c, given[0]);
        return w->manner == MANNER_GRID ? measured(c, w->op, given[0]) : NULL;
    case OP_width:
    case OP_shape:
    case OP_portrait: return w->manner == MANNER_GRID ? measured(c, w->op, given[0]) : NULL;
    case OP_add:
    case OP_multiply:
    case OP_double: return run_odd_numbers(c, w, given);
    case OP_ulcorner:
    case OP_urcorner:
    case OP_llcorner:
    case OP_lrcorner:
    case OP_corner: return run_odd_corners(c, w, given);
    case OP_cellwise_filled: return agreeing_in_zeros(c, given);
    case OP_get_color_rank: return w->manner == MANNER_ROWS ? at_color_rank(c, given) : color_rank_of_rows(c, given);
    case OP_vupscale: return repeated_items(c, given);
    case OP_hmirror: return w->manner == MANNER_GRID ? reversed(c, given[0]) : mirrored_rows(c, w, given);
    case OP_vmirror:
    case OP_dmirror:
    case OP_cmirror: return mirrored_rows(c, w, given);
    case OP_shift: return shifted_rows(c, w, given);
    case OP_normalize: return moved_rows(c, w, given);
    case OP_mir_rot_f: return is_no_mirror(c, given[1]) ? given[0] : moved_rows(c, w, given);
    case OP_hconcat: return joined_rows(c, given);
    case OP_combine:
        if (w->manner == MANNER_ONLY_TUPLE) return joined_tuples(c, given);
        if (w->manner == MANNER_ONLY_SET && !(is_of_kind(given[0], T_SET) && is_of_kind(given[1], T_SET))) return NULL;
        return joined_anything(c, given);
    case OP_vconcat: return is_grid_beside_odd(given) ? NULL : joined_tuples(c, given);
    case OP_tophalf:
    case OP_bottomhalf: return half_of(c, w->op, given[0]);
    case OP_colorfilter: return tuples_of_colour(c, given[0], given[1]);
    default: return NULL;
    }
}

const value *run_odd_rows(compiler *c, const word_row *w, const value *const *given) {
    const value *found = run_on_rows(c, w, given);
    return found || c->failed ? found : run_on_guests(c, w, given);
}
