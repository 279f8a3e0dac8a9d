/* Words of the tokpidjin dialect that do not look at all of their arguments, or not for what they are.
 *
 * Python finds out what a value is when it is used: a colour that is painted nowhere, an offset by which nothing moves
 * or a number that no turn has may be anything. Which it is may be known only to the lane, and then values of several
 * types are a choice. Here the same is put together from ops that look. */
#include "cl/guest.h"
#include "cl/word.h"
#include "compile/compiler.h"

static const value *empty_set(compiler *c) { return make_const(c, 0, type_set(T_NEVER)); }

/* What an op of two arguments yields, or if it cannot be called with these, an empty set, as words for it do. */
static const value *try_op(compiler *c, int op, const value *const *arg) {
    int depth = c->depth;
    const value *result = call_op(c, op, 2, arg);
    if (result || c->fatal) return result;
    c->failed = 0;
    c->depth = depth;
    return empty_set(c);
}

/* ---- colours ---- */

static int is_nothing(const value *v) {
    return v->kind == V_DATA && type_is_container(v->type) && type_element(v->type) == T_NEVER;
}

static int may_be_int(const value *v) { return is_int(v) || v->kind == V_CHOICE; }

/* Painted with what is no int, a grid or a patch has that in it. */
static const value *paint_anything(compiler *c, int op, const value *const *arg, unsigned colours) {
    const value *given[4];
    int is_odd = 0;
    for (int i = 0; i < op_rows[op].arity; i++) {
        given[i] = arg[i];
        if (!(colours >> i & 1) || may_be_int(arg[i])) continue;
        if (!(given[i] = as_guest(c, arg[i]))) return NULL;
        is_odd = 1;
    }
    return is_odd ? call_op(c, op, op_rows[op].arity, given) : NULL;
}

/* Where something else than ints may be among ints, what is looked for may be such a thing. */
static const value *look_for_anything(compiler *c, const word_row *w, const value *const *arg, int sought) {
    const value *given[2] = {arg[0], arg[1]};
    if (!c->safe || arg[sought]->kind == V_CHOICE || is_int(arg[sought])) return NULL;
    const value *among = arg[!sought]->kind == V_DATA ? arg[!sought] : NULL;
    if (among && type_head(among->type) == T_RECORD) among = given[!sought] = as_container(c, among);
    if (!among || !may_have_guests(c, among) || !(given[sought] = as_guest(c, arg[sought]))) return NULL;
    return call_op(c, w->op, 2, given);
}

/* A grid that has something else than ints in it is none to who asks. */
static const value *asked_for_grid(compiler *c, int op, const value *grid) {
    if (grid->kind != V_DATA || grid->type != T_GRID || !may_have_guests(c, grid)) return NULL;
    const value *is_none = has_guest(c, grid), *object = op == OP_asobject ? call_one(c, op, grid) : NULL;
    if (!is_none || !object) return is_none;
    uint32_t step[3] = {is_none->step, emit_const(c, 0), object->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_OBJECT);
}

/* ---- pairs ---- */

/* Beside a grid, whatever the column is, there is none; inside the call fails for a column that is no int. */
static const value *index_beside(compiler *c, const value *grid, const value *place) {
    const value *rows = as_signature(c, grid, SIG_GRID), *row = field_of(c, place, 0);
    if (!rows || !row || !is_int(row)) return NULL;
    uint32_t below = emit_kernel2(c, KERNEL_greater, 0, emit_const(c, 0), row->step);
    uint32_t height = emit_kernel1(c, KERNEL_height_grid, 0, rows->step);
    uint32_t above = emit_kernel1(c, KERNEL_flip, 0, emit_kernel2(c, KERNEL_greater, 0, height, row->step));
    uint32_t beside = emit_kernel2(c, KERNEL_either, 0, below, above);
    uint32_t is_right =
        emit_kernel2(c, KERNEL_both, 0, beside, emit_kernel2(c, KERNEL_greater, 0, height, emit_const(c, 0)));
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, emit_const(c, NONE), is_right), T_INT);
}

