/* What a device costs besides its kernels: calls, chunks, launches, workers, transfers, and how large a chunk it likes.
 * Each is found by running small programs in two ways that differ in nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "profile/profile_measure.h"
#include "run/devices.h"
#ifdef ARCL_HAVE_OPENCL
#include "run/device/worker.h"
#endif

/* One step, and a chain of many: the difference is what steps cost. */
#define CHAIN 32
#define TWO "rot90(rot90("
#define EIGHT TWO TWO TWO TWO
const char overhead_probes[] = "def one_step(I):\n"
                               "    return rot90(I)\n"
                               "def chain(I):\n"
                               "    return " EIGHT EIGHT EIGHT EIGHT "I"
                               "))))))))"
                               "))))))))"
                               "))))))))"
                               "))))))))"
                               "\n"
                               "def work(I):\n" /* something of everything, for what depends on how much there is */
                               "    x1 = objects(I, T, F, T)\n"
                               "    x2 = fork(recolor, size, identity)\n"
                               "    x3 = mapply(x2, x1)\n"
                               "    x4 = paint(I, x3)\n"
                               "    x5 = rot90(x4)\n"
                               "    return vmirror(x5)\n";

typedef struct trial {
    const measured_device *m;
    arcl_error *error;
    const arcl_program *one, *chain, *work;
    arcl_batch *dots, *grids; /* grids of one cell, and such as tasks have */
} trial;

enum { DOTS = 64, GRIDS = 4096, SIDE = 12, WORK_SIZES = 9, WORK_ROUNDS = 15, WORK_PASSES = 8 };
#define WORK_TIME 1e9 /* nanoseconds */

/* Some blobs on a background; the same every time. */
static arcl_status add_grids(trial *t) {
    signed char cells[SIDE * SIDE];
    uint32_t random = 1;
    PROPAGATE(arcl_batch_create(t->m->context, "grid", &t->dots, t->error));
    PROPAGATE(arcl_batch_create(t->m->context, "grid", &t->grids, t->error));
    for (int n = 0; n < DOTS; n++) PROPAGATE(arcl_batch_add_grid(t->dots, 1, 1, (const signed char *)"\1", t->error));
    for (int n = 0; n < GRIDS; n++) {
        memset(cells, 0, sizeof cells);
        for (int blob = 0; blob < 6; blob++) {
            random = random * 1664525u + 1013904223u;
            int i = (int)(random >> 8) % (SIDE - 2), j = (int)(random >> 16) % (SIDE - 2), at = i * SIDE + j;
            cells[at] = cells[at + 1] = cells[at + SIDE] = (signed char)(random >> 24) % 9 + 1;
        }
        for (int i = 0; i < SIDE * SIDE; i++) cells[i] = (signed char)(cells[i] < 0 ? -cells[i] : cells[i]);
        PROPAGATE(arcl_batch_add_grid(t->grids, SIDE, SIDE, cells, t->error));
    }
    return ARCL_SUCCESS;
}

static void trial_end(trial *t) {
    arcl_batch_free(t->dots);
    arcl_batch_free(t->grids);
}

/* A batch with the first lanes of another: batches of all sizes share what they hold. */
static arcl_batch first_lanes(const arcl_batch *b, uint32_t lanes) {
    arcl_batch some = *b;
    some.lanes = some.placed_lanes = lanes; /* the whole batch has been placed */
    return some;
}

static arcl_status time_of(trial *t, const arcl_program *p, const arcl_batch *b, int workers, uint32_t chunk,
                           double *ns) {
    measured_times times;
    run_plan plan = measured_plan(t->m, 0, workers, chunk);
    PROPAGATE(measure_runs(t->m, &plan, 1, p, b, 0.01, 9, 0, &times, t->error));
    *ns = times.total;
    return ARCL_SUCCESS;
}

/* The kernels alone of a run of one lane. */
static arcl_status kernels_of(trial *t, const arcl_program *p, const arcl_batch *b, double *ns, double *launches) {
    measured_times *times = malloc(sizeof *times);
    run_plan plan = measured_plan(t->m, 0, 1, 1);
    if (!times) return NO_MEMORY(t->error);
    arcl_status status = measure_runs(t->m, &plan, 1, p, b, 0.01, 9, 1, times, t->error);
    *ns = *launches = 0;
    for (int k = 0; status == ARCL_SUCCESS && k < KERNEL_COUNT; k++) {
        *ns += times->ns[k];
        *launches += (double)times->launches[k];
    }
    free(times);
    return status;
}

