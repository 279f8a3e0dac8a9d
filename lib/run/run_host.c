/* The host's share of running: the lanes of all programs are cut into portions, which the context's threads take one by
 * one and run in chunks. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/runners.h"

/* Lanes that one thread takes at a time, of a program of up to so many steps; of a longer one, such as a battery, they
 * are fewer, so that a few lanes of it are work for all threads. Of many lanes it takes more, up to twice as many, as
 * long as every thread has some turns: what a chunk takes by itself counts in programs of a few ops. */
#define PORTION_LANES 64
#define PORTION_STEPS 64
#define TURNS 4
/* How many words a chunk of them may use: what it makes should stay in the processor's caches while the whole program
 * runs over it. */
#define CHUNK_WORDS (256u << 10)
#define FIRST_LANES 8 /* of a program of which nothing is known yet */
/* Words that several lanes may use together. Lanes that need much more come one at a time: otherwise a chunk would
 * first fill all the memory there is, only to be run again in halves, and these again. */
#define SHARED_WORDS (16 * CHUNK_WORDS)

/* A lane that did not fit into one worker's part of the arena: it gets all of it when the others are done. */
typedef struct large_lane {
    struct large_lane *next;
    job *job;
    uint lane;
} large_lane;

typedef struct host_run_state {
    run_state *run;
    job **jobs; /* those that are planned for the host */
    int count;
    _Atomic(large_lane *) large;
} host_run_state;

static int put_off(host_run_state *h, job *j, uint lane_number) {
    large_lane *l = malloc(sizeof *l);
    if (!l) return 0;
    *l = (large_lane){atomic_load(&h->large), j, lane_number};
    while (!atomic_compare_exchange_weak(&h->large, &l->next, l)) continue;
    return 1;
}

/* A lane that no part of the arena is large enough for, or whose results find no memory. */
static int lane_failed(host_run_state *h, int done) {
    arcl_error error;
    if (done)
        (void)NO_MEMORY(&error);
    else
        error_set(&error, ARCL_NO_MEMORY, "one lane alone needs more memory than the limit of %llu bytes: raise it",
                  (unsigned long long)h->run->context->options.memory);
    run_fail(h->run, ARCL_NO_MEMORY, &error);
    return 0;
}

/* The segment that lanes leave their results in, made when it is known how much these are. */
typedef struct leaving {
    run_state *run;
    const job *job;
    uint first, lanes;
    segment *segment;
    int is_refused; /* there was no memory for it */
} leaving;

static segment *make_segment(leaving *l, uint words) {
    l->segment =
        segment_get(&l->run->context->results, l->job->program->graph, l->job->yield, l->first, l->lanes, words);
    l->is_refused = !l->segment;
    return l->segment;
}

static word *make_room(void *owner, uint words) {
    const segment *s = make_segment(owner, words);
    return s ? s->value : NULL;
}

static int run_lanes(host_run_state *h, host_worker *w, job *j, uint first, uint count, int alone) {
    uint input[2 * MAX_PARAMETERS] = {0};
    leaving l = {.run = h->run, .job = j, .first = first, .lanes = count};
    host_chunk chunk = {.lanes = count,
                        .input = input,
                        .kernels = j->plan->kernels,
                        .yield = j->yield,
                        .make_room = make_room,
                        .owner = &l};
    if (j->expected) chunk.expected = j->expected->placed[0] + first;
    if (count > 1 && !h->run->context->options.chunk) chunk.most = SHARED_WORDS;
    for (int i = 0; i < j->batch->arguments; i++) {
        input[i] = j->batch->placed[i] + first;
        input[j->batch->arguments + i] = j->batch->masks[i] + first;
    }
    int done = host_run(w, j->program->graph, &chunk);
    if (!done && l.segment) storage_give(&h->run->context->results, l.segment);
    if (!done && run_is_over(h->run)) return 0;
    if (l.is_refused) return lane_failed(h, 1);
    if (!done && count > 1) {
        uint half = count / 2;
        return run_lanes(h, w, j, first, half, alone) && run_lanes(h, w, j, first + half, count - half, alone);
    }
    if (!done && !alone && put_off(h, j, first)) return 1;
    segment *s = done && !l.segment ? make_segment(&l, 0) : l.segment;
    if (!done || !s) return lane_failed(h, done);
    if (s->score)
        memcpy(s->score, w->arena + chunk.scores, (size_t)j->program->graph->programs * count * sizeof *s->score);
    run_done(j, s, chunk.used);
    return 1;
}

