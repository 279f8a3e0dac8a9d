/* Runs for measuring: on one device, in one chunk, kernel by kernel. Shared by the files that make profiles. */
#ifndef ARCL_PROFILE_MEASURE_H
#define ARCL_PROFILE_MEASURE_H
#include "profile/profile.h"
#include "profile/sizes.h"
#include "run/run.h"

typedef struct measured_device {
    arcl_context *context;
    profile_device *profile;
    int worker, workers; /* of the context's device workers; worker -1: the host, with so many threads */
    int variants;        /* that are measured */
} measured_device;

/* Finds a device by its id, opens it if need be, and notes in the profile how long that took. */
ARCL_CHECKED arcl_status measured_device_open(arcl_profile *profile, arcl_context *c, const char *id,
                                              measured_device *m, arcl_error *error);

/* A device that is open; worker -1: the host. */
measured_device measured_device_of(arcl_context *c, profile_device *profile, int worker, int workers);

/* A plan for all lanes: `workers` of them at most, in chunks of `chunk` lanes, with that build of the host's
 * kernels, or all of a device's that can in that shape. */
run_plan measured_plan(const measured_device *m, int variant, int workers, uint32_t chunk);

typedef struct measured_times {
    double total;            /* nanoseconds of a run: the median */
    double ns[KERNEL_COUNT]; /* of all launches of a kernel in a run: the median; only if asked for */
    uint64_t launches[KERNEL_COUNT];
    int runs;
} measured_times;

/* Runs each of the plans in turn, until that has taken so many seconds in all, but at least `least` times: what else
 * the machine does meanwhile meets all of them alike. `least` 0: once, without a run before that brings everything
 * where it belongs. `kernels`: measure these as well, which slows the runs themselves
 * down. */
ARCL_CHECKED arcl_status measure_runs(const measured_device *m, const run_plan *plans, int count, const arcl_program *p,
                                      const arcl_batch *b, double seconds, int least, int kernels,
                                      measured_times *times, arcl_error *error);

/* ---- profile_overheads.c ---- */

/* What a device costs besides its kernels, by runs of these programs: probe[i] is definition i of the text. */
enum { OVERHEAD_PROBES = 3 };
extern const char overhead_probes[];
ARCL_CHECKED arcl_status measure_overheads(arcl_profile *profile, arcl_context *c, const char *device,
                                           const arcl_program *const *probe, arcl_error *error);

/* ---- sizes of kernels ---- */

/* What all launches of one kernel in a chunk of so many lanes go over together. */
typedef struct kernel_sizes {
    double launches, lanes, elements;
} kernel_sizes;
void kernel_sizes_sum(const program_sizes *s, double lanes, kernel_sizes *sum); /* of KERNEL_COUNT kernels */

#endif
