/* How words of the tokpidjin dialect take their arguments (lib/ops/word_manners.def). Python asks what a value can do,
 * not what it is: programs that were changed at random call everything with everything, and what comes of it counts. */
#include "cl/guest.h"
#include "cl/word.h"
#include "compile/odd.h"

/* ---- kinds ---- */

const value *of_kind(compiler *c, const value *v, unsigned kind) {
    if (v->kind >= V_TUPLE) {
        value *copy = pool_get(c->memory, sizeof *copy);
        if (!copy) return reject_memory(c);
        *copy = *v;
        copy->is_set = kind == T_SET;
        return copy;
    }
    const value *container = as_container(c, v);
    if (!container || type_head(container->type) == kind) return container ? container : v;
    if (kind == T_SET) return as_set(c, container);
    return make_data(c, container->step, type_tuple(type_element(container->type)));
}

int is_of_kind(const value *v, unsigned kind) {
    if (v->kind >= V_TUPLE) return v->is_set == (kind == T_SET);
    if (v->kind != V_DATA) return 1;
    return !type_is_container(v->type) ? kind == T_TUPLE : type_head(v->type) == kind;
}

/* ---- what is missing or 0 ---- */

/* A tuple that cannot be a pair, unless it is empty: then it is a missing one. */
static int is_no_pair_unless_empty(type_code t) {
    type_code e = type_head(t) == T_TUPLE ? type_element(t) : t == T_GRID ? TYPE_INT_TUPLE : T_INT;
    return e != T_INT && e != T_BOOL;
}

/* What a missing pair counts as, where the tuple is empty; elsewhere it fails. */
static const value *counted_if_empty(compiler *c, const value *v, int as, type_code t) {
    uint32_t empty = emit_kernel1(c, KERNEL_flip, 0, as_truth(c, v)->step);
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, emit_const(c, as), empty), t);
}

/* The int, or what it counts as where it is (). */
static const value *int_or(compiler *c, const value *v, int instead) {
    uint32_t none = emit_kernel2(c, KERNEL_equality, T_INT, v->step, emit_const(c, NONE));
    uint32_t step[3] = {none, emit_const(c, instead), v->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
}

/* Whether a tuple of ints has no items, or as many as are wanted of a pair. */
static const value *is_pair_or_empty(compiler *c, const value *v, const value *some, unsigned code) {
    const value *size = call_one(c, OP_size, v), *count = make_const(c, code == SIG_IJ ? 2 : 1, T_INT);
    const value *is = call_two(c, OP_equality, size, count);
    return code == SIG_IJ ? call_two(c, OP_either, call_one(c, OP_flip, some), is) : call_one(c, OP_flip, is);
}

const value *as_pair_if_some(compiler *c, const value *v, unsigned code) {
    int is_ints = v->kind == V_DATA && (v->type == TYPE_INT_TUPLE || v->type == type_tuple(T_BOOL));
    if (!is_ints || is_kept(c, v)) return v; /* what is kept is a set where it is empty, and no pair */
    uint32_t saved = enter_scope_of(c, v);
    const value *pair = or_instead(c, STAND_IN_ZERO, as_signature(c, v, code)), *some = as_truth(c, v);
    const value *is_right = is_pair_or_empty(c, v, some, code);
    if (pair && is_right) {
        uint32_t sound = emit_kernel2(c, KERNEL_demand, LANE_TYPE, pair->step, is_right->step);
        uint32_t step[3] = {some->step, sound, emit_const(c, EMPTY_IJ)};
        pair = make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_IJ);
    }
    c->scope = saved;
    return c->failed ? NULL : pair;
}

/* A pair that may be missing, as a pair to compute with, or to move by where the op wants a pair. */
static const value *pair_or(compiler *c, const word_row *w, int position, const value *v, int instead) {
    unsigned code = op_rows[w->op].argument[position];
    if (v->kind != V_DATA || (code != SIG_NUM && code != SIG_IJ)) return v;
    if (c->safe && !(v = as_pair_if_some(c, v, code == SIG_IJ ? SIG_IJ : SIG_IJ_LONG))) return NULL;
    if (v->type == type_tuple(T_NEVER)) return make_const(c, instead, code == SIG_IJ ? T_IJ : T_INT);
    if (v->type == T_INT && c->steps[v->step].fails & FAILS_NONE_IS_TUPLE) return int_or(c, v, instead);
    if (is_no_pair_unless_empty(v->type)) return counted_if_empty(c, v, instead, code == SIG_IJ ? T_IJ : T_INT);
    if (v->type != T_IJ || ij_is_whole(c, v)) return v;
    return make_data(c, emit_kernel1(c, KERNEL_pair_or, (uint64_t)instead, v->step), T_IJ);
}

