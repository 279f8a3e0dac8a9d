#include "run/device/device_chunks.h"

#include <stdlib.h>

#include "base/error.h"
#include "cl/frame.h"
#include "run/context.h"

typedef struct chunk_lanes {
    job *job; /* NULL: none */
    uint first, lanes;
} chunk_lanes;

/* Results on their way to the host. */
typedef struct chunk_results {
    job *job;
    segment *to; /* NULL: none */
    uint used;
} chunk_results;

typedef struct chunk_under_way {
    chunk_lanes lanes;
    device_chunk chunk;
    uint input[2 * MAX_PARAMETERS];
    opencl_mark mark; /* when it is reached, `frame` is here, and what was fetched before the chunk was launched */
    run_frame frame;
    chunk_results fetched;
} chunk_under_way;

struct queue_chunks {
    run_state *run;
    device_worker *worker;
    chunk_under_way half[2];
    int next;             /* the half whose chunk is the older one, or which has none */
    chunk_lanes again[2]; /* those that did not fit */
};

/* Words that several lanes may use together on a CPU. Lanes that need much more come one at a time: otherwise a chunk
 * would first fill all the memory there is, only to be run again in halves, and these again. */
#define SHARED_WORDS (8u << 20)

static uint lanes_from(const resident_lanes *r, uint first) { return r->lanes - (first - r->first); }

