/* Stage b: patterns applied to all values that there are, cheapest first. What an application costs is what its pattern
 * and its arguments cost, so a level is all ways to spend so many bits. */
#include <stdlib.h>

#include "base/error.h"
#include "search/search_state.h"

#define CHUNK 4096

/* Where it goes on: a level, a pattern, how the level's bits are shared among the holes, and the next combination. */
typedef struct position {
    int level;
    uint32_t pattern;
    int share[MAX_HOLES]; /* what the value of each hole costs */
    uint64_t next;
} position;

typedef struct enumeration {
    position at;
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

static void go_to_next_pattern(const search_state *s, position *at) {
    *at = (position){.level = at->level, .pattern = at->pattern + 1};
    if (at->pattern < s->patterns.count) return;
    *at = (position){.level = at->level + 1};
}

/* The next applications of one pattern, however the level's bits are shared: the more there are, the less each
 * costs. */
static uint32_t collect(const search_state *s, position *at, application *a) {
    const pattern *p = &s->patterns.at[at->pattern];
    int bits = at->level - p->cost, more = bits >= 0 && p->is_plain;
    uint32_t count = 0;
    while (more && count < CHUNK) {
        settle_last_share(at->share, p->holes, bits);
        uint64_t all = combinations(s, p, at->share);
        for (; at->next < all && count < CHUNK; at->next++) combine(s, p, at->share, at->next, &a[count++]);
        if (at->next < all) return count;
        at->next = 0;
        more = next_share(at->share, p->holes, bits);
    }
    if (!more) go_to_next_pattern(s, at);
    return count;
}

/* Where there is no room for more values, those that come are held against the goals, and forgotten. */
static arcl_status apply_some(search_state *s, uint32_t pattern_number, application *a, uint32_t count,
                              arcl_error *error) {
    if (!value_bank_is_full(&s->bank)) return apply_pattern(s, pattern_number, a, count, error);
    value_bank_try(&s->bank);
    arcl_status status = apply_pattern(s, pattern_number, a, count, error);
    value_bank_forget(&s->bank);
    return status;
}

arcl_status enumeration_go_on(search_state *s, int *more, arcl_error *error) {
    if (!s->enumeration && !(s->enumeration = calloc(1, sizeof *s->enumeration))) return NO_MEMORY(error);
    enumeration *e = s->enumeration;
    if (!e->application && !(e->application = calloc(CHUNK, sizeof *e->application))) return NO_MEMORY(error);
    uint64_t until = s->candidates + CHUNK;
    while (s->candidates < until && e->at.level <= MAX_COST && s->patterns.count) {
        position after = e->at;
        uint32_t count = collect(s, &after, e->application);
        if (count) PROPAGATE(apply_some(s, e->at.pattern, e->application, count, error));
        s->candidates += count;
        s->stage_candidates[ARCL_SEARCH_VALUES] += count;
        e->at = after;
    }
    *more = e->at.level <= MAX_COST && s->patterns.count;
    return ARCL_SUCCESS;
}