static const value *origin_patch(compiler *c) {
    return make_data(c, emit_kernel1(c, KERNEL_initset, 0, emit_const(c, 0)), TYPE_IJ_SET);
}

/* The origin where the value is true, else nothing. */
static const value *origin_if_true(compiler *c, const value *v) {
    const value *truth = as_truth(c, v), *some = origin_patch(c);
    if (!truth || !some) return NULL;
    uint32_t step[3] = {truth->step, some->step, emit_const(c, 0)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_IJ_SET);
}

/* An int is no patch. But 0 is false, as what is empty is, and some ops ask for that first. */
static const value *empty_if_zero(compiler *c, const value *v) { return is_int(v) ? origin_if_true(c, v) : v; }

/* ---- patches ---- */

enum patch_kind { ANY_PATCH, INDICES_ONLY, OBJECT_ONLY };

static int has_length_type(type_code t) { return t != T_INT && t != T_BOOL; }

static int has_length(const value *v) { return v->kind >= V_TUPLE || (v->kind == V_DATA && has_length_type(v->type)); }

static type_code element_of(const value *v) {
    if (v->kind != V_DATA) return 0;
    return type_is_container(v->type) ? type_element(v->type) : v->type == T_GRID ? TYPE_INT_TUPLE : 0;
}

/* Whether the value may be a patch of that kind: elements with a length, and of two or three ints as it wants them. */
static int may_be_patch(const value *v, enum patch_kind kind) {
    type_code e = element_of(v);
    if (!e || e == T_INT || e == T_BOOL) return 0;
    if (e == T_CELL) return kind != INDICES_ONLY;
    if (e == T_IJ) return kind != OBJECT_ONLY;
    return e == T_NEVER || e == TYPE_INT_TUPLE;
}

const value *as_rows(compiler *c, const value *v) {
    const value *container = v->kind == V_DATA && v->type != T_GRID ? as_container(c, v) : NULL;
    type_code e = container ? type_element(container->type) : 0;
    if (container && v->type == T_IJ && !ij_is_whole(c, v)) return require_empty(c, container, T_GRID);
    if (e == T_NEVER)
        return make_const(c, 0, T_GRID); /* what is empty for certain has no rows, of whatever kind it is */
    if (c->safe && e == T_MIX) return mixes_as_rows(c, container);
    if (e != T_IJ && e != T_CELL && e != TYPE_INT_TUPLE) return v;
    container = make_data(c, container->step, type_tuple(e));
    return container ? convert_to(c, container, T_GRID) : NULL;
}

/* Tuples of ints, or rows of a grid, as a grid; NULL: the value is of neither. */
static const value *rows_of(compiler *c, const value *v) {
    if (element_of(v) != TYPE_INT_TUPLE) return NULL;
    v = as_rows(c, v);
    return v ? as_signature(c, v, SIG_GRID) : NULL;
}

/* Which rows are locations of that kind. */
static const unsigned places_of_kind[] = {ROWS_OF_TWO | ROWS_OF_THREE, ROWS_OF_TWO, ROWS_OF_THREE};

/* How many items each element has. */
static const value *sizes_in(compiler *c, const value *container) {
    const value *tuple = make_data(c, container->step, type_tuple(type_element(container->type)));
    return call_two(c, OP_apply, make_op(c, OP_size), tuple);
}

/* Whether what may be locations or cells are locations alone. */
static const value *are_places(compiler *c, const value *set) {
    const value *has_colours = is_there(c, as_signature(c, set, SIG_OBJECT)), *some = as_truth(c, set);
    return call_one(c, OP_flip, call_two(c, OP_both, has_colours, some));
}

/* A set of what may be locations or cells as a patch of that kind. */
static const value *mixed_patch(compiler *c, const value *v, enum patch_kind kind) {
    const value *set = as_set(c, v), *patch = set ? as_signature(c, set, SIG_PATCH) : NULL;
    if (!patch || kind == ANY_PATCH) return patch;
    if (kind == OBJECT_ONLY) return as_signature(c, set, SIG_OBJECT);
    const value *right = are_places(c, set), *places = call_one(c, OP_toindices, patch);
    if (!right || !places) return NULL;
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, places->step, right->step), TYPE_IJ_SET);
}

