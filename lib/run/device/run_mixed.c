#include "run/device/run_mixed.h"
#include "cl/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/image.h"
#include "program/split.h"
#include "run/device/worker.h"
#include "run/runners.h"

#define CHUNK_LANES 256u /* until it is known what a lane takes */
#define CHUNK_WORDS (512u << 10)

/* ---- plans ---- */

static int queues_of(const arcl_context *c, int device) {
    int n = device;
    while (n < c->device_count &&
           strcmp(opencl_device_id(c->device[n].device), opencl_device_id(c->device[device].device)) == 0)
        n++;
    return n - device;
}

static arcl_status make_parts(arcl_context *c, const program_graph *p, const int *device, pool *memory,
                              mixed_plan *plan, arcl_error *error) {
    uint32_t *cut = pool_get(memory, ((size_t)p->count + 1) * sizeof *cut);
    int units = cut ? split_units(p, memory, cut) : -1;
    plan->part = units < 0 ? NULL : calloc((size_t)units, sizeof *plan->part);
    if (!plan->part) return NO_MEMORY(error);
    for (int i = 0, end; i < units; i = end) {
        mixed_part *part = &plan->part[plan->parts];
        for (end = i + 1; end < units && device[end] == device[i];) end++;
        part->device = device[i];
        part->queues = device[i] == MIXED_HOST ? 1 : queues_of(c, device[i]);
        PROPAGATE(split_part(p, cut[i], cut[end], memory, &part->program, error));
        plan->parts++;
    }
    return ARCL_SUCCESS;
}

arcl_status mixed_plan_make(arcl_context *c, const program_graph *p, const int *device, mixed_plan *plan,
                            arcl_error *error) {
    pool *memory = context_pool_take(c);
    *plan = (mixed_plan){NULL, 0};
    if (!memory) return NO_MEMORY(error);
    arcl_status status = make_parts(c, p, device, memory, plan, error);
    context_pool_give(c, memory);
    if (status != ARCL_SUCCESS) mixed_plan_free(plan);
    return status;
}

void mixed_plan_free(mixed_plan *plan) {
    for (int i = 0; i < plan->parts; i++) graph_free(plan->part[i].program);
    free(plan->part);
    *plan = (mixed_plan){NULL, 0};
}

/* ---- one chunk ---- */

typedef struct mixed_run {
    run_state *run;
    job *job;
    const mixed_plan *plan;
    pthread_mutex_t *lock; /* per worker of a device: two threads may want the same queue */
} mixed_run;

/* Lanes on their way through the parts. What the last one has left is in the host's arena. */
typedef struct chunk {
    mixed_run *m;
    host_worker *host;
    int thread;
    uint first, lanes;
    uint *input;       /* room for the inputs of any part */
    const word *piece; /* NULL before the first part */
    uint piece_words;
    int done;  /* 0: not enough memory for so many lanes */
    uint used; /* words, at most */
} chunk;

static device_worker *device_of(const chunk *c, const mixed_part *part) {
    return &c->m->run->context->device[part->device + c->thread % part->queues];
}

/* Where the part finds what the one before it leaves. */
static uint piece_place(const chunk *c, int part) {
    if (part == c->m->plan->parts) return 0;
    const mixed_part *p = &c->m->plan->part[part];
    return p->device == MIXED_HOST ? c->host->begin : device_of(c, p)->batches_end;
}

static void point_at_piece(chunk *c, const program_graph *p, uint place) {
    for (int i = 0; i < p->carried; i++) c->input[p->parameters + i] = place + (uint)i * c->lanes;
}

/* Words from the arena of the device, or of the host. */
static arcl_status take_words(const chunk *c, device_worker *w, uint at, void *to, uint words, arcl_error *error) {
    if (w) return opencl_read(w->device, at, to, words, error);
    memcpy(to, c->host->arena + at, (size_t)words * sizeof(word));
    return ARCL_SUCCESS;
}

/* The results of the last part, and its scores, where they are wanted. */
static arcl_status take_results(chunk *c, device_worker *w, uint at, uint packed_words, uint scores,
                                arcl_error *error) {
    block_store *results = &c->m->run->context->results;
    segment *s = segment_get(results, c->m->job->program->graph, c->m->job->yield, c->first, c->lanes, packed_words);
    if (!s) return NO_MEMORY(error);
    arcl_status status = ARCL_SUCCESS;
    if (s->value) status = take_words(c, w, at, s->value, packed_words, error);
    if (s->score && status == ARCL_SUCCESS)
        status = take_words(c, w, scores, s->score,
                            (uint)c->m->job->program->graph->programs * c->lanes * WORDS_OF(lane_score), error);
    if (status == ARCL_SUCCESS)
        run_done(c->m->job, s, c->used);
    else
        storage_give(results, s);
    return status;
}