/* At what is no pair there is nothing: at () none, at all else the call fails. */
static const value *index_nowhere(compiler *c, const value *grid, const value *place) {
    if (is_record_of_two(place)) return index_beside(c, grid, place);
    int is_tuple = place->kind == V_DATA && (place->type == T_GRID || type_head(place->type) == T_TUPLE);
    if (!is_tuple || (type_join(type_element(place->type), T_INT) && type_element(place->type) != T_NEVER)) return NULL;
    uint32_t step[3] = {as_truth(c, place)->step, emit_const(c, 0), emit_const(c, NONE)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
}

static int may_lack(const compiler *c, const value *v) {
    return v->kind == V_DATA && v->type == T_IJ && !ij_is_whole(c, v);
}

/* Whether a pair is missing, told where the pair itself is: so of elements that all have to do with one pair it is one
 * choice for them all. */
static uint32_t is_missing(compiler *c, const value *pair) {
    uint32_t saved = enter_scope_of(c, pair);
    uint32_t missing = emit_kernel2(c, KERNEL_equality, T_IJ, pair->step, emit_const(c, EMPTY_IJ));
    c->scope = saved;
    return missing;
}

/* A missing pair counts as an int, so that two of them, or one and an int, make an int: which it is, only the lane
 * knows. `pairs` are the arguments as pairs, `given` as they were; NULL if what comes of it is one or the other for
 * certain, or may be either for each element of a container. */
static const value *int_or_pair(compiler *c, const word_row *w, const value *const *pairs, const value *const *given) {
    const value *ints[2];
    uint32_t missing = 0;
    if (!c->safe) return NULL;
    for (int i = 0; i < 2; i++) {
        ints[i] = is_int(pairs[i]) ? pairs[i] : make_const(c, w->manner - MANNER_PAIR_0, T_INT);
        if (is_int(pairs[i])) continue;
        const value *pair = as_pair_if_some(c, given[i], SIG_IJ_LONG);
        if (!pair || !may_lack(c, pair)) return NULL;
        if (!is_in_text(c) && c->steps[pair->step].scope > SCOPE_LANES) return NULL;
        missing = missing ? emit_kernel2(c, KERNEL_both, 0, missing, is_missing(c, pair)) : is_missing(c, pair);
    }
    if (!missing) return NULL;
    const value *as_int = call_two(c, w->op, ints[0], ints[1]), *as_pair = call_two(c, w->op, pairs[0], pairs[1]);
    return as_int && as_pair ? make_choice(c, missing, as_int, as_pair) : NULL;
}

/* At what is no pair of ints but has two items, the frontier has the item itself. */
static const value *frontier_of(compiler *c, int op, const value *v) {
    const value *tuple = v->kind == V_DATA && !is_nothing(v) ? as_container(c, v) : NULL;
    if (!c->safe || !tuple || type_head(tuple->type) != T_TUPLE || v->type == T_IJ || v->type == T_CELL) return NULL;
    uint32_t place = emit_const(c, op == OP_vfrontier);
    const value *item = make_data(c, emit_kernel2(c, KERNEL_nth, 0, tuple->step, place), type_element(tuple->type));
    uint32_t line[3] = {emit_const(c, 0), emit_const(c, 30), emit_const(c, 1)};
    const value *all = make_data(c, emit_kernel(c, KERNEL_interval, 0, 3, line), type_set(T_INT));
    const value *one = call_one(c, OP_initset, item);
    return op == OP_vfrontier ? call_two(c, OP_product, all, one) : call_two(c, OP_product, one, all);
}

/* ---- patches ---- */

static int is_set_patch(const value *v) {
    return v->kind == V_DATA && (v->type == TYPE_IJ_SET || v->type == TYPE_OBJECT || v->type == type_set(T_NEVER));
}

static int is_kept_true(const compiler *c, const value *v) {
    return is_kept(c, v) && c->steps[v->step].fails & FAILS_KEEP_TRUE;
}

/* What is shifted by () is what it was, whatever that is; what is false is no patch, and nothing then. */
static const value *shift_by_nothing(compiler *c, const value *v) {
    if (is_kept_true(c, v)) return v;
    const value *some = as_truth(c, v), *none = empty_set(c);
    return some && none ? make_choice(c, some->step, v, none) : NULL;
}

static const value *shift_or_stay(compiler *c, const value *const *arg, const value *offset) {
    int is_by_nothing = is_nothing(offset) && type_head(offset->type) == T_TUPLE;
    if (c->safe && is_by_nothing && arg[0]->kind == V_DATA && type_head(arg[0]->type) == T_SET &&
        !is_kept_true(c, arg[0]))
        return arg[0]; /* an empty set or not */
    if (!c->safe || !is_in_text(c)) return NULL;
    if (arg[0]->kind == V_FUNCTION) return is_by_nothing ? arg[0] : NULL;
    if (arg[0]->kind != V_DATA) return NULL;
    if (is_set_patch(arg[0]) && !is_kept_true(c, arg[0])) return NULL;
    if (is_by_nothing) return shift_by_nothing(c, arg[0]);
    if (!may_lack(c, offset)) return NULL;
    uint32_t missing = emit_kernel2(c, KERNEL_equality, T_IJ, offset->step, emit_const(c, EMPTY_IJ));
    const value *here = shift_by_nothing(c, arg[0]), *there = here ? try_op(c, OP_shift, arg) : NULL;
    return there ? make_choice(c, missing, here, there) : NULL;
}

/* What has colours has no uppermost location without, and the other way round: it stays where it is. Rows of three are
 * cells. */
static const value *normalize_other(compiler *c, const word_row *w, const value *v, const value *given) {
    if (c->safe && is_nothing(given)) return given;
    int is_places = given->kind == V_DATA && type_is_container(given->type) && type_element(given->type) == T_IJ;
    int may_be_rows = w == &word_rows[WORD_normalize_o] && given->kind == V_DATA && !is_places;
    const value *rows = may_be_rows ? as_rows(c, given) : NULL;
    if (c->safe && rows && rows->type == T_GRID) return call_one(c, OP_normalize, as_signature(c, rows, SIG_OBJECT));
    type_code e = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : T_NEVER;
    int is_other =
        (w == &word_rows[WORD_normalize_i] && e == T_CELL) || (w == &word_rows[WORD_normalize_o] && e == T_IJ);
    return is_other && c->safe ? as_set(c, v) : NULL;
}

/* Where what is moved is no object, or by what is no pair, each part of that has a default of its own. */
static const value *move_in_parts(compiler *c, const value *const *arg) {
    int is_usual = arg[1]->kind == V_DATA && arg[1]->type == TYPE_OBJECT && arg[2]->kind == V_DATA &&
                   arg[2]->type == T_IJ && ij_is_whole(c, arg[2]) && !is_kept(c, arg[1]);
    if (!c->safe || is_usual) return NULL;
    const value *covered = call_word(c, OP_COUNT + WORD_cover, 2, arg);
    const value *moved[2] = {covered, covered ? call_word(c, OP_COUNT + WORD_shift, 2, arg + 1) : NULL};
    return moved[1] ? call_word(c, OP_COUNT + WORD_paint, 2, moved) : NULL;
}

/* Whether a patch touches the upper or left edge does not depend on the grid. */
static const value *bordering_nothing(compiler *c, const value *const *arg) {
    const value *grid = arg[1]->kind == V_CHOICE ? arg[1] : as_signature(c, arg[1], SIG_GRID);
    return grid || c->failed ? NULL : call_two(c, OP_bordering, arg[0], make_const(c, 0, T_GRID));
}

/* Whether a value is no patch, nor empty. */
static int is_no_patch(const value *v) {
    if (v->kind != V_DATA || !type_is_container(v->type)) return v->kind != V_DATA || v->type != T_GRID;
    type_code e = type_element(v->type);
    return e != T_IJ && e != T_CELL && e != T_MIX && e != T_NEVER && e != TYPE_INT_TUPLE;
}

/* What is no patch has the box of the origin, and is never met: it goes on as far as that goes. */
static const value *gravitate_past(compiler *c, const value *const *arg) {
    const value *from = call_word(c, OP_COUNT + WORD_center, 1, &arg[0]);
    const value *to = call_word(c, OP_COUNT + WORD_center, 1, &arg[1]);
    if (!from || !to || from->kind != V_DATA || to->kind != V_DATA || from->type != T_IJ || to->type != T_IJ)
        return NULL;
    uint32_t column[2] = {emit_kernel1(c, KERNEL_ij_last, 0, from->step), emit_kernel1(c, KERNEL_ij_last, 0, to->step)};
    uint32_t step[3] = {emit_kernel2(c, KERNEL_greater, 0, column[1], column[0]), emit_const(c, 42),
                        emit_const(c, -42)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_IJ);
}

/* Towards nothing the patch itself is the answer, if there is one; where that must be a pair, it is none. */
static const value *gravitate_or_stay(compiler *c, const value *const *arg) {
    if (!c->safe || arg[0]->kind == V_CHOICE || arg[1]->kind == V_CHOICE) return NULL;
    const value *some = as_truth(c, arg[0]), *somewhere = as_truth(c, arg[1]);
    if (!some || !somewhere) return NULL;
    if (is_no_patch(arg[0]) || is_no_patch(arg[1])) {
        const value *past = gravitate_past(c, arg);
        return past ? make_choice(c, somewhere->step, past, arg[0]) : NULL;
    }
    const value *offset = call_two(c, OP_gravitate, arg[0], arg[1]);
    if (!offset) return NULL;
    uint32_t nowhere = emit_kernel2(c, KERNEL_both, 0, some->step, emit_kernel1(c, KERNEL_flip, 0, somewhere->step));
    if (is_in_text(c)) return make_choice(c, nowhere, arg[0], offset);
    uint32_t step[3] = {nowhere, emit_const(c, NO_PAIR), or_instead(c, STAND_IN_MISSING_IJ, offset)->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_IJ);
}

/* What no number tells to turn is anything; what is no grid, the word for that turn may take for one. */
static const value *turn_anything(compiler *c, const value *const *arg) {
    static const int by_number[7] = {WORD_hmirror_t, WORD_dmirror_t, WORD_vmirror_t, WORD_cmirror_t,
                                     WORD_rot90,     WORD_rot180,    WORD_rot270};
    int64_t number;
    if (!may_be_int(arg[1])) return arg[0];
    if (arg[1]->kind != V_DATA || !step_is_const(c, arg[1]->step, &number)) return NULL;
    if (number < 0 || number > 6) return arg[0];
    if (arg[0]->kind != V_DATA) return NULL;
    if (!type_is_rows(arg[0]->type)) return call_word(c, OP_COUNT + by_number[number], 1, arg);
    const value *rows = number == 1 || number == 2 ? as_rows(c, arg[0]) : NULL;
    return rows && rows->type == T_GRID ? call_one(c, number == 1 ? OP_dmirror : OP_vmirror, rows) : NULL;
}

/* Once, what is no function either is what it is; twice it is a function that fails where it is called. */
static const value *power_of_anything(compiler *c, const value *const *arg) {
    if (!c->safe || arg[0]->kind == V_FUNCTION || arg[0]->kind == V_CHOICE || !is_int(arg[1])) return NULL;
    const value *once = call_two(c, OP_equality, arg[1], make_const(c, 1, T_INT));
    const value *twice = make_function(c, F_COMPOSE, 2, arg[0], arg[0], NULL);
    int64_t known;
    if (!once || !twice) return NULL;
    if (step_is_const(c, once->step, &known)) return known ? arg[0] : twice;
    return make_choice(c, once->step, arg[0], twice);
}

/* The first two items of whatever is a tuple, and a colour. */
static const value *cell_of_anything(compiler *c, const word_row *w, const value *const *arg) {
    if (c->safe && is_nothing(arg[0]))
        return make_const(c, 0, type_tuple(T_NEVER)); /* the default of a call that fails */
    const value *list = c->safe && arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL, *item[3];
    type_code e = list && type_head(list->type) == T_TUPLE ? type_element(list->type) : T_INT;
    if (e == T_INT || e == T_BOOL || e == T_NEVER || arg[1]->kind != V_DATA)
        return arg[1]->kind == V_DATA ? NULL : paint_anything(c, w->op, arg, 1 << 1);
    for (int i = 0; i < 2; i++) item[i] = make_data(c, emit_kernel2(c, KERNEL_nth, 0, list->step, emit_const(c, i)), e);
    item[2] = arg[1];
    return make_tuple(c, 0, 3, item);
}

/* ---- containers ---- */

/* Functions are no data. */
static const value *difference_from_functions(compiler *c, const value *const *arg) {
    const value *a = arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL, *b = arg[1];
    if (!c->safe || !a || b->kind != V_TUPLE || may_have_guests(c, a)) return NULL;
    for (int i = 0; i < b->count; i++)
        if (b->part[i]->kind != V_FUNCTION) return NULL;
    return a;
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

static const value *insert_anything(compiler *c, const value *const *arg) {
    const value *v = arg[0], *set = arg[1];
    if (c->safe && set->kind == V_EACH && set->is_set && v->kind != V_CHOICE && is_in_text(c))
        return insert_among_functions(c, v, set);
    if (!c->safe || set->kind != V_DATA || type_head(set->type) != T_SET || v->kind == V_CHOICE) return NULL;
    type_code e = type_element(set->type);
    if (v->kind == V_DATA && v->type == T_CELL && type_head(e) == T_TUPLE)
        return call_two(c, OP_insert, as_container(c, v), set);
    if (e == T_NEVER || (v->kind == V_DATA && type_unify(v->type, e))) return NULL;
    if (e == T_INT && is_in_text(c)) return insert_guest(c, v, set); /* among ints nothing is none in any case */
    const value *nothing = v->kind == V_DATA && !is_int(v) ? nothing_of(c, e) : NULL;
    const value *some = nothing && v->type != T_CELL ? as_truth(c, v) : NULL;
    const value *with_nothing = some ? call_two(c, OP_insert, nothing, set) : NULL;
    if (c->failed || (with_nothing && is_nothing(v))) return with_nothing;
    const value *with_guest = is_in_text(c) ? insert_guest(c, v, set) : NULL;
    return with_guest && with_nothing ? make_choice(c, some->step, with_guest, with_nothing) : with_guest;
}

/* Ints among which there may be guests have an order if they are all of one kind; else the container fails. */
static const value *in_order(compiler *c, const value *container) {
    int64_t first[3] = {GUEST_FIRST, GUEST_FIRST + GUEST_KIND_ROOM, GUEST_FIRST + 2 * GUEST_KIND_ROOM};
    uint32_t most = or_instead(c, STAND_IN_ZERO, call_one(c, OP_maximum, container))->step;
    uint32_t least = or_instead(c, STAND_IN_ZERO, call_one(c, OP_minimum, container))->step, alike = emit_const(c, 1);
    for (int i = 0; i < 3; i++) { /* both are before where a kind begins, or neither is */
        uint32_t begin = emit_const(c, first[i] - 1);
        uint32_t equal[2] = {emit_kernel2(c, KERNEL_greater, 0, most, begin),
                             emit_kernel2(c, KERNEL_greater, 0, least, begin)};
        alike = emit_kernel2(c, KERNEL_both, 0, alike, emit_kernel(c, KERNEL_equality, T_BOOL, 2, equal));
    }
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, container->step, alike), container->type);
}

