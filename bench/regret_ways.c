#include "regret_ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/selector.h"
#include "profile/profile.h"
#include "program/split.h"

static regret_way *add(regret_ways *ways, int device, run_plan plan, const char *name) {
    if (ways->count == MOST_WAYS) return NULL;
    regret_way *way = &ways->way[ways->count++];
    *way = (regret_way){.plan = plan, .device = device};
    snprintf(way->name, sizeof way->name, "%s", name);
    return way;
}

static void add_device(arcl_context *c, const profile_device *d, int device, regret_ways *ways) {
    int first = 0, workers = device ? selector_workers(c, device, &first) : c->thread_count;
    static const uint32_t chunks[] = {0, 256, 1024};
    for (int n = 1; n <= workers; n += workers > 1 ? workers - 1 : 1)
        for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s x%d, chunks of %u", d->id, n, chunks[i]);
            add(ways, device,
                (run_plan){.kind = device ? ON_DEVICE : ON_HOST, .worker = first, .workers = n, .chunk = chunks[i]},
                name);
        }
}

static void add_split(arcl_context *c, const arcl_program *p, const arcl_profile *profile, int units, int cut, int a,
                      int b, regret_ways *ways) {
    int place[MOST_SPLIT_OPS + 1], first_a = MIXED_HOST, first_b = MIXED_HOST;
    char name[64];
    if ((a && !selector_workers(c, a, &first_a)) || (b && !selector_workers(c, b, &first_b))) return;
    for (int u = 0; u < units; u++) place[u] = u < cut ? first_a : first_b;
    snprintf(name, sizeof name, "%s | %d | %s", profile->device[a]->id, cut, profile->device[b]->id);
    regret_way *way = add(ways, -1, (run_plan){.kind = IN_PARTS, .workers = c->thread_count}, name);
    if (!way) return;
    if (mixed_plan_make(c, p->graph, place, &way->parts, NULL)) {
        ways->count--;
        return;
    }
    way->plan.parts = &way->parts;
}

static void add_splits(arcl_context *c, const arcl_program *p, const arcl_profile *profile, regret_ways *ways) {
    pool memory = {0};
    uint32_t *cut = malloc(((size_t)p->graph->count + 1) * sizeof *cut);
    int units = cut ? split_units(p->graph, &memory, cut) : 0;
    if (units <= MOST_SPLIT_OPS)
        for (int a = 0; a < profile->devices; a++)
            for (int b = 0; b < profile->devices; b++)
                for (int u = 1; u < units && a != b; u++) add_split(c, p, profile, units, u, a, b, ways);
    pool_free(&memory);
    free(cut);
}

void regret_ways_make(arcl_context *c, const arcl_program *p, regret_ways *ways) {
    const arcl_profile *profile = selector_profile(c, NULL);
    ways->count = 0;
    for (int d = 0; profile && d < profile->devices; d++) add_device(c, profile->device[d], d, ways);
    if (profile) add_splits(c, p, profile, ways);
}

void regret_ways_free(regret_ways *ways) {
    for (int i = 0; i < ways->count; i++) mixed_plan_free(&ways->way[i].parts);
    ways->count = 0;
}

int regret_ways_find(const regret_ways *ways, const run_plan *plan) {
    for (int i = 0; i < ways->count; i++) {
        const run_plan *w = &ways->way[i].plan;
        if (plan->kind != IN_PARTS && w->kind == plan->kind && w->worker == plan->worker &&
            w->workers == plan->workers && w->chunk == plan->chunk && !plan->kernels)
            return i;
    }
    return -1;
}
