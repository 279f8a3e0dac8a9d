#include "program/image.h"

#include <stddef.h>
#include <string.h>

#include "cl/packed.h"
#include "cl/record.h"
#include "program/execute.h"

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

static int inputs_of(const program_graph *p) { return p->parameters + p->carried + (p->masked ? p->parameters : 0); }
static uint64_t list_words(int count) { return ((uint64_t)count + 1) / 2; }

static uint64_t record_words(const image_request *r) {
    return r->records ? (uint64_t)r->program->count * WORDS_OF(launch_record) : 0;
}

/* ---- a graph that keeps failures apart has more ---- */

static uint64_t apart_words(const program_graph *p) {
    if (!p->apart) return 0;
    return (uint64_t)p->set_count + (uint64_t)p->charge_count * WORDS_OF(scope_charge) + list_words(p->count);
}

static uint64_t status_words_of(const program_graph *p, int scope, uint lanes) {
    return (uint64_t)status_words(lanes) * (p->apart ? p->scopes[scope].slots : 1);
}

/* Accounts and statuses that lanes begin with, unless a launch sees to that: it has to copy them, or there are many. */
static uint64_t start_words(const image_request *r) {
    if (starts_by_launch(r->program, r->carried != 0)) return 0;
    return map_words(r->lanes) + status_words(r->lanes);
}

/* Entries per program and lane, and one per program. */
static uint64_t program_entries(const program_graph *p, uint lanes) {
    return (uint64_t)p->programs * ((uint64_t)lanes + 1);
}

uint64_t image_words(const image_request *r) {
    const program_graph *p = r->program;
    return WORDS_OF(run_frame) + list_words(inputs_of(p)) + list_words(p->outs) + record_words(r) +
           (uint64_t)p->count * WORDS_OF(graph_step) +
           (uint64_t)p->scope_count * (WORDS_OF(graph_scope) + WORDS_OF(scope_state)) +
           (uint64_t)p->programs * WORDS_OF(program_output) + apart_words(p) +
           !p->apart /* the status of the shared scope */ + counter_words(r) + start_words(r);
}

/* Without a battery, a graph is one program. */
static void write_outputs(const program_graph *p, word *to) {
    program_output one = {.results = (uint)p->results, .which = p->which};
    memcpy(one.result, p->result, sizeof one.result);
    memcpy(one.type, p->result_type, sizeof one.type);
    memcpy(to, p->output ? p->output : &one, (size_t)p->programs * sizeof one);
}

/* ---- records ---- */

static uint map_number(const graph_scope *scope, uint level) {
    return ROW_MAPS + bits_set(scope->maps & (((uint64_t)1 << (level - 1)) - 1));
}

/* A step's column, as lanes of `scope` see it. What is open from the beginning has its state in `open`. */
static record_column column_record(const image_request *r, const run_frame *f, const scope_state *open, uint scope,
                                   uint step) {
    const program_graph *p = r->program;
    const graph_step *s = &p->steps[step];
    uint rows = ROW_OWN;
    if (s->scope == SCOPE_SHARED)
        rows = ROW_ONLY;
    else if (s->scope != scope)
        rows = map_number(&p->scopes[scope], p->scopes[scope].depth - p->scopes[s->scope].depth);
    if (s->kind == STEP_CONST) {
        uint imm = f->steps + step * WORDS_OF(graph_step) + (uint)(offsetof(graph_step, imm) / sizeof(word));
        return (record_column){imm, RECORD_ROWS(0, rows)};
    }
    if (s->kind == STEP_INPUT) return (record_column){r->input[s->imm], RECORD_ROWS(0, rows)};
    if (s->scope > SCOPE_LANES) return (record_column){s->slot, RECORD_ROWS(s->scope, rows)};
    return (record_column){open[s->scope].columns + s->slot * open[s->scope].count, RECORD_ROWS(0, rows)};
}

static record_column slot_record(const scope_state *open, uint scope, uint slot) {
    if (scope > SCOPE_LANES) return (record_column){slot, RECORD_ROWS(scope, ROW_OWN)};
    return (record_column){open[scope].columns + slot * open[scope].count, RECORD_ROWS(0, ROW_OWN)};
}

/* Of a launch over the lanes of a scope whose results are that column of it. */
static launch_record record_in(const image_request *r, const run_frame *f, const scope_state *open, uint scope,
                               uint slot, uint64_t imm) {
    const graph_scope *s = &r->program->scopes[scope];
    launch_record made = {.imm = imm,
                          .notes = (f->apart ? RECORD_APART : 0u) | (r->counting ? RECORD_COUNTED : 0u) |
                                   (r->slab ? RECORD_IN_SLABS : 0u),
                          .budget = r->budget,
                          .spent = f->spent,
                          .out = slot_record(open, scope, slot)};
    if (scope == SCOPE_SHARED) made.spent = r->at + (uint)(offsetof(run_frame, shared_spent) / sizeof(word));
    if (scope > SCOPE_LANES) {
        made.scope = scope;
        made.out.rows = RECORD_ROWS(scope, s->depth > 1 ? map_number(s, s->depth - 1) : ROW_OWN);
    } else {
        made.lanes = open[scope].count;
        made.status = open[scope].status;
    }
    return made;
}