static double not_negative(double v) { return v > 0 ? v : 0; }

/* ---- calls, chunks and launches ---- */

static arcl_status measure_calls(trial *t, double *overhead) {
    double short_run, long_run, one_chunk, many_chunks, short_kernels, long_kernels, few, many;
    PROPAGATE(batch_place(t->dots, t->error));
    arcl_batch dot = first_lanes(t->dots, 1);
    PROPAGATE(time_of(t, t->one, &dot, 1, 1, &short_run));
    PROPAGATE(time_of(t, t->chain, &dot, 1, 1, &long_run));
    PROPAGATE(kernels_of(t, t->one, &dot, &short_kernels, &few));
    PROPAGATE(kernels_of(t, t->chain, &dot, &long_kernels, &many));
    PROPAGATE(time_of(t, t->one, t->dots, 1, DOTS, &one_chunk));
    PROPAGATE(time_of(t, t->one, t->dots, 1, 1, &many_chunks));
    double per_launch = not_negative((long_run - short_run - (long_kernels - short_kernels)) / (many - few));
    double per_chunk = not_negative((many_chunks - one_chunk) / (DOTS - 1));
    overhead[OVERHEAD_launch] = per_launch;
    overhead[OVERHEAD_chunk] = not_negative(per_chunk - short_kernels - few * per_launch);
    overhead[OVERHEAD_run] = not_negative(short_run - overhead[OVERHEAD_chunk] - short_kernels - few * per_launch);
    return ARCL_SUCCESS;
}

/* ---- all workers against one ---- */

/* While the other workers wake up, one does what there is to do; what is left then, all share. So the times of all over
 * the times of one lie on a line. How steep it is, the best of the longer runs tells: what else the machine does makes
 * all workers together slower, never faster. Where it begins is what waking costs: the shorter runs tell, of which it
 * is the larger part. */
static void fit_workers(const double *serial, const double *all, int count, int workers, double *overhead) {
    double starts[WORK_SIZES / 2], slope = 1;
    for (int i = count / 2; i < count; i++)
        if (all[i] / serial[i] < slope) slope = all[i] / serial[i];
    if (slope < 1.0 / workers) slope = 1.0 / workers;
    for (int i = 0; i < count / 2; i++) starts[i] = all[i] - slope * serial[i];
    overhead[OVERHEAD_speedup] = 1 / slope;
    overhead[OVERHEAD_wake] = not_negative(median_of(starts, count / 2));
}

/* One worker and all, run by run, so that whatever else the machine does meets both alike; and each right after a run
 * of its own kind, as in a search: how deep workers sleep depends on how long they do. */
static arcl_status time_workers(trial *t, const arcl_batch *b, uint32_t chunk, double *serial, double *all) {
    double one[WORK_ROUNDS], ratio[WORK_ROUNDS];
    run_plan alone = measured_plan(t->m, 0, 1, chunk), together = measured_plan(t->m, 0, t->m->workers, chunk);
    measured_times times;
    for (int i = 0; i < WORK_ROUNDS; i++) {
        PROPAGATE(measure_runs(t->m, &alone, 1, t->work, b, 0, 1, 0, &times, t->error));
        one[i] = times.total;
        PROPAGATE(measure_runs(t->m, &together, 1, t->work, b, 0, 1, 0, &times, t->error));
        ratio[i] = times.total / one[i];
    }
    *serial = median_of(one, WORK_ROUNDS);
    *all = *serial * median_of(ratio, WORK_ROUNDS);
    return ARCL_SUCCESS;
}

/* Several times, if that does not take long: the best counts, since whatever disturbs makes workers slower. */
static arcl_status measure_workers(trial *t, double *overhead) {
    double serial[WORK_SIZES], all[WORK_SIZES], one, together;
    overhead[OVERHEAD_speedup] = 1;
    overhead[OVERHEAD_wake] = 0;
    if (t->m->workers < 2) return ARCL_SUCCESS;
    PROPAGATE(batch_place(t->grids, t->error));
    double end = clock_now() + WORK_TIME;
    for (int pass = 0; pass < WORK_PASSES && (pass == 0 || clock_now() < end); pass++)
        for (int i = 0; i < WORK_SIZES; i++) {
            uint32_t lanes = GRIDS >> (WORK_SIZES - 1 - i), chunk = lanes / 4 < 64 ? lanes / 4 : 64;
            arcl_batch some = first_lanes(t->grids, lanes);
            PROPAGATE(time_workers(t, &some, chunk, &one, &together));
            if (pass && together / one >= all[i] / serial[i]) continue;
            serial[i] = one;
            all[i] = together;
        }
    fit_workers(serial, all, WORK_SIZES, t->m->workers, overhead);
    return ARCL_SUCCESS;
}