static const value *extreme_of_anything(compiler *c, int op, const value *v) {
    if (type_head(v->type) == T_RECORD) return dead_value(c); /* of two that have no order */
    return may_have_guests(c, v) && type_is_container(v->type) ? call_one(c, op, in_order(c, v)) : NULL;
}

/* What is sorted need not be ints; where there is nothing at that rank it is 0. */
static const value *rank_anything(compiler *c, const value *const *arg) {
    const value *container = arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL;
    type_code t = container ? type_element(container->type) : T_INT;
    if (t == T_INT && container && c->safe && may_have_guests(c, container))
        return call_two(c, OP_get_rank, in_order(c, container), arg[1]);
    if (t == T_INT || t == T_BOOL || t == T_NEVER) return NULL;
    const value *by_itself[3] = {container, make_op(c, OP_identity), arg[1]};
    const value *found = call_op(c, OP_get_arg_rank, 3, by_itself);
    if (!found || !c->safe || !is_in_text(c) || !is_int(arg[1])) return found;
    const value *inside = call_one(c, OP_flip, rank_is_outside(c, container, arg[1]));
    return inside ? make_choice(c, inside->step, found, make_const(c, 0, T_INT)) : NULL;
}

/* What is picked from is a default where there is none. */
static const value *pick_anything(compiler *c, int op, const value *const *arg) {
    if (!c->safe) return NULL;
    return call1(c, arg[2], call_word(c, OP_COUNT + (op == OP_c_iz_n ? WORD_c_iz : WORD_c_zo), 2, arg));
}

