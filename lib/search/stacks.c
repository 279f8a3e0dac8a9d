/* Stage d: pieces over a grid until it is the output. Of all pieces, which are right wherever they are, the one that
 * covers most of what is still wrong comes next. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "search/goals.h"

#define MOST_STACKED 6

static int gain(const mask_word *need, const mask_word *covered, int words) {
    int n = 0;
    for (int w = 0; w < words; w++) n += bits_in(need[w] & covered[w]);
    return n;
}

/* Examples in which the piece covers something that is needed: what helps in all of them is no chance. */
static int examples_helped(const mask_layout *m, const mask_word *need, const mask_word *covered) {
    int n = 0;
    for (int e = 0; e < m->train; e++) {
        int helps = 0;
        for (int w = m->first[e]; w < m->first[e + 1]; w++) helps |= (need[w] & covered[w]) != 0;
        n += helps;
    }
    return n;
}

static int best_piece(const goals *g, const mask_word *need) {
    int best = -1;
    long most = 0;
    for (int i = 0; i < g->pieces; i++) {
        int cells = gain(need, g->piece[i].covered, g->masks.words);
        if (!cells) continue;
        long worth = (long)cells * 64 * examples_helped(&g->masks, need, g->piece[i].covered) / (16 + g->piece[i].cost);
        if (worth > most) {
            most = worth;
            best = i;
        }
    }
    return best;
}

static arcl_status try_stack(search_state *s, const base *b, const int *chosen, int count, arcl_error *error) {
    arcl_tree *tree;
    PROPAGATE(arcl_tree_copy(b->tree, &tree, error));
    arcl_operand grid = arcl_tree_result(tree);
    arcl_status status = ARCL_SUCCESS;
    for (int i = 0; i < count && status == ARCL_SUCCESS; i++) {
        const piece *p = &s->goals->piece[chosen[i]];
        status = piece_draw(s, p->tree, p->kind, p->colour, tree, &grid, error);
    }
    if (status == ARCL_SUCCESS) status = arcl_tree_set_result(tree, grid, error);
    arcl_search_stage stage = s->stage;
    s->stage = ARCL_SEARCH_STACKS;
    s->candidates++;
    s->stage_candidates[s->stage]++;
    if (status == ARCL_SUCCESS) status = answers_try(s, tree, NULL, error);
    s->stage = stage;
    arcl_tree_free(tree);
    return status;
}

static arcl_status stack_on(search_state *s, const base *b, mask_word *need, arcl_error *error) {
    const goals *g = s->goals;
    int chosen[MOST_STACKED], count = 0;
    memcpy(need, b->wrong, (size_t)g->masks.words * sizeof *need);
    while (count < MOST_STACKED && !mask_is_empty(need, g->masks.words)) {
        int next = best_piece(g, need);
        if (next < 0) return ARCL_SUCCESS;
        chosen[count++] = next;
        for (int w = 0; w < g->masks.words; w++) need[w] &= ~g->piece[next].covered[w];
    }
    return mask_is_empty(need, g->masks.words) ? try_stack(s, b, chosen, count, error) : ARCL_SUCCESS;
}

arcl_status stacks_go_on(search_state *s, arcl_error *error) {
    goals *g = s->goals;
    if (s->dialect != ARCL_ARC_DSL || (g->stacked == g->pieces && g->stacked_bases == g->bases)) return ARCL_SUCCESS;
    for (int i = 0; i < g->bases; i++) PROPAGATE(stack_on(s, &g->base[i], scratch_mask(g, 5), error));
    g->stacked = g->pieces;
    g->stacked_bases = g->bases;
    return ARCL_SUCCESS;
}
