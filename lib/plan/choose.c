#include "plan/choose.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "program/execute.h"
#include "program/split.h"

/* Parts have to promise so much more than a single device before they are looked at closely: they are predictions,
 * too. */
#define WORTH_LOOKING 0.97

/* ---- single devices ---- */

static void choose_single(const choice_request *r, choice *c) {
    c->device = 0;
    for (int d = 0; d < r->profile->devices; d++) {
        if (!(r->usable >> d & 1)) continue;
        c->way[d] = cost_best_way(r->profile->device[d], r->sizes, r->program->count, r->lanes);
        if (r->input_on >> d & 1) { /* it need not go up */
            c->way[d].total -= c->way[d].parts.transfer * 0.5;
            c->way[d].parts.transfer *= 0.5;
        }
        c->able[d] = d == 0 || !c->way[d].parts.unmeasured;
        if (c->able[d] && (!c->able[c->device] || c->way[d].total < c->way[c->device].total)) c->device = d;
    }
    c->predicted = c->way[c->device].total;
}

/* ---- parts ---- */

typedef struct drafting {
    const choice_request *r;
    choice *c;
    pool *memory;
    uint32_t *unit_of; /* per step */
    double chunks;
    double *cost, *start, *latency, *per_byte;
    planner_unit *unit;
    uint32_t *use, *result;
} drafting;

static double parallel(const profile_device *d) { return d->overhead[OVERHEAD_speedup]; }

static void draft_costs(drafting *w, int d) {
    const program_sizes *s = w->r->sizes;
    const profile_device *device = w->r->profile->device[d];
    uint32_t chunk = w->c->way[w->c->device].chunk;
    int devices = w->c->problem.devices;
    for (int i = 0; i < s->count; i++) {
        const launch_size *l = &s->launch[i];
        if (l->step == SIZES_NO_STEP) continue;
        cost_estimate one = cost_of_launch(device, l, chunk).one;
        double *cost = &w->cost[(int)w->unit_of[l->step] * devices + d];
        if (!(w->r->usable >> d & 1) || (!one.measured && d > 0))
            *cost = INFINITY;
        else
            *cost += w->chunks * l->launches * (one.ns + device->overhead[OVERHEAD_launch]) / parallel(device);
    }
}

/* What a part costs besides its steps: its chunk, and the launches at its beginning and end. */
static double part_overhead(const drafting *w, int d) {
    const profile_device *device = w->r->profile->device[d];
    cost_parts outside = cost_of_steps(device, w->r->sizes, 0, 0, 1, w->c->way[w->c->device].chunk);
    return w->chunks * (device->overhead[OVERHEAD_chunk] + cost_total(&outside)) / parallel(device);
}

static double slope(const curve *c) {
    int last = c->count - 1;
    return last > 0 ? (c->y[last] - c->y[0]) / (c->x[last] - c->x[0]) : 0;
}

static void draft_moves(drafting *w) {
    int devices = w->c->problem.devices;
    for (int from = 0; from < devices; from++) {
        const profile_device *a = w->r->profile->device[from];
        w->start[from] = a->overhead[OVERHEAD_run] + part_overhead(w, from);
        for (int to = 0; to < devices; to++) {
            const profile_device *b = w->r->profile->device[to];
            w->latency[from * devices + to] =
                w->chunks * (curve_at(&a->down, 0) + curve_at(&b->up, 0)) + part_overhead(w, to);
            w->per_byte[from * devices + to] = slope(&a->down) + slope(&b->up);
        }
    }
}

static void note_use(drafting *w, uint32_t *uses, uint32_t first, uint32_t use) {
    for (uint32_t i = first; i < *uses; i++)
        if (w->use[i] == use) return;
    w->use[(*uses)++] = use;
}

/* What each unit reads of others. What is only data, or shared by all lanes, is made again where it is wanted. */
static void draft_uses(drafting *w) {
    const program_graph *p = w->r->program;
    uint32_t uses = 0;
    for (int u = 0; u < w->c->units; u++) {
        uint32_t first = uses;
        for (uint32_t i = w->c->cut[u]; i < w->c->cut[u + 1]; i++)
            for (int a = 0; a < p->steps[i].args; a++) {
                const graph_step *s = &p->steps[p->steps[i].arg[a]];
                uint32_t maker = w->unit_of[p->steps[i].arg[a]];
                if (s->kind == STEP_INPUT)
                    note_use(w, &uses, first, PLANNER_INPUT);
                else if (s->scope == SCOPE_LANES && maker != (uint32_t)u) {
                    note_use(w, &uses, first, maker);
                    w->unit[maker].bytes += w->r->sizes->bytes[p->steps[i].arg[a]] * w->r->lanes;
                }
            }
        w->unit[u].first_use = first;
        w->unit[u].uses = uses - first;
    }
}

