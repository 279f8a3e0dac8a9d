/* Running on OpenCL devices: each queue takes lanes, brings them up, runs the program over them, and fetches what came
 * of it. */
#include <stdlib.h>

#include "base/error.h"
#include "cl/frame.h"
#include "run/device/worker.h"
#include "run/runners.h"

#define FIRST_LANES 64u /* of a program of which nothing is known yet, on a CPU */
/* Words that a lane takes at most, nearly always. A GPU begins with as many lanes as have room by that, since a few
 * leave it idle and take as long as many; if a lane takes more, the chunk is run again in halves. */
#define LIKELY_WORDS (16u << 10)
/* Words that a chunk may make on a device that shares the host's caches: enough for the launches not to count, few
 * enough for what a few steps make to stay in the caches. The more steps there are, the more launches, and the less of
 * all words is at hand at a time. */
#define CPU_CHUNK_WORDS (512u << 10)
#define CPU_STEP_WORDS (16u << 10)
/* Words that several lanes may use together there. Lanes that need much more come one at a time: otherwise a chunk
 * would first fill all the memory there is, only to be run again in halves, and these again. */
#define SHARED_WORDS (16 * CPU_CHUNK_WORDS)

/* What a job needs on the device: the inputs, and what is expected. */
typedef struct job_lanes {
    resident_lanes in, expected;
    uint lanes; /* that both have */
} job_lanes;

static uint lanes_from(const resident_lanes *r, uint first) { return r->lanes - (first - r->first); }

static arcl_status bring_up(device_worker *w, const job *j, lanes_wanted wanted, job_lanes *l, arcl_error *error) {
    const resident_lanes *in;
    if (j->expected)
        PROPAGATE(residency_get_both(w, j->batch, j->expected, wanted, &l->in, &l->expected, error));
    else {
        PROPAGATE(residency_get(w, j->batch, wanted, &in, error));
        l->in = *in;
    }
    l->lanes = lanes_from(&l->in, wanted.first);
    if (j->expected && lanes_from(&l->expected, wanted.first) < l->lanes)
        l->lanes = lanes_from(&l->expected, wanted.first);
    if (l->lanes > wanted.now) l->lanes = wanted.now;
    return ARCL_SUCCESS;
}

/* Fetches what the chunk has left on the device. */
static arcl_status fetch(device_worker *w, const device_chunk *c, segment *s, arcl_error *error) {
    if (s->value) PROPAGATE(opencl_read(w->device, c->packed, s->value, c->packed_words, error));
    if (s->score)
        PROPAGATE(opencl_read(w->device, c->scores, s->score,
                              (uint)c->program->programs * c->lanes * WORDS_OF(lane_score), error));
    return ARCL_SUCCESS;
}

/* Runs lanes of the job that are on the device. *done is 0 if there was not enough memory for so many. */
static arcl_status run_chunk(run_state *r, device_worker *w, job *j, const job_lanes *l, uint first, uint lanes,
                             int *done, arcl_error *error) {
    uint input[2 * MAX_PARAMETERS] = {0};
    device_chunk c = {.program = j->program->graph,
                      .input = input,
                      .lanes = lanes,
                      .budget = r->context->options.budget,
                      .yield = j->yield,
                      .largest = l->in.words,
                      .is_team = j->plan->is_team};
    if (lanes > 1 && !opencl_interleaved(w->device) && !r->context->options.chunk) c.most = SHARED_WORDS;
    if (j->expected) c.expected = l->expected.column[0] + (first - l->expected.first);
    for (int i = 0; i < j->batch->arguments; i++) {
        input[i] = l->in.column[i] + (first - l->in.first);
        input[j->batch->arguments + i] = l->in.masks[i] + (first - l->in.first);
    }
    PROPAGATE(device_execute(w, &c, error));
    *done = c.done;
    if (!c.done) return ARCL_SUCCESS;
    segment *s = segment_get(&r->context->results, j->program->graph, j->yield, first, lanes, c.packed_words);
    if (!s) return NO_MEMORY(error);
    arcl_status status = fetch(w, &c, s, error);
    if (status != ARCL_SUCCESS) {
        storage_give(&r->context->results, s);
        return status;
    }
    run_done(j, s, c.used);
    return ARCL_SUCCESS;
}

/* ---- all lanes ---- */

/* Half the lanes at a time until they fit. */
static arcl_status run_lanes(run_state *r, device_worker *w, job *j, const job_lanes *in, uint first, uint lanes,
                             arcl_error *error) {
    int done;
    arcl_error why = {{0}};
    arcl_status status = run_chunk(r, w, j, in, first, lanes, &done, &why);
    if (status == ARCL_SUCCESS && done) return ARCL_SUCCESS;
    if ((status == ARCL_SUCCESS || status == ARCL_NO_MEMORY) && lanes > 1) {
        PROPAGATE(run_lanes(r, w, j, in, first, lanes / 2, error));
        return run_lanes(r, w, j, in, first + lanes / 2, lanes - lanes / 2, error);
    }
    if (status != ARCL_SUCCESS) return error_set(error, status, "%s", why.message);
    return error_set(error, ARCL_NO_MEMORY,
                     "one lane alone needs more memory than the %llu bytes that %s has for it: raise the memory limit "
                     "or use another device",
                     (unsigned long long)(opencl_arena_words(w->device) - w->batches_end) * sizeof(word),
                     opencl_device_id(w->device));
}

