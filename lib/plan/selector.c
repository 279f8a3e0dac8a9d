#include "plan/selector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/selector_state.h"

/* How many lanes are looked at before a program's first plan: one in so many, but one at least, and not too many. */
#define SAMPLE_SHARE 16u
#define SAMPLE_LANES 8u
#define ARM_MARGIN 0.97 /* how much better the other way has to be */

/* ---- making plans ---- */

/* The builds of the kernels that are fastest for what the program does; NULL if that is the default. */
static host_kernel **choose_builds(const profile_device *host, const program_sizes *s, uint32_t chunk) {
    host_kernel **table = NULL;
    int build_of[PROFILE_VARIANTS] = {0};
    for (int v = 0; v < host->variants; v++)
        for (int b = 0; b < host_builds(); b++)
            if (strcmp(host->variant[v], host_build_name(b)) == 0) build_of[v] = b;
    for (int i = 0; i < s->count; i++) {
        const launch_size *l = &s->launch[i];
        int build = build_of[cost_of_launch(host, l, chunk).variant];
        if (build == 0) continue;
        if (!table) {
            table = malloc(KERNEL_COUNT * sizeof *table);
            if (!table) return NULL;
            memcpy(table, host_kernels(0), KERNEL_COUNT * sizeof *table);
        }
        table[l->kernel] = host_kernels(build)[l->kernel];
    }
    return table;
}

static uint32_t rounded(double value) { return value < 1 ? 1 : value > 0x7fffffff ? 0x7fffffff : (uint32_t)value; }

static void add_other_width(const arcl_context *c, const profile_device *host, const program_graph *p,
                            const program_sizes *sizes, uint32_t lanes, kept_plan *run) {
    run_plan *other = &run->arm[1].plan;
    *other = run->arm[0].plan;
    other->workers = other->workers > 1 ? 1 : c->thread_count;
    if (other->workers > 1) { /* every thread should get something to do */
        uint32_t share = (lanes + (uint32_t)c->thread_count - 1) / (uint32_t)c->thread_count;
        if (other->chunk > share) other->chunk = share;
    }
    if (other->workers == run->arm[0].plan.workers || lanes < 2) return;
    other->predicted = cost_of_way(host, sizes, p->count, lanes, other->chunk, other->workers).total;
    run->arms = 2;
}

static void set_shapes_of_parts(const struct selector *s, const kept_plan *run) {
    for (int i = 0; run->shapes && i < run->parts.parts; i++)
        for (int d = 1; d < s->profile->devices; d++)
            if (run->parts.part[i].device == s->worker[d]) run->parts.part[i].is_team = run->shapes[d];
}

/* A choice as a run by it. */
static arcl_status write_plan(arcl_context *c, struct selector *s, const program_graph *p, const program_sizes *sizes,
                              uint32_t lanes, const choice *chosen, kept_plan *run, arcl_error *error) {
    const cost_way *way = &chosen->way[chosen->device];
    const profile_device *device = s->profile->device[chosen->device];
    run_plan *plan = &run->arm[0].plan;
    run->arms = 1;
    *plan = (run_plan){.kind = chosen->device ? ON_DEVICE : ON_HOST,
                       .workers = way->workers,
                       .chunk = way->chunk,
                       .chunk_words = device->chunk_words > 0 ? rounded(device->chunk_words) : 0,
                       .lane_words = sizes->sampled ? rounded(sizes->words) : 0,
                       .predicted = chosen->predicted,
                       .serial = way->serial};
    if (chosen->device || chosen->unit_device) run->shapes = shapes_of_devices(s->profile, sizes, way->chunk);
    if (chosen->unit_device) {
        int *places = malloc((size_t)chosen->units * sizeof *places);
        if (!places) return NO_MEMORY(error);
        for (int u = 0; u < chosen->units; u++) {
            int d = chosen->unit_device[u];
            places[u] = d ? s->worker[d] : MIXED_HOST;
        }
        arcl_status status = mixed_plan_make(c, p, places, &run->parts, error);
        free(places);
        PROPAGATE(status);
        set_shapes_of_parts(s, run);
        plan->kind = IN_PARTS;
        plan->workers = c->thread_count;
        plan->parts = &run->parts;
        return ARCL_SUCCESS;
    }
    if (chosen->device) {
        plan->worker = s->worker[chosen->device];
        if (run->shapes) plan->is_team = run->shapes[chosen->device];
        if (plan->workers > s->workers[chosen->device]) plan->workers = s->workers[chosen->device];
        return ARCL_SUCCESS;
    }
    if (plan->workers > c->thread_count) plan->workers = c->thread_count;
    run->kernels = choose_builds(device, sizes, way->chunk);
    plan->kernels = (host_kernel *const *)run->kernels;
    add_other_width(c, device, p, sizes, lanes, run);
    return ARCL_SUCCESS;
}