static const value *patch_of(compiler *c, const value *v, enum patch_kind kind) {
    const value *rows = rows_of(c, v);
    if (rows) return rows_as_patch(c, rows, places_of_kind[kind]);
    if (c->safe && element_of(v) == T_MIX) return mixed_patch(c, v, kind);
    return may_be_patch(v, kind) ? as_signature(c, v, SIG_PATCH) : NULL;
}

static const value *needed_patch(compiler *c, const word_row *w, const value *v, enum patch_kind kind) {
    const value *patch = v ? patch_of(c, v, kind) : NULL;
    return patch || !v ? patch : reject_argument(c, w->op, 0, v, signature_description(SIG_PATCH));
}

/* The patch; what is none is right as long as it is empty. */
static const value *patch_or_empty(compiler *c, const word_row *w, const value *v, enum patch_kind kind) {
    const value *patch = v ? patch_of(c, v, kind) : NULL;
    if (patch || !v || c->failed) return patch;
    const value *container = as_container(c, v);
    return container ? require_empty(c, container, TYPE_IJ_SET) : needed_patch(c, w, v, kind);
}

/* Whether what is no patch has the box of the origin: what is empty has none, and what has two items each is taken for
 * locations, of which there are no distances. The same goes for three, of which two count. */
static const value *has_origins_box(compiler *c, const value *v, enum patch_kind kind) {
    const value *some = as_truth(c, v), *container = c->safe ? as_container(c, v) : NULL;
    type_code e = container ? type_element(container->type) : 0;
    if (!e || e == T_NEVER || !(type_is_container(e) || e == T_GRID || type_head(e) == T_RECORD)) return some;
    const value *sizes = sizes_in(c, container), *count = call_one(c, OP_size, as_set(c, sizes));
    const value *size = or_instead(c, STAND_IN_ZERO, call_one(c, OP_first, sizes)), *counts = NULL;
    for (int n = kind == OBJECT_ONLY ? 3 : 2; n <= (kind == INDICES_ONLY ? 2 : 3); n++) {
        const value *is = call_two(c, OP_equality, size, make_const(c, n, T_INT));
        counts = counts ? call_two(c, OP_either, counts, is) : is;
    }
    const value *alike = call_two(c, OP_equality, count, make_const(c, 1, T_INT));
    const value *are_places = call_two(c, OP_both, alike, counts);
    return call_two(c, OP_both, some, call_one(c, OP_flip, are_places));
}

/* The locations of a patch, and where it has failed to be one, the origin. */
static const value *patch_or_origin(compiler *c, const value *patch) {
    const value *there = is_there(c, patch), *indices = call_one(c, OP_toindices, patch), *origin = origin_patch(c);
    if (!there || !indices || !origin) return NULL;
    uint32_t step[3] = {there->step, or_instead(c, STAND_IN_ZERO, indices)->step, origin->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_IJ_SET);
}

/* The patch, or for the sake of its box the origin. Whether rows are a patch, only their lane knows. */
static const value *boxed(compiler *c, const word_row *w, const value *v, enum patch_kind kind, int sized) {
    const value *rows = v ? rows_of(c, v) : NULL;
    if (rows && c->safe && may_have_guests(c, rows)) /* which do not compare with ints */
        return patch_or_origin(c, rows_as_patch(c, rows, places_of_kind[kind] | ROWS_OR_ORIGIN));
    if (rows) return rows_as_patch(c, rows, places_of_kind[kind] | ROWS_OR_ORIGIN);
    const value *patch = v && !c->failed ? patch_of(c, v, kind) : NULL;
    if (patch && c->safe && element_of(v) == T_MIX) return patch_or_origin(c, patch);
    if (patch || c->failed) return patch;
    if (v && v->kind == V_DATA && has_length(v)) {
        const value *has_box = has_origins_box(c, as_seen(c, v), kind);
        return has_box ? origin_if_true(c, has_box) : NULL;
    }
    return has_length(v) || !sized ? origin_patch(c) : needed_patch(c, w, v, kind);
}

