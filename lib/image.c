#include "image.h"

#include <string.h>

#include "../cl/score.h"

typedef struct room {
    uint64_t at, limit;
} room;

static uint take(room *r, uint64_t words) {
    uint64_t at = r->at;
    r->at += words;
    return (uint)at;
}

static uint64_t counter_words(const image_request *r) {
    return r->counting ? (uint64_t)r->program->count * WORDS_OF(step_counter) : 0;
}

static int inputs_of(const arcl_program *p) { return p->parameters + p->carried; }
static uint64_t list_words(int count) { return ((uint64_t)count + 1) / 2; }

uint carried_words(uint lanes) { return lanes / 4 + 1 + map_words(lanes); }

uint64_t image_words(const image_request *r) {
    const arcl_program *p = r->program;
    return WORDS_OF(run_frame) + list_words(inputs_of(p)) + list_words(p->outs) +
           (uint64_t)p->count * WORDS_OF(graph_step) +
           (uint64_t)p->scope_count * (WORDS_OF(graph_scope) + WORDS_OF(scope_state)) + MAX_RESULTS +
           1 /* the status of the shared scope */ + counter_words(r);
}

int image_write(const image_request *r, word *to) {
    const arcl_program *p = r->program;
    room m = {r->at, r->limit};
    run_frame f = {.limit = r->limit,
                   .budget = r->budget,
                   .lanes = r->lanes,
                   .interleaved = r->interleaved,
                   .slab = r->slab,
                   .carried = r->carried,
                   .out_base = r->out_base,
                   .expected = r->expected,
                   .is_part = (uint)p->is_part,
                   .outs = (uint)p->outs,
                   .results = (uint)p->results,
                   .which = p->which};
    scope_state shared = {.count = 1}, all = {.count = r->lanes};
    if (image_words(r) > m.limit - m.at) return 0;
    take(&m, WORDS_OF(run_frame));
    f.steps = take(&m, (uint64_t)p->count * WORDS_OF(graph_step));
    f.scopes = take(&m, (uint64_t)p->scope_count * WORDS_OF(graph_scope));
    f.states = take(&m, (uint64_t)p->scope_count * WORDS_OF(scope_state));
    f.result_types = take(&m, MAX_RESULTS);
    f.inputs = take(&m, list_words(inputs_of(p)));
    f.out = take(&m, list_words(p->outs));
    shared.status = take(&m, 1);
    f.counters = r->counting ? take(&m, counter_words(r)) : 0;
    /* From here on nothing is written: launches do that. */
    f.partial = take(&m, map_words(r->items));
    f.spent = take(&m, map_words(r->lanes));
    shared.columns = take(&m, p->scopes[SCOPE_SHARED].slots);
    all.status = take(&m, status_words(r->lanes));
    f.storage = take(&m, r->lanes);
    f.scores = r->scores ? take(&m, (uint64_t)r->lanes * WORDS_OF(lane_score)) : 0;
    all.columns = take(&m, (uint64_t)p->scopes[SCOPE_LANES].slots * r->lanes);
    if (m.at > m.limit) return 0;
    f.cursor = (uint)m.at;
    memcpy(f.result, p->result, sizeof f.result);

    memcpy(to, &f, sizeof f);
    memcpy(to + (f.steps - r->at), p->steps, (size_t)p->count * sizeof *p->steps);
    memcpy(to + (f.scopes - r->at), p->scopes, (size_t)p->scope_count * sizeof *p->scopes);
    memset(to + (f.states - r->at), 0, (size_t)p->scope_count * sizeof(scope_state));
    memcpy(to + (f.states - r->at), &shared, sizeof shared);
    memcpy(to + (f.states - r->at) + WORDS_OF(scope_state), &all, sizeof all);
    memcpy(to + (f.result_types - r->at), p->result_type, sizeof p->result_type);
    if (inputs_of(p)) memcpy(to + (f.inputs - r->at), r->input, (size_t)inputs_of(p) * sizeof *r->input);
    if (p->outs) memcpy(to + (f.out - r->at), p->out, (size_t)p->outs * sizeof *p->out);
    to[shared.status - r->at] = 0;
    if (f.counters) memset(to + (f.counters - r->at), 0, counter_words(r) * sizeof *to);
    return 1;
}
