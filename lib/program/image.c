#include "program/image.h"

#include <string.h>

#include "cl/frame.h"

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

static int inputs_of(const program_graph *p) { return p->parameters + p->carried; }
static uint64_t list_words(int count) { return ((uint64_t)count + 1) / 2; }

uint carried_words(uint lanes) { return lanes / 4 + 1 + map_words(lanes); }

/* ---- a graph that keeps failures apart has more ---- */

static uint64_t apart_words(const program_graph *p) {
    if (!p->apart) return 0;
    return (uint64_t)p->set_count + (uint64_t)p->charge_count * WORDS_OF(scope_charge) + list_words(p->count);
}

static uint64_t status_words_of(const program_graph *p, int scope, uint lanes) {
    return (uint64_t)status_words(lanes) * (p->apart ? p->scopes[scope].slots : 1);
}

/* Entries per program and lane, and one per program. */
static uint64_t program_entries(const program_graph *p, uint lanes) {
    return (uint64_t)p->programs * ((uint64_t)lanes + 1);
}

uint64_t image_words(const image_request *r) {
    const program_graph *p = r->program;
    return WORDS_OF(run_frame) + list_words(inputs_of(p)) + list_words(p->outs) +
           (uint64_t)p->count * WORDS_OF(graph_step) +
           (uint64_t)p->scope_count * (WORDS_OF(graph_scope) + WORDS_OF(scope_state)) +
           (uint64_t)p->programs * WORDS_OF(program_output) + apart_words(p) +
           !p->apart /* the status of the shared scope */ + counter_words(r);
}

/* Without a battery, a graph is one program. */
static void write_outputs(const program_graph *p, word *to) {
    program_output one = {.results = (uint)p->results, .which = p->which};
    memcpy(one.result, p->result, sizeof one.result);
    memcpy(one.type, p->result_type, sizeof one.type);
    memcpy(to, p->output ? p->output : &one, (size_t)p->programs * sizeof one);
}

int image_write(const image_request *r, word *to) {
    const program_graph *p = r->program;
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
                   .programs = (uint)p->programs,
                   .apart = (uint)p->apart,
                   .set_count = (uint)p->set_count};
    scope_state shared = {.count = 1}, all = {.count = r->lanes};
    if (image_words(r) > m.limit - m.at) return 0;
    take(&m, WORDS_OF(run_frame));
    f.steps = take(&m, (uint64_t)p->count * WORDS_OF(graph_step));
    f.scopes = take(&m, (uint64_t)p->scope_count * WORDS_OF(graph_scope));
    f.states = take(&m, (uint64_t)p->scope_count * WORDS_OF(scope_state));
    f.outputs = take(&m, (uint64_t)p->programs * WORDS_OF(program_output));
    f.inputs = take(&m, list_words(inputs_of(p)));
    f.out = take(&m, list_words(p->outs));
    if (p->apart) {
        f.sets = take(&m, (uint64_t)p->set_count);
        f.charges = take(&m, (uint64_t)p->charge_count * WORDS_OF(scope_charge));
        f.marks = take(&m, list_words(p->count));
    } else
        shared.status = take(&m, 1);
    f.counters = r->counting ? take(&m, counter_words(r)) : 0;
    /* From here on nothing is written: launches do that. */
    f.partial = take(&m, map_words(r->items));
    if (p->apart) {
        f.spent = take(&m, (uint64_t)p->set_count * ((uint64_t)r->lanes + 1) / 2 + 1);
        f.failed = take(&m, program_entries(p, r->lanes) / 8 + 1);
        f.verdicts = take(&m, (uint64_t)p->programs * r->lanes / 8 + 1);
        f.mishaps = take(&m, program_entries(p, r->lanes) / 2 + 1);
        shared.status = take(&m, status_words_of(p, SCOPE_SHARED, 1));
    } else
        f.spent = take(&m, map_words(r->lanes));
    shared.columns = take(&m, p->scopes[SCOPE_SHARED].slots);
    all.status = take(&m, status_words_of(p, SCOPE_LANES, r->lanes));
    f.storage = take(&m, r->lanes);
    f.scores = r->scores ? take(&m, (uint64_t)p->programs * r->lanes * WORDS_OF(lane_score)) : 0;
    all.columns = take(&m, (uint64_t)p->scopes[SCOPE_LANES].slots * r->lanes);
    if (m.at > m.limit) return 0;
    f.cursor = (uint)m.at;

    memcpy(to, &f, sizeof f);
    memcpy(to + (f.steps - r->at), p->steps, (size_t)p->count * sizeof *p->steps);
    memcpy(to + (f.scopes - r->at), p->scopes, (size_t)p->scope_count * sizeof *p->scopes);
    memset(to + (f.states - r->at), 0, (size_t)p->scope_count * sizeof(scope_state));
    memcpy(to + (f.states - r->at), &shared, sizeof shared);
    memcpy(to + (f.states - r->at) + WORDS_OF(scope_state), &all, sizeof all);
    write_outputs(p, to + (f.outputs - r->at));
    if (p->apart) {
        memcpy(to + (f.sets - r->at), p->sets, (size_t)p->set_count * sizeof *p->sets);
        if (p->charge_count) memcpy(to + (f.charges - r->at), p->charges, (size_t)p->charge_count * sizeof *p->charges);
        memset(to + (f.marks - r->at), 0, list_words(p->count) * sizeof *to);
    }
    if (inputs_of(p)) memcpy(to + (f.inputs - r->at), r->input, (size_t)inputs_of(p) * sizeof *r->input);
    if (p->outs) memcpy(to + (f.out - r->at), p->out, (size_t)p->outs * sizeof *p->out);
    if (!p->apart) to[shared.status - r->at] = 0;
    if (f.counters) memset(to + (f.counters - r->at), 0, counter_words(r) * sizeof *to);
    return 1;
}