/* Locations without colours repeat only where they have no length to repeat in. */
static const value *period_of_places(compiler *c, int op, const value *v) {
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
static const value *occurs_anywhere(compiler *c, const value *const *arg) {
    int is_rows = arg[1]->kind == V_DATA && arg[1]->type == T_GRID;
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
static const value *subgrid_of_rows(compiler *c, const value *const *arg) {
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

/* What is no function is not called for the elements of a container that has none: what comes of it is an empty set, of
 * a set, or of a word that answers with one. */
static const value *empty_if_not_called(compiler *c, const word_row *w, const value *f, const value *v) {
    if (!c->safe || !is_in_text(c) || f->kind == V_FUNCTION || f->kind == V_CHOICE) return NULL;
    const value *container = v->kind == V_DATA ? as_container(c, v) : NULL;
    if (!container || (type_head(container->type) != T_SET && w->empty != ANSWER_SET)) return NULL;
    const value *some = as_truth(c, container), *tuple = make_const(c, 0, type_tuple(T_NEVER));
    return some ? make_choice(c, some->step, tuple, empty_set(c)) : NULL;
}

static int may_be_nan(const compiler *c, const value *v) {
    unsigned fails = v->kind == V_DATA && v->type == T_INT ? c->steps[v->step].fails : 0;
    return fails & FAILS_NONE_IS_TRUE && !(fails & FAILS_NONE_IS_LOWEST);
}

/* What is nan is equal to nothing. */
static const value *equal_unless_nan(compiler *c, const value *const *arg) {
    if (!c->safe || !is_int(arg[0]) || !is_int(arg[1]) || !(may_be_nan(c, arg[0]) || may_be_nan(c, arg[1])))
        return NULL;
    const value *equal = call_two(c, OP_equality, arg[0], arg[1]);
    const value *none = call_two(c, OP_equality, arg[may_be_nan(c, arg[0]) ? 0 : 1], make_const(c, NONE, T_INT));
    return call_two(c, OP_both, equal, call_one(c, OP_flip, none));
}

static int has_no_length(const value *v) { return is_int(v) || v->kind == V_FUNCTION; }

const value *run_careless(compiler *c, const word_row *w, const value *const *arg, const value *const *given) {
    switch (w->op) {
    case OP_add:
    case OP_subtract:
    case OP_multiply:
    case OP_divide: return int_or_pair(c, w, arg, given);
    case OP_gravitate: return gravitate_or_stay(c, arg);
    case OP_occurrences: return occurs_anywhere(c, arg);
    case OP_subgrid_inside: return subgrid_of_rows(c, arg);
    case OP_hperiod:
    case OP_vperiod: return period_of_places(c, w->op, arg[0]);
    case OP_maximum:
    case OP_minimum: return c->safe && given[0]->kind == V_DATA ? extreme_of_anything(c, w->op, given[0]) : NULL;
    case OP_c_iz_n:
    case OP_c_zo_n: return pick_anything(c, w->op, arg);
    case OP_get_rank: return rank_anything(c, arg);
    case OP_mir_rot_t: return turn_anything(c, arg);
    case OP_mir_rot_f: return !may_be_int(arg[1]) || is_no_mirror(c, arg[1]) ? arg[0] : NULL;
    case OP_power: return power_of_anything(c, arg);
    case OP_difference: return difference_from_functions(c, arg);
    case OP_corner: return may_be_int(arg[1]) ? NULL : call_one(c, OP_ulcorner, arg[0]);
    case OP_col_row: return may_be_int(arg[1]) ? NULL : make_const(c, NONE, T_INT);
    case OP_manhattan: return has_no_length(arg[0]) || has_no_length(arg[1]) ? make_const(c, NONE, T_INT) : NULL;
    case OP_bordering: return bordering_nothing(c, arg);
    case OP_recolor: return paint_anything(c, w->op, arg, 1);
    case OP_fill:
    case OP_underfill: return paint_anything(c, w->op, arg, 1 << 1);
    case OP_contained:
    case OP_remove: return look_for_anything(c, w, arg, 0);
    case OP_other:
    case OP_ofcolor:
    case OP_colorcount: return look_for_anything(c, w, arg, 1);
    case OP_asobject:
    case OP_is_no_grid: return asked_for_grid(c, w->op, arg[0]);
    case OP_canvas: return arg[0]->kind == V_FUNCTION ? paint_anything(c, w->op, arg, 1) : NULL;
    case OP_ascell: return cell_of_anything(c, w, arg);
    case OP_cellwise_filled: return paint_anything(c, w->op, arg, 1 << 2);
    case OP_replace:
    case OP_switch: return paint_anything(c, w->op, arg, 3 << 1);
    case OP_vfrontier:
    case OP_hfrontier: return frontier_of(c, w->op, given[0]);
    case OP_index: return index_nowhere(c, arg[0], arg[1]);
    case OP_move: return move_in_parts(c, arg);
    case OP_shift: return shift_or_stay(c, arg, given[1]);
    case OP_normalize: return normalize_other(c, w, arg[0], given[0]);
    case OP_insert: return insert_anything(c, arg);
    case OP_equality: return equal_unless_nan(c, arg);
    case OP_apply:
    case OP_mapply: return empty_if_not_called(c, w, arg[0], arg[1]);
    case OP_sfilter: return w->answer == ANSWER_TUPLE ? empty_if_not_called(c, w, arg[1], arg[0]) : NULL;
    case OP_extract:
    case OP_get_arg_rank: return w->empty == ANSWER_SET ? empty_if_not_called(c, w, arg[1], arg[0]) : NULL;
    default: return NULL;
    }
}