/* The locations of what may be missing; if that is true, it is no patch there, and has the box of the origin. */
static const value *cornered(compiler *c, const word_row *w, const value *v) {
    const value *there = is_there(c, v), *patch = boxed(c, w, as_seen(c, v), ANY_PATCH, 0);
    const value *indices = patch ? call_one(c, OP_toindices, patch) : NULL, *origin = origin_patch(c);
    if (!indices || !origin || !(c->steps[v->step].fails & FAILS_KEEP_TRUE)) return indices;
    uint32_t step[3] = {there->step, indices->step, origin->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_IJ_SET);
}

/* The patch; what is none has the box of the origin, and is a line if it has one item. */
static const value *lined(compiler *c, const word_row *w, const value *v, enum patch_kind kind) {
    const value *rows = c->safe ? rows_of(c, v) : NULL;
    if (rows) { /* which are a line only if they are as many as their locations */
        const value *places = rows_as_patch(c, rows, places_of_kind[kind] | ROWS_OR_ORIGIN);
        const value *all = call_two(c, OP_equality, call_one(c, OP_size, rows), call_one(c, OP_size, places));
        uint32_t step[3] = {all ? all->step : 0, places ? places->step : 0, emit_const(c, 0)};
        return all && places ? make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_IJ_SET) : NULL;
    }
    const value *patch = patch_of(c, v, kind);
    if (patch || c->failed || v->kind != V_DATA || !type_is_container(v->type)) return needed_patch(c, w, v, kind);
    const value *single = call_two(c, OP_equality, call_one(c, OP_size, v), make_const(c, 1, T_INT));
    return single ? origin_if_true(c, single) : NULL;
}

/* Whether the first item, if there is one, has a length, so that it is taken for a location or a cell. */
static int has_sized_items(const value *v) {
    if (v->kind == V_TUPLE) return v->count && has_length(v->part[0]);
    if (v->kind != V_DATA) return 0;
    if (type_head(v->type) == T_RECORD) return has_length_type(type_field(v->type, 0));
    return element_of(v) && has_length_type(element_of(v));
}

/* Of containers, those of three items are taken for cells. Where the first is one and another is not, that is told
 * before anything is done with them, and there are no locations; else these are no places. */
static const value *no_places(compiler *c, const value *container) {
    const value *sizes = sizes_in(c, container), *three = make_const(c, 3, T_INT);
    const value *is_cell = sizes ? call_two(c, OP_equality, call_one(c, OP_first, sizes), three) : NULL;
    const value *distinct = sizes ? call_one(c, OP_size, as_set(c, sizes)) : NULL;
    const value *differ = distinct ? call_two(c, OP_greater, distinct, make_const(c, 1, T_INT)) : NULL;
    const value *empty = call_one(c, OP_flip, as_truth(c, container));
    if (!is_cell || !differ || !empty) return NULL;
    uint32_t is_told = emit_kernel2(c, KERNEL_both, 0, or_instead(c, STAND_IN_ZERO, is_cell)->step, differ->step);
    uint32_t right = emit_kernel2(c, KERNEL_either, 0, empty->step, is_told);
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, emit_const(c, 0), right), TYPE_IJ_SET);
}

/* Of what is of several types there are no locations, unless the first is a container, and so taken for one. */
static const value *no_places_of_guests(compiler *c, const value *v) {
    const value *container = as_container(c, v);
    const value *first = container ? or_instead(c, STAND_IN_ZERO, call_one(c, OP_first, container)) : NULL;
    if (!first || !is_int(first)) return NULL;
    uint32_t is_function =
        emit_kernel2(c, KERNEL_greater, 0, first->step, emit_const(c, GUEST_FIRST + 2 * GUEST_KIND_ROOM - 1));
    uint32_t is_int = emit_kernel2(c, KERNEL_greater, 0, emit_const(c, GUEST_FIRST), first->step);
    uint32_t right = emit_kernel2(c, KERNEL_either, 0, is_int, is_function);
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, emit_const(c, 0), right), TYPE_IJ_SET);
}

/* The same of a tuple or a set with functions in it, of which the first item has a length. */
static const value *no_places_of_functions(compiler *c, const value *v) {
    const value *size = call_word(c, OP_COUNT + WORD_size, 1, &v->part[0]);
    const value *is_cell = call_two(c, OP_equality, size, make_const(c, 3, T_INT));
    if (!is_cell) return NULL;
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, emit_const(c, 0), is_cell->step), TYPE_IJ_SET);
}

