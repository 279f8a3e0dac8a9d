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

measured_device measured_device_of(arcl_context *c, profile_device *profile, int worker, int workers) {
    int variants = worker < 0 ? host_builds() : device_shapes(c, worker);
    return (measured_device){c, profile, worker, workers, variants};
}

/* A device that was measured in one shape may get the other one later. */
static void name_variants(const measured_device *m) {
    profile_device *d = m->profile;
    for (; d->variants < m->variants; d->variants++)
        snprintf(d->variant[d->variants], sizeof d->variant[0], "%s",
                 m->worker < 0 ? host_build_name(d->variants) : profile_shapes[d->variants]);
}

arcl_status measured_device_open(arcl_profile *profile, arcl_context *c, const char *id, measured_device *m,
                                 arcl_error *error) {
    arcl_device_info info;
    double before = clock_now();
    PROPAGATE(find_device(c, id, &info, error));
    profile_identity identity = profile_identity_of(&info);
    int is_host = strcmp(id, "host") == 0, known = profile->devices, worker = -1, workers = c->thread_count;
    profile_device *d = profile_device_get(profile, id, info.kind, &identity);
    if (!d) return error_set(error, ARCL_INVALID, "a profile has room for %d devices", PROFILE_DEVICES);
    if (known == 0 && !is_host) return error_set(error, ARCL_INVALID, "the host has to be measured first");
    if (!is_host) PROPAGATE(devices_open_another(c, id, &worker, &workers, error));
    *m = measured_device_of(c, d, worker, workers);
    name_variants(m);
    if (profile->devices == known) return ARCL_SUCCESS;
    d->overhead[OVERHEAD_open] = is_host ? 0 : clock_now() - before + (double)info.open_nanoseconds;
    return ARCL_SUCCESS;
}

/* Every kernel in the shape of lanes, or of teams where it can. */
static const uchar all_in_shape[PROFILE_VARIANTS][KERNEL_COUNT] = {[PROFILE_TEAM] = {
#define KERNEL(family, name, traits) [KERNEL_##name] = 1,
#include "ops/kernels.def"
#undef KERNEL
                                                                   }};

run_plan measured_plan(const measured_device *m, int variant, int workers, uint32_t chunk) {
    return (run_plan){.kind = m->worker < 0 ? ON_HOST : ON_DEVICE,
                      .worker = m->worker,
                      .workers = workers < m->workers ? workers : m->workers,
                      .chunk = chunk,
                      .chunk_words = 0x7fffffff,
                      .lane_words = 1,
                      .kernels = m->worker < 0 ? host_kernels(variant) : NULL,
                      .is_team = m->worker < 0 ? NULL : all_in_shape[variant]};
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
    for (int i = 0; least && i < count; i++) /* the first brings data and code where they belong */
        PROPAGATE(run_once(m, &plans[i], p, b, &first, error));
    if (all->kernels) note_builds(m);
    do
        for (int i = 0; i < count; i++) PROPAGATE(run_and_note(m, &plans[i], i, p, b, all, &times[i], error));
    while (times->runs < MOST_RUNS && (times->runs < least || clock_now() < end));
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

/* A run of teams has other kernels in it, which are as they were without. */
static int has_variant(const measured_device *m, int variant, unsigned kernel) {
    return m->worker < 0 || variant == PROFILE_LANE || kernel_has(kernel, TEAM);
}

/* How many variants there is something to tell of: without a kernel that has teams, only one of a device's. */
static int telling_variants(const measured_device *m, const kernel_sizes *sizes) {
    int teams = 0;
    for (unsigned k = 1; k < KERNEL_COUNT; k++) teams |= sizes[k].launches > 0 && kernel_has(k, TEAM);
    return m->worker < 0 || teams ? m->variants : 1;
}

static arcl_status add_samples(const measured_device *m, int variant, const kernel_sizes *sizes,
                               const measured_times *times, double card, arcl_error *error) {
    for (unsigned k = 1; k < KERNEL_COUNT; k++) {
        const kernel_sizes *s = &sizes[k];
        if (!has_variant(m, variant, k)) continue;
        double launches = (double)times->launches[k];
        /* A launch that went over no lane, or that the device has no time for, says nothing. Other launches than
         * foreseen mean that the lanes did not fit. */
        if (!times->launches[k] || s->lanes <= 0 || (m->worker >= 0 && times->ns[k] <= 0) ||
            s->launches > launches * 1.5 + 8)
            continue;
        profile_sample sample = {(uint8_t)variant, (uint16_t)k, s->lanes / s->launches, s->elements / s->launches,
                                 times->ns[k] / launches};
        if (sample.lanes < 1) sample.lanes = 1;
        if (sample.lanes > 1) sample.lanes *= card; /* what goes over one lane does so however large the card is */
        sample.elements *= card;
        if (!profile_add_sample(m->profile, &sample)) return NO_MEMORY(error);
    }
    return ARCL_SUCCESS;
}

/* How runs are measured: for how long, and at least how often; and how many times what is there the device is. */
typedef struct measuring {
    double seconds;
    int least;
    double card;
} measuring;

static arcl_status measure(arcl_profile *profile, arcl_context *c, const char *device, const arcl_program *p,
                           const arcl_batch *b, const measuring *how, arcl_error *error) {
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
    int variants = status == ARCL_SUCCESS ? telling_variants(&m, sizes) : 0;
    for (int v = 0; v < variants; v++) plans[v] = measured_plan(&m, v, 1, b->lanes);
    if (variants) status = measure_runs(&m, plans, variants, p, b, how->seconds, how->least, 1, times, error);
    for (int v = 0; status == ARCL_SUCCESS && v < variants; v++)
        status = add_samples(&m, v, sizes, &times[v], how->card, error);
    sizes_free(seen);
    free(sizes);
    free(times);
    return context_take_cancel(c, error) ? ARCL_CANCELLED : status;
}

arcl_status arcl_profile_measure(arcl_profile *profile, arcl_context *c, const char *device, const arcl_program *p,
                                 const arcl_batch *b, double seconds, arcl_error *error) {
    const measuring how = {seconds, 5, 1};
    return measure(profile, c, device, p, b, &how, error);
}

arcl_status arcl_profile_measure_simulated(arcl_profile *profile, arcl_context *c, const char *device,
                                           const arcl_program *p, const arcl_batch *b, uint32_t card,
                                           arcl_error *error) {
    if (!card) return error_set(error, ARCL_INVALID, "a device is at least one times what is simulated of it");
    const measuring how = {0, 0, card};
    return measure(profile, c, device, p, b, &how, error);
}
