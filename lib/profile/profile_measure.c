#include "profile/profile_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "profile/sizes.h"
#include "run/context.h"
#include "run/devices.h"

enum { MOST_RUNS = 64 };

/* ---- devices ---- */

static arcl_status find_device(arcl_context *c, const char *id, arcl_device_info *info, arcl_error *error) {
    for (int i = 0; i < arcl_device_count(c); i++) {
        PROPAGATE(arcl_device_get(c, i, info, error));
        if (strcmp(info->id, id) != 0) continue;
        if (info->state == ARCL_DEVICE_READY) return ARCL_SUCCESS;
        return error_set(error, ARCL_DEVICE_FAILED, "%s cannot be measured: %s", id, info->reason);
    }
    return error_set(error, ARCL_INVALID, "there is no device '%s'; `arcl devices` lists them", id);
}

arcl_status measured_device_open(arcl_profile *profile, arcl_context *c, const char *id, measured_device *m,
                                 arcl_error *error) {
    arcl_device_info info;
    double before = clock_now();
    PROPAGATE(find_device(c, id, &info, error));
    profile_identity identity = profile_identity_of(&info);
    int is_host = strcmp(id, "host") == 0, known = profile->devices;
    *m = (measured_device){c, profile_device_get(profile, id, info.kind, &identity), -1, c->thread_count};
    if (!m->profile) return error_set(error, ARCL_INVALID, "a profile has room for %d devices", PROFILE_DEVICES);
    if (known == 0 && !is_host) return error_set(error, ARCL_INVALID, "the host has to be measured first");
    if (!is_host) PROPAGATE(devices_open_another(c, id, &m->worker, &m->workers, error));
    if (profile->devices == known) return ARCL_SUCCESS;
    m->profile->overhead[OVERHEAD_open] = is_host ? 0 : clock_now() - before + (double)info.open_nanoseconds;
    m->profile->variants = is_host ? host_builds() : 1;
    for (int v = 0; v < m->profile->variants; v++)
        snprintf(m->profile->variant[v], sizeof m->profile->variant[v], "%s", is_host ? host_build_name(v) : "lane");
    return ARCL_SUCCESS;
}

run_plan measured_plan(const measured_device *m, int variant, int workers, uint32_t chunk) {
    return (run_plan){.kind = m->worker < 0 ? ON_HOST : ON_DEVICE,
                      .worker = m->worker,
                      .workers = workers < m->workers ? workers : m->workers,
                      .chunk = chunk,
                      .chunk_words = 0x7fffffff,
                      .lane_words = 1,
                      .kernels = m->worker < 0 ? host_kernels(variant) : NULL};
}

/* ---- runs ---- */

/* What two looks at the clock around nothing take: it is in every time of a launch on the host. */
static double clock_cost(void) {
    double least = 1e9;
    for (int i = 0; i < 200; i++) {
        double before = clock_now(), took = clock_now() - before;
        if (took < least) least = took;
    }
    return least;
}

static op_count counted(const measured_device *m, int kernel) {
    op_count sum = {0};
    const char *id;
    if (m->worker < 0)
        for (int i = 0; i < m->context->thread_count; i++) {
            sum.launches += m->context->worker[i].count[kernel].launches;
            sum.nanoseconds += m->context->worker[i].count[kernel].nanoseconds;
        }
    else
        for (int i = 0; i < m->workers; i++) {
            op_count n = device_count_of(m->context, m->worker + i, kernel, &id);
            sum.launches += n.launches;
            sum.nanoseconds += n.nanoseconds;
        }
    return sum;
}

typedef struct kernel_times {
    double ns[MOST_RUNS][KERNEL_COUNT];
} kernel_times;

static arcl_status run_once(const measured_device *m, const run_plan *plan, const arcl_program *p, const arcl_batch *b,
                            double *took, arcl_error *error) {
    const run_request request = {1, &p, &b, YIELD_OUTPUTS, NULL};
    arcl_result *result;
    double before = clock_now();
    PROPAGATE(run_by_plans(m->context, &request, plan, &result, error));
    *took = clock_now() - before;
    arcl_result_free(result);
    return ARCL_SUCCESS;
}

static void set_timing(arcl_context *c, int on) {
    for (int i = 0; i < c->thread_count; i++) c->worker[i].timing = on;
    devices_count(c, on);
}

/* What the plans have taken so far. */
typedef struct repetition {
    double took[PROFILE_VARIANTS][MOST_RUNS];
    kernel_times *kernels; /* per plan; NULL if nobody asks */
    double clock;
} repetition;

static arcl_status run_and_note(const measured_device *m, const run_plan *plan, int number, const arcl_program *p,
                                const arcl_batch *b, repetition *all, measured_times *times, arcl_error *error) {
    int n = times->runs++;
    if (all->kernels) arcl_report_reset(m->context);
    PROPAGATE(run_once(m, plan, p, b, &all->took[number][n], error));
    for (int k = 0; all->kernels && k < KERNEL_COUNT; k++) {
        op_count c = counted(m, k);
        double own = (double)c.nanoseconds - (m->worker < 0 ? all->clock * (double)c.launches : 0);
        all->kernels[number].ns[n][k] = own > 0 ? own : 0;
        times->launches[k] = c.launches;
    }
    return ARCL_SUCCESS;
}

