/* Stage b: patterns applied to all values that there are, cheapest first. What an application costs is what its pattern
 * and its arguments cost, so a level is all ways to spend so many bits. */
#include <stdlib.h>

#include "base/error.h"
#include "search/search_state.h"

#define CHUNK 4096

/* Where it goes on: a level, a pattern, how the level's bits are shared among the holes, and the next combination. */
typedef struct enumeration {
    int level;
    uint32_t pattern;
    int share[MAX_HOLES]; /* what the value of each hole costs */
    uint64_t next;
    application *application;
} enumeration;

void enumeration_free(search_state *s) {
    if (s->enumeration) free(s->enumeration->application);
    free(s->enumeration);
}

/* The next way to share `bits` among the first n - 1 holes, the last of which gets what is left; 0: there is none. */
static int next_share(int *share, int n, int bits) {
    for (int i = n - 2; i >= 0; i--) {
        int used = 0;
        for (int k = 0; k <= i; k++) used += share[k];
        if (used < bits) {
            share[i]++;
            for (int k = i + 1; k < n - 1; k++) share[k] = 0;
            return 1;
        }
        share[i] = 0;
    }
    return 0;
}

static void settle_last_share(int *share, int n, int bits) {
    int used = 0;
    for (int k = 0; k < n - 1; k++) used += share[k];
    share[n - 1] = bits - used;
}

static uint64_t combinations(const search_state *s, const pattern *p, const int *share) {
    uint64_t all = 1;
    for (int h = 0; h < p->holes; h++) all *= value_bank_list(&s->bank, p->hole[h], share[h]).count;
    return all;
}

static void combine(const search_state *s, const pattern *p, const int *share, uint64_t number, application *a) {
    for (int h = 0; h < p->holes; h++) {
        value_list l = value_bank_list(&s->bank, p->hole[h], share[h]);
        a->argument[h] = l.at[number % l.count];
        number /= l.count;
    }
}

/* Goes to the next share, pattern or level. */
static void advance(search_state *s, enumeration *e) {
    const pattern *p = &s->patterns.at[e->pattern];
    int bits = e->level - p->cost;
    e->next = 0;
    if (bits >= 0 && p->is_plain && next_share(e->share, p->holes, bits)) return;
    for (int h = 0; h < MAX_HOLES; h++) e->share[h] = 0;
    if (++e->pattern < s->patterns.count) return;
    e->pattern = 0;
    e->level++;
}

arcl_status enumeration_go_on(search_state *s, int *more, arcl_error *error) {
    if (!s->enumeration && !(s->enumeration = calloc(1, sizeof *s->enumeration))) return NO_MEMORY(error);
    enumeration *e = s->enumeration;
    if (!e->application && !(e->application = calloc(CHUNK, sizeof *e->application))) return NO_MEMORY(error);
    uint64_t until = s->candidates + CHUNK;
    while (s->candidates < until && e->level <= MAX_COST && s->patterns.count) {
        const pattern *p = &s->patterns.at[e->pattern];
        int bits = e->level - p->cost;
        uint64_t all = 0, left;
        if (bits >= 0 && p->is_plain) {
            settle_last_share(e->share, p->holes, bits);
            all = combinations(s, p, e->share);
        }
        left = all > e->next ? all - e->next : 0;
        uint32_t count = left > CHUNK ? CHUNK : (uint32_t)left;
        for (uint32_t n = 0; n < count; n++) combine(s, p, e->share, e->next + n, &e->application[n]);
        if (count) PROPAGATE(apply_pattern(s, e->pattern, e->application, count, error));
        s->candidates += count;
        s->stage_candidates[ARCL_SEARCH_VALUES] += count;
        e->next += count;
        if (e->next >= all) advance(s, e);
    }
    *more = e->level <= MAX_COST && s->patterns.count;
    return ARCL_SUCCESS;
}