arcl_status chunks_bring_up(device_worker *w, const job *j, lanes_wanted wanted, job_lanes *l, arcl_error *error) {
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

/* `input` has room for 2 * MAX_PARAMETERS. */
static device_chunk chunk_of(const queue_chunks *q, const job *j, const job_lanes *l, chunk_lanes lanes, uint *input) {
    device_worker *w = q->worker;
    device_chunk c = {.program = j->program->graph,
                      .input = input,
                      .lanes = lanes.lanes,
                      .budget = q->run->context->options.budget,
                      .yield = j->yield,
                      .largest = l->in.words,
                      .is_team = j->plan->is_team};
    uint behind = lanes.first - l->in.first;
    if (c.lanes > 1 && !opencl_interleaved(w->device) && !q->run->context->options.chunk) c.most = SHARED_WORDS;
    if (j->expected) c.expected = l->expected.column[0] + (lanes.first - l->expected.first);
    for (int i = 0; i < j->batch->arguments; i++) {
        input[i] = l->in.column[i] + behind;
        input[j->batch->arguments + i] = l->in.masks[i] + behind;
    }
    return c;
}

static segment *room_for(const queue_chunks *q, const job *j, const device_chunk *c, uint first) {
    return segment_get(&q->run->context->results, j->program->graph, j->yield, first, c->lanes, c->packed_words);
}

static uint score_words(const device_chunk *c) { return (uint)c->program->programs * c->lanes * WORDS_OF(lane_score); }

/* ---- one at a time ---- */

static arcl_status fetch(device_worker *w, const device_chunk *c, segment *s, arcl_error *error) {
    if (s->value) PROPAGATE(opencl_read(w->device, c->packed, s->value, c->packed_words, error));
    if (s->score) PROPAGATE(opencl_read(w->device, c->scores, s->score, score_words(c), error));
    return ARCL_SUCCESS;
}

/* *done is 0 if there was not enough memory for so many. */
static arcl_status run_chunk(queue_chunks *q, job *j, const job_lanes *l, chunk_lanes lanes, int *done,
                             arcl_error *error) {
    uint input[2 * MAX_PARAMETERS] = {0};
    device_chunk c = chunk_of(q, j, l, lanes, input);
    PROPAGATE(device_execute(q->worker, &c, error));
    *done = c.done;
    if (!c.done) return ARCL_SUCCESS;
    segment *s = room_for(q, j, &c, lanes.first);
    if (!s) return NO_MEMORY(error);
    arcl_status status = fetch(q->worker, &c, s, error);
    if (status != ARCL_SUCCESS) {
        storage_give(&q->run->context->results, s);
        return status;
    }
    run_done(j, s, c.used);
    return ARCL_SUCCESS;
}

/* Half the lanes at a time until they fit. */
static arcl_status run_lanes(queue_chunks *q, job *j, const job_lanes *in, uint first, uint lanes, arcl_error *error) {
    const device_worker *w = q->worker;
    int done;
    arcl_error why = {{0}};
    arcl_status status = run_chunk(q, j, in, (chunk_lanes){j, first, lanes}, &done, &why);
    if (status == ARCL_SUCCESS && done) return ARCL_SUCCESS;
    if ((status == ARCL_SUCCESS || status == ARCL_NO_MEMORY) && lanes > 1) {
        PROPAGATE(run_lanes(q, j, in, first, lanes / 2, error));
        return run_lanes(q, j, in, first + lanes / 2, lanes - lanes / 2, error);
    }
    if (status != ARCL_SUCCESS) return error_set(error, status, "%s", why.message);
    return error_set(error, ARCL_NO_MEMORY,
                     "one lane alone needs more memory than the %llu bytes that %s has for it: raise the memory limit "
                     "or use another device",
                     (unsigned long long)device_room(w, WHOLE_ROOM) * sizeof(word), opencl_device_id(w->device));
}

/* Lanes that may not be on the device any more. */
static arcl_status run_again(queue_chunks *q, chunk_lanes c, arcl_error *error) {
    while (c.lanes && !run_is_over(q->run)) {
        job_lanes in;
        PROPAGATE(chunks_bring_up(q->worker, c.job, (lanes_wanted){c.first, c.lanes, c.lanes}, &in, error));
        PROPAGATE(run_lanes(q, c.job, &in, c.first, in.lanes, error));
        c.first += in.lanes;
        c.lanes -= in.lanes;
    }
    return ARCL_SUCCESS;
}

/* ---- two at once ---- */

static void have_come(chunk_results *r) {
    if (r->to) run_done(r->job, r->to, r->used);
    r->to = NULL;
}

static arcl_status fetch_later(queue_chunks *q, chunk_under_way *u, chunk_lanes lanes, arcl_error *error) {
    opencl_device *d = q->worker->device;
    const device_chunk *c = &u->chunk;
    segment *s = room_for(q, lanes.job, c, lanes.first);
    if (!s) return NO_MEMORY(error);
    u->fetched = (chunk_results){lanes.job, s, c->used};
    if (s->value) PROPAGATE(opencl_read_later(d, c->packed, s->value, c->packed_words, NULL, error));
    if (s->score) PROPAGATE(opencl_read_later(d, c->scores, s->score, score_words(c), NULL, error));
    return ARCL_SUCCESS;
}

/* Waits for a chunk, and has its results fetched. What was fetched before it was launched has come, too. */
static arcl_status land(queue_chunks *q, int half, arcl_error *error) {
    chunk_under_way *u = &q->half[half];
    chunk_lanes lanes = u->lanes;
    if (!lanes.job) return ARCL_SUCCESS;
    PROPAGATE(opencl_reach(q->worker->device, &u->mark, error));
    have_come(&u->fetched);
    device_chunk_landed(&u->chunk, &u->frame);
    u->lanes.job = NULL;
    if (u->chunk.done) return fetch_later(q, u, lanes, error);
    q->again[q->again[0].job != NULL] = lanes;
    return ARCL_SUCCESS;
}

arcl_status chunks_finish(queue_chunks *q, arcl_error *error) {
    PROPAGATE(land(q, q->next, error));
    PROPAGATE(land(q, !q->next, error));
    if (q->half[0].fetched.to || q->half[1].fetched.to) PROPAGATE(opencl_finish(q->worker->device, error));
    for (int i = 0; i < 2; i++) have_come(&q->half[i].fetched);
    for (int i = 0; i < 2; i++) {
        chunk_lanes lanes = q->again[i];
        q->again[i].job = NULL;
        if (lanes.job) PROPAGATE(run_again(q, lanes, error));
    }
    return ARCL_SUCCESS;
}

/* Who counts or measures looks at every chunk when it is done. What a lane takes has to be known, and to fit. */
static int may_overlap(const queue_chunks *q, job *j, uint lanes) {
    const device_worker *w = q->worker;
    uint64_t words = atomic_load_explicit(&j->words, memory_order_relaxed);
    if (!words) words = atomic_load_explicit(&j->program->lane_words, memory_order_relaxed);
    return !opencl_interleaved(w->device) && !w->counting && !opencl_timed_now(w->device) && words &&
           words * lanes <= device_room(w, FIRST_HALF);
}

arcl_status chunks_run(queue_chunks *q, job *j, const job_lanes *l, uint first, uint lanes, arcl_error *error) {
    chunk_lanes these = {j, first, lanes};
    chunk_under_way *u = &q->half[q->next];
    int overlaps = may_overlap(q, j, lanes);
    if (overlaps) PROPAGATE(land(q, q->next, error));
    if (!overlaps || q->again[0].job) PROPAGATE(chunks_finish(q, error));
    if (!overlaps) return run_again(q, these, error);
    u->chunk = chunk_of(q, j, l, these, u->input);
    u->chunk.half = q->next ? SECOND_HALF : FIRST_HALF;
    arcl_status status = device_launch_chunk(q->worker, &u->chunk, &u->frame, &u->mark, error);
    if (status == ARCL_NO_MEMORY) {
        PROPAGATE(chunks_finish(q, error));
        return run_again(q, these, error);
    }
    if (status == ARCL_SUCCESS) {
        u->lanes = these;
        q->next = !q->next;
    }
    return status;
}

/* ---- from beginning to end ---- */

queue_chunks *chunks_create(run_state *r, device_worker *w, arcl_error *error) {
    queue_chunks *q = calloc(1, sizeof *q);
    if (!q) {
        (void)NO_MEMORY(error);
        return NULL;
    }
    q->run = r;
    q->worker = w;
    return q;
}

/* A chunk is on its way until it has landed, even if its mark is gone because it could not be waited for: its frame
 * will be written. */
void chunks_free(queue_chunks *q) {
    int is_idle = 1;
    for (int i = 0; i < 2; i++) is_idle &= !q->half[i].lanes.job && !q->half[i].fetched.to;
    for (int i = 0; i < 2; i++) opencl_forget(&q->half[i].mark);
    if (!is_idle && !opencl_becomes_idle(q->worker->device)) return;
    for (int i = 0; i < 2; i++)
        if (q->half[i].fetched.to) storage_give(&q->run->context->results, q->half[i].fetched.to);
    free(q);
}
