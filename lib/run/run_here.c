#include "run/run_here.h"

#include "base/error.h"
#include "cl/outcome.h"

/* Words that a chunk of lanes should make, so that they stay in the processor's caches. */
#define CHUNK_WORDS (64u << 10)
#define FIRST_LANES 16
#define SHARED_WORDS (16 * CHUNK_WORDS) /* that several lanes may use together */

int runs_here(const arcl_context *c) { return c->host_only || !c->named_count; }

static int show_lanes(const here_run *r, word *arena, uint frame, uint32_t first) {
    here_lane lanes[MOST_LANES_HERE];
    run_frame *f = frame_at(arena, frame);
    int for_all = failure_of_all(arena, f);
    for (uint n = 0; n < f->lanes; n++) {
        settle_status(arena, f, n, for_all);
        lanes[n].status = (arcl_lane_status)final_status(arena, f, 0, n);
        lanes[n].value = lane_result(arena, f, 0, n, lanes[n].status != ARCL_OK, &lanes[n].type);
    }
    return r->visit(r->owner, first, lanes, f->lanes);
}

static arcl_status too_large(const arcl_context *c, arcl_error *error) {
    return error_set(error, ARCL_NO_MEMORY, "one lane alone needs more memory than the limit of %llu bytes: raise it",
                     (unsigned long long)c->options.memory);
}

/* Runs some lanes, in halves if they are too many at once. */
static arcl_status run_lanes(arcl_context *c, here_run *r, uint32_t first, uint32_t count, int *more,
                             arcl_error *error) {
    host_worker *w = &c->worker[0];
    uint input[2 * MAX_PARAMETERS];
    int parameters = r->program->graph->parameters;
    for (int i = 0; i < 2 * parameters; i++) input[i] = r->column[i % parameters] + first; /* lists serve */
    host_chunk chunk = {.lanes = count, .input = input, .yield = YIELD_IN_PLACE};
    if (count > 1 && !c->options.chunk) chunk.most = SHARED_WORDS;
    if (host_run(w, r->program->graph, &chunk)) {
        r->lane_words = chunk.used / count + 1;
        *more = show_lanes(r, c->arena, chunk.frame, first);
        return ARCL_SUCCESS;
    }
    if (context_take_cancel(c, error)) return ARCL_CANCELLED;
    if (count == 1) return too_large(c, error);
    PROPAGATE(run_lanes(c, r, first, count / 2, more, error));
    return *more ? run_lanes(c, r, first + count / 2, count - count / 2, more, error) : ARCL_SUCCESS;
}

static uint32_t chunk_size(const arcl_context *c, const here_run *r, uint32_t left) {
    uint32_t size = FIRST_LANES;
    if (r->lane_words) size = r->lane_words < CHUNK_WORDS ? CHUNK_WORDS / r->lane_words : 1;
    if (c->options.chunk) size = c->options.chunk;
    if (size > MOST_LANES_HERE) size = MOST_LANES_HERE;
    return size < left ? size : left;
}

arcl_status run_here(arcl_context *c, here_run *r, arcl_error *error) {
    int more = 1;
    for (uint32_t first = 0, count; first < r->lanes && more; first += count) {
        count = chunk_size(c, r, r->lanes - first);
        PROPAGATE(run_lanes(c, r, first, count, &more, error));
    }
    return context_take_cancel(c, error) ? ARCL_CANCELLED : ARCL_SUCCESS;
}
