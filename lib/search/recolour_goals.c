/* Grids of the outputs' shapes from which the outputs differ in colours alone: each colour becomes another one, the
 * same in all examples. */
#include "base/error.h"
#include "search/goals.h"

#define UNKNOWN (-1)

/* What becomes of every colour; 0 if that is not one colour, or if all stay what they are. */
static int find_map(const search_state *s, const arcl_grid *grids, int *map) {
    int changed = 0;
    for (int c = 0; c < COLOURS; c++) map[c] = UNKNOWN;
    for (int e = 0; e < s->train; e++)
        for (int n = 0; n < grids[e].h * grids[e].w; n++) {
            int from = grids[e].cells[n], to = s->goals->masks.output[e].cells[n];
            if (from < 0 || from >= COLOURS || (map[from] != UNKNOWN && map[from] != to)) return 0;
            map[from] = to;
            changed |= from != to;
        }
    return changed;
}

static arcl_status add_change(const search_state *s, arcl_tree *tree, const char *op, int from, int to,
                              arcl_operand *grid, arcl_error *error) {
    arcl_operand argument[] = {*grid, {ARCL_OPERAND_INT, from, 0}, {ARCL_OPERAND_INT, to, 0}};
    arcl_operand callee = arcl_operand_op(s->dialect, op);
    return arcl_tree_add(tree, &callee, argument, 3, grid, error);
}

/* A colour is replaced when none is left that becomes what it is; of two that change places, both at once. What goes
 * round in a longer circle is left as it is. */
static arcl_status add_changes(const search_state *s, arcl_tree *tree, int *map, arcl_operand *grid,
                               arcl_error *error) {
    for (int again = 1; again;) {
        again = 0;
        for (int c = 0; c < COLOURS; c++) {
            int to = map[c];
            if (to == UNKNOWN || to == c) continue;
            int next = map[to];
            if (next != UNKNOWN && next != to && next != c) continue; /* it has to go first */
            PROPAGATE(add_change(s, tree, next == c ? "switch" : "replace", c, to, grid, error));
            if (next == c) map[to] = UNKNOWN;
            map[c] = UNKNOWN;
            again = 1;
        }
    }
    return ARCL_SUCCESS;
}

arcl_status check_recolouring(search_state *s, uint32_t value, const arcl_grid *grids, arcl_error *error) {
    int map[COLOURS];
    arcl_tree *tree;
    if (s->dialect != ARCL_ARC_DSL || !find_map(s, grids, map)) return ARCL_SUCCESS;
    PROPAGATE(value_tree(s, value, &tree, error));
    arcl_operand grid = arcl_tree_result(tree);
    arcl_status status = add_changes(s, tree, map, &grid, error);
    if (status == ARCL_SUCCESS) status = try_goal(s, tree, grid, error);
    arcl_tree_free(tree);
    return status;
}