/* Sizes that are only typical are replaced by what some lanes of the batch do. */
static void look_at_lanes(arcl_context *c, const program_graph *p, const arcl_batch *b, program_plans *plans) {
    uint32_t lanes = b->lanes / SAMPLE_SHARE < SAMPLE_LANES ? b->lanes / SAMPLE_SHARE : SAMPLE_LANES;
    if (!lanes) lanes = b->lanes > 1; /* a single lane is run rather than looked at */
    if (plans->sizes->sampled || !lanes) return;
    program_sizes *seen = sizes_sample(c, p, b, lanes);
    if (!seen) return;
    sizes_free(plans->sizes);
    plans->sizes = seen;
}

/* What nobody has looked at stays on the host: typical values are too rough to move anything. */
static uint32_t trusted_set(const struct selector *s, const program_plans *plans) {
    return plans->sizes->sampled ? s->usable : 1;
}

/* On a device that the options name, everything runs as if there were no profile, but for the shapes of kernels. */
static void plan_shapes(const struct selector *s, const arcl_batch *b, const program_plans *plans, kept_plan *run) {
    run->arms = 1;
    run->arm[0].plan = s->fixed;
    run->shapes = shapes_of_devices(s->profile, plans->sizes, b->lanes);
    if (run->shapes) run->arm[0].plan.is_team = run->shapes[s->named];
}

static arcl_status make_plan(arcl_context *c, struct selector *s, const program_graph *p, const arcl_batch *b,
                             program_plans *plans, kept_plan *run, arcl_error *error) {
    look_at_lanes(c, p, b, plans);
    if (s->named) {
        plan_shapes(s, b, plans, run);
        return ARCL_SUCCESS;
    }
    pool *memory = context_pool_take(c);
    choice all, open;
    if (!memory) return NO_MEMORY(error);
    uint32_t usable = trusted_set(s, plans);
    choice_request request = {
        .profile = s->profile, .usable = usable, .input_on = 1, .program = p, .sizes = plans->sizes, .lanes = b->lanes};
    arcl_status status = choose(&request, memory, &all, error);
    request.usable = selector_open_set(s) & usable;
    if (status == ARCL_SUCCESS) status = choose(&request, memory, &open, error);
    if (status == ARCL_SUCCESS) {
        run->gain = open.predicted - all.predicted;
        for (int d = 1; run->gain > 0 && d < s->profile->devices; d++) {
            int wanted = all.device == d;
            for (int u = 0; all.unit_device && u < all.units; u++) wanted |= all.unit_device[u] == d;
            if (wanted && s->worker[d] == NOT_OPEN) run->wish = d;
        }
        status = write_plan(c, s, p, plans->sizes, b->lanes, &open, run, error);
    }
    context_pool_give(c, memory);
    return status;
}

/* ---- plans kept with programs ---- */

/* Two classes per doubling of the lanes. */
static int class_of(uint32_t lanes) { return lanes ? (int)(2 * log2((double)lanes)) : 0; }

static void free_planned(kept_plan *run) {
    mixed_plan_free(&run->parts);
    free(run->kernels);
    free(run->shapes);
    free(run);
}

static void forget(kept_plans *kept) {
    program_plans *plans = (program_plans *)kept;
    while (plans->first) {
        kept_plan *next = plans->first->next;
        free_planned(plans->first);
        plans->first = next;
    }
    sizes_free(plans->sizes);
    free(plans);
}

/* Plans are no part of what the program is, so it may be const. Those of another context say nothing here. */
static program_plans *plans_of(arcl_context *c, const arcl_program *p) {
    arcl_program *owner = (arcl_program *)p;
    program_plans *plans = (program_plans *)owner->plans;
    if (plans && plans->context != c) {
        forget(owner->plans);
        plans = NULL;
        owner->plans = NULL;
    }
    if (!plans && (plans = calloc(1, sizeof *plans))) {
        plans->base.forget = forget;
        plans->context = c;
        owner->plans = &plans->base;
    }
    if (plans && !plans->sizes) plans->sizes = sizes_estimate(p->graph);
    return plans && plans->sizes ? plans : NULL;
}

