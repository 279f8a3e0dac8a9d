/* Ops that only the tokpidjin dialect has: places and ranks, cells, train pairs. Most are put together from ops of the
 * language. */
#include "cl/word.h"
#include "compile/compiler.h"

static const value *data1(compiler *c, unsigned kernel, uint64_t imm, type_code t, const value *a) {
    return a ? make_data(c, emit_kernel1(c, kernel, imm, a->step), t) : NULL;
}

static const value *data2(compiler *c, unsigned kernel, uint64_t imm, type_code t, const value *a, const value *b) {
    return a && b ? make_data(c, emit_kernel2(c, kernel, imm, a->step, b->step), t) : NULL;
}

static const value *int_argument(compiler *c, int op, const value *const *arg, int i) {
    const value *n = as_signature(c, arg[i], SIG_INT);
    return n ? n : reject_argument(c, op, i, arg[i], "an int");
}

static const value *container_argument(compiler *c, int op, const value *const *arg, int i) {
    const value *v = as_container(c, arg[i]);
    return v ? v : reject_argument(c, op, i, arg[i], "a container");
}

/* ---- places ---- */

int place_of(int64_t rank, int count) {
    if (rank < 0) rank += count;
    return rank >= 0 && rank < count ? (int)rank : -1;
}

static const value *field_at_rank(compiler *c, const value *v, const value *rank) {
    int64_t known;
    int count = field_count(c, v);
    if (!step_is_const(c, rank->step, &known))
        return type_head(v->type) == T_RECORD ? dead_value(c)
                                              : data2(c, KERNEL_nth, 0, T_INT, as_container(c, v), rank);
    int place = place_of(known, count);
    return place < 0 ? failed_value(c, ARCL_LANE_EMPTY) : field_of(c, v, place);
}

static const value *item_at_rank(compiler *c, const value *v, const value *rank) {
    int64_t known;
    if (!step_is_const(c, rank->step, &known)) return reject(c, "a rank among functions must be a number");
    int place = place_of(known, v->count);
    return place < 0 ? failed_value(c, ARCL_LANE_EMPTY) : v->part[place];
}

/* Ends of containers have kernels of their own, and may be known to the compiler. */
static const value *end_at_rank(compiler *c, const value *v, const value *rank) {
    int64_t known;
    if (!step_is_const(c, rank->step, &known) || (known != 0 && known != -1)) return NULL;
    return call_op(c, known ? OP_last : OP_first, 1, &v);
}

static const value *at_rank(compiler *c, int op, const value *v, const value *rank) {
    const value *end = v->kind == V_TUPLE && !v->count ? NULL : end_at_rank(c, v, rank);
    if (end || c->failed) return end;
    if (v->kind == V_TUPLE) return item_at_rank(c, v, rank);
    if (has_fields(v)) return field_at_rank(c, v, rank);
    const value *container = as_container(c, v);
    if (!container) return reject_argument(c, op, 0, v, "a container");
    return data2(c, KERNEL_nth, op == OP_second, type_element(container->type), container, rank);
}

const value *rule_nth(compiler *c, int op, const value *const *arg) {
    const value *rank = int_argument(c, op, arg, 1);
    return rank ? at_rank(c, op, arg[0], rank) : NULL;
}

const value *rule_second(compiler *c, int op, const value *const *arg) {
    return at_rank(c, op, arg[0], make_const(c, 1, T_INT));
}

/* ---- ranks ---- */

const value *rule_nth_by_key(compiler *c, int op, const value *const *arg) {
    const value *rank = int_argument(c, op, arg, 1);
    const value *sorted = rank ? call_two(c, OP_order, arg[0], arg[2]) : NULL;
    if (op == OP_get_nth_by_key_up && sorted) {
        const value *two[2] = {rank, make_const(c, 0, T_INT)};
        const value *list = make_list(c, 2, two);
        rank = list ? call_op(c, OP_maximum, 1, &list) : NULL;
    }
    return sorted && rank ? at_rank(c, op, sorted, rank) : NULL;
}

/* Descending, so the rank counts from the other end. */
const value *rule_rank(compiler *c, int op, const value *const *arg) {
    const value *rank = int_argument(c, op, arg, 1), *container = rank ? container_argument(c, op, arg, 0) : NULL;
    if (!container) return NULL;
    if (!type_join(type_element(container->type), T_INT))
        return reject_argument(c, op, 0, arg[0], "a container of ints");
    const value *sorted = call_two(c, OP_order, container, make_op(c, OP_identity));
    const value *from_end = call_two(c, OP_subtract, make_const(c, -1, T_INT), rank);
    return sorted && from_end ? data2(c, KERNEL_nth, 0, T_INT, sorted, from_end) : NULL;
}

