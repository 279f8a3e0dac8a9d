/* Jobs: programs over batches, each with the plan that it runs by, and what the run of several of them shares. Whoever
 * runs lanes (run_host.c, device/) knows this much. */
#ifndef ARCL_JOB_H
#define ARCL_JOB_H
#include <stdatomic.h>

#include "program/compiled.h"
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
    const uchar *is_team;           /* ON_DEVICE: per kernel, whether teams run it; NULL: as suits the device */
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
    _Atomic uint32_t taken; /* how many lanes devices have taken */
} job;

typedef struct run_state {
    arcl_context *context;
    job *jobs;
    int count;
    int one_thread;     /* of the host is enough for all jobs that are planned for it */
    _Atomic int failed; /* of arcl_status: the first failure, which `error` explains */
    pthread_mutex_t lock;
    arcl_error error;
} run_state;

/* Whether nothing more is to be run: something has failed, or the run is cancelled, which is noted then. */
int run_is_over(run_state *r);

/* Notes the first failure of a run; safe from any thread. */
void run_fail(run_state *r, arcl_status status, const arcl_error *error);

/* The lanes of a finished chunk have their results in a segment. */
void run_done(job *j, segment *s, uint words_used);

/* When it has run: how much a lane takes, for the next time. */
void run_remember(const job *j);

#endif
