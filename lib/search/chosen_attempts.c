/* Which outputs to hand in: those of the answers that are believed in most. Answers that agree support each other. */
#include <string.h>

#include "search/search_state.h"

#define AGREEMENT_BITS 2 /* that twice as many answers are worth */

static int same_grid(arcl_grid a, arcl_grid b) {
    return a.h == b.h && a.w == b.w && memcmp(a.cells, b.cells, (size_t)a.h * (size_t)a.w) == 0;
}

/* A grid as tasks have them: others are refused by whoever judges a submission. */
static int is_usable(arcl_grid g) {
    if (!g.cells || g.h < 1 || g.w < 1 || g.h > 30 || g.w > 30) return 0;
    for (int i = 0; i < g.h * g.w; i++)
        if (g.cells[i] < 0 || g.cells[i] > 9) return 0;
    return 1;
}

/* Bits of the output that an answer has: those of its program, less what those that agree are worth. */
static int output_cost(const answer *a) {
    int cost = a->cost;
    for (int agreeing = a->agreeing; agreeing > 1; agreeing /= 2) cost -= AGREEMENT_BITS;
    return cost;
}

static int is_taken(arcl_grid g, const arcl_grid *attempts, int count) {
    for (int k = 0; k < count; k++)
        if (same_grid(g, attempts[k])) return 1;
    return 0;
}

int arcl_search_attempts(const arcl_search *s, int test, arcl_grid *attempts) {
    int n = 0;
    if (!s || !attempts || test < 0 || test >= s->test) return 0;
    for (int best = 0; best >= 0 && n < ARCL_SEARCH_ATTEMPTS;) {
        int least = 0;
        best = -1;
        for (int i = 0; i < s->answers.count; i++) {
            arcl_grid g = s->answers.at[i].outputs[s->train + test];
            if (best >= 0 && s->answers.at[i].examples < s->answers.at[best].examples) break;
            if (!is_usable(g) || is_taken(g, attempts, n)) continue;
            int cost = output_cost(&s->answers.at[i]);
            if (best < 0 || cost < least) {
                best = i;
                least = cost;
            }
        }
        if (best >= 0) attempts[n++] = s->answers.at[best].outputs[s->train + test];
    }
    return n;
}
