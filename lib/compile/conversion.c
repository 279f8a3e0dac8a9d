/* Where one type may stand for another: what ops accept beyond the letter of their signature. */
#include "compile/compiler.h"

#include "cl/word.h"

static const value *retype(compiler *c, const value *v, type_code t) {
    return v->type == t ? v : make_data(c, v->step, t);
}

static const value *kernel_to(compiler *c, const value *v, unsigned kernel, uint64_t imm, type_code t) {
    return make_data(c, emit_kernel1(c, kernel, imm, v->step), t);
}

const value *require_empty(compiler *c, const value *v, type_code as) {
    if (type_is_container(v->type) && type_element(v->type) == T_NEVER) return retype(c, v, as);
    return kernel_to(c, v, KERNEL_require_empty, 0, as);
}

const value *fail_unless_empty(compiler *c, const value *v, type_code as) {
    if (type_element(v->type) == T_NEVER) return retype(c, v, as);
    uint32_t empty = emit_kernel1(c, KERNEL_is_empty, 0, v->step);
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, v->step, empty), as);
}

const value *as_container(compiler *c, const value *v) {
    if (!v || v->kind != V_DATA) return NULL;
    if (type_is_container(v->type)) return v;
    if (v->type == T_IJ) return kernel_to(c, v, KERNEL_ij_list, 0, TYPE_INT_TUPLE);
    if (v->type == T_GRID) return kernel_to(c, v, KERNEL_grid_rows, 0, TYPE_ROWS);
    if (v->type == T_CELL && c->triples) return kernel_to(c, v, KERNEL_int_triple_list, 0, TYPE_INT_TUPLE);
    return type_head(v->type) == T_RECORD ? record_as_guests(c, v) : NULL;
}

type_code type_to_sort(const compiler *c, type_code t) { return c->triples && t == T_INT ? T_BOOL : t; }

const value *as_set(compiler *c, const value *v) {
    if (!v) return NULL;
    if (type_head(v->type) == T_SET) return v;
    type_code element = type_element(v->type);
    if (element == T_NEVER) return retype(c, v, type_set(element));
    return kernel_to(c, v, KERNEL_setify, type_to_sort(c, element), type_set(element));
}

#define CHOSEN_DEPTH 4 /* choices among choices that are looked into */

static int column_is_whole(const compiler *c, uint32_t step, int depth) {
    const graph_step *s = &c->steps[step];
    if (fails_default(s->fails) == STAND_IN_MISSING_IJ || fails_empty(s->fails) >= STAND_IN_MISSING_IJ) {
        int is_chosen =
            s->kind == STEP_KERNEL && s->kernel_id == KERNEL_branch && depth && safe_is_sheltered(c, s->arg[0]);
        return is_chosen && column_is_whole(c, s->arg[1], depth - 1) && column_is_whole(c, s->arg[2], depth - 1);
    }
    if (s->kind == STEP_EACH) s = &c->steps[s->arg[0]];
    if (s->kind == STEP_KERNEL) return kernel_has(s->kernel_id, WHOLE_IJ);
    return s->kind == STEP_CONST ? !is_missing_ij((int64_t)s->imm) : s->kind == STEP_INPUT;
}

int ij_is_whole(const compiler *c, const value *v) { return column_is_whole(c, v->step, CHOSEN_DEPTH); }

/* Functions are true, and so are containers that have some. */
static const value *truth_of_functions(compiler *c, const value *v) {
    if (v->kind == V_EACH) return make_data(c, emit_kernel1(c, KERNEL_truth_list, 0, lists_of(c, v)), T_BOOL);
    return v->kind == V_UNION ? NULL : make_const(c, v->kind == V_FUNCTION || v->count, T_BOOL);
}

static const value *truth_of_choice(compiler *c, const value *v) {
    const value *yes = as_truth(c, v->part[0]), *no = yes ? as_truth(c, v->part[1]) : NULL;
    if (c->triples && c->safe) { /* words do not fail: a side has failed at most where it is not chosen */
        yes = or_instead(c, STAND_IN_ZERO, yes);
        no = or_instead(c, STAND_IN_ZERO, no);
    }
    if (!no) return NULL;
    uint32_t step[3] = {v->step, yes->step, no->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_BOOL);
}