static job *job_of_portion(const host_run_state *h, uint32_t portion) {
    int lo = 0, hi = h->count;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (h->jobs[mid]->first_portion <= portion)
            lo = mid;
        else
            hi = mid;
    }
    return h->jobs[lo];
}

static uint32_t portion_lanes(const run_state *r, const job *j) {
    if (r->context->options.chunk) return r->context->options.chunk;
    if (j->plan->chunk) return j->plan->chunk;
    uint32_t steps = (uint32_t)j->program->graph->count, workers = (uint32_t)r->context->thread_count;
    uint32_t least =
        workers == 1 || steps <= PORTION_STEPS ? PORTION_LANES : 1 + (PORTION_LANES * PORTION_STEPS - 1) / steps;
    uint32_t turn = j->batch->lanes / (TURNS * workers) + (j->batch->lanes % (TURNS * workers) != 0);
    return turn < least ? least : turn < 2 * least ? turn : 2 * least;
}

/* How many of the lanes left to run in the next chunk. */
static uint32_t chunk_size(const run_state *r, job *j, uint32_t left) {
    uint32_t taken = atomic_load_explicit(&j->words, memory_order_relaxed), size = FIRST_LANES;
    if (!taken) taken = atomic_load_explicit(&j->program->lane_words, memory_order_relaxed);
    uint32_t room = j->plan->chunk_words ? j->plan->chunk_words : CHUNK_WORDS;
    if (r->context->options.chunk) return left; /* the user's word */
    if (taken) size = taken < room ? room / taken : 1;
    return size < left ? size : left;
}

static void run_portion(void *arg, int worker, uint32_t portion) {
    host_run_state *h = arg;
    run_state *r = h->run;
    job *j = job_of_portion(h, portion);
    uint32_t most = portion_lanes(r, j), first = (portion - j->first_portion) * most, left = j->batch->lanes - first;
    if (left > most) left = most;
    while (left && !run_is_over(r)) {
        uint32_t count = chunk_size(r, j, left);
        if (!run_lanes(h, &r->context->worker[worker], j, first, count, 0)) return;
        first += count;
        left -= count;
    }
}

static void run_large_lanes(host_run_state *h) {
    run_state *r = h->run;
    host_worker *first = &r->context->worker[0], *last = &r->context->worker[r->context->thread_count - 1];
    uint end = first->end;
    first->end = last->end;
    for (large_lane *l = atomic_load(&h->large); l;) {
        large_lane *next = l->next;
        if (!run_is_over(r)) run_lanes(h, first, l->job, l->lane, 1, 1);
        free(l);
        l = next;
    }
    first->end = end;
}

static arcl_status place_batches(host_run_state *h, uint32_t *portions, arcl_error *error) {
    *portions = 0;
    for (int i = 0; i < h->count; i++) {
        job *j = h->jobs[i];
        uint32_t most = portion_lanes(h->run, j);
        /* Placing a batch is the only change to it, and it is the context's own business. */
        PROPAGATE(batch_place((arcl_batch *)j->batch, error));
        if (j->expected) PROPAGATE(batch_place((arcl_batch *)j->expected, error));
        j->first_portion = *portions;
        *portions += (j->batch->lanes + most - 1) / most;
    }
    return ARCL_SUCCESS;
}

void run_on_host(run_state *r) {
    host_run_state h = {.run = r, .jobs = malloc((size_t)r->count * sizeof *h.jobs)};
    arcl_error error;
    uint32_t portions = 0;
    for (int i = 0; h.jobs && i < r->count; i++)
        if (r->jobs[i].plan->kind == ON_HOST) h.jobs[h.count++] = &r->jobs[i];
    arcl_status status = h.jobs ? place_batches(&h, &portions, &error) : NO_MEMORY(&error);
    if (status != ARCL_SUCCESS)
        run_fail(r, status, &error);
    else if (r->one_thread)
        for (uint32_t i = 0; i < portions; i++) run_portion(&h, 0, i);
    else
        threads_run(r->context->threads, portions, run_portion, &h);
    run_large_lanes(&h);
    for (int i = 0; i < h.count; i++) run_remember(h.jobs[i]);
    free(h.jobs);
}
