#include "commands/similar/similar_rank.h"

#include <stdlib.h>

#include "cli/allocation.h"

static uint32_t cells_of(const arcl_grid *g) { return g->cells ? (uint32_t)g->h * (uint32_t)g->w : 0; }

/* Cells that either grid has. */
static uint32_t cells_of_either(const arcl_grid *a, const arcl_grid *b) {
    if (!a->cells || !b->cells) return cells_of(a) + cells_of(b);
    uint32_t h = (uint32_t)(a->h < b->h ? a->h : b->h), w = (uint32_t)(a->w < b->w ? a->w : b->w);
    return cells_of(a) + cells_of(b) - h * w;
}

static double share(const similar_pair *p) { return p->all ? (double)p->cells / p->all : 0; }

/* By products, not by quotients: equal shares must be equal. */
static int is_nearer(const similar_pair *a, const similar_pair *b) {
    return (uint64_t)a->cells * b->all > (uint64_t)b->cells * a->all;
}

static similar_pair pair_of(const similar_row *row, uint32_t i, const similar_side *expected, uint32_t j) {
    const arcl_grid *a = &row->grids[i], *b = &expected->grids[j];
    return (similar_pair){.output = row->labels[i],
                          .expected = expected->labels[j],
                          .cells = row->counts[(size_t)i * expected->count + j],
                          .all = cells_of_either(a, b),
                          .same_shape = a->cells && b->cells && a->h == b->h && a->w == b->w};
}

static uint32_t own_output(const similar_row *row, uint32_t j) { return row->own ? row->own[j] : SIMILAR_NO_OWN; }

/* The output that comes nearest to each expected grid; its own one goes before others that are as near. Row by row, as
 * the matrix is in memory. */
static void find_nearest(const similar_row *row, const similar_side *expected, similar_pair *nearest) {
    for (uint32_t j = 0; j < expected->count; j++) {
        uint32_t own = own_output(row, j);
        nearest[j] = pair_of(row, own == SIMILAR_NO_OWN ? 0 : own, expected, j);
    }
    for (uint32_t i = 0; i < row->count; i++)
        for (uint32_t j = 0; j < expected->count; j++) {
            similar_pair p = pair_of(row, i, expected, j);
            if (is_nearer(&p, &nearest[j])) nearest[j] = p;
        }
}

static similar_entry sum_up(const similar_row *row, const similar_side *expected, const similar_pair *nearest,
                            uint32_t group) {
    uint32_t first = expected->first[group], end = expected->first[group + 1], owned = 0;
    similar_entry e = {.output = row->name, .expected = expected->names[group], .grids = end - first};
    for (uint32_t j = first; j < end; j++) {
        uint32_t own = own_output(row, j);
        if (j == first || is_nearer(&nearest[j], &e.nearest)) e.nearest = nearest[j];
        e.mean += share(&nearest[j]);
        e.equal += nearest[j].same_shape && nearest[j].cells == nearest[j].all;
        if (own == SIMILAR_NO_OWN) continue;
        similar_pair p = pair_of(row, own, expected, j);
        e.own += share(&p);
        owned++;
    }
    if (e.grids) e.mean /= e.grids;
    e.own = owned ? e.own / owned : -1;
    return e;
}

void similar_rank(const similar_row *row, const similar_side *expected, similar_entry *entries) {
    similar_pair *nearest = allocation_get(expected->count, sizeof *nearest);
    find_nearest(row, expected, nearest);
    for (uint32_t g = 0; g < expected->groups; g++) entries[g] = sum_up(row, expected, nearest, g);
    free(nearest);
}

void similar_keep(similar_entry *best, uint32_t *count, uint32_t most, const similar_entry *entry) {
    uint32_t at = *count;
    while (at > 0 && entry->mean > best[at - 1].mean) at--;
    if (at == most) return;
    if (*count < most) ++*count;
    for (uint32_t n = *count - 1; n > at; n--) best[n] = best[n - 1];
    best[at] = *entry;
}
