/* Running on OpenCL devices: each queue takes lanes, brings them up, runs the program over them, and fetches what came
 * of it. */
#include "base/error.h"
#include "cl/frame.h"
#include "run/device/worker.h"
#include "run/runners.h"

#define FIRST_LANES 64u /* of a program of which nothing is known yet, on a CPU */
/* Words that a lane takes at most, nearly always. A GPU begins with as many lanes as have room by that, since a few
 * leave it idle and take as long as many; if a lane takes more, the chunk is run again in halves. */
#define LIKELY_WORDS (16u << 10)
/* Words that a chunk may make on a device that shares the host's caches: enough for the launches not to count, few
 * enough to stay in the caches. */
#define CPU_CHUNK_WORDS (512u << 10)
/* Words that several lanes may use together there. Lanes that need much more come one at a time: otherwise a chunk
 * would first fill all the memory there is, only to be run again in halves, and these again. */
#define SHARED_WORDS (16 * CPU_CHUNK_WORDS)

/* What a job needs on the device: the inputs, and what is expected. */
typedef struct job_lanes {
    resident_lanes in, expected;
    uint lanes; /* that both have */
} job_lanes;

static uint lanes_from(const resident_lanes *r, uint first) { return r->lanes - (first - r->first); }

static arcl_status bring_up(device_worker *w, const job *j, uint first, uint wanted, job_lanes *l, arcl_error *error) {
    const resident_lanes *in;
    if (j->expected)
        PROPAGATE(residency_get_both(w, j->batch, j->expected, first, wanted, &l->in, &l->expected, error));
    else {
        PROPAGATE(residency_get(w, j->batch, first, wanted, &in, error));
        l->in = *in;
    }
    l->lanes = lanes_from(&l->in, first);
    if (j->expected && lanes_from(&l->expected, first) < l->lanes) l->lanes = lanes_from(&l->expected, first);
    if (l->lanes > wanted) l->lanes = wanted;
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

static uint chunk_size(const run_state *r, const device_worker *w, job *j, uint left) {
    uint taken = atomic_load_explicit(&j->words, memory_order_relaxed);
    uint room = opencl_arena_words(w->device) - w->batches_end;
    uint suits = j->plan->chunk_words ? j->plan->chunk_words : CPU_CHUNK_WORDS;
    if (!opencl_interleaved(w->device) && room > suits) room = suits;
    uint size = !taken ? first_lanes(w, room) : taken < room ? room / taken : 1;
    if (j->plan->chunk && size > j->plan->chunk) size = j->plan->chunk;
    if (r->context->options.chunk) size = r->context->options.chunk; /* the user's word */
    return size < left ? size : left;
}

/* Lanes of a job for this queue: all of them if it is the only one, else some chunks at a time. */
static uint take_lanes(run_state *r, const device_worker *w, job *j, uint *first) {
    uint32_t next = atomic_load(&j->next), take;
    do {
        if (next >= j->batch->lanes) return 0;
        take = j->batch->lanes - next;
        if (j->plan->workers > 1) take = chunk_size(r, w, j, take);
    } while (!atomic_compare_exchange_weak(&j->next, &next, next + take));
    *first = next;
    return take;
}

static arcl_status run_job(run_state *r, device_worker *w, job *j, arcl_error *error) {
    uint first, left;
    while ((left = take_lanes(r, w, j, &first)) != 0)
        while (left && !run_is_over(r)) {
            job_lanes in;
            PROPAGATE(bring_up(w, j, first, left, &in, error));
            uint here = in.lanes;
            left -= here;
            while (here && !run_is_over(r)) {
                uint lanes = chunk_size(r, w, j, here);
                PROPAGATE(run_lanes(r, w, j, &in, first, lanes, error));
                first += lanes;
                here -= lanes;
            }
        }
    return ARCL_SUCCESS;
}

typedef struct queue_share {
    run_state *run;
    int worker, workers;
} queue_share;

static void run_queue(void *arg, int thread, uint32_t index) {
    const queue_share *share = arg;
    run_state *r = share->run;
    arcl_error error;
    (void)thread;
    for (int i = 0; i < r->count && !run_is_over(r); i++) {
        const run_plan *plan = r->jobs[i].plan;
        if (plan->kind != ON_DEVICE || plan->worker != share->worker || plan->workers != share->workers) continue;
        arcl_status status = run_job(r, &r->context->device[share->worker + (int)index], &r->jobs[i], &error);
        if (status != ARCL_SUCCESS) run_fail(r, status, &error);
    }
}

void run_on_devices(run_state *r, int worker, int workers) {
    queue_share share = {r, worker, workers};
    threads_run(r->context->threads, (uint32_t)workers, run_queue, &share);
}
