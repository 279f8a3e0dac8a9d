/* Locations and cells among each other, in the tokpidjin dialect, as the elements of one container.
 *
 * Ops for patches take such a container as long as its elements are alike. One by one they are tuples of two or three
 * ints, and a word gets the one or the other. */
#include "cl/word.h"
#include "compile/odd.h"

static int is_mix(const value *v) { return v->kind == V_DATA && v->type == T_MIX; }

const value *location_or_cell(compiler *c, const value *mix) {
    const value *one = make_data(c, emit_kernel1(c, KERNEL_initset, 0, mix->step), TYPE_MIX_SET);
    const value *object = as_signature(c, one, SIG_OBJECT), *patch = as_signature(c, one, SIG_PATCH);
    const value *is_cell = object ? is_there(c, object) : NULL;
    const value *cell = call_one(c, OP_first, object), *place = call_one(c, OP_first, call_one(c, OP_toindices, patch));
    return is_cell && cell && place ? make_choice(c, is_cell->step, cell, place) : NULL;
}

int is_mix_to_tell(const compiler *c, const word_row *w, int position, const value *v) {
    if (!c->safe || !is_mix(v)) return 0;
    switch (w->op) {
    case OP_identity:
    case OP_initset:
    case OP_insert:
    case OP_contained:
    case OP_remove:
    case OP_other:
    case OP_equality:
    case OP_repeat:
    case OP_astuple: return 0;
    default: return position < op_rows[w->op].arity && op_rows[w->op].family != FAMILY_function;
    }
}

static const value *ints_of(compiler *c, const value *side, const void *arg) {
    (void)arg;
    return as_container(c, side);
}

static const value *mix_as_row(compiler *c, const value *mix, const void *arg) {
    const value *either = location_or_cell(c, mix);
    return either ? run_sides(c, either, ints_of, arg) : NULL;
}

/* A row by its colour first, as cells are in order, and back. */
static const value *row_turned(compiler *c, const value *row, const void *places) {
    const int *place = places;
    const value *item[3], *is_cell = call_two(c, OP_equality, call_one(c, OP_size, row), make_const(c, 3, T_INT));
    for (int i = 0; i < 3; i++) item[i] = or_instead(c, STAND_IN_ZERO, item_of(c, row, place[i]));
    const value *turned = item[0] && item[1] && item[2] ? make_list(c, 3, item) : NULL;
    if (!turned || !is_cell) return NULL;
    uint32_t step[3] = {is_cell->step, turned->step, row->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_INT_TUPLE);
}

/* The rows of a set in its order, in which a location is among cells as if its row were their colour. */
static const value *rows_in_order(compiler *c, const value *rows) {
    static const int by_colour[3] = {2, 0, 1}, by_place[3] = {1, 2, 0};
    const value *turned = map_each_of(c, rows, row_turned, by_colour);
    const value *sorted = turned ? call_two(c, OP_order, turned, make_op(c, OP_identity)) : NULL;
    return sorted ? map_each_of(c, sorted, row_turned, by_place) : NULL;
}

const value *mixes_as_tuples(compiler *c, const value *container) {
    const value *rows = map_each_of(c, as_tuple(c, container), mix_as_row, NULL);
    if (!rows || rows->kind != V_DATA || rows->type != type_tuple(TYPE_INT_TUPLE)) return NULL;
    return type_head(container->type) == T_SET ? rows_in_order(c, rows) : rows;
}

const value *mixes_as_rows(compiler *c, const value *container) {
    return convert_to(c, mixes_as_tuples(c, container), T_GRID);
}

/* What has locations and cells in it has no places, if a cell is the first, and fails else. */
const value *places_of_mixes(compiler *c, const value *container) {
    const value *alike = as_signature(c, container, SIG_PATCH), *rows = mixes_as_tuples(c, container);
    const value *is_cell =
        call_two(c, OP_equality, call_one(c, OP_size, call_one(c, OP_first, rows)), make_const(c, 3, T_INT));
    const value *are_alike = alike ? is_there(c, alike) : NULL;
    if (!is_cell || !are_alike) return NULL;
    const value *right = call_two(c, OP_either, are_alike, or_instead(c, STAND_IN_ZERO, is_cell));
    uint32_t step[3] = {are_alike->step, or_instead(c, STAND_IN_ZERO, alike)->step, emit_const(c, 0)};
    uint32_t places = emit_kernel(c, KERNEL_branch, 0, 3, step); /* where there are none, nothing is the first */
    return right ? make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, places, right->step), TYPE_MIX_SET) : NULL;
}
