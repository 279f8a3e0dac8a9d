#include "commands/score/score_ranking.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

/* ---- all behaviours ---- */

/* There are at least twice as many slots as there is room in the list, and a power of two of them. */
static uint32_t *slot_of(const score_ranking *r, uint64_t fingerprint) {
    uint32_t mask = (uint32_t)r->room * 2 - 1, at = (uint32_t)fingerprint & mask;
    while (r->slots[at] && r->fingerprints[r->slots[at] - 1] != fingerprint) at = (at + 1) & mask;
    return &r->slots[at];
}

static void grow(score_ranking *r) {
    r->room = r->room ? 2 * r->room : 4;
    r->fingerprints = allocation_resize(r->fingerprints, (size_t)r->room, sizeof *r->fingerprints);
    r->alike = allocation_resize(r->alike, (size_t)r->room, sizeof *r->alike);
    free(r->slots);
    r->slots = allocation_get((size_t)r->room * 2, sizeof *r->slots);
    for (int i = 0; i < r->count; i++) *slot_of(r, r->fingerprints[i]) = (uint32_t)i + 1;
}

static int place_of(score_ranking *r, uint64_t fingerprint) {
    if (r->count == r->room) grow(r);
    uint32_t *slot = slot_of(r, fingerprint);
    if (!*slot) {
        r->fingerprints[r->count] = fingerprint;
        r->alike[r->count++] = 0;
        *slot = (uint32_t)r->count;
    }
    r->alike[*slot - 1]++;
    return (int)*slot - 1;
}

/* ---- the best of them ---- */

static int better_first(const void *a, const void *b) {
    const score_behaviour *x = a, *y = b;
    return score_merit_is_better(&y->merit, &x->merit) - score_merit_is_better(&x->merit, &y->merit);
}

static int by_place(const void *a, const void *b) {
    const score_behaviour *x = a, *y = b;
    return x->place != y->place ? x->place - y->place : better_first(a, b);
}

/* Orders candidates and leaves the best, each behaviour once. Returns how many that are. */
static int keep_best(score_behaviour *list, int count, int most) {
    int once = 0;
    if (count == 0) return 0;
    qsort(list, (size_t)count, sizeof *list, by_place);
    for (int i = 0; i < count; i++)
        if (i == 0 || list[i].place != list[once - 1].place) list[once++] = list[i];
    qsort(list, (size_t)once, sizeof *list, better_first);
    return once < most ? once : most;
}

/* Programs of a behaviour come one by one. What was too bad to be kept when there were as many as are wanted stays so:
 * these only become better. */
static void consider(score_ranking *r, const score_tally *t, int place) {
    enum { SPARE = 16 };
    if (r->kept == r->most && !score_merit_is_better(&t->merit, &r->best[r->kept - 1].merit)) return;
    if (r->candidates == r->best_room) {
        r->candidates = r->kept = keep_best(r->best, r->candidates, r->most);
        if (r->best_room < 2 * r->candidates + SPARE) {
            r->best_room = 2 * r->candidates + SPARE;
            r->best = allocation_resize(r->best, (size_t)r->best_room, sizeof *r->best);
        }
    }
    r->best[r->candidates++] = (score_behaviour){.place = place,
                                                 .merit = t->merit,
                                                 .train = t->train,
                                                 .test = t->test,
                                                 .cells = t->cells,
                                                 .all_cells = t->all_cells};
}

int score_ranking_add(score_ranking *r, const score_tally *t) {
    int all = score_tally_all(t);
    r->programs++;
    r->is_solved |= all > 0 && score_tally_right(t) == all;
    if (!r->most) return -1;
    int place = place_of(r, t->behaviour);
    consider(r, t, place);
    return place;
}

score_behaviour *score_ranking_best(const score_ranking *r, int *count) {
    score_behaviour *best = allocation_get((size_t)r->candidates, sizeof *best);
    if (r->candidates) memcpy(best, r->best, (size_t)r->candidates * sizeof *best);
    *count = keep_best(best, r->candidates, r->most);
    for (int i = 0; i < *count; i++) best[i].programs = r->alike[best[i].place];
    return best;
}

void score_ranking_free(score_ranking *r) {
    free(r->fingerprints);
    free(r->alike);
    free(r->slots);
    free(r->best);
    *r = (score_ranking){0};
}