/* A device that is not open costs time to open. It is opened when runs have lost as much by not using it. */
static int wish_is_due(arcl_context *c, struct selector *s, const kept_plan *run) {
    int d = run->wish;
    if (!d || s->worker[d] != NOT_OPEN) return 0;
    const double *overhead = s->profile->device[d]->overhead;
    s->missed[d] += run->gain;
    if (s->missed[d] < overhead[OVERHEAD_open] + overhead[OVERHEAD_build]) return 0;
    selector_open_device(c, s, d);
    return 1;
}

/* What an arm is expected to take, by what it is predicted to and has been seen to. */
static double expected(const arm *a) {
    double factor;
    return evidence_speaks(&a->seen, &factor) ? a->plan.predicted * factor : a->plan.predicted;
}

/* The arm for the next run: the better one; now and then the other, as long as that is cheap. */
static arm *pull(const arcl_context *c, struct selector *s, kept_plan *run) {
    if (run->arms < 2 || c->options.frozen) return &run->arm[0];
    int best = expected(&run->arm[1]) < expected(&run->arm[0]) * ARM_MARGIN;
    arm *other = &run->arm[1 - best];
    double price = expected(other) - expected(&run->arm[best]);
    if (other->seen.count < EVIDENCE_LEAST && run->arm[best].seen.count > other->seen.count &&
        price <= refine_budget(&s->refine)) {
        if (price > 0) s->refine.spent_ns += price;
        return other;
    }
    return &run->arm[best];
}

arcl_status selector_plan(arcl_context *c, const arcl_program *p, const arcl_batch *b, const run_plan **plan,
                          arcl_error *error) {
    struct selector *s = selector_of(c);
    if (!s) return NO_MEMORY(error);
    *plan = &s->fixed;
    if (!s->profile || !(s->usable || s->named) || !b->lanes) return ARCL_SUCCESS;
    program_plans *plans = plans_of(c, p);
    if (!plans) return NO_MEMORY(error);
    int size_class = class_of(b->lanes);
    kept_plan **at = &plans->first;
    while (*at && (*at)->size_class != size_class) at = &(*at)->next;
    while (!*at || (*at)->corrections != s->refine.corrections || wish_is_due(c, s, *at)) {
        kept_plan *run = calloc(1, sizeof *run);
        if (!run) return NO_MEMORY(error);
        run->size_class = size_class;
        run->corrections = s->refine.corrections;
        arcl_status status = make_plan(c, s, p->graph, b, plans, run, error);
        if (status != ARCL_SUCCESS) {
            free_planned(run);
            return status;
        }
        if (*at) {
            run->next = (*at)->next;
            free_planned(*at);
        }
        *at = run;
    }
    *plan = &pull(c, s, *at)->plan;
    return ARCL_SUCCESS;
}

double selector_predict(arcl_context *c, const run_plan *const *plans, int count) {
    const struct selector *s = c->selector;
    double sum = 0, serial = 0;
    int on_host = 0;
    for (int i = 0; i < count; i++) {
        if (plans[i]->predicted == 0) return 0;
        int here = plans[i]->kind == ON_HOST;
        on_host += here;
        serial += here ? plans[i]->serial : 0;
        sum += here ? 0 : plans[i]->predicted;
    }
    if (on_host == 1)
        for (int i = 0; i < count; i++) sum += plans[i]->kind == ON_HOST ? plans[i]->predicted : 0;
    if (on_host < 2 || !s || !s->profile) return sum;
    const double *overhead = s->profile->device[0]->overhead;
    if (selector_one_worker_suffices(c, serial)) return sum + serial;
    return sum + overhead[OVERHEAD_wake] + serial / overhead[OVERHEAD_speedup];
}

double selector_cost(arcl_context *c, const arcl_program *p, uint32_t lanes) {
    struct selector *s = selector_of(c);
    program_plans *plans = s && s->profile && s->usable && lanes ? plans_of(c, p) : NULL;
    double least = 0;
    if (!plans) return 0;
    uint32_t candidates = selector_open_set(s) & trusted_set(s, plans);
    for (int d = 0; d < s->profile->devices; d++) {
        if (!(candidates >> d & 1)) continue;
        cost_way way = cost_best_way(s->profile->device[d], plans->sizes, p->graph->count, lanes);
        if (!way.parts.unmeasured && (least == 0 || way.total < least)) least = way.total;
    }
    return least;
}
