/* Every new value is held against what the outputs imply. This decides what it is looked at for. */
#include <stdlib.h>

#include "base/error.h"
#include "search/goals.h"

uint64_t train_key(const search_state *s, uint32_t value) {
    uint64_t key = 0;
    for (int i = 0; i < s->train; i++)
        key = key_fold(key, s->bank.lanes.lane[value_lanes(&s->bank, value)[i]].fingerprint);
    return key;
}

arcl_status try_goal(search_state *s, arcl_tree *tree, arcl_operand result, arcl_error *error) {
    PROPAGATE(arcl_tree_set_result(tree, result, error));
    arcl_search_stage stage = s->stage;
    s->stage = ARCL_SEARCH_GOALS;
    arcl_status status = answers_try(s, tree, NULL, error);
    s->stage = stage;
    return status;
}

arcl_status goals_create(search_state *s, arcl_error *error) {
    goals *g = s->goals = calloc(1, sizeof *g);
    if (!g) return NO_MEMORY(error);
    PROPAGATE(targets_create(s, &g->targets, error));
    PROPAGATE(masks_create(s, &g->masks, error));
    g->scratch = calloc((size_t)g->masks.words * SCRATCH_MASKS, sizeof *g->scratch);
    g->piece = calloc(MAX_PIECES, sizeof *g->piece);
    if (!g->scratch || !g->piece) return NO_MEMORY(error);
    PROPAGATE(lane_store_shelf(&s->bank.lanes, T_INT, &g->int_shelf, error));
    return ARCL_SUCCESS;
}

void goals_free(search_state *s) {
    goals *g = s->goals;
    if (!g) return;
    pieces_free(g);
    targets_free(&g->targets);
    masks_free(&g->masks);
    free(g->scratch);
    free(g);
}

/* The program of a value, with what makes the output of it. */
static arcl_status try_finished(search_state *s, uint32_t value, uint32_t target_number, arcl_error *error) {
    const target_set *t = &s->goals->targets;
    arcl_tree *tree;
    PROPAGATE(value_tree(s, value, &tree, error));
    arcl_operand operand = arcl_tree_result(tree);
    arcl_search_stage stage = s->stage;
    arcl_status status = targets_finish(t, target_number, tree, &operand, error);
    if (status == ARCL_SUCCESS) status = arcl_tree_set_result(tree, operand, error);
    if (target_number) s->stage = ARCL_SEARCH_GOALS;
    if (status == ARCL_SUCCESS) status = answers_try(s, tree, NULL, error);
    s->stage = stage;
    arcl_tree_free(tree);
    return status;
}

/* Whether a value has the outputs' shapes; its grids. */
static int has_output_shape(const search_state *s, uint32_t value, arcl_grid *grids) {
    for (int i = 0; i < s->train; i++) {
        arcl_grid want = s->goals->masks.output[i];
        grids[i] = lane_grid(&s->bank.lanes, value_lanes(&s->bank, value)[i]);
        if (grids[i].h != want.h || grids[i].w != want.w) return 0;
    }
    return 1;
}

static int cells_right(const search_state *s, const arcl_grid *grids) {
    int right = 0;
    for (int i = 0; i < s->train; i++)
        for (int n = 0; n < grids[i].h * grids[i].w; n++)
            right += grids[i].cells[n] == s->goals->masks.output[i].cells[n];
    return right;
}

static arcl_status check_grid(search_state *s, uint32_t value, arcl_error *error) {
    goals *g = s->goals;
    arcl_grid grids[ARCL_SEARCH_INPUTS];
    uint32_t found = key_table_find(&g->targets.known, train_key(s, value));
    if (found != KEY_ABSENT) PROPAGATE(try_finished(s, value, found, error));
    if (!has_output_shape(s, value, grids)) return ARCL_SUCCESS;
    int right = cells_right(s, grids);
    if (right > g->best_cells && found == KEY_ABSENT) {
        g->best_cells = right;
        arcl_tree *tree;
        PROPAGATE(value_tree(s, value, &tree, error));
        arcl_status status = answers_try(s, tree, NULL, error);
        arcl_tree_free(tree);
        PROPAGATE(status);
    }
    if (stage_is_wanted(s, ARCL_SEARCH_GOALS)) PROPAGATE(check_recolouring(s, value, grids, error));
    if (stage_is_wanted(s, ARCL_SEARCH_STACKS) || stage_is_wanted(s, ARCL_SEARCH_GOALS))
        PROPAGATE(bases_add(s, value, grids, error));
    return ARCL_SUCCESS;
}

arcl_status goals_check(search_state *s, uint32_t value, arcl_error *error) {
    type_code type = s->bank.lanes.shelf[s->bank.value[value].shelf].type;
    if (type == T_GRID) return check_grid(s, value, error);
    if (s->dialect != ARCL_ARC_DSL)
        return ARCL_SUCCESS; /* calls that draw are put in by the names that it has for them */
    if (type == TYPE_IJ_SET || type == TYPE_OBJECT) return check_patch(s, value, error);
    if (type == T_INT && !s->bank.lanes.trying && key_table_find(&s->goals->ints, train_key(s, value)) == KEY_ABSENT)
        return key_table_put(&s->goals->ints, train_key(s, value), value, error);
    return ARCL_SUCCESS;
}
