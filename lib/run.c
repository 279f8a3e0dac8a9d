/* Running: the lanes of all programs are cut into portions, which the context's threads take one by one and run in chunks. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "error.h"
#include "result.h"

/* Lanes that one thread takes at a time, and how many words it lets a chunk of them use: what a chunk makes should stay in
 * the processor's caches while the whole program runs over it. */
#define PORTION_LANES 64
#define CHUNK_WORDS (256u << 10)
#define FIRST_LANES 8 /* of a program of which nothing is known yet */

typedef struct job {
    const arcl_program *program;
    const arcl_batch *batch;
    arcl_result *result;
    uint32_t first_portion; /* number of its first portion among all */
    _Atomic uint32_t words; /* that a lane took, in the chunk before; 0: not known yet */
} job;

/* A lane that did not fit into one worker's part of the arena: it gets all of it when the others are done. */
typedef struct large_lane {
    struct large_lane *next;
    job *job;
    uint lane;
} large_lane;

typedef struct run_state {
    arcl_context *context;
    job *jobs;
    int count;
    uint32_t portion_lanes;
    _Atomic int outcome; /* of host_outcome: the worst so far */
    _Atomic(large_lane *) large;
} run_state;

static int put_off(run_state *r, job *j, uint lane_number) {
    large_lane *l = malloc(sizeof *l);
    if (!l) return 0;
    *l = (large_lane){atomic_load(&r->large), j, lane_number};
    while (!atomic_compare_exchange_weak(&r->large, &l->next, l)) continue;
    return 1;
}

static int run_lanes(run_state *r, host_worker *w, job *j, uint first, uint count, int alone) {
    host_chunk chunk = {.first = first, .lanes = count};
    for (int i = 0; i < j->batch->arguments; i++) chunk.input[i] = j->batch->placed[i];
    enum host_outcome outcome = host_run(w, j->program, &chunk);
    if (outcome == HOST_OVERFLOW && count > 1) {
        uint half = count / 2;
        return run_lanes(r, w, j, first, half, alone) && run_lanes(r, w, j, first + half, count - half, alone);
    }
    if (outcome == HOST_OVERFLOW && !alone && put_off(r, j, first)) return 1;
    segment *s = outcome == HOST_DONE ? segment_from(&r->context->results, w, j->program->result_type, &chunk) : NULL;
    if (!s) {
        atomic_store(&r->outcome, outcome == HOST_OVERFLOW ? HOST_OVERFLOW : HOST_NO_MEMORY);
        return 0;
    }
    atomic_store_explicit(&j->words, chunk.used / count + 1, memory_order_relaxed);
    for (uint n = 0; n < count; n++) j->result->of_lane[first + n] = s;
    return 1;
}

static job *job_of_portion(const run_state *r, uint32_t portion) {
    int lo = 0, hi = r->count;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (r->jobs[mid].first_portion <= portion)
            lo = mid;
        else
            hi = mid;
    }
    return &r->jobs[lo];
}

/* How many of the lanes left to run in the next chunk. */
static uint32_t chunk_size(const run_state *r, job *j, uint32_t left) {
    uint32_t taken = atomic_load_explicit(&j->words, memory_order_relaxed), size = FIRST_LANES;
    if (r->context->options.chunk) return left; /* the user's word */
    if (taken) size = taken < CHUNK_WORDS ? CHUNK_WORDS / taken : 1;
    return size < left ? size : left;
}

static void run_portion(void *arg, int worker, uint32_t portion) {
    run_state *r = arg;
    job *j = job_of_portion(r, portion);
    uint32_t first = (portion - j->first_portion) * r->portion_lanes, left = j->batch->lanes - first;
    if (left > r->portion_lanes) left = r->portion_lanes;
    while (left && atomic_load(&r->outcome) == HOST_DONE) {
        uint32_t count = chunk_size(r, j, left);
        if (!run_lanes(r, &r->context->worker[worker], j, first, count, 0)) return;
        first += count;
        left -= count;
    }
}