/* Only the last part has what is scored. */
static run_yield yield_of(const chunk *c, const program_graph *part) {
    return part->is_part ? YIELD_OUTPUTS : c->m->job->yield;
}
static const arcl_batch *expected_of(const chunk *c, const program_graph *part) {
    return part->is_part ? NULL : c->m->job->expected;
}

static arcl_status run_host_part(chunk *c, int number, arcl_error *error) {
    const program_graph *p = c->m->plan->part[number].program;
    const arcl_batch *b = c->m->job->batch;
    host_chunk h = {.input = c->input,
                    .lanes = c->lanes,
                    .piece = c->piece ? c->piece_words : 0,
                    .out_base = piece_place(c, number + 1),
                    .yield = yield_of(c, p)};
    const arcl_batch *expected = expected_of(c, p);
    if (expected) h.expected = expected->placed[0] + c->first;
    for (int i = 0; i < b->arguments; i++) c->input[i] = b->placed[i] + c->first;
    point_at_piece(c, p, c->host->begin);
    c->done = host_run(c->host, p, &h);
    if (!c->done) return ARCL_SUCCESS;
    if (h.used > c->used) c->used = h.used;
    if (!p->is_part) return take_results(c, NULL, (uint)(h.packed - c->host->arena), h.packed_words, h.scores, error);
    c->piece = h.packed;
    c->piece_words = h.packed_words;
    return ARCL_SUCCESS;
}

static int reads_parameters(const program_graph *p) {
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].kind == STEP_INPUT && p->steps[i].imm < (uint64_t)p->parameters) return 1;
    return 0;
}

/* The queue is this thread's meanwhile. */
static arcl_status run_on_queue(chunk *c, int number, device_worker *w, arcl_error *error) {
    const program_graph *p = c->m->plan->part[number].program;
    const arcl_batch *b = c->m->job->batch;
    device_chunk d = {.program = p,
                      .input = c->input,
                      .lanes = c->lanes,
                      .budget = c->m->run->context->options.budget,
                      .piece = c->piece ? c->piece_words : 0,
                      .out_base = piece_place(c, number + 1),
                      .yield = yield_of(c, p),
                      .is_team = c->m->plan->part[number].is_team};
    const arcl_batch *expected = expected_of(c, p);
    c->done = 0;
    if (reads_parameters(p) || expected) {
        resident_lanes in, compared;
        lanes_wanted all = {c->first, c->lanes, c->lanes};
        PROPAGATE(residency_get_both(w, b, expected ? expected : b, all, &in, &compared, error));
        if (in.lanes - (c->first - in.first) < c->lanes || compared.lanes - (c->first - compared.first) < c->lanes)
            return ARCL_SUCCESS;
        if (!c->piece) d.largest = in.words;
        for (int i = 0; i < b->arguments; i++) c->input[i] = in.column[i] + (c->first - in.first);
        if (expected) d.expected = compared.column[0] + (c->first - compared.first);
    }
    point_at_piece(c, p, w->batches_end);
    if (c->piece) {
        if (c->piece_words > opencl_arena_words(w->device) - w->batches_end) return ARCL_SUCCESS;
        PROPAGATE(opencl_write(w->device, w->batches_end, c->piece, c->piece_words, error));
    }
    PROPAGATE(device_execute(w, &d, error));
    if (!d.done) return ARCL_SUCCESS;
    if (d.used > c->used) c->used = d.used;
    c->done = 1;
    if (!p->is_part) return take_results(c, w, d.packed, d.packed_words, d.scores, error);
    if (d.packed_words > c->host->end - c->host->begin) {
        c->done = 0;
        return ARCL_SUCCESS;
    }
    word *to = c->host->arena + c->host->begin;
    guard_behind(c->host->arena, c->host->begin, d.packed_words, c->host->end);
    PROPAGATE(opencl_read(w->device, d.packed, to, d.packed_words, error));
    c->piece = to;
    c->piece_words = d.packed_words;
    return ARCL_SUCCESS;
}