/* What is kept where it is missing is false there, or true. */
static const value *truth_of_kept(compiler *c, const value *v) {
    const value *seen = as_seen(c, v), *truth = seen ? as_truth(c, seen) : NULL;
    if (!truth || !(c->steps[v->step].fails & FAILS_KEEP_TRUE)) return truth;
    uint32_t missing = emit_kernel1(c, KERNEL_flip, 0, is_there(c, v)->step);
    return make_data(c, emit_kernel2(c, KERNEL_either, 0, missing, truth->step), T_BOOL);
}

const value *as_truth(compiler *c, const value *v) {
    if (!v || c->failed) return NULL;
    uint32_t zero;
    if (is_kept(c, v)) return truth_of_kept(c, v);
    if (v->kind == V_CHOICE) return truth_of_choice(c, v);
    if (v->kind != V_DATA) return truth_of_functions(c, v);
    if (v->type == T_IJ && !ij_is_whole(c, v)) v = as_container(c, v);
    if (!v) return NULL;
    switch (type_head(v->type)) {
    case T_BOOL: return v;
    case T_INT:
        if (!(c->steps[v->step].fails & FAILS_NONE_IS_TRUE)) return kernel_to(c, v, KERNEL_truth_int, 0, T_BOOL);
        zero = emit_kernel2(c, KERNEL_equality, T_INT, v->step, emit_const(c, 0));
        return make_data(c, emit_kernel1(c, KERNEL_flip, 0, zero), T_BOOL);
    case T_SET:
    case T_TUPLE:
    case T_GRID: return kernel_to(c, v, KERNEL_truth_list, 0, T_BOOL);
    default: return safe_guard(c, make_const(c, 1, T_BOOL), v);
    }
}

/* Like type_join, but with conversions: an ij is a tuple of ints, a grid is its rows, locations are cells without
 * colour. */
type_code type_unify(type_code a, type_code b) {
    type_code t = type_join(a, b);
    unsigned x = type_head(a), y = type_head(b);
    if (t) return t;
    if (x == T_IJ && y == T_TUPLE) return type_unify(TYPE_INT_TUPLE, b);
    if (y == T_IJ && x == T_TUPLE) return type_unify(a, TYPE_INT_TUPLE);
    if (x == T_GRID && y == T_TUPLE) return type_unify(TYPE_ROWS, b);
    if (y == T_GRID && x == T_TUPLE) return type_unify(a, TYPE_ROWS);
    if (x >= T_IJ && x <= T_MIX && y >= T_IJ && y <= T_MIX) return T_MIX;
    if ((x == T_SET || x == T_TUPLE) && x == y) {
        t = type_unify(type_element(a), type_element(b));
        return t ? type_container(x, t) : 0;
    }
    if (x == T_RECORD && y == T_RECORD && type_fields(a) == type_fields(b)) {
        type_code fields[15];
        for (int i = 0; i < type_fields(a); i++)
            if (!(fields[i] = type_unify(type_field(a, i), type_field(b, i)))) return 0;
        return type_record(fields, type_fields(a));
    }
    return 0;
}

static int has_mix(type_code t) {
    for (; t; t >>= 4)
        if (type_head(t) == T_MIX) return 1;
    return 0;
}

type_code type_merge(type_code a, type_code b) {
    type_code t = type_unify(a, b);
    return t && has_mix(t) && !has_mix(a) && !has_mix(b) ? 0 : t;
}

/* Whether values of the first type are values of the second as they are. */
static int is_retype(type_code from, type_code to) {
    unsigned x = type_head(from), y = type_head(to);
    if (from == to || from == T_NEVER) return 1;
    if (x == T_BOOL && y == T_INT) return 1;
    if (x == T_CELL && y == T_MIX) return 1;
    if (x == T_TUPLE && type_element(from) == T_NEVER && y == T_GRID) return 1;
    if (x != y) return 0;
    if (x == T_SET || x == T_TUPLE) return is_retype(type_element(from), type_element(to));
    if (x == T_RECORD && type_fields(from) == type_fields(to)) {
        for (int i = 0; i < type_fields(from); i++)
            if (!is_retype(type_field(from, i), type_field(to, i))) return 0;
        return 1;
    }
    return 0;
}

