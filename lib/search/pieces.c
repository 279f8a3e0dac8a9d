/* Grids to draw on and pieces to draw: a few of each are kept, as trees, with the cells of the train outputs that they
 * get wrong or right. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "search/goals.h"

static void base_free(base *b) {
    arcl_tree_free(b->tree);
    free(b->wrong);
}

void pieces_free(goals *g) {
    for (int i = 0; i < g->bases; i++) base_free(&g->base[i]);
    for (int i = 0; i < g->pieces; i++) {
        arcl_tree_free(g->piece[i].tree);
        free(g->piece[i].covered);
    }
    free(g->piece);
    key_table_free(&g->known_bases);
    key_table_free(&g->known_pieces);
    key_table_free(&g->ints);
}

/* ---- pieces ---- */

/* The patch of a piece in a tree: that of a value, or of the cells of a colour in one that is a grid. */
static arcl_status patch_tree(const search_state *s, uint32_t value, int colour_of_grid, uint32_t colour_value,
                              arcl_tree **tree, arcl_error *error) {
    arcl_operand pair[2], result;
    PROPAGATE(value_tree(s, value, tree, error));
    result = arcl_tree_result(*tree);
    arcl_status status = ARCL_SUCCESS;
    if (colour_of_grid >= 0) {
        arcl_operand argument[] = {result, {ARCL_OPERAND_INT, colour_of_grid, 0}};
        arcl_operand callee = arcl_operand_op(s->dialect, "ofcolor");
        status = arcl_tree_add(*tree, &callee, argument, 2, &result, error);
    }
    if (colour_value != NO_VALUE) {
        pair[1] = result;
        status = value_tree_add(s, *tree, colour_value, &pair[0], error);
        if (status == ARCL_SUCCESS) status = arcl_tree_add(*tree, NULL, pair, 2, &result, error);
    }
    if (status == ARCL_SUCCESS) status = arcl_tree_set_result(*tree, result, error);
    if (status == ARCL_SUCCESS) return status;
    arcl_tree_free(*tree);
    *tree = NULL;
    return status;
}

static arcl_status keep_piece(search_state *s, uint32_t value, piece made, int colour_of_grid, uint32_t colour_value,
                              const mask_word *covered, arcl_error *error) {
    goals *g = s->goals;
    uint64_t key = mask_key(covered, g->masks.words, (uint64_t)made.kind * 16 + (uint64_t)(made.colour + 1));
    if (g->pieces == MAX_PIECES || key_table_find(&g->known_pieces, key) != KEY_ABSENT) return ARCL_SUCCESS;
    PROPAGATE(key_table_put(&g->known_pieces, key, 0, error));
    made.covered = malloc((size_t)g->masks.words * sizeof *made.covered);
    if (!made.covered) return NO_MEMORY(error);
    memcpy(made.covered, covered, (size_t)g->masks.words * sizeof *covered);
    arcl_status status = patch_tree(s, value, colour_of_grid, colour_value, &made.tree, error);
    if (status != ARCL_SUCCESS) {
        free(made.covered);
        return status;
    }
    g->piece[g->pieces++] = made;
    return ARCL_SUCCESS;
}

arcl_status pieces_add(search_state *s, uint32_t value, piece_kind kind, int colour, uint32_t colour_value,
                       const mask_word *covered, arcl_error *error) {
    int cost = s->bank.value[value].cost + (colour_value == NO_VALUE ? 0 : s->bank.value[colour_value].cost);
    return keep_piece(s, value, (piece){.kind = kind, .colour = colour, .cost = cost + 3}, -1, colour_value, covered,
                      error);
}

static arcl_status add_operand(const search_state *s, arcl_tree *tree, const char *op, const arcl_operand *of,
                               int count, arcl_operand *result, arcl_error *error) {
    arcl_operand callee = arcl_operand_op(s->dialect, op);
    return arcl_tree_add(tree, &callee, of, count, result, error);
}