/* What the driver has built since the counters were last reset. */
static void note_builds(const measured_device *m) {
    for (int i = 0; m->worker >= 0 && i < m->workers; i++)
        m->profile->overhead[OVERHEAD_build] += (double)device_report(m->context, m->worker + i).build_nanoseconds;
    arcl_report_reset(m->context);
}

static arcl_status repeat_runs(const measured_device *m, const run_plan *plans, int count, const arcl_program *p,
                               const arcl_batch *b, double seconds, int least, repetition *all, measured_times *times,
                               arcl_error *error) {
    double first, end = clock_now() + seconds * 1e9;
    for (int i = 0; i < count; i++) /* the first brings data and code where they belong */
        PROPAGATE(run_once(m, &plans[i], p, b, &first, error));
    if (all->kernels) note_builds(m);
    while (times->runs < MOST_RUNS && (times->runs < least || clock_now() < end))
        for (int i = 0; i < count; i++) PROPAGATE(run_and_note(m, &plans[i], i, p, b, all, &times[i], error));
    return ARCL_SUCCESS;
}

static void find_medians(repetition *all, int number, measured_times *times) {
    times->total = median_of(all->took[number], times->runs);
    for (int k = 0; all->kernels && k < KERNEL_COUNT; k++) {
        double values[MOST_RUNS];
        for (int n = 0; n < times->runs; n++) values[n] = all->kernels[number].ns[n][k];
        times->ns[k] = median_of(values, times->runs);
    }
}

arcl_status measure_runs(const measured_device *m, const run_plan *plans, int count, const arcl_program *p,
                         const arcl_batch *b, double seconds, int least, int kernels, measured_times *times,
                         arcl_error *error) {
    repetition all = {.kernels = kernels ? malloc((size_t)count * sizeof *all.kernels) : NULL, .clock = clock_cost()};
    if (kernels && !all.kernels) return NO_MEMORY(error);
    if (kernels) set_timing(m->context, 1);
    memset(times, 0, (size_t)count * sizeof *times);
    arcl_status status = repeat_runs(m, plans, count, p, b, seconds, least, &all, times, error);
    if (kernels) set_timing(m->context, 0);
    for (int i = 0; i < count && status == ARCL_SUCCESS; i++) find_medians(&all, i, &times[i]);
    free(all.kernels);
    return status;
}

/* ---- programs ---- */

void kernel_sizes_sum(const program_sizes *s, double lanes, kernel_sizes *sum) {
    memset(sum, 0, KERNEL_COUNT * sizeof *sum);
    for (int i = 0; i < s->count; i++) {
        const launch_size *l = &s->launch[i];
        kernel_sizes *k = &sum[l->kernel];
        k->launches += l->launches;
        k->lanes += l->launches * (l->shared ? 1 : l->lanes * lanes);
        k->elements += l->launches * (l->shared ? 0 : l->elements * lanes);
    }
}

static arcl_status add_samples(profile_device *d, int variant, const kernel_sizes *sizes, const measured_times *times,
                               arcl_error *error) {
    for (unsigned k = 1; k < KERNEL_COUNT; k++) {
        const kernel_sizes *s = &sizes[k];
        double launches = (double)times->launches[k];
        /* A launch that went over no lane says nothing. Other launches than foreseen mean that the lanes did not
         * fit. */
        if (!times->launches[k] || s->lanes <= 0 || s->launches > launches * 1.5 + 8) continue;
        profile_sample sample = {(uint8_t)variant, (uint16_t)k, s->lanes / s->launches, s->elements / s->launches,
                                 times->ns[k] / launches};
        if (sample.lanes < 1) sample.lanes = 1;
        if (!profile_add_sample(d, &sample)) return NO_MEMORY(error);
    }
    return ARCL_SUCCESS;
}

arcl_status arcl_profile_measure(arcl_profile *profile, arcl_context *c, const char *device, const arcl_program *p,
                                 const arcl_batch *b, double seconds, arcl_error *error) {
    error_clear(error);
    NEED(profile);
    NEED(c);
    NEED(device);
    NEED(p);
    NEED(b);
    measured_device m;
    kernel_sizes *sizes = calloc(KERNEL_COUNT, sizeof *sizes);
    measured_times *times = calloc(PROFILE_VARIANTS, sizeof *times);
    run_plan plans[PROFILE_VARIANTS];
    program_sizes *seen = NULL;
    arcl_status status = sizes && times ? measured_device_open(profile, c, device, &m, error) : NO_MEMORY(error);
    if (status == ARCL_SUCCESS) {
        seen = sizes_sample(c, p->graph, b, b->lanes);
        if (seen)
            kernel_sizes_sum(seen, b->lanes, sizes);
        else
            status =
                error_set(error, ARCL_NO_MEMORY, "%u lanes in one chunk need more memory than the limit", b->lanes);
    }
    for (int v = 0; status == ARCL_SUCCESS && v < m.profile->variants; v++)
        plans[v] = measured_plan(&m, v, 1, b->lanes);
    if (status == ARCL_SUCCESS)
        status = measure_runs(&m, plans, m.profile->variants, p, b, seconds, 5, 1, times, error);
    for (int v = 0; status == ARCL_SUCCESS && v < m.profile->variants; v++)
        status = add_samples(m.profile, v, sizes, &times[v], error);
    sizes_free(seen);
    free(sizes);
    free(times);
    return context_take_cancel(c, error) ? ARCL_CANCELLED : status;
}