static const value *convert_elements(compiler *c, const value *v, type_code to) {
    uint32_t saved = c->scope;
    uint32_t opener = emit_open(c, STEP_EACH, 0, 1, v->step, 0);
    uint32_t inner = c->scope;
    const value *element = convert_to(c, make_data(c, opener, type_element(v->type)), type_element(to));
    c->scope = saved;
    if (!element) return NULL;
    uint32_t lists = emit_close(c, element->step, inner, 0);
    if (type_head(to) == T_SET) lists = emit_kernel1(c, KERNEL_setify, type_to_sort(c, type_element(to)), lists);
    return make_data(c, lists, to);
}

static const value *convert_fields(compiler *c, const value *v, type_code to) {
    const value *item[15];
    int n = type_fields(v->type);
    uint32_t box = 0;
    for (int i = 0; i < n; i++) {
        item[i] = convert_to(c, kernel_to(c, v, KERNEL_field, (uint64_t)i, type_field(v->type, i)), type_field(to, i));
        if (!item[i]) return NULL;
        box = i == 0   ? emit_kernel1(c, KERNEL_initset, 0, item[i]->step)
              : i == 1 ? emit_kernel2(c, KERNEL_pack_two, 0, item[0]->step, item[1]->step)
                       : emit_kernel2(c, KERNEL_append, 0, box, item[i]->step);
    }
    return make_data(c, box, to);
}

/* A tuple of ints as a pair. One that is packed for no other purpose need not be. Where only two ints are read, there
 * may be more. */
static const value *as_pair(compiler *c, const value *v, int longer) {
    if (may_have_guests(c, v) && !(v = value_without_guests(c, v))) return NULL; /* a pair is of ints alone */
    const graph_step *s = &c->steps[v->step];
    if (s->kind == STEP_KERNEL && s->kernel_id == KERNEL_pack_two)
        return make_data(c, emit_kernel2(c, KERNEL_pack_ij, 0, s->arg[0], s->arg[1]), T_IJ);
    return kernel_to(c, v, KERNEL_list_ij, (uint64_t)longer, T_IJ);
}

/* A pair of an int and what may be a location; NULL if the record is none. */
static const value *record_as_cell(compiler *c, const value *v) {
    if (type_fields(v->type) != 2 || !is_retype(type_field(v->type, 0), T_INT)) return NULL;
    const value *colour = field_of(c, v, 0), *place = convert_to(c, field_of(c, v, 1), T_IJ);
    return place ? make_data(c, emit_kernel2(c, KERNEL_pack_cell, 0, colour->step, place->step), T_CELL) : NULL;
}

/* Two ints that are read by their places in a tuple, which may be longer. */
static const value *as_long_pair(compiler *c, const value *v) {
    unsigned head = type_head(v->type);
    if (head == T_TUPLE && is_retype(type_element(v->type), T_INT)) return as_pair(c, v, 1);
    if (head == T_CELL && c->triples) return kernel_to(c, v, KERNEL_cell_last, 0, T_IJ);
    if (head != T_RECORD || type_fields(v->type) < 2) return NULL;
    if (!is_retype(type_field(v->type, 0), T_INT) || !is_retype(type_field(v->type, 1), T_INT)) return NULL;
    const value *two[2] = {field_of(c, v, 0), field_of(c, v, 1)};
    return two[0] && two[1] ? make_tuple(c, 0, 2, two) : NULL;
}

const value *convert_to(compiler *c, const value *v, type_code to) {
    if (!v || v->kind != V_DATA || c->failed) return NULL;
    type_code from = v->type;
    unsigned x = type_head(from), y = type_head(to);
    if (is_retype(from, to)) return retype(c, v, to);
    if ((x == T_IJ || (x == T_CELL && c->triples)) && y == T_TUPLE) return convert_to(c, as_container(c, v), to);
    if (x == T_GRID && y == T_TUPLE) return convert_to(c, as_container(c, v), to);
    if (x == T_TUPLE && y == T_IJ && is_retype(type_element(from), T_INT)) return as_pair(c, v, 0);
    if (x == T_RECORD && y == T_CELL && !c->triples) return record_as_cell(c, v);
    if (x == T_TUPLE && y == T_GRID) {
        if (type_element(from) == T_IJ && !c->triples) return kernel_to(c, v, KERNEL_pairs_grid, 0, T_GRID);
        if (is_retype(from, TYPE_ROWS)) return kernel_to(c, v, KERNEL_rows_grid, 0, T_GRID);
        const value *rows = convert_to(c, v, TYPE_ROWS);
        return rows ? kernel_to(c, rows, KERNEL_rows_grid, 0, T_GRID) : NULL;
    }
    if (from == T_IJ && to == T_MIX) return kernel_to(c, v, KERNEL_bare, 0, T_MIX);
    if (from == TYPE_IJ_SET && to == TYPE_MIX_SET) return kernel_to(c, v, KERNEL_uncoloured, 0, to);
    if (type_is_container(from) && x == y) return convert_elements(c, v, to);
    if (x == T_RECORD && y == T_RECORD && type_fields(from) == type_fields(to)) return convert_fields(c, v, to);
    return NULL;
}