const value *rule_arg_rank(compiler *c, int op, const value *const *arg) {
    const value *rank = int_argument(c, op, arg, 2);
    if (rank && is_record_of_two(arg[0])) return record_at_rank(c, arg[0], arg[1], rank);
    const value *sorted = rank ? order_by(c, op, arg, 1) : NULL;
    return sorted ? at_rank(c, op, sorted, rank) : NULL;
}

const value *rule_val_rank(compiler *c, int op, const value *const *arg) {
    const value *rank = int_argument(c, op, arg, 2);
    return rank ? key_at_rank(c, op, arg, rank) : NULL;
}

const value *rule_common_rank(compiler *c, int op, const value *const *arg) {
    const value *rank = int_argument(c, op, arg, 1), *a = rank ? container_argument(c, op, arg, 0) : NULL;
    if (!a) return NULL;
    if (type_head(a->type) != T_TUPLE) return reject_argument(c, op, 0, arg[0], "a tuple");
    return data2(c, KERNEL_common_rank, type_element(a->type), type_element(a->type), a, rank);
}

/* Of a tuple of cells the order counts. */
const value *rule_color_rank(compiler *c, int op, const value *const *arg) {
    const value *rank = int_argument(c, op, arg, 1);
    if (!rank) return NULL;
    int is_cells = arg[0]->kind == V_DATA && arg[0]->type == type_tuple(T_CELL);
    const value *given[2] = {arg[0], rank};
    return is_cells ? data2(c, KERNEL_color_rank_patch, 0, T_INT, arg[0], rank) : rule_plain(c, op, given);
}

/* ---- cells and colours ---- */

static const value *cell_of(compiler *c, const value *colour, const value *place) {
    return data2(c, KERNEL_pack_cell, 0, T_CELL, colour, place);
}

const value *rule_ascell(compiler *c, int op, const value *const *arg) {
    const value *place = as_signature(c, arg[0], SIG_IJ), *colour = as_signature(c, arg[1], SIG_INT);
    if (!place) return reject_argument(c, op, 0, arg[0], signature_description(SIG_IJ));
    if (!ij_is_whole(c, place))
        place = data1(c, KERNEL_increment_ij, 0, T_IJ, data1(c, KERNEL_decrement_ij, 0, T_IJ, place));
    if (colour || !place || arg[1]->kind != V_DATA)
        return colour && place ? cell_of(c, colour, place) : int_argument(c, op, arg, 1);
    const value *item[3] = {field_of(c, place, 0), field_of(c, place, 1), arg[1]};
    return make_tuple(c, 0, 3, item);
}

const value *rule_astriple(compiler *c, int op, const value *const *arg) {
    const value *n[3];
    for (int i = 0; i < 3; i++)
        if (!(n[i] = as_signature(c, arg[i], SIG_INT))) return c->failed ? NULL : make_tuple(c, 0, 3, arg);
    (void)op;
    return cell_of(c, n[2], data2(c, KERNEL_pack_ij, 0, T_IJ, n[0], n[1]));
}

const value *rule_toij(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind == V_DATA && arg[0]->type == T_CELL) return data1(c, KERNEL_cell_last, 0, T_IJ, arg[0]);
    const value *pair = as_signature(c, arg[0], SIG_IJ_LONG);
    return pair ? pair : reject_argument(c, op, 0, arg[0], "a cell");
}

const value *rule_celltuple(compiler *c, int op, const value *const *arg) {
    (void)op;
    const value *given[3] = {make_op(c, OP_ascell), arg[0], arg[1]};
    return given[0] ? call_op(c, OP_papply, 3, given) : NULL;
}

const value *rule_colours(compiler *c, int op, const value *const *arg) {
    (void)op;
    const value *colours = call_one(c, OP_palette, arg[0]);
    return colours ? call_one(c, OP_totuple, colours) : NULL;
}

const value *rule_colorfilter_tuple(compiler *c, int op, const value *const *arg) {
    const value *colour = int_argument(c, op, arg, 1);
    const value *holds = colour ? call_two(c, OP_matcher, make_op(c, OP_color), colour) : NULL;
    const value *container = holds ? container_argument(c, op, arg, 0) : NULL;
    if (!container) return NULL;
    type_code e = type_element(container->type);
    container = make_data(c, container->step, type_tuple(e));
    if (container && type_head(e) == T_SET) return fail_unless_empty(c, container, type_tuple(T_NEVER));
    return container ? call_two(c, OP_sfilter, container, holds) : NULL;
}

