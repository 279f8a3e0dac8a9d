/* Plans to be looked at: the selector's choice, and why it is that, for `arcl explain`. */
#include "plan/plan_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/selector.h"
#include "profile/profile_match.h"

#define SAMPLE_LANES 8u
#define MOST_LANES (1u << 31) /* where it would run elsewhere is looked for at twice as many */

choice_request plan_request(const arcl_plan *p, uint32_t lanes) {
    return (choice_request){.profile = p->profile,
                            .usable = p->usable,
                            .input_on = 1,
                            .program = p->program,
                            .sizes = p->sizes,
                            .lanes = lanes};
}

/* ---- making and freeing ---- */

static void free_restricted(arcl_profile *p) {
    for (int d = 0; p && d < p->devices; d++) free(p->device[d]);
    free(p);
}

/* A profile that somebody else owns, with the shape that the user wants: its devices are copied. */
static arcl_status restrict_shape(arcl_plan *p, arcl_shape shape, arcl_error *error) {
    arcl_profile *copy = calloc(1, sizeof *copy);
    if (!copy) return NO_MEMORY(error);
    p->restricted = copy;
    memcpy(copy->created, p->profile->created, sizeof copy->created);
    for (int d = 0; d < p->profile->devices; d++) {
        profile_device *device = malloc(sizeof *device);
        if (!device) return NO_MEMORY(error);
        *device = *p->profile->device[d]; /* of what it points to, plans read nothing */
        if (d) device->shape = shape;
        copy->device[copy->devices++] = device;
    }
    p->profile = copy;
    return ARCL_SUCCESS;
}

/* Which devices of the context's own profile are here as they were measured. */
static void find_usable(arcl_context *context, arcl_plan *p) {
    for (int d = 1; d < p->profile->devices; d++)
        if (profile_find_device(p->profile->device[d], context, p->why[d], sizeof p->why[d]) < 0)
            p->usable &= ~(1u << d);
}

static arcl_status fill(arcl_context *context, arcl_plan *p, const arcl_batch *batch, arcl_error *error) {
    size_t steps = (size_t)p->program->count;
    errno = 0;
    if (batch && batch->lanes)
        p->sizes = sizes_sample(context, p->program, batch, batch->lanes < SAMPLE_LANES ? batch->lanes : SAMPLE_LANES);
    if (!p->sizes && errno == ENOMEM) return NO_MEMORY(error); /* else the lanes do not fit, or there are none */
    if (!p->sizes) p->sizes = sizes_estimate(p->program);
    p->unit_of = pool_get(&p->memory, (steps + 1) * sizeof *p->unit_of);
    p->flips_at = pool_get(&p->memory, (steps + 1) * sizeof *p->flips_at);
    p->flips_to = pool_get(&p->memory, (steps + 1) * sizeof *p->flips_to);
    if (!p->sizes || !p->unit_of || !p->flips_at || !p->flips_to) return NO_MEMORY(error);
    choice_request request = plan_request(p, p->lanes);
    PROPAGATE(choose(&request, &p->memory, &p->chosen, error));
    for (int u = 0; u < p->chosen.units; u++)
        for (uint32_t i = p->chosen.cut[u]; i < p->chosen.cut[u + 1]; i++) p->unit_of[i] = (uint32_t)u;
    const cost_way *way = &p->chosen.way[p->chosen.device];
    if (p->chosen.device) shapes_choose(p->profile->device[p->chosen.device], p->sizes, way->chunk, p->shapes);
    PROPAGATE(plan_find_flips(p, error));
    return plan_fill_rows(p, error);
}

arcl_status arcl_plan_create(arcl_context *context, const arcl_profile *profile, const arcl_program *program,
                             const arcl_batch *batch, uint32_t lanes, arcl_plan **plan, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(program);
    NEED(plan);
    *plan = NULL;
    if (lanes > MOST_LANES)
        return error_set(error, ARCL_INVALID, "a plan for %u lanes: up to %u are possible", lanes, MOST_LANES);
    arcl_plan *p = calloc(1, sizeof *p);
    if (!p) return NO_MEMORY(error);
    p->here = !profile;
    p->profile = profile ? profile : selector_profile(context, error);
    p->program = program->graph;
    p->lanes = lanes ? lanes : 1;
    arcl_status status = p->profile ? ARCL_SUCCESS : ARCL_INVALID;
    if (profile && context->options.shape != ARCL_SHAPE_AUTO) status = restrict_shape(p, context->options.shape, error);
    if (status == ARCL_SUCCESS) {
        p->usable = (1u << p->profile->devices) - 1;
        if (p->here) find_usable(context, p);
        status = fill(context, p, batch, error);
    }
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
    free_restricted(p->restricted);
    free(p);
}

/* ---- looking ---- */

arcl_plan_info arcl_plan_get(const arcl_plan *p) {
    if (!p) return (arcl_plan_info){.device = "", .machine = "", .created = ""};
    const choice *c = &p->chosen;
    return (arcl_plan_info){.device = c->unit_device ? "parts" : p->profile->device[c->device]->id,
                            .machine = p->profile->device[0]->identity.name,
                            .created = p->profile->created,
                            .here = p->here,
                            .predicted = c->predicted,
                            .fixed = p->fixed,
                            .input_bytes = p->input_bytes,
                            .input_transfer = p->input_transfer,
                            .lanes = p->lanes,
                            .chunk = c->way[c->device].chunk,
                            .sampled = p->sizes->sampled,
                            .workers = c->way[c->device].workers,
                            .exact = c->exact,
                            .unmeasured = c->way[0].parts.unmeasured};
}

int arcl_plan_devices(const arcl_plan *p) { return p ? p->profile->devices : 0; }

arcl_plan_device arcl_plan_device_get(const arcl_plan *p, int index) {
    if (!p || index < 0 || index >= p->profile->devices)
        return (arcl_plan_device){.device = "", .name = "", .reason = ""};
    const profile_device *d = p->profile->device[index];
    const cost_way *w = &p->chosen.way[index];
    return (arcl_plan_device){.device = d->id,
                              .name = d->identity.name,
                              .able = p->chosen.able[index],
                              .reason = p->why[index],
                              .unmeasured = w->parts.unmeasured,
                              .extrapolated = w->parts.extrapolated,
                              .workers = w->workers,
                              .chunk = w->chunk,
                              .fixed = w->parts.fixed,
                              .queue = w->parts.queue,
                              .execution = w->parts.execution,
                              .transfer = w->parts.transfer,
                              .total = w->total,
                              .open = d->overhead[OVERHEAD_open] + d->overhead[OVERHEAD_build]};
}

int arcl_plan_ops(const arcl_plan *p) { return p ? p->rows : 0; }

arcl_plan_op arcl_plan_op_get(const arcl_plan *p, int index) {
    if (!p || index < 0 || index >= p->rows)
        return (arcl_plan_op){.op = "", .kernel = "", .device = "", .variant = "", .next_device = "", .flips_to = ""};
    return p->row[index];
}

int arcl_plan_launches(const arcl_plan *p) { return p ? p->sizes->count : 0; }

arcl_plan_launch arcl_plan_launch_get(const arcl_plan *p, int index) {
    if (!p || index < 0 || index >= p->sizes->count) return (arcl_plan_launch){.kernel = ""};
    const launch_size *l = &p->sizes->launch[index];
    return (arcl_plan_launch){.kernel = kernel_names[l->kernel],
                              .launches = l->launches,
                              .lanes = l->shared ? 0 : l->lanes,
                              .elements = l->shared ? 0 : l->elements,
                              .is_team = p->shapes[l->kernel]};
}