/* ---- chunks ---- */

/* The most words that are as good as any, within what measuring can tell: larger chunks have fewer launches. */
static arcl_status measure_chunk_words(trial *t, double *chunk_words) {
    static const uint32_t tried[] = {1u << 14, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20};
    enum { TRIED = sizeof tried / sizeof tried[0] };
    double ns[TRIED], least = 0;
    program_sizes *sizes = sizes_sample(t->m->context, t->work->graph, t->grids, 64);
    if (!sizes) return NO_MEMORY(t->error);
    double per_lane = sizes->words;
    sizes_free(sizes);
    for (int i = 0; i < TRIED; i++) {
        double lanes = tried[i] / per_lane;
        PROPAGATE(time_of(t, t->work, t->grids, 1, lanes < 1 ? 1 : lanes > GRIDS ? GRIDS : (uint32_t)lanes, &ns[i]));
        if (i == 0 || ns[i] < least) least = ns[i];
    }
    for (int i = 0; i < TRIED; i++)
        if (ns[i] <= least * 1.03) *chunk_words = tried[i];
    return ARCL_SUCCESS;
}

/* ---- transfers ---- */

#ifdef ARCL_HAVE_OPENCL
static arcl_status time_transfer(opencl_device *d, uint32_t at, word *data, uint32_t words, int up, double *ns,
                                 arcl_error *error) {
    double took[9];
    for (int i = 0; i < 9; i++) {
        double before = clock_now();
        if (up)
            PROPAGATE(opencl_write(d, at, data, words, error));
        else
            PROPAGATE(opencl_read(d, at, data, words, error));
        took[i] = clock_now() - before;
        PROPAGATE(opencl_finish(d, error));
    }
    *ns = median_of(took, 9);
    return ARCL_SUCCESS;
}

static arcl_status measure_transfers(const measured_device *m, arcl_error *error) {
    if (m->worker < 0) return ARCL_SUCCESS;
    const device_worker *w = &m->context->device[m->worker];
    word *data = calloc(1u << 20, sizeof *data);
    arcl_status status = data ? ARCL_SUCCESS : NO_MEMORY(error);
    m->profile->up.count = m->profile->down.count = 0;
    for (uint32_t words = 16; status == ARCL_SUCCESS && words <= 1u << 20; words *= 8) {
        double up, down;
        status = time_transfer(w->device, w->batches_end, data, words, 1, &up, error);
        if (status == ARCL_SUCCESS) status = time_transfer(w->device, w->batches_end, data, words, 0, &down, error);
        if (status != ARCL_SUCCESS) break;
        curve_add(&m->profile->up, (double)words * sizeof *data, up);
        curve_add(&m->profile->down, (double)words * sizeof *data, down);
    }
    free(data);
    return status;
}
#else
static arcl_status measure_transfers(const measured_device *m, arcl_error *error) {
    return (void)m, (void)error, ARCL_SUCCESS;
}
#endif

static arcl_status measure_all(trial *t, profile_device *d) {
    PROPAGATE(add_grids(t));
    PROPAGATE(measure_calls(t, d->overhead));
    PROPAGATE(measure_workers(t, d->overhead));
    if (strcmp(d->kind, "gpu") != 0) PROPAGATE(measure_chunk_words(t, &d->chunk_words));
    return measure_transfers(t->m, t->error);
}

arcl_status measure_overheads(arcl_profile *profile, arcl_context *c, const char *device,
                              const arcl_program *const *probe, arcl_error *error) {
    measured_device m;
    PROPAGATE(measured_device_open(profile, c, device, &m, error));
    trial t = {.m = &m, .error = error, .one = probe[0], .chain = probe[1], .work = probe[2]};
    arcl_status status = measure_all(&t, m.profile);
    trial_end(&t);
    return status;
}