static arcl_status run_device_part(chunk *c, int number, arcl_error *error) {
    device_worker *w = device_of(c, &c->m->plan->part[number]);
    pthread_mutex_t *lock = &c->m->lock[w - c->m->run->context->device];
    pthread_mutex_lock(lock);
    arcl_status status = run_on_queue(c, number, w, error);
    pthread_mutex_unlock(lock);
    return status;
}

static arcl_status run_parts(chunk *c, arcl_error *error) {
    c->piece = NULL;
    c->done = 1;
    for (int i = 0; i < c->m->plan->parts && c->done; i++)
        if (c->m->plan->part[i].device == MIXED_HOST)
            PROPAGATE(run_host_part(c, i, error));
        else
            PROPAGATE(run_device_part(c, i, error));
    return ARCL_SUCCESS;
}

/* Half the lanes at a time until they fit. */
static arcl_status run_lanes(chunk *c, uint first, uint lanes, arcl_error *error) {
    arcl_error why = {{0}};
    c->first = first;
    c->lanes = lanes;
    arcl_status status = run_parts(c, &why);
    if (status == ARCL_SUCCESS && (c->done || run_is_over(c->m->run))) return ARCL_SUCCESS;
    if ((status == ARCL_SUCCESS || status == ARCL_NO_MEMORY) && lanes > 1) {
        PROPAGATE(run_lanes(c, first, lanes / 2, error));
        return run_lanes(c, first + lanes / 2, lanes - lanes / 2, error);
    }
    if (status != ARCL_SUCCESS) return error_set(error, status, "%s", why.message);
    return error_set(error, ARCL_NO_MEMORY, "one lane alone needs more memory than the limit of %llu bytes: raise it",
                     (unsigned long long)c->m->run->context->options.memory);
}

/* ---- all lanes ---- */

static uint chunk_size(const mixed_run *m, uint left) {
    const run_plan *plan = m->job->plan;
    uint taken = atomic_load_explicit(&m->job->words, memory_order_relaxed), size = CHUNK_LANES;
    uint room = plan->chunk_words ? plan->chunk_words : CHUNK_WORDS;
    if (taken) size = taken < room ? room / taken : 1;
    if (plan->chunk && size > plan->chunk) size = plan->chunk;
    if (m->run->context->options.chunk) size = m->run->context->options.chunk;
    return size < left ? size : left;
}

static int most_inputs(const mixed_plan *plan) {
    int most = 0;
    for (int i = 0; i < plan->parts; i++) {
        const program_graph *p = plan->part[i].program;
        if (p->parameters + p->carried > most) most = p->parameters + p->carried;
    }
    return most;
}

static void run_thread(void *arg, int thread, uint32_t index) {
    mixed_run *m = arg;
    job *j = m->job;
    arcl_error error;
    chunk c = {.m = m, .host = &m->run->context->worker[index], .thread = (int)index};
    (void)thread;
    c.input = calloc((size_t)most_inputs(m->plan) + 1, sizeof *c.input);
    if (!c.input) run_fail(m->run, NO_MEMORY(&error), &error);
    uint32_t next = atomic_load(&j->taken), take;
    while (!run_is_over(m->run) && next < j->batch->lanes) {
        take = chunk_size(m, j->batch->lanes - next);
        if (!atomic_compare_exchange_weak(&j->taken, &next, next + take)) continue;
        arcl_status status = run_lanes(&c, next, take, &error);
        if (status != ARCL_SUCCESS) run_fail(m->run, status, &error);
        next = atomic_load(&j->taken);
    }
    free(c.input);
}

void run_in_parts(run_state *r, job *j) {
    mixed_run m = {r, j, j->plan->parts, calloc((size_t)r->context->device_count + 1, sizeof *m.lock)};
    arcl_error error;
    arcl_status status = m.lock ? batch_place((arcl_batch *)j->batch, &error) : NO_MEMORY(&error);
    if (status == ARCL_SUCCESS && j->expected) status = batch_place((arcl_batch *)j->expected, &error);
    if (status == ARCL_SUCCESS) {
        for (int i = 0; i < r->context->device_count; i++) pthread_mutex_init(&m.lock[i], NULL);
        threads_run(r->context->threads, (uint32_t)j->plan->workers, run_thread, &m);
        for (int i = 0; i < r->context->device_count; i++) pthread_mutex_destroy(&m.lock[i]);
    } else
        run_fail(r, status, &error);
    free(m.lock);
}
