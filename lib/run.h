/* Running programs over batches: what the host's threads (run_host.c) and OpenCL devices (opencl/run_device.c) share. */
#ifndef ARCL_RUN_H
#define ARCL_RUN_H
#include <stdatomic.h>

#include "batch.h"
#include "result.h"

typedef struct job {
    const arcl_program *program;
    const arcl_batch *batch;
    arcl_result *result;
    uint32_t first_portion; /* number of its first portion among all */
    _Atomic uint32_t words; /* that a lane took, in the chunk before; 0: not known yet */
    _Atomic uint32_t next;  /* the first lane that no device has taken yet */
} job;

typedef struct run_state {
    arcl_context *context;
    job *jobs;
    int count;
    _Atomic int failed; /* of arcl_status: the first failure, which `error` explains */
    pthread_mutex_t lock;
    arcl_error error;
} run_state;

/* Notes the first failure of a run; safe from any thread. */
void run_fail(run_state *r, arcl_status status, const arcl_error *error);

/* The lanes of a finished chunk have their results in a segment. */
void run_done(job *j, segment *s, uint words_used);

/* Both run all lanes of all jobs; failures are in the state. */
void run_on_host(run_state *r);
void run_on_devices(run_state *r);

/* As arcl_run_many; plans[i] says where the parts of programs[i] run. plans may be NULL: everything runs where the
 * context's options say. */
struct mixed_plan;
ARCL_CHECKED arcl_status run_many(arcl_context *context, int count, const arcl_program *const *programs,
                                  const arcl_batch *const *batches, const struct mixed_plan *plans,
                                  arcl_result **results, arcl_error *error);

/* Runs all lanes of one job by its plan; failures are in the state. */
void run_mixed(run_state *r, job *j, const struct mixed_plan *plan);

#endif
