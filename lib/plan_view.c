/* Plans to be looked at: the selector's choice, and what each op would cost elsewhere, for `arcl explain`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "error.h"
#include "execute.h"
#include "selector.h"

#define MOST_LANES 1000000u /* beyond, nobody asks where a choice flips */

struct arcl_plan {
    const arcl_profile *profile;
    const arcl_program *program;
    program_sizes *sizes;
    uint32_t lanes;
    pool memory;
    choice chosen;
    int rows;
    uint32_t *step;     /* per row */
    uint32_t *unit_of;  /* per step */
    int *next;          /* per unit: the next best device, -1: none */
    double *next_extra; /* per unit */
    uint32_t *flips_at; /* per unit */
    int *flips_to;
};

/* Where a unit of a choice runs. */
static int device_of(const choice *c, int unit) { return c->unit_device ? c->unit_device[unit] : c->device; }

static choice_request request_for(const arcl_plan *p, uint32_t lanes) {
    return (choice_request){.profile = p->profile,
                            .usable = (1u << p->profile->devices) - 1,
                            .input_on = 1,
                            .program = p->program,
                            .sizes = p->sizes,
                            .lanes = lanes};
}

/* ---- the next best ---- */

static arcl_status find_next_best(arcl_plan *p, arcl_error *error) {
    choice *c = &p->chosen;
    double total[PROFILE_DEVICES];
    for (int u = 0; u < c->units; u++) {
        p->next[u] = -1;
        if (c->unit_device) {
            PROPAGATE(planner_next_best(&c->problem, &c->plan, u, total, &p->next[u], error));
            if (p->next[u] >= 0) p->next_extra[u] = total[p->next[u]] - c->plan.predicted;
            continue;
        }
        /* Everything runs on one device: the alternatives are another one for everything, or for this unit alone. */
        for (int d = 0; d < p->profile->devices; d++) {
            if (d == c->device) continue;
            double extra = c->able[d] ? c->way[d].total - c->predicted : INFINITY;
            if (c->problem.units) {
                int *device = pool_get(&p->memory, (size_t)c->units * sizeof *device);
                planner_plan one = {.device = device,
                                    .held = pool_get(&p->memory, (size_t)c->units * sizeof *one.held)};
                if (!device || !one.held) return NO_MEMORY(error);
                for (int i = 0; i < c->units; i++) device[i] = c->device;
                double alone = planner_cost(&c->problem, &one);
                device[u] = d;
                extra = fmin(extra, planner_cost(&c->problem, &one) - alone);
            }
            if (!isfinite(extra) || (p->next[u] >= 0 && extra >= p->next_extra[u])) continue;
            p->next[u] = d;
            p->next_extra[u] = extra;
        }
    }
    return ARCL_SUCCESS;
}

/* ---- where choices flip ---- */

/* The device of every unit with so many lanes. */
static arcl_status places_with(arcl_plan *p, uint32_t lanes, int *place, arcl_error *error) {
    pool memory = {0};
    choice c;
    choice_request request = request_for(p, lanes);
    arcl_status status = choose(&request, &memory, &c, error);
    for (int u = 0; status == ARCL_SUCCESS && u < p->chosen.units; u++) place[u] = device_of(&c, u);
    pool_free(&memory);
    return status;
}

/* Walks away from the plan's lanes, up or down, until every unit has flipped or there are no more lanes to try; between two
 * sizes of which only one has flipped, the place is found by halving. */
