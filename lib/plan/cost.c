#include "plan/cost.h"

#include <math.h>
#include <string.h>

/* Nanoseconds: where sharing brings nothing, it still takes calling the others. Breaks the tie. */
#define WAKE_ANYWAY 300.0

double cost_total(const cost_parts *p) { return p->fixed + p->queue + p->execution + p->transfer; }

launch_cost cost_of_launch(const profile_device *d, const launch_size *l, double lanes) {
    double over = l->shared ? 1 : l->lanes * lanes, elements = l->shared ? 0 : l->elements * lanes;
    launch_cost cost = {.variant = profile_best_variant(d, l->kernel, over, elements)};
    cost.one = profile_cost(d, cost.variant, l->kernel, over, elements);
    return cost;
}

static void add_launch(const profile_device *d, const launch_size *l, double lanes, cost_parts *sum) {
    cost_estimate one = cost_of_launch(d, l, lanes).one;
    sum->queue += l->launches * d->overhead[OVERHEAD_launch];
    sum->execution += l->launches * one.ns;
    sum->unmeasured += !one.measured;
    sum->extrapolated += one.extrapolated;
}

cost_parts cost_of_steps(const profile_device *d, const program_sizes *s, uint32_t first, uint32_t last, int whole,
                         double lanes) {
    cost_parts sum = {0};
    for (int i = 0; i < s->count; i++) {
        const launch_size *l = &s->launch[i];
        int outside = l->step == SIZES_NO_STEP;
        if (kernel_has(l->kernel, HOST_ONLY) && strcmp(d->kind, "host") != 0) continue;
        if (outside ? whole : l->step >= first && l->step < last) add_launch(d, l, lanes, &sum);
    }
    return sum;
}

/* One chunk from beginning to end. */
static cost_parts cost_of_chunk(const profile_device *d, const program_sizes *s, int steps, double lanes) {
    cost_parts sum = cost_of_steps(d, s, 0, (uint32_t)steps, 1, lanes);
    sum.fixed = d->overhead[OVERHEAD_chunk];
    sum.transfer = curve_at(&d->up, s->input_bytes * lanes) + curve_at(&d->down, s->result_bytes * lanes);
    return sum;
}

static cost_parts times(cost_parts p, double n) {
    p.fixed *= n;
    p.queue *= n;
    p.execution *= n;
    p.transfer *= n;
    return p;
}

/* How long `workers` take for chunks that take one worker `all` together, `chunk` each. The first works from the
 * beginning; the others wake up after a while, and from then on all are a little slower than one alone. Chunks are not
 * divided. Where there are many, each worker is somewhere in one when there are no more left to take: the last needs
 * half of it on average. */
static double shared_time(const profile_device *d, double all, double chunk, double chunks, int workers) {
    double others = workers - 1, slower = workers / d->overhead[OVERHEAD_speedup];
    double late = d->overhead[OVERHEAD_wake] * workers / others; /* wake is what it costs all together */
    double even = (all * slower + others * late) / workers, best = all;
    double own = floor(even / (chunk * slower));
    for (int more = 0; more < 2; more++, own++) {
        if (own < 1 || own >= chunks) continue;
        double rest = late + ceil((chunks - own) / others) * chunk * slower, first = own * chunk * slower;
        best = fmin(best, fmax(first, rest));
    }
    return fmin(all, fmax(best, even + chunk * slower / 2 * others / workers));
}

cost_way cost_of_way(const profile_device *d, const program_sizes *s, int steps, uint32_t lanes, uint32_t chunk,
                     int workers) {
    cost_way way = {.chunk = chunk, .workers = workers};
    uint32_t whole = lanes / chunk, rest = lanes % chunk;
    cost_parts one = cost_of_chunk(d, s, steps, chunk), last = cost_of_chunk(d, s, steps, rest ? rest : 1);
    way.parts = times(one, whole);
    if (rest) {
        way.parts.fixed += last.fixed;
        way.parts.queue += last.queue;
        way.parts.execution += last.execution;
        way.parts.transfer += last.transfer;
    }
    double all = cost_total(&way.parts);
    way.serial = all + d->overhead[OVERHEAD_run];
    if (workers > 1 && all > 0) {
        double chunks = whole + (double)rest / chunk, each = all / chunks;
        way.parts = times(way.parts, shared_time(d, all, each, ceil(chunks), workers) / all);
        way.parts.fixed += WAKE_ANYWAY;
    }
    way.parts.fixed += d->overhead[OVERHEAD_run];
    way.total = cost_total(&way.parts);
    return way;
}

cost_way cost_best_way(const profile_device *d, const program_sizes *s, int steps, uint32_t lanes) {
    int workers = d->workers;
    double room = d->chunk_words > 0 && s->words > 0 ? d->chunk_words / s->words : lanes;
    uint32_t most = room < 1 ? 1 : room < lanes ? (uint32_t)room : lanes;
    cost_way best = cost_of_way(d, s, steps, lanes, most, 1);
    for (uint64_t chunk = 16; chunk < most; chunk *= 2) {
        cost_way way = cost_of_way(d, s, steps, lanes, (uint32_t)chunk, 1);
        if (way.total < best.total) best = way;
    }
    for (uint64_t parts = (uint64_t)workers; workers > 1 && parts <= lanes; parts *= 2) {
        uint32_t chunk = (uint32_t)((lanes + parts - 1) / parts);
        if (chunk > most) continue;
        cost_way way = cost_of_way(d, s, steps, lanes, chunk, workers);
        if (way.total < best.total) best = way;
        if (chunk < 8) break;
    }
    return best;
}