/* Elements that are no pairs and no cells by their type, but may be by what they hold: as what they may be; 0: they
 * cannot. */
static type_code patch_element(const compiler *c, type_code e) {
    if (type_head(e) == T_TUPLE && is_retype(type_element(e), T_INT)) return T_IJ;
    if (c->triples || type_head(e) != T_RECORD || type_fields(e) != 2 || !is_retype(type_field(e, 0), T_INT)) return 0;
    type_code place = type_field(e, 1);
    return place == T_IJ || patch_element(c, place) == T_IJ ? T_CELL : 0;
}

/* In tokpidjin nothing is nothing: a pair that is missing is an empty container, too. */
static const value *as_container_if_missing(compiler *c, const value *v) {
    return c->triples && v->type == T_IJ && !ij_is_whole(c, v) ? as_container(c, v) : v;
}

const value *rows_as_patch(compiler *c, const value *grid, unsigned places) {
    type_code t = type_tuple(places & ROWS_AS_CELLS ? T_CELL : T_IJ);
    if (may_have_guests(c, grid) && !(grid = value_without_guests(c, grid))) return NULL;
    return as_set(c, kernel_to(c, grid, KERNEL_rows_patch, places, t));
}

/* In tokpidjin rows are locations or cells, by how long they are, also where they are no grid's. */
static const value *as_rows_if_tuples(compiler *c, const value *v) {
    int is_rows = v && c->triples && type_is_container(v->type) && type_element(v->type) == TYPE_INT_TUPLE;
    return is_rows ? as_rows(c, v) : v;
}

static const value *as_patch(compiler *c, const value *v) {
    v = as_rows_if_tuples(c, as_container_if_missing(c, v));
    if (v && v->type == T_GRID && c->triples) return rows_as_patch(c, v, ROWS_OF_TWO | ROWS_OF_THREE);
    if (v && v->type == T_GRID) v = as_container(c, v);
    if (!v || !type_is_container(v->type)) return NULL;
    type_code e = type_element(v->type), pairs = patch_element(c, e);
    if (e == T_IJ || e == T_CELL) return as_set(c, v);
    if (e == T_MIX) return kernel_to(c, as_set(c, v), KERNEL_require_alike, 0, TYPE_MIX_SET);
    if (pairs && e != T_NEVER) return as_set(c, convert_to(c, v, type_container(type_head(v->type), pairs)));
    return require_empty(c, v, TYPE_IJ_SET);
}

/* A tuple in tokpidjin, of rows of which those of three are cells, or of what may be cells, in its order; NULL: it is
 * none. */
static const value *as_cells_in_order(compiler *c, const value *v) {
    if (!c->triples) return NULL;
    if (v->type == type_tuple(T_MIX)) return kernel_to(c, v, KERNEL_require_colours, 0, type_tuple(T_CELL));
    if (v->type != T_GRID && v->type != type_tuple(TYPE_INT_TUPLE)) return NULL;
    const value *grid = v->type == T_GRID ? v : as_rows(c, v);
    if (grid && may_have_guests(c, grid)) grid = value_without_guests(c, grid);
    return grid ? kernel_to(c, grid, KERNEL_rows_patch, ROWS_OF_THREE | ROWS_AS_CELLS, type_tuple(T_CELL)) : NULL;
}

static const value *as_object(compiler *c, const value *v) {
    v = as_rows_if_tuples(c, as_container_if_missing(c, v));
    if (v && v->type == T_GRID && c->triples) return rows_as_patch(c, v, ROWS_OF_THREE | ROWS_AS_CELLS);
    if (!v || !type_is_container(v->type)) return NULL;
    type_code e = type_element(v->type);
    if (e == T_CELL) return as_set(c, v);
    if (e != T_NEVER && patch_element(c, e) == T_CELL)
        return as_set(c, convert_to(c, v, type_container(type_head(v->type), T_CELL)));
    if (e == T_MIX) return kernel_to(c, as_set(c, v), KERNEL_require_colours, 0, TYPE_OBJECT);
    return require_empty(c, v, TYPE_OBJECT);
}