static launch_record record_of(const image_request *r, const run_frame *f, const scope_state *open, uint step) {
    const graph_step *s = &r->program->steps[step];
    const graph_scope *scopes = r->program->scopes;
    uint above = s->parent || s->kind == STEP_LOOP ? scopes[s->scope].parent : s->scope;
    launch_record made = {.imm = 0};
    if (s->kind == STEP_CLOSE) {
        uint below = r->program->steps[s->arg[0]].scope;
        made = record_in(r, f, open, above, s->slot, s->imm);
        made.arg[CLOSED_COLUMN] = slot_record(open, below, r->program->steps[s->arg[0]].slot);
        made.arg[CLOSED_RANGES] = slot_record(open, above, scopes[below].ranges);
        return made;
    }
    if (s->kind != STEP_KERNEL && above == s->scope) return made; /* it is no launch, or goes by no record */
    made = record_in(r, f, open, above, s->kind == STEP_KERNEL ? s->slot : scopes[s->scope].ranges, s->imm);
    for (uint a = 0; a < s->args; a++) made.arg[a] = column_record(r, f, open, above, s->arg[a]);
    if (s->kind == STEP_KERNEL) return made;
    made.arg[OPENED_SCOPE] = (record_column){s->scope, s->kind};
    made.arg[OPENED_LANES] = (record_column){scopes[s->scope].weight, s->slot};
    return made;
}

static void write_records(const image_request *r, const run_frame *f, const scope_state *open, word *to) {
    launch_record *record = (launch_record *)to;
    for (uint step = 0; step < (uint)r->program->count; step++) record[step] = record_of(r, f, open, step);
}

static void write_sole(const image_request *r, run_frame *f, const scope_state *open) {
    const program_graph *p = r->program;
    const program_output *o = p->output;
    if ((o ? (int)o->results : p->results) != 1) return;
    record_column c = column_record(r, f, open, SCOPE_LANES, o ? o->result[0] : p->result[0]);
    f->is_sole = 1;
    f->sole_column = c.column;
    f->sole_rows = c.rows;
    f->sole_type = o ? o->type[0] : p->result_type[0];
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
    scope_state open[] = {[SCOPE_SHARED] = {.count = 1}, [SCOPE_LANES] = {.count = r->lanes}};
    scope_state *shared = &open[SCOPE_SHARED], *all = &open[SCOPE_LANES];
    if (image_words(r) > m.limit - m.at) return 0;
    take(&m, WORDS_OF(run_frame) + record_words(r));
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
        shared->status = take(&m, 1);
    f.counters = r->counting ? take(&m, counter_words(r)) : 0;
    if (!p->apart) {
        f.spent = take(&m, map_words(r->lanes));
        all->status = take(&m, status_words(r->lanes));
    }
    /* From here on nothing is written: launches do that. */
    if (p->apart) {
        f.spent = take(&m, (uint64_t)p->set_count * ((uint64_t)r->lanes + 1) / 2 + 1);
        f.failed = take(&m, program_entries(p, r->lanes) / 8 + 1);
        f.verdicts = take(&m, (uint64_t)p->programs * r->lanes / 8 + 1);
        f.mishaps = take(&m, program_entries(p, r->lanes) / 2 + 1);
        shared->status = take(&m, status_words_of(p, SCOPE_SHARED, 1));
        all->status = take(&m, status_words_of(p, SCOPE_LANES, r->lanes));
    }
    shared->columns = take(&m, p->scopes[SCOPE_SHARED].slots);
    f.storage = take(&m, r->lanes);
    f.scores = r->scores ? take(&m, (uint64_t)p->programs * r->lanes * WORDS_OF(lane_score)) : 0;
    all->columns = take(&m, (uint64_t)p->scopes[SCOPE_LANES].slots * r->lanes);
    if (m.at > m.limit) return 0;
    f.cursor = (uint)m.at;
    f.lane_status = all->status;
    f.packed_words = packed_storage(&f);
    if (p->programs == 1 && !p->is_part && !p->apart) write_sole(r, &f, open);

    memcpy(to, &f, sizeof f);
    memcpy(to + (f.steps - r->at), p->steps, (size_t)p->count * sizeof *p->steps);
    memcpy(to + (f.scopes - r->at), p->scopes, (size_t)p->scope_count * sizeof *p->scopes);
    memset(to + (f.states - r->at), 0, (size_t)p->scope_count * sizeof(scope_state));
    memcpy(to + (f.states - r->at), open, sizeof open);
    if (r->records) write_records(r, &f, open, to + WORDS_OF(run_frame));
    write_outputs(p, to + (f.outputs - r->at));
    if (p->apart) {
        memcpy(to + (f.sets - r->at), p->sets, (size_t)p->set_count * sizeof *p->sets);
        if (p->charge_count) memcpy(to + (f.charges - r->at), p->charges, (size_t)p->charge_count * sizeof *p->charges);
        memset(to + (f.marks - r->at), 0, list_words(p->count) * sizeof *to);
    }
    if (inputs_of(p)) memcpy(to + (f.inputs - r->at), r->input, (size_t)inputs_of(p) * sizeof *r->input);
    if (p->outs) memcpy(to + (f.out - r->at), p->out, (size_t)p->outs * sizeof *p->out);
    if (!p->apart) to[shared->status - r->at] = 0;
    if (f.counters) memset(to + (f.counters - r->at), 0, counter_words(r) * sizeof *to);
    if (start_words(r)) memset(to + (f.spent - r->at), 0, start_words(r) * sizeof *to);
    return 1;
}