static void run_large_lanes(run_state *r) {
    host_worker *first = &r->context->worker[0], *last = &r->context->worker[r->context->thread_count - 1];
    uint end = first->end;
    first->end = last->end;
    for (large_lane *l = atomic_load(&r->large); l;) {
        large_lane *next = l->next;
        if (atomic_load(&r->outcome) == HOST_DONE) run_lanes(r, first, l->job, l->lane, 1, 1);
        free(l);
        l = next;
    }
    first->end = end;
}

static arcl_status check_types(const arcl_program *p, const arcl_batch *b, arcl_error *error) {
    if (p->parameters != b->arguments)
        return error_set(error, ARCL_INVALID, "the program has %d parameters, the batch has %d", p->parameters,
                         b->arguments);
    for (int i = 0; i < p->parameters; i++)
        if (p->parameter[i] != b->type[i])
            return error_set(error, ARCL_INVALID, "parameter %d of the program and of the batch differ in type", i + 1);
    return ARCL_SUCCESS;
}

static arcl_status prepare(job *j, arcl_batch *b, arcl_error *error) {
    PROPAGATE(check_types(j->program, b, error));
    PROPAGATE(batch_place(b, error));
    j->batch = b;
    j->result = calloc(1, sizeof *j->result);
    if (!j->result) return NO_MEMORY(error);
    memcpy(j->result->type, j->program->result_type, sizeof j->result->type);
    j->result->lanes = b->lanes;
    j->result->storage = &b->context->results;
    j->result->of_lane = calloc(b->lanes ? b->lanes : 1, sizeof *j->result->of_lane);
    return j->result->of_lane ? ARCL_SUCCESS : NO_MEMORY(error);
}

static arcl_status run_jobs(run_state *r, arcl_batch *const *batches, arcl_error *error) {
    uint32_t portions = 0;
    for (int i = 0; i < r->count; i++) {
        PROPAGATE(prepare(&r->jobs[i], batches[i], error));
        r->jobs[i].first_portion = portions;
        portions += (batches[i]->lanes + r->portion_lanes - 1) / r->portion_lanes;
    }
    threads_run(r->context->threads, portions, run_portion, r);
    run_large_lanes(r);
    switch (atomic_load(&r->outcome)) {
    case HOST_DONE: return ARCL_SUCCESS;
    case HOST_OVERFLOW:
        return error_set(error, ARCL_NO_MEMORY,
                         "one lane alone needs more memory than the limit of %llu bytes: raise it",
                         (unsigned long long)r->context->options.memory);
    default: return NO_MEMORY(error);
    }
}

arcl_status arcl_run_many(arcl_context *context, int count, const arcl_program *const *programs,
                          const arcl_batch *const *batches, arcl_result **results, arcl_error *error) {
    run_state r = {.context = context, .count = count, .portion_lanes = context->options.chunk};
    if (!r.portion_lanes) r.portion_lanes = PORTION_LANES;
    for (int i = 0; i < count; i++) results[i] = NULL;
    if (count <= 0) return ARCL_SUCCESS;
    r.jobs = calloc((size_t)count, sizeof *r.jobs);
    if (!r.jobs) return NO_MEMORY(error);
    for (int i = 0; i < count; i++) r.jobs[i].program = programs[i];
    /* Placing a batch is the only change to it, and it is the context's own business. */
    arcl_status status = run_jobs(&r, (arcl_batch *const *)batches, error);
    for (int i = 0; i < count; i++)
        if (status == ARCL_SUCCESS)
            results[i] = r.jobs[i].result;
        else
            arcl_result_free(r.jobs[i].result);
    free(r.jobs);
    return status;
}

arcl_status arcl_run(arcl_context *context, const arcl_program *program, const arcl_batch *batch, arcl_result **result,
                     arcl_error *error) {
    return arcl_run_many(context, 1, &program, &batch, result, error);
}
