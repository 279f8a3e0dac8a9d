/* Running on OpenCL devices: each queue takes lanes, which come up and run in chunks (device_chunks.h). Knows who takes
 * which, and how many make a chunk. */
#include <stdlib.h>

#include "base/error.h"
#include "run/device/device_chunks.h"
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

static int take_others(const queue_share *share, const device_worker *w, job *j, uint queue, lanes_wanted *lanes) {
    uint queues = (uint)share->workers;
    for (uint n = 1; n < queues; n++)
        if (take_from(share, w, j, (queue + n) % queues, lanes)) {
            lanes->soon = lanes->now;
            return 1;
        }
    return 0;
}

static arcl_status run_taken(run_state *r, device_worker *w, job *j, queue_chunks *chunks, lanes_wanted lanes,
                             arcl_error *error) {
    while (lanes.now && !run_is_over(r)) {
        job_lanes in;
        PROPAGATE(chunks_bring_up(w, j, lanes, &in, error));
        lanes.now -= in.lanes;
        lanes.soon -= in.lanes;
        while (in.lanes && !run_is_over(r)) {
            uint count = chunk_size(r, w, j, in.lanes);
            PROPAGATE(chunks_run(chunks, j, &in, lanes.first, count, error));
            lanes.first += count;
            in.lanes -= count;
        }
    }
    return ARCL_SUCCESS;
}

/* Who still has chunks on their way does not help others: these may just be about to begin. */
static arcl_status run_job(const queue_share *share, uint queue, job *j, queue_chunks *chunks, arcl_error *error) {
    run_state *r = share->run;
    device_worker *w = &r->context->device[share->worker + (int)queue];
    lanes_wanted lanes;
    while (take_from(share, w, j, queue, &lanes)) PROPAGATE(run_taken(r, w, j, chunks, lanes, error));
    PROPAGATE(chunks_finish(chunks, error));
    while (take_others(share, w, j, queue, &lanes)) {
        PROPAGATE(run_taken(r, w, j, chunks, lanes, error));
        PROPAGATE(chunks_finish(chunks, error));
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
    queue_chunks *chunks = chunks_create(r, &r->context->device[share->worker + (int)queue], &error);
    arcl_status status = chunks ? ARCL_SUCCESS : ARCL_NO_MEMORY;
    (void)thread;
    for (int i = 0; i < r->count && !status && !run_is_over(r); i++)
        if (is_of_share(r->jobs[i].plan, share)) status = run_job(share, queue, &r->jobs[i], chunks, &error);
    if (!status) status = chunks_finish(chunks, &error);
    if (chunks) chunks_free(chunks);
    if (status) run_fail(r, status, &error);
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