static arcl_status find_flips(arcl_plan *p, int up, arcl_error *error) {
    size_t units = (size_t)p->chosen.units;
    int *place = pool_get(&p->memory, units * sizeof *place), *middle = pool_get(&p->memory, units * sizeof *middle);
    if (!place || !middle) return NO_MEMORY(error);
    for (uint32_t before = p->lanes, lanes = before;;) {
        if (up ? before >= MOST_LANES : before <= 1) return ARCL_SUCCESS;
        lanes = up ? before * 2 : before / 2;
        PROPAGATE(places_with(p, lanes, place, error));
        for (size_t u = 0; u < units; u++) {
            int own = device_of(&p->chosen, (int)u);
            if (p->flips_at[u] || place[u] == own) continue;
            uint32_t same = before, other = lanes;
            while (up ? other - same > 1 + same / 16 : same - other > 1 + other / 16) {
                uint32_t half = same + (other - same) / 2;
                if (!up) half = other + (same - other) / 2;
                PROPAGATE(places_with(p, half, middle, error));
                if (middle[u] == own)
                    same = half;
                else
                    other = half;
            }
            for (size_t v = u; v < units; v++) /* units that flip here, too, as far as it was looked at */
                if (!p->flips_at[v] && place[v] != device_of(&p->chosen, (int)v) && place[v] == place[u]) {
                    p->flips_at[v] = other;
                    p->flips_to[v] = place[u];
                }
        }
        before = lanes;
    }
}

/* ---- making and freeing ---- */

static arcl_status fill(arcl_context *context, arcl_plan *p, const arcl_batch *batch, arcl_error *error) {
    size_t steps = (size_t)p->program->count;
    if (batch && batch->lanes)
        p->sizes = sizes_sample(context, p->program, batch, 0, batch->lanes < 8 ? batch->lanes : 8);
    if (!p->sizes) p->sizes = sizes_estimate(p->program);
    p->step = pool_get(&p->memory, (steps + 1) * sizeof *p->step);
    p->unit_of = pool_get(&p->memory, (steps + 1) * sizeof *p->unit_of);
    p->next = pool_get(&p->memory, (steps + 1) * sizeof *p->next);
    p->next_extra = pool_get(&p->memory, (steps + 1) * sizeof *p->next_extra);
    p->flips_at = pool_get(&p->memory, (steps + 1) * sizeof *p->flips_at);
    p->flips_to = pool_get(&p->memory, (steps + 1) * sizeof *p->flips_to);
    if (!p->sizes || !p->step || !p->unit_of || !p->next || !p->next_extra || !p->flips_at || !p->flips_to)
        return NO_MEMORY(error);
    choice_request request = request_for(p, p->lanes);
    PROPAGATE(choose(&request, &p->memory, &p->chosen, error));
    for (uint32_t i = 0; i < steps; i++)
        if (step_main_kernel(&p->program->steps[i]) != KERNEL_none) p->step[p->rows++] = i;
    for (int u = 0; u < p->chosen.units; u++)
        for (uint32_t i = p->chosen.cut[u]; i < p->chosen.cut[u + 1]; i++) p->unit_of[i] = (uint32_t)u;
    PROPAGATE(find_next_best(p, error));
    PROPAGATE(find_flips(p, 1, error));
    return find_flips(p, 0, error);
}

arcl_status arcl_plan_create(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                             uint32_t lanes, arcl_plan **plan, arcl_error *error) {
    arcl_plan *p = calloc(1, sizeof *p);
    *plan = NULL;
    if (!p) return NO_MEMORY(error);
    p->profile = selector_profile(context, error);
    p->program = program;
    p->lanes = lanes ? lanes : 1;
    arcl_status status = p->profile ? fill(context, p, batch, error) : ARCL_INVALID;
    if (status != ARCL_SUCCESS) {
        arcl_plan_free(p);
        return status;
    }
    *plan = p;
    return ARCL_SUCCESS;
}

void arcl_plan_free(arcl_plan *p) {
    if (!p) return;
    sizes_free(p->sizes);
    pool_free(&p->memory);
    free(p);
}

/* ---- looking ---- */

arcl_plan_info arcl_plan_get(const arcl_plan *p) {
    const choice *c = &p->chosen;
    return (arcl_plan_info){.device = c->unit_device ? "parts" : p->profile->device[c->device]->id,
                            .predicted = c->predicted,
                            .lanes = p->lanes,
                            .chunk = c->way[c->device].chunk,
                            .sampled = p->sizes->sampled,
                            .workers = c->way[c->device].workers,
                            .exact = c->exact,
                            .unmeasured = c->way[0].parts.unmeasured};
}

int arcl_plan_devices(const arcl_plan *p) { return p->profile->devices; }

