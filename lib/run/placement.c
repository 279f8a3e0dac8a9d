#include "run/placement.h"

#include <stdlib.h>

#include "base/error.h"
#include "program/execute.h"
#include "run/device/run_mixed.h"
#include "run/devices.h"

/* Place 0 is the host; place n + 1 is worker n of the context's devices. */
struct placement {
    arcl_context *context;
    int places;
    unsigned char (*planned)[KERNEL_COUNT];
    uint64_t (*before)[KERNEL_COUNT];
};

static uint64_t launches_at(const arcl_context *c, int place, int kernel) {
    const char *id;
    uint64_t sum = 0;
    if (place) return device_count_of(c, place - 1, kernel, &id).launches;
    for (int i = 0; i < c->thread_count; i++) sum += c->worker[i].count[kernel].launches;
    return sum;
}

static const char *name_of(const arcl_context *c, int place) {
    const char *id = "host";
    if (place) (void)device_count_of(c, place - 1, KERNEL_none, &id);
    return id;
}

/* What comes before and after the steps of a program of which that is wanted. */
static void plan_ends(unsigned char *planned, run_yield yield) {
    planned[KERNEL_run_start] = 1;
    if (yields_scores(yield)) planned[KERNEL_score_lanes] = 1;
    if (yields_outputs(yield)) planned[KERNEL_pack_count] = planned[KERNEL_pack_fill] = 1;
}

/* All kernels of a program, on some neighbouring places. */
static void plan_program(placement *p, const job *j, const program_graph *program, int first, int count) {
    uint16_t kernel[MOST_STEP_KERNELS];
    for (int place = first; place < first + count && place < p->places; place++) {
        plan_ends(p->planned[place], program->is_part ? YIELD_OUTPUTS : j->yield);
        for (int i = 0; i < program->count; i++)
            for (int k = 0, n = step_kernels(&program->steps[i], kernel); k < n; k++) p->planned[place][kernel[k]] = 1;
    }
}

static void plan_job(placement *p, const job *j) {
    const run_plan *plan = j->plan;
    if (plan->kind == ON_HOST) plan_program(p, j, j->program->graph, 0, 1);
    if (plan->kind == ON_DEVICE) plan_program(p, j, j->program->graph, 1 + plan->worker, plan->workers);
    for (int i = 0; plan->kind == IN_PARTS && i < plan->parts->parts; i++) {
        const mixed_part *part = &plan->parts->part[i];
        if (part->device == MIXED_HOST)
            plan_program(p, j, part->program, 0, 1);
        else
            plan_program(p, j, part->program, 1 + part->device, part->queues);
    }
}

static void placement_free(placement *p) {
    free(p->planned);
    free(p->before);
    free(p);
}

placement *placement_begin(arcl_context *c, const job *jobs, int count) {
    placement *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->context = c;
    p->places = 1 + c->device_count;
    p->planned = calloc((size_t)p->places, sizeof *p->planned);
    p->before = calloc((size_t)p->places, sizeof *p->before);
    if (!p->planned || !p->before) {
        placement_free(p);
        return NULL;
    }
    for (int i = 0; i < count; i++) plan_job(p, &jobs[i]);
    for (int place = 0; place < p->places; place++)
        for (int k = 0; k < KERNEL_COUNT; k++) p->before[place][k] = launches_at(c, place, k);
    return p;
}

arcl_status placement_end(placement *p, arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    const arcl_context *c = p->context;
    for (int place = 0; place < p->places && status == ARCL_SUCCESS; place++)
        for (int k = 0; k < KERNEL_COUNT && status == ARCL_SUCCESS; k++)
            if (launches_at(c, place, k) != p->before[place][k] && !p->planned[place][k])
                status = error_set(error, ARCL_DEVICE_FAILED, "%s ran on %s, where it was not planned", kernel_names[k],
                                   name_of(c, place));
    placement_free(p);
    return status;
}