static const value *zero_each(compiler *c, const value *item, const void *arg) {
    (void)item;
    (void)arg;
    return make_const(c, 0, T_INT);
}

/* An int for each element of a container of functions, to tell whether it has some. */
static const value *ints_of_each(compiler *c, const value *each) { return map_special(c, each, zero_each, NULL); }

/* Its locations; of what has none that is no failure, unless it has what looks like some. */
static const value *places(compiler *c, const value *v) {
    if (c->safe && element_of(v) == T_MIX) return places_of_mixes(c, v);
    const value *patch = patch_of(c, v, ANY_PATCH);
    if (patch || c->failed) return patch;
    if (c->safe && v->kind == V_DATA && may_have_guests(c, v)) return no_places_of_guests(c, v);
    if (v->kind == V_EACH && v->part[0]->kind == V_TUPLE) return require_empty(c, ints_of_each(c, v), TYPE_IJ_SET);
    if (!has_sized_items(v)) return make_const(c, 0, TYPE_IJ_SET);
    if (v->kind == V_TUPLE && c->safe) return no_places_of_functions(c, v);
    if (!type_is_container(v->type)) return NULL;
    type_code e = type_element(v->type);
    return c->safe && (type_is_container(e) || e == T_GRID) ? no_places(c, v) : as_signature(c, v, SIG_PATCH);
}

static const value *as_needed(compiler *c, const word_row *w, const value *v, unsigned code) {
    const value *taken = v ? as_signature(c, v, code) : NULL;
    return taken || !v ? taken : reject_argument(c, w->op, 0, v, signature_description(code));
}

const value *take_argument(compiler *c, const word_row *w, int position, const value *v) {
    int about = word_manners[w->manner].position;
    if (v->kind == V_CHOICE || (about >= 0 && about != position)) return v; /* sides of a choice come one by one */
    switch (w->manner) {
    case MANNER_TUPLE_0:
    case MANNER_TUPLE_1: return of_kind(c, v, T_TUPLE);
    case MANNER_SET_0: return of_kind(c, v, T_SET);
    case MANNER_GRID: return as_needed(c, w, v, SIG_GRID);
    case MANNER_ROWS: return as_needed(c, w, as_rows(c, v), SIG_GRID);
    case MANNER_PATCH: return needed_patch(c, w, v, ANY_PATCH);
    case MANNER_INDICES:
    case MANNER_INDICES_1: return needed_patch(c, w, v, INDICES_ONLY);
    case MANNER_OBJECT:
    case MANNER_OBJECT_1: return as_needed(c, w, v, SIG_OBJECT);
    case MANNER_FALSY: return patch_or_empty(c, w, empty_if_zero(c, v), ANY_PATCH);
    case MANNER_FALSY_I: return patch_or_empty(c, w, empty_if_zero(c, v), INDICES_ONLY);
    case MANNER_FALSY_O: return patch_or_empty(c, w, empty_if_zero(c, v), is_int(v) ? ANY_PATCH : OBJECT_ONLY);
    case MANNER_LINE_I: return lined(c, w, v, INDICES_ONLY);
    case MANNER_LINE_O: return lined(c, w, v, OBJECT_ONLY);
    case MANNER_BOX: return boxed(c, w, v, ANY_PATCH, 1);
    case MANNER_BOX_I: return boxed(c, w, v, INDICES_ONLY, 1);
    case MANNER_BOX_O: return boxed(c, w, v, OBJECT_ONLY, 1);
    case MANNER_CORNERS: return is_kept(c, v) ? cornered(c, w, v) : boxed(c, w, empty_if_zero(c, v), ANY_PATCH, 0);
    case MANNER_PLACES_0:
    case MANNER_PLACES_1:
    case MANNER_PLACES_2: return places(c, v);
    case MANNER_ONLY_TUPLE: return is_of_kind(v, T_TUPLE) ? v : reject_argument(c, w->op, position, v, "a tuple");
    case MANNER_ONLY_SET: return is_of_kind(v, T_SET) ? v : reject_argument(c, w->op, position, v, "a set");
    case MANNER_PAIR_0:
    case MANNER_PAIR_1: return pair_or(c, w, position, v, w->manner - MANNER_PAIR_0);
    default: return v;
    }
}
