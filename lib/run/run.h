/* Running programs over batches: what the host's threads (run_host.c) and OpenCL devices (opencl/run_device.c) share. */
#ifndef ARCL_RUN_H
#define ARCL_RUN_H
#include <stdatomic.h>

#include "run/batch.h"
#include "run/result.h"

struct mixed_plan;

/* Where and how the lanes of a program run: decided before they do. */
typedef struct run_plan {
    enum { ON_HOST, ON_DEVICE, IN_PARTS } kind;
    int worker;                     /* ON_DEVICE: the first of the context's device workers that take lanes */
    int workers;                    /* threads, or queues, that take lanes */
    uint32_t chunk;                 /* lanes of a chunk at most; 0: as many as chunk_words allow */
    uint32_t chunk_words;           /* that a chunk should make; 0: what suits the device by default */
    uint32_t lane_words;            /* that a lane makes; 0: not known */
    host_kernel *const *kernels;    /* ON_HOST: their builds; NULL: the default */
    const struct mixed_plan *parts; /* IN_PARTS */
    double predicted, serial;       /* nanoseconds of the run, and of the run with one worker; 0: not known */
} run_plan;

typedef struct job {
    const arcl_program *program;
    const arcl_batch *batch;
    run_yield yield;            /* what is wanted of it */
    const arcl_batch *expected; /* the grids to compare with, lane by lane; NULL: none */
    arcl_result *result;
    const run_plan *plan;
    uint32_t first_portion; /* number of its first portion among all */
    _Atomic uint32_t words; /* that a lane took, in the chunk before; 0: not known yet */
    _Atomic uint32_t next;  /* the first lane that no device has taken yet */
} job;

/* What is to be run, and what is wanted of it. */
typedef struct run_request {
    int count;
    const arcl_program *const *programs;
    const arcl_batch *const *batches;
    run_yield yield;
    const arcl_batch *const *expected; /* that the lanes of batches[i] are compared with, or NULL; NULL: none at all */
} run_request;

typedef struct run_state {
    arcl_context *context;
    job *jobs;
    int count;
    int one_thread;     /* of the host is enough for all jobs that are planned for it */
    _Atomic int failed; /* of arcl_status: the first failure, which `error` explains */
    pthread_mutex_t lock;
    arcl_error error;
} run_state;

/* Whether the batch is complete and is what the program takes. */
ARCL_CHECKED arcl_status run_check(const arcl_program *p, const arcl_batch *b, arcl_error *error);

/* Whether `expected` is something that the batch's lanes can be compared with. */
ARCL_CHECKED arcl_status run_check_expected(const arcl_batch *expected, const arcl_batch *b, arcl_error *error);

/* A run from beginning to end: run_begin checks the request and makes its jobs, somebody gives each of them a plan,
 * run_execute runs all of them, and run_end hands out their results, or frees them if something has failed. */
ARCL_CHECKED arcl_status run_begin(run_state *r, arcl_context *context, const run_request *request, arcl_error *error);
ARCL_CHECKED arcl_status run_execute(run_state *r, arcl_error *error);
void run_end(run_state *r, arcl_status status, arcl_result **results);

/* All of that, by plans that the caller has made: plans[i] for programs[i]. */
ARCL_CHECKED arcl_status run_by_plans(arcl_context *context, const run_request *request, const run_plan *plans,
                                      arcl_result **results, arcl_error *error);

/* ---- for those who run jobs ---- */

/* Notes the first failure of a run; safe from any thread. */
void run_fail(run_state *r, arcl_status status, const arcl_error *error);

/* The lanes of a finished chunk have their results in a segment. */
void run_done(job *j, segment *s, uint words_used);

/* These run all lanes of those jobs that are planned so; failures are in the state. */
void run_on_host(run_state *r);
void run_on_devices(run_state *r, int worker, int workers); /* of those jobs that are planned for just these workers */
void run_in_parts(run_state *r, job *j);

#endif