static void draft_results(drafting *w) {
    const program_graph *p = w->r->program;
    planner_problem *problem = &w->c->problem;
    for (int i = 0; i < p->results; i++) {
        uint32_t unit = w->unit_of[p->result[i]];
        if (p->steps[p->result[i]].scope != SCOPE_LANES || p->steps[p->result[i]].kind == STEP_INPUT) continue;
        w->unit[unit].bytes += w->r->sizes->result_bytes * w->r->lanes;
        w->result[problem->results++] = unit;
    }
}

static int draft(drafting *w) {
    const program_graph *p = w->r->program;
    choice *c = w->c;
    size_t steps = (size_t)p->count, devices = (size_t)w->r->profile->devices;
    c->cut = pool_get(w->memory, (steps + 1) * sizeof *c->cut);
    c->units = c->cut ? split_units(p, w->memory, c->cut) : -1;
    if (c->units < 0) return 0;
    size_t units = (size_t)c->units;
    w->unit_of = pool_get(w->memory, steps * sizeof *w->unit_of);
    w->cost = pool_get(w->memory, units * devices * sizeof *w->cost);
    w->start = pool_get(w->memory, devices * sizeof *w->start);
    w->latency = pool_get(w->memory, devices * devices * sizeof *w->latency);
    w->per_byte = pool_get(w->memory, devices * devices * sizeof *w->per_byte);
    w->unit = pool_get(w->memory, units * sizeof *w->unit);
    w->use = pool_get(w->memory, steps * 4 * sizeof *w->use);
    w->result = pool_get(w->memory, MAX_RESULTS * sizeof *w->result);
    if (!w->unit_of || !w->cost || !w->start || !w->latency || !w->per_byte || !w->unit || !w->use || !w->result)
        return 0;
    for (uint32_t u = 0; u < units; u++)
        for (uint32_t i = c->cut[u]; i < c->cut[u + 1]; i++) w->unit_of[i] = u;
    w->chunks = ceil((double)w->r->lanes / c->way[c->device].chunk);
    c->problem = (planner_problem){.devices = (int)devices,
                                   .units = c->units,
                                   .unit = w->unit,
                                   .use = w->use,
                                   .result = w->result,
                                   .cost = w->cost,
                                   .start = w->start,
                                   .latency = w->latency,
                                   .per_byte = w->per_byte,
                                   .input_bytes = w->r->sizes->input_bytes * w->r->lanes,
                                   .input_on = w->r->input_on};
    for (int d = 0; d < (int)devices; d++) draft_costs(w, d);
    draft_moves(w);
    draft_uses(w);
    draft_results(w);
    return 1;
}

/* No plan costs less than every unit where it is cheapest, without any move. */
static double lower_bound(const planner_problem *p) {
    double sum = p->start[0];
    for (int u = 0; u < p->units; u++) {
        double least = INFINITY;
        for (int d = 0; d < p->devices; d++) least = fmin(least, p->cost[u * p->devices + d]);
        sum += least;
    }
    return sum;
}

static int several_able(const choice_request *r) { return (r->usable & (r->usable - 1)) != 0; }

arcl_status choose(const choice_request *r, pool *memory, choice *c, arcl_error *error) {
    drafting w = {.r = r, .c = c, .memory = memory};
    memset(c, 0, sizeof *c);
    choose_single(r, c);
    c->exact = 1;
    if (!several_able(r) || r->program->count == 0) return ARCL_SUCCESS;
    if (!draft(&w)) return NO_MEMORY(error);
    if (!r->always_parts && lower_bound(&c->problem) > c->predicted * WORTH_LOOKING) return ARCL_SUCCESS;
    PROPAGATE(planner_solve(memory, &c->problem, &c->plan, error));
    c->exact = c->plan.exact;
    int mixed = 0;
    for (int u = 1; u < c->units; u++) mixed |= c->plan.device[u] != c->plan.device[0];
    if (!mixed || c->plan.predicted >= c->predicted * WORTH_LOOKING) return ARCL_SUCCESS;
    c->unit_device = c->plan.device;
    c->predicted = c->plan.predicted;
    return ARCL_SUCCESS;
}
