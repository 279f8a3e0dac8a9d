/* Patches that outputs imply: what has to be filled or painted to make the output of a grid that has its shape, and
 * what the output is cut out by. */
#include <string.h>

#include "base/error.h"
#include "search/goals.h"

/* The colour that the outputs have where the mask is, in example e; -1: several; -2: the mask is empty there. */
static int colour_under(const mask_layout *m, const mask_word *mask, int e) {
    int found = -2;
    for (int c = 0; c < COLOURS; c++)
        for (int w = m->first[e]; w < m->first[e + 1]; w++)
            if (mask[w] & m->colour[c][w]) {
                if (found >= 0) return -1;
                found = c;
                break;
            }
    return found;
}

/* What fills the mask rightly: a colour for all examples (>= 0), or an int that is a value; NO_VALUE, and -1: nothing
 * does. */
static int colour_of_fill(search_state *s, const mask_word *mask, uint32_t *value) {
    const goals *g = s->goals;
    int colour[ARCL_SEARCH_INPUTS], common = -2;
    *value = NO_VALUE;
    for (int e = 0; e < s->train; e++) {
        colour[e] = colour_under(&g->masks, mask, e);
        if (colour[e] == -1) return -1;
        if (colour[e] == -2) continue;
        if (common == -2) common = colour[e];
        if (common != colour[e]) common = -1;
    }
    if (common >= 0) return common;
    uint64_t key = 0;
    for (int e = 0; e < s->train; e++) {
        uint32_t lane_number;
        if (colour[e] < 0 || lane_store_int(&s->bank.lanes, colour[e], &lane_number, NULL)) return -1;
        key = key_fold(key, s->bank.lanes.lane[lane_number].fingerprint);
    }
    *value = key_table_find(&g->ints, key);
    if (*value == KEY_ABSENT) *value = NO_VALUE;
    return -1;
}

/* The grid with the patch drawn on it is an answer. */
static arcl_status try_drawing(search_state *s, const char *op, const base *b, uint32_t value, int colour,
                               uint32_t colour_value, arcl_error *error) {
    arcl_tree *tree;
    arcl_operand argument[3], callee = arcl_operand_op(s->dialect, op), result;
    int count = 0;
    PROPAGATE(arcl_tree_copy(b->tree, &tree, error));
    argument[count++] = arcl_tree_result(tree);
    arcl_status status = ARCL_SUCCESS;
    if (colour_value != NO_VALUE)
        status = value_tree_add(s, tree, colour_value, &argument[count++], error);
    else if (colour >= 0)
        argument[count++] = (arcl_operand){ARCL_OPERAND_INT, colour, 0};
    if (status == ARCL_SUCCESS) status = value_tree_add(s, tree, value, &argument[count++], error);
    if (status == ARCL_SUCCESS) status = arcl_tree_add(tree, &callee, argument, count, &result, error);
    if (status == ARCL_SUCCESS) status = try_goal(s, tree, result, error);
    arcl_tree_free(tree);
    return status;
}

/* Drawing on all of a grid, and on its background alone. */
static arcl_status check_base(search_state *s, const base *b, uint32_t value, int is_object, const mask_word *covered,
                              const mask_word *right, arcl_error *error) {
    const goals *g = s->goals;
    int words = g->masks.words, colour;
    mask_word *part = scratch_mask(g, 2), *part_right = scratch_mask(g, 3);
    uint32_t colour_value;
    if (mask_within(b->wrong, covered, words)) {
        colour = colour_of_fill(s, covered, &colour_value);
        if (colour >= 0 || colour_value != NO_VALUE)
            PROPAGATE(try_drawing(s, "fill", b, value, colour, colour_value, error));
        if (is_object && mask_within(covered, right, words))
            PROPAGATE(try_drawing(s, "paint", b, value, -1, NO_VALUE, error));
    }
    for (int w = 0; w < words; w++) {
        part[w] = covered[w] & b->background[w];
        part_right[w] = right[w] & b->background[w];
    }
    if (!mask_within(b->wrong, part, words)) return ARCL_SUCCESS;
    colour = colour_of_fill(s, part, &colour_value);
    if (colour >= 0 || colour_value != NO_VALUE)
        PROPAGATE(try_drawing(s, "underfill", b, value, colour, colour_value, error));
    if (is_object && mask_within(part, part_right, words))
        PROPAGATE(try_drawing(s, "underpaint", b, value, -1, NO_VALUE, error));
    return ARCL_SUCCESS;
}

/* Whether the output is what the input has in the patch's box. */
static int is_cut_out(const search_state *s, const patch_box *box) {
    for (int e = 0; e < s->train; e++) {
        arcl_grid out = s->goals->masks.output[e];
        arcl_grid in = lane_grid(&s->bank.lanes, value_lanes(&s->bank, s->input)[e]);
        if (box[e].h != out.h || box[e].w != out.w || box[e].i < 0 || box[e].j < 0 || box[e].i + out.h > in.h ||
            box[e].j + out.w > in.w)
            return 0;
        for (int i = 0; i < out.h; i++)
            if (memcmp(out.cells + i * out.w, in.cells + (box[e].i + i) * in.w + box[e].j, (size_t)out.w)) return 0;
    }
    return 1;
}

static arcl_status try_cut(search_state *s, uint32_t value, arcl_error *error) {
    arcl_tree *tree;
    arcl_operand argument[2] = {{0}, {ARCL_OPERAND_PARAMETER, 0, 0}}, callee = arcl_operand_op(s->dialect, "subgrid");
    arcl_operand result;
    PROPAGATE(value_tree(s, value, &tree, error));
    argument[0] = arcl_tree_result(tree);
    arcl_status status = arcl_tree_add(tree, &callee, argument, 2, &result, error);
    if (status == ARCL_SUCCESS) status = try_goal(s, tree, result, error);
    arcl_tree_free(tree);
    return status;
}

arcl_status check_patch(search_state *s, uint32_t value, arcl_error *error) {
    goals *g = s->goals;
    mask_word *covered = scratch_mask(g, 0), *right = scratch_mask(g, 1);
    patch_box box[ARCL_SEARCH_INPUTS];
    uint32_t colour_value;
    int is_object = s->bank.lanes.shelf[s->bank.value[value].shelf].type == TYPE_OBJECT;
    mask_of_patch(s, &g->masks, value, covered, right, box);
    if (stage_is_wanted(s, ARCL_SEARCH_GOALS)) {
        if (is_cut_out(s, box)) PROPAGATE(try_cut(s, value, error));
        for (int b = 0; b < g->bases && b < 6; b++)
            PROPAGATE(check_base(s, &g->base[b], value, is_object, covered, right, error));
    }
    if (!stage_is_wanted(s, ARCL_SEARCH_STACKS) || mask_is_empty(covered, g->masks.words)) return ARCL_SUCCESS;
    if (is_object && mask_within(covered, right, g->masks.words))
        return pieces_add(s, value, PIECE_PAINT, -1, NO_VALUE, covered, error);
    int colour = colour_of_fill(s, covered, &colour_value);
    if (colour >= 0) return pieces_add(s, value, PIECE_FILL, colour, NO_VALUE, covered, error);
    if (colour_value != NO_VALUE) return pieces_add(s, value, PIECE_FILL_BY_VALUE, -1, colour_value, covered, error);
    return ARCL_SUCCESS;
}