static int is_or_has_set(type_code t) { return type_head(t) == T_SET || !type_has_order(t); }

int type_has_order(type_code t) {
    if (type_head(t) == T_MIX) return 0;
    if (type_head(t) == T_TUPLE) return !is_or_has_set(type_element(t));
    for (int i = 0; type_head(t) == T_RECORD && i < type_fields(t); i++)
        if (is_or_has_set(type_field(t, i))) return 0;
    return 1;
}

int type_is_rows(type_code t) {
    type_code row = type_element(t);
    if (t == T_GRID) return 1;
    if (type_head(t) != T_TUPLE) return 0;
    return row == T_NEVER || row == T_IJ || (type_head(row) == T_TUPLE && is_retype(type_element(row), T_INT));
}

static const value *as_grid(compiler *c, const value *v) {
    if (v->type == T_GRID) return v;
    if (type_head(v->type) != T_TUPLE) return NULL;
    if (type_element(v->type) == T_NEVER) return retype(c, v, T_GRID);
    return convert_to(c, v, T_GRID);
}

/* A tuple is a grid where a grid or a patch is expected; one that cannot be is right as long as it is empty. */
static const value *as_grid_if_tuple(compiler *c, const value *v) {
    if (type_head(v->type) == T_TUPLE && !type_is_rows(v->type)) return require_empty(c, v, T_GRID);
    return as_grid(c, v);
}

/* What is taken as it is, as most arguments are. */
static const type_code fitting[SIG_COUNT][2] = {
    [SIG_INT] = {T_INT},
    [SIG_IJ] = {T_IJ},
    [SIG_IJ_LONG] = {T_IJ},
    [SIG_NUM] = {T_INT, T_IJ},
    [SIG_GRID] = {T_GRID},
    [SIG_PATCH] = {TYPE_IJ_SET, TYPE_OBJECT},
    [SIG_OBJECT] = {TYPE_OBJECT},
    [SIG_CELLS] = {TYPE_OBJECT},
    [SIG_PIECE] = {T_GRID, TYPE_OBJECT},
    [SIG_ELEMENT] = {T_GRID, TYPE_OBJECT},
    [SIG_OBJECTS] = {TYPE_OBJECT << 4 | T_SET},
};

const value *as_signature(compiler *c, const value *v, unsigned code) {
    if (v->kind != V_DATA || c->failed) return code == SIG_BOOL ? as_truth(c, v) : NULL;
    type_code t = v->type;
    if (t && (t == fitting[code][0] || t == fitting[code][1])) return v;
    const value *converted;
    switch (code) {
    case SIG_INT: return t == T_BOOL || t == T_INT ? retype(c, v, T_INT) : NULL;
    case SIG_BOOL: return as_truth(c, v);
    case SIG_IJ: return t == T_IJ ? v : type_head(t) == T_TUPLE ? convert_to(c, v, T_IJ) : NULL;
    case SIG_IJ_LONG: return t == T_IJ ? v : as_long_pair(c, v);
    case SIG_NUM: return t == T_BOOL || t == T_INT ? retype(c, v, T_INT) : as_signature(c, v, SIG_IJ_LONG);
    case SIG_GRID: return as_grid(c, v);
    case SIG_PATCH: return as_patch(c, v);
    case SIG_OBJECT: return as_object(c, v);
    case SIG_CELLS:
        return t == type_tuple(T_CELL) ? v : (converted = as_cells_in_order(c, v)) ? converted : as_object(c, v);
    case SIG_PIECE: return (converted = as_grid_if_tuple(c, v)) ? converted : as_patch(c, v);
    case SIG_ELEMENT: return (converted = as_grid_if_tuple(c, v)) ? converted : as_object(c, v);
    case SIG_OBJECTS:
        if (!type_is_container(t)) return NULL;
        if (is_retype(type_element(t), TYPE_OBJECT))
            return as_set(c, retype(c, v, type_container(type_head(t), TYPE_OBJECT)));
        return NULL;
    default: return NULL;
    }
}