/* ---- train pairs ---- */

const value *rule_dedupe_pairs(compiler *c, int op, const value *const *arg) {
    const value *same = make_function(c, F_FORK, 3, make_op(c, OP_equality), make_op(c, OP_first), make_op(c, OP_last));
    const value *differ = same ? make_function(c, F_COMPOSE, 2, make_op(c, OP_flip), same, NULL) : NULL;
    const value *pairs = differ ? container_argument(c, op, arg, 0) : NULL;
    return pairs ? call_two(c, OP_sfilter, make_data(c, pairs->step, type_tuple(type_element(pairs->type))), differ)
                 : NULL;
}

/* What f yields for the grids at one place of the pairs, each once. */
static const value *values_of(compiler *c, const value *pairs, int op, const value *f) {
    const value *grids = call_two(c, OP_apply, make_op(c, op), pairs);
    const value *given[2] = {f, grids};
    const value *all = grids ? call_op(c, OP_mapply, 2, given) : NULL;
    return all ? call_one(c, OP_dedupe, all) : NULL;
}

const value *rule_only_in(compiler *c, int op, const value *const *arg) {
    const value *in = values_of(c, arg[0], OP_first, arg[1]),
                *out = in ? values_of(c, arg[0], OP_second, arg[1]) : NULL;
    if (!out) return NULL;
    return op == OP_c_iz || op == OP_c_iz_n ? call_two(c, OP_difference, in, out) : call_two(c, OP_difference, out, in);
}

const value *rule_only_in_pick(compiler *c, int op, const value *const *arg) {
    const value *all = rule_only_in(c, op, arg);
    return all ? call1(c, arg[2], all) : NULL;
}

const value *rule_mirror_of_pairs(compiler *c, int op, const value *const *arg) {
    const value *pairs = arg[0]->kind == V_DATA ? convert_to(c, arg[0], type_tuple(type_tuple(T_GRID))) : NULL;
    if (!pairs) return reject_argument(c, op, 0, arg[0], signature_description(SIG_SAMPLES));
    return data1(c, KERNEL_mirror_of_pairs, 0, T_INT, pairs);
}

/* ---- what the dialect makes of ops of the language ---- */

/* A grid's corner is where the lowest of each column would be, however many there are; its box, if it is no patch, is
 * that of the origin. */
const value *rule_subgrid_inside(compiler *c, int op, const value *const *arg) {
    int is_grid = arg[0]->kind == V_DATA && arg[0]->type == T_GRID;
    const value *patch = is_grid ? rows_as_patch(c, arg[0], ROWS_OF_MORE) : as_signature(c, arg[0], SIG_PATCH),
                *box = patch;
    if (!patch) return reject_argument(c, op, 0, arg[0], signature_description(SIG_PATCH));
    if (is_grid) box = rows_as_patch(c, arg[0], ROWS_OF_TWO | ROWS_OF_THREE | ROWS_OR_ORIGIN);
    const value *crop[3] = {arg[1], call_one(c, OP_ulcorner, patch), call_one(c, OP_shape, box)};
    return crop[1] && crop[2] ? call_op(c, OP_crop_inside, 3, crop) : NULL;
}

/* Where the second grid has no cell, Python compares with minus infinity, which is none here. */
const value *rule_cellwise_filled(compiler *c, int op, const value *const *arg) {
    const value *made = rule_plain(c, op, arg);
    if (!made) return NULL;
    graph_step s = c->steps[made->step];
    if (made->step + 1 == c->count) s = emit_take_back(c);
    s.imm = safe_has_lowest(c, s.arg[0]) ? 2 : 1;
    return make_data(c, emit(c, s), T_GRID);
}

/* Types tell, but for what is empty, since () is a grid, and for none among the cells, since that is no int. */
const value *rule_is_no_grid(compiler *c, int op, const value *const *arg) {
    (void)op;
    const value *v = arg[0];
    if (v->kind != V_DATA) return make_const(c, 1, T_BOOL);
    if (v->type == T_GRID) {
        uint32_t nones = emit_kernel2(c, KERNEL_colorcount_grid, 0, v->step, emit_const(c, NONE));
        return make_data(c, emit_kernel1(c, KERNEL_truth_int, 0, nones), T_BOOL);
    }
    if (type_is_rows(v->type)) return make_const(c, 0, T_BOOL);
    if (type_head(v->type) == T_TUPLE && type_element(v->type) != T_CELL) return as_truth(c, v);
    if (type_head(v->type) == T_IJ && !ij_is_whole(c, v)) return as_truth(c, v);
    return make_const(c, type_head(v->type) != T_TUPLE, T_BOOL);
}