static uint first_lanes(const device_worker *w, uint room) {
    return opencl_interleaved(w->device) && room / LIKELY_WORDS > FIRST_LANES ? room / LIKELY_WORDS : FIRST_LANES;
}

/* The most lanes that may run together. */
static uint most_lanes(const device_worker *w, job *j) {
    uint taken = atomic_load_explicit(&j->words, memory_order_relaxed);
    if (!taken) taken = atomic_load_explicit(&j->program->lane_words, memory_order_relaxed);
    uint room = opencl_arena_words(w->device) - w->batches_end;
    uint suits = CPU_CHUNK_WORDS + CPU_STEP_WORDS * (uint)j->program->graph->count;
    if (j->plan->chunk_words) suits = j->plan->chunk_words;
    if (!opencl_interleaved(w->device) && room > suits) room = suits;
    uint size = !taken ? first_lanes(w, room) : taken < room ? room / taken : 1;
    return j->plan->chunk && size > j->plan->chunk ? j->plan->chunk : size;
}

/* As many lanes as let all queues end at the same time: each gets as many chunks as the others, of the same size. */
static uint chunk_size(const run_state *r, const device_worker *w, job *j, uint left) {
    uint size = r->context->options.chunk; /* the user's word */
    if (!size) {
        uint most = most_lanes(w, j), queues = (uint)j->plan->workers, all = j->batch->lanes;
        uint chunks = (all - 1) / most + 1;
        chunks += (queues - chunks % queues) % queues;
        size = (all - 1) / chunks + 1;
        if (size < FIRST_LANES && size < most) size = most < FIRST_LANES ? most : FIRST_LANES;
    }
    return size < left ? size : left;
}

/* ---- who takes which ---- */

/* Each queue has a part of the lanes, which it takes first, in every run: so what it needs of a batch is brought up
 * once. Then it helps others with theirs. */
typedef struct queue_share {
    run_state *run;
    int worker, workers;
    _Atomic uint32_t *taken; /* per job and part: how many of its lanes are */
} queue_share;

static uint part_lanes(const job *j) {
    uint queues = (uint)j->plan->workers, even = j->batch->lanes / queues + (j->batch->lanes % queues != 0);
    return even < FIRST_LANES ? FIRST_LANES : even;
}

/* Takes lanes of a part: all that are left if there is but one queue, else a chunk; 0 if none are left. */
static uint take_from(const queue_share *share, const device_worker *w, job *j, uint part, lanes_wanted *lanes) {
    uint begin = part * part_lanes(j), left = begin < j->batch->lanes ? j->batch->lanes - begin : 0, now;
    _Atomic uint32_t *taken = &share->taken[(uint)(j - share->run->jobs) * (uint)share->workers + part];
    uint32_t before = atomic_load(taken);
    if (left > part_lanes(j)) left = part_lanes(j);
    do {
        if (before >= left) return 0;
        now = share->workers > 1 ? chunk_size(share->run, w, j, left - before) : left - before;
    } while (!atomic_compare_exchange_weak(taken, &before, before + now));
    atomic_fetch_add(&j->taken, now);
    *lanes = (lanes_wanted){begin + before, now, left - before};
    return now;
}

static int take_lanes(const queue_share *share, const device_worker *w, job *j, uint queue, lanes_wanted *lanes) {
    uint queues = (uint)share->workers;
    if (take_from(share, w, j, queue, lanes)) return 1;
    for (uint n = 1; n < queues; n++)
        if (take_from(share, w, j, (queue + n) % queues, lanes)) {
            lanes->soon = lanes->now;
            return 1;
        }
    return 0;
}

static arcl_status run_job(const queue_share *share, uint queue, job *j, arcl_error *error) {
    run_state *r = share->run;
    device_worker *w = &r->context->device[share->worker + (int)queue];
    lanes_wanted lanes;
    while (take_lanes(share, w, j, queue, &lanes))
        while (lanes.now && !run_is_over(r)) {
            job_lanes in;
            PROPAGATE(bring_up(w, j, lanes, &in, error));
            lanes.now -= in.lanes;
            lanes.soon -= in.lanes;
            while (in.lanes && !run_is_over(r)) {
                uint count = chunk_size(r, w, j, in.lanes);
                PROPAGATE(run_lanes(r, w, j, &in, lanes.first, count, error));
                lanes.first += count;
                in.lanes -= count;
            }
        }
    return ARCL_SUCCESS;
}

static int is_of_share(const run_plan *plan, const queue_share *share) {
    return plan->kind == ON_DEVICE && plan->worker == share->worker && plan->workers == share->workers;
}

static void run_queue(void *arg, int thread, uint32_t queue) {
    const queue_share *share = arg;
    run_state *r = share->run;
    arcl_error error;
    (void)thread;
    for (int i = 0; i < r->count && !run_is_over(r); i++) {
        if (!is_of_share(r->jobs[i].plan, share)) continue;
        arcl_status status = run_job(share, queue, &r->jobs[i], &error);
        if (status != ARCL_SUCCESS) run_fail(r, status, &error);
    }
}

void run_on_devices(run_state *r, int worker, int workers) {
    queue_share share = {r, worker, workers, calloc((size_t)r->count * (size_t)workers, sizeof *share.taken)};
    arcl_error error;
    if (!share.taken) {
        run_fail(r, NO_MEMORY(&error), &error);
        return;
    }
    threads_run(r->context->threads, (uint32_t)workers, run_queue, &share);
    for (int i = 0; i < r->count; i++)
        if (is_of_share(r->jobs[i].plan, &share)) run_remember(&r->jobs[i]);
    free(share.taken);
}
