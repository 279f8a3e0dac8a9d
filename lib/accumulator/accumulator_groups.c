/* Which submissions are run together, and when: by program and by the size of the arguments, so that a group's lanes
 * are alike and what was measured for it means something. */
#include <stdlib.h>

#include "accumulator/accumulator.h"
#include "accumulator/waiting.h"

#define MOST_IDLE 1024u /* groups that are remembered: a search comes by millions of programs */

static void append(submission_list *all, submission *s) {
    s->next = NULL;
    if (all->last)
        all->last->next = s;
    else
        all->first = s;
    all->last = s;
    all->count++;
    all->lanes += s->lanes;
}

/* ---- lists of groups ---- */

static void list_add(group_list *l, group *g) {
    g->previous = l->last;
    g->next = NULL;
    *(l->last ? &l->last->next : &l->first) = g;
    l->last = g;
}

static void list_remove(group_list *l, group *g) {
    *(g->previous ? &g->previous->next : &l->first) = g->next;
    *(g->next ? &g->next->previous : &l->last) = g->previous;
    g->previous = g->next = NULL;
}

/* ---- finding ---- */

/* The power of two above the words of a lane, on average. */
static unsigned size_class(const arcl_batch *b) {
    size_t words = b->lanes ? b->data.count / b->lanes : 0;
    unsigned class = 0;
    while (words >> class) class ++;
    return class;
}

static group **bucket_of(group_table *t, const arcl_program *program, unsigned size) {
    uint64_t hash = ((uint64_t)(uintptr_t)program >> 4) * 0x9e3779b97f4a7c15u + size * 0xc2b2ae3d27d4eb4fu;
    return &t->bucket[(hash >> 32) % GROUP_BUCKETS];
}

static void drop(group_table *t, group *g) {
    group **at = bucket_of(t, g->program, g->size);
    while (*at != g) at = &(*at)->chain;
    *at = g->chain;
    free(g);
}

static void drop_longest_idle(group_table *t) {
    group *g = t->idle.first;
    list_remove(&t->idle, g);
    t->idle_count--;
    drop(t, g);
}

/* The group, which is idle if it is new. */
static group *find(group_table *t, const arcl_program *program, unsigned size) {
    group **bucket = bucket_of(t, program, size), *g;
    for (g = *bucket; g; g = g->chain)
        if (g->program == program && g->size == size) return g;
    g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->program = program;
    g->size = size;
    g->chain = *bucket;
    *bucket = g;
    list_add(&t->idle, g);
    t->idle_count++;
    return g;
}

/* ---- waiting ---- */

/* What running so many lanes of the group takes, in nanoseconds; below 0: not known. The one place that says so: it is
 * what the selector predicts, or, where it knows nothing, what earlier runs have taken. */
static double cost_of_run(const group *g, double lanes) {
    return g->predicted.count ? curve_at(&g->predicted, lanes) : run_costs_at(&g->costs, lanes);
}

/* What is saved by running the next submission together with those that wait. */
static double saved_by_waiting(const group *g) {
    double n = g->waiting.lanes, k = n / g->waiting.count;
    double alone = cost_of_run(g, n), next = cost_of_run(g, k), together = cost_of_run(g, n + k);
    return alone < 0 ? 0 : alone + next - together;
}

static void decide(const group_table *t, group *g) {
    waiting_group w = {g->waiting.count,        g->first_came,       g->last_came,
                       recent_median(&g->gaps), saved_by_waiting(g), t->longest};
    int limited;
    g->due = waiting_end(&w, &limited);
    g->reason = limited ? BY_DELAY : BY_COST;
    if (g->waiting.lanes < t->most_lanes) return;
    g->due = 0;
    g->reason = BY_SIZE;
}

int groups_add(group_table *t, submission *s, int64_t now) {
    group *g = find(t, s->program, size_class(s->batch));
    if (!g) return 0;
    if (!g->waiting.count) {
        if (!g->running) {
            list_remove(&t->idle, g);
            t->idle_count--;
        }
        list_add(&t->waiting, g);
        g->first_came = now;
    }
    if (g->last_came) recent_add(&g->gaps, (double)(now - g->last_came));
    g->last_came = now;
    append(&g->waiting, s);
    decide(t, g);
    return 1;
}

void groups_hurry(group_table *t, group_reason reason) {
    for (group *g = t->waiting.first; g; g = g->next) {
        g->due = 0;
        g->reason = reason;
    }
}

group *groups_take(group_table *t, int64_t now, int64_t *earliest) {
    *earliest = INT64_MAX;
    for (group *g = t->waiting.first; g; g = g->next) {
        if (g->due < *earliest) *earliest = g->due;
        if (g->due > now) continue;
        list_remove(&t->waiting, g);
        g->running = 1;
        return g;
    }
    return NULL;
}

void groups_give(group_table *t, group *g) {
    g->running = 0;
    if (g->waiting.count) return; /* more came while it was run: it is in the list of those that wait */
    list_add(&t->idle, g);
    if (++t->idle_count > MOST_IDLE) drop_longest_idle(t);
}

void groups_free(group_table *t) {
    while (t->idle.first) drop_longest_idle(t);
}
