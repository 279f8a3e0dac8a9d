#include "run/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cl/packed.h"
#include "run/context.h"

arcl_result *result_create(arcl_context *context, const program_graph *p, uint32_t lanes, arcl_error *error) {
    arcl_result *r = calloc(1, sizeof *r + (size_t)lanes * sizeof *r->of_lane);
    if (!r) {
        (void)NO_MEMORY(error);
        return NULL;
    }
    memcpy(r->type, p->result_type, sizeof r->type);
    r->of_lane = (segment **)(r + 1);
    r->triples = (int)(p->triples & 1);
    r->lanes = lanes;
    r->storage = &context->results;
    return r;
}

segment *segment_get(block_store *memory, const program_graph *p, run_yield yield, uint first, uint lanes,
                     uint packed_words) {
    uint entries = (uint)p->programs * lanes;
    size_t packed = yield == YIELD_SCORES ? 0 : packed_words;
    size_t scores = yield == YIELD_OUTPUTS ? 0 : entries;
    segment *s = storage_get(memory, sizeof *s + packed * sizeof(word) + scores * sizeof(lane_score));
    if (!s) return NULL;
    word *room = (word *)(s + 1);
    *s = (segment){.first = first, .lanes = lanes};
    if (packed) {
        s->value = room;
        s->status = (uchar *)(room + entries);
        s->which = s->status + entries;
        if (p->apart == APART_SAFE) s->mishaps = (uint *)(room + entries + entry_byte_words(entries));
    }
    if (scores) s->score = (lane_score *)(room + packed);
    return s;
}

void result_keep_only(arcl_result *r, run_yield yield) {
    for (uint32_t n = 0; n < r->lanes; n += r->of_lane[n]->lanes) {
        if (yield == YIELD_SCORES) r->of_lane[n]->value = NULL;
        if (yield == YIELD_OUTPUTS) r->of_lane[n]->score = NULL;
    }
}

/* ---- looking at results ---- */

arcl_result *result_view(arcl_result *whole, uint32_t first, uint32_t lanes) {
    arcl_result *part = calloc(1, sizeof *part);
    if (!part) return NULL;
    memcpy(part->type, whole->type, sizeof part->type);
    part->triples = whole->triples;
    part->lanes = lanes;
    part->whole = whole;
    part->first = first;
    atomic_fetch_add(&whole->users, 1);
    return part;
}

arcl_result *result_of_program(arcl_result *whole, const program_graph *graph, uint32_t program) {
    arcl_result *r = result_view(whole, 0, whole->lanes);
    if (!r) return NULL;
    r->program = program;
    if (graph->output) memcpy(r->type, graph->output[program].type, sizeof r->type);
    r->triples = (int)(graph->triples >> program & 1);
    return r;
}

void arcl_result_free(arcl_result *r) {
    if (!r) return;
    if (r->whole) {
        arcl_result *whole = r->whole;
        arcl_result_free(r->again);
        free(r->again_lane);
        free(r);
        r = whole;
    }
    if (atomic_fetch_sub(&r->users, 1)) return; /* somebody else uses it still */
    for (uint32_t n = 0; r->of_lane && n < r->lanes;) {
        segment *s = r->of_lane[n];
        n += s ? s->lanes : 1;
        storage_give(r->storage, s);
    }
    free(r);
}

uint32_t arcl_result_lanes(const arcl_result *r) { return r ? r->lanes : 0; }

/* Where a lane's result is: in a segment, at some place among its entries. */
typedef struct place {
    const arcl_result *result; /* that knows the types */
    const segment *segment;
    uint at;
} place;

static int has_lane(const arcl_result *r, uint32_t lane_number) { return r && lane_number < r->lanes; }

static place place_of(const arcl_result *r, uint32_t lane_number) {
    if (r->again_lane && r->again_lane[lane_number]) return place_of(r->again, r->again_lane[lane_number] - 1);
    const segment *s = (r->whole ? r->whole : r)->of_lane[r->first + lane_number];
    return (place){r, s, r->program * s->lanes + r->first + lane_number - s->first};
}

static uint status_at_place(place p) {
    return p.segment->value ? p.segment->status[p.at] : p.segment->score[p.at].status;
}

arcl_lane_status arcl_result_status(const arcl_result *r, uint32_t lane_number) {
    if (!has_lane(r, lane_number)) return ARCL_LANE_STATUSES;
    return (arcl_lane_status)status_at_place(place_of(r, lane_number));
}

int result_is_doubtful(const arcl_result *r, uint32_t lane_number) {
    return status_at_place(place_of(r, lane_number)) == LANE_DOUBT;
}

/* Of a lane that its budget has ended nobody can say what would have failed: what has been counted depends on how far
 * the others of its chunk went on. */
uint32_t arcl_result_failures(const arcl_result *r, uint32_t lane_number) {
    if (!has_lane(r, lane_number)) return 0;
    place p = place_of(r, lane_number);
    if (status_at_place(p) == ARCL_LANE_BUDGET) return 0;
    return p.segment->mishaps ? p.segment->mishaps[p.at] : 0;
}

arcl_score arcl_result_score(const arcl_result *r, uint32_t lane_number) {
    if (!has_lane(r, lane_number)) return (arcl_score){.status = ARCL_LANE_STATUSES};
    place p = place_of(r, lane_number);
    if (!p.segment->score) return (arcl_score){.status = (arcl_lane_status)status_at_place(p)};
    const lane_score *score = &p.segment->score[p.at];
    return (arcl_score){.fingerprint = score->fingerprint,
                        .words = score->words,
                        .cells = score->cells,
                        .status = (arcl_lane_status)score->status,
                        .compared = score->compared,
                        .same_shape = score->same_shape,
                        .match = score->match,
                        .usable = score->usable};
}

static const arcl_value no_value = {NULL, T_INT, NONE, -1};

arcl_value arcl_result_value(const arcl_result *r, uint32_t lane_number) {
    if (!has_lane(r, lane_number)) return no_value;
    place p = place_of(r, lane_number);
    const segment *s = p.segment;
    if (!s->value) return no_value;
    type_code t = p.result->type[s->which[p.at]];
    return (arcl_value){s->value, r->triples ? type_as_triples(t) : t, s->value[p.at], -1};
}