arcl_status piece_draw(const search_state *s, const arcl_tree *patch, piece_kind kind, int colour, arcl_tree *tree,
                       arcl_operand *grid, arcl_error *error) {
    arcl_operand input = {ARCL_OPERAND_PARAMETER, 0, 0}, drawn, colour_operand = {ARCL_OPERAND_INT, colour, 0};
    PROPAGATE(tree_add_pattern(tree, patch, &input, &drawn, error));
    if (kind == PIECE_PAINT) return add_operand(s, tree, "paint", (arcl_operand[]){*grid, drawn}, 2, grid, error);
    if (kind == PIECE_FILL_BY_VALUE) {
        arcl_operand pair = drawn;
        PROPAGATE(add_operand(s, tree, "first", &pair, 1, &colour_operand, error));
        PROPAGATE(add_operand(s, tree, "last", &pair, 1, &drawn, error));
    }
    return add_operand(s, tree, "fill", (arcl_operand[]){*grid, colour_operand, drawn}, 3, grid, error);
}

/* ---- grids ---- */

static int most_colour(arcl_grid g) {
    int count[COLOURS] = {0}, best = 0;
    for (int n = 0; n < g.h * g.w; n++)
        if (g.cells[n] >= 0 && g.cells[n] < COLOURS) count[g.cells[n]]++;
    for (int c = 1; c < COLOURS; c++)
        if (count[c] > count[best]) best = c;
    return best;
}

static void mask_of_background(const mask_layout *m, const arcl_grid *grids, mask_word *mask) {
    memset(mask, 0, (size_t)m->words * sizeof *mask);
    for (int e = 0; e < m->train; e++) {
        int colour = most_colour(grids[e]);
        for (int n = 0; n < grids[e].h * grids[e].w; n++)
            if (grids[e].cells[n] == colour) mask[m->first[e] + n / 64] |= (mask_word)1 << n % 64;
    }
}

static int base_rank(const base *b) { return 4 * b->wrong_count + b->cost; }

static arcl_status keep_base(search_state *s, uint32_t value, const arcl_grid *grids, base made, arcl_error *error) {
    goals *g = s->goals;
    int at = g->bases;
    size_t words = (size_t)g->masks.words;
    while (at && base_rank(&made) < base_rank(&g->base[at - 1])) at--;
    if (at == MAX_BASES) return ARCL_SUCCESS;
    PROPAGATE(value_tree(s, value, &made.tree, error));
    if (!(made.wrong = malloc(2 * words * sizeof *made.wrong))) {
        arcl_tree_free(made.tree);
        return NO_MEMORY(error);
    }
    made.background = made.wrong + words;
    mask_of_wrong(&g->masks, grids, made.wrong);
    mask_of_background(&g->masks, grids, made.background);
    if (g->bases == MAX_BASES) base_free(&g->base[--g->bases]);
    memmove(&g->base[at + 1], &g->base[at], (size_t)(g->bases - at) * sizeof *g->base);
    g->base[at] = made;
    g->bases++;
    g->stacked_bases = 0;
    return ARCL_SUCCESS;
}

/* The colours, as bits, whose cells are all as expected. */
static unsigned colours_right(const mask_layout *m, const arcl_grid *grids) {
    unsigned met = 0, wrong = 0;
    for (int e = 0; e < m->train; e++)
        for (int n = 0; n < grids[e].h * grids[e].w; n++) {
            unsigned colour = 1u << (grids[e].cells[n] & 31);
            met |= colour;
            wrong |= grids[e].cells[n] == m->output[e].cells[n] ? 0 : colour;
        }
    return met & ~wrong;
}

arcl_status bases_add(search_state *s, uint32_t value, const arcl_grid *grids, arcl_error *error) {
    goals *g = s->goals;
    mask_word *mask = scratch_mask(g, 4);
    base made = {.cost = s->bank.value[value].cost};
    mask_of_wrong(&g->masks, grids, mask);
    made.wrong_count = mask_count(mask, g->masks.words);
    uint64_t key = mask_key(mask, g->masks.words, 0);
    if (!made.wrong_count) return ARCL_SUCCESS;
    if (key_table_find(&g->known_bases, key) == KEY_ABSENT) {
        PROPAGATE(key_table_put(&g->known_bases, key, 0, error));
        PROPAGATE(keep_base(s, value, grids, made, error));
    }
    unsigned colours = colours_right(&g->masks, grids);
    for (int c = 0; c < COLOURS && stage_is_wanted(s, ARCL_SEARCH_STACKS) && s->dialect == ARCL_ARC_DSL; c++) {
        if (!(colours >> c & 1)) continue;
        mask_of_colour(&g->masks, grids, c, mask);
        PROPAGATE(keep_piece(s, value, (piece){.kind = PIECE_FILL, .colour = c, .cost = made.cost + 6}, c, NO_VALUE,
                             mask, error));
    }
    return ARCL_SUCCESS;
}