arcl_plan_device arcl_plan_device_get(const arcl_plan *p, int index) {
    if (index < 0 || index >= p->profile->devices) return (arcl_plan_device){.device = "", .name = ""};
    const cost_way *w = &p->chosen.way[index];
    return (arcl_plan_device){.device = p->profile->device[index]->id,
                              .name = p->profile->device[index]->identity.name,
                              .able = p->chosen.able[index],
                              .workers = w->workers,
                              .chunk = w->chunk,
                              .fixed = w->parts.fixed,
                              .queue = w->parts.queue,
                              .execution = w->parts.execution,
                              .transfer = w->parts.transfer,
                              .total = w->total};
}

int arcl_plan_ops(const arcl_plan *p) { return p->rows; }

/* The op of the language that a kernel belongs to: one of its own, or the one that is spelled like its beginning. */
static const char *op_of_kernel(unsigned kernel) {
    const char *name = kernel_names[kernel];
    for (int i = 0; i < OP_COUNT; i++)
        if (op_rows[i].kernel[0] == kernel || op_rows[i].kernel[1] == kernel) return op_rows[i].name;
    for (int i = 0; i < OP_COUNT; i++) {
        size_t length = strlen(op_rows[i].name);
        if (strncmp(name, op_rows[i].name, length) == 0 && (name[length] == 0 || name[length] == '_'))
            return op_rows[i].name;
    }
    return "";
}

/* Adds the launches of a step to its row. */
static void add_costs(const arcl_plan *p, const profile_device *d, arcl_plan_op *op) {
    double chunk = p->chosen.way[p->chosen.device].chunk, chunks = ceil(p->lanes / chunk);
    op->measured = 1;
    op->variant = d->variant[0];
    for (int i = 0; i < p->sizes->count; i++) {
        const launch_size *l = &p->sizes->launch[i];
        if (l->step != op->step) continue;
        double lanes = l->shared ? 1 : l->lanes * chunk, elements = l->shared ? 0 : l->elements * chunk;
        int variant = profile_best_variant(d, l->kernel, lanes, elements);
        cost_estimate one = profile_cost(d, variant, l->kernel, lanes, elements);
        if (l->kernel == step_main_kernel(&p->program->steps[op->step])) {
            op->lanes = l->shared ? 1 : l->lanes * p->lanes;
            op->elements = l->shared ? 0 : l->elements * p->lanes;
            op->variant = d->variant[variant];
        }
        op->queue += chunks * l->launches * d->overhead[OVERHEAD_launch];
        op->execution += chunks * l->launches * one.ns;
        op->measured &= one.measured;
        op->extrapolated |= one.extrapolated;
    }
}

arcl_plan_op arcl_plan_op_get(const arcl_plan *p, int index) {
    if (index < 0 || index >= p->rows) return (arcl_plan_op){.op = "", .kernel = ""};
    uint32_t step = p->step[index];
    const graph_step *s = &p->program->steps[step];
    const choice *c = &p->chosen;
    int unit = (int)p->unit_of[step], device = device_of(c, unit);
    unsigned kernel = step_main_kernel(s);
    arcl_plan_op op = {.op = op_of_kernel(kernel),
                       .kernel = kernel_names[kernel],
                       .step = step,
                       .inputs = s->args,
                       .depth = (int)p->program->scopes[s->scope].depth,
                       .device = p->profile->device[device]->id,
                       .next_device = "",
                       .flips_to = ""};
    memcpy(op.input, s->arg, sizeof op.input);
    add_costs(p, p->profile->device[device], &op);
    if (c->unit_device && (c->plan.held[unit] & (c->plan.held[unit] - 1)) && step + 1 == c->cut[unit + 1])
        op.bytes = c->problem.unit[unit].bytes;
    if (c->units && p->next[unit] >= 0) {
        op.next_device = p->profile->device[p->next[unit]]->id;
        op.next_extra = p->next_extra[unit];
    }
    if (c->units && p->flips_at[unit]) {
        op.flips_at = p->flips_at[unit];
        op.flips_to = p->profile->device[p->flips_to[unit]]->id;
    }
    return op;
}
