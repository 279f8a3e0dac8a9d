#include "commands/score/score_ranking.h"

#include <stdlib.h>

/* There are at least twice as many slots as there is room in the list, and a power of two of them. */
static uint32_t *slot_of(const score_ranking *r, uint64_t fingerprint) {
    uint32_t mask = (uint32_t)r->room * 2 - 1, at = (uint32_t)fingerprint & mask;
    while (r->slots[at] && r->list[r->slots[at] - 1].fingerprint != fingerprint) at = (at + 1) & mask;
    return &r->slots[at];
}

static void grow(score_ranking *r) {
    r->room = r->room ? 2 * r->room : 4;
    r->list = allocation_resize(r->list, (size_t)r->room, sizeof *r->list);
    free(r->slots);
    r->slots = allocation_get((size_t)r->room * 2, sizeof *r->slots);
    for (int i = 0; i < r->count; i++) *slot_of(r, r->list[i].fingerprint) = (uint32_t)i + 1;
}

int score_ranking_add(score_ranking *r, const score_tally *t) {
    if (r->count == r->room) grow(r);
    uint32_t *slot = slot_of(r, t->behaviour);
    r->programs++;
    if (!*slot) {
        r->list[r->count++] = (score_behaviour){.fingerprint = t->behaviour,
                                                .merit = t->merit,
                                                .train = t->train,
                                                .test = t->test,
                                                .cells = t->cells,
                                                .all_cells = t->all_cells};
        *slot = (uint32_t)r->count;
    }
    score_behaviour *b = &r->list[*slot - 1];
    b->programs++;
    if (score_merit_is_better(&t->merit, &b->merit)) b->merit = t->merit;
    return (int)*slot - 1;
}

void score_ranking_free(score_ranking *r) {
    free(r->list);
    free(r->slots);
    *r = (score_ranking){0};
}

int score_ranking_is_solved(const score_ranking *r) {
    int solved = 0;
    for (int i = 0; i < r->count && !solved; i++) {
        const score_behaviour *b = &r->list[i];
        int all = b->train.all + b->test.all;
        solved = all > 0 && b->train.right + b->test.right == all;
    }
    return solved;
}

static int better_first(const void *a, const void *b) {
    const score_behaviour *const *x = a, *const *y = b;
    return score_merit_is_better(&(*y)->merit, &(*x)->merit) - score_merit_is_better(&(*x)->merit, &(*y)->merit);
}

const score_behaviour **score_ranking_best(const score_ranking *r, int most, int *count) {
    const score_behaviour **order = allocation_get((size_t)r->count, sizeof *order);
    for (int i = 0; i < r->count; i++) order[i] = &r->list[i];
    if (r->count) qsort(order, (size_t)r->count, sizeof *order, better_first);
    *count = r->count < most ? r->count : most;
    return order;
}
