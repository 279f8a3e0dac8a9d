#include "result.h"

#include <stdlib.h>
#include <string.h>

#include "../cl/score.h"
#include "context.h"
#include "error.h"

static grid grid_at(const word *storage, word w) {
    lane k = {.arena = (word *)storage}; /* which is only read */
    return grid_of(&k, w);
}

arcl_result *result_create(arcl_context *context, const arcl_program *p, uint32_t lanes, arcl_error *error) {
    arcl_result *r = calloc(1, sizeof *r);
    if (r && (r->of_lane = calloc(lanes ? lanes : 1, sizeof *r->of_lane))) {
        memcpy(r->type, p->result_type, sizeof r->type);
        r->lanes = lanes;
        r->storage = &context->results;
        return r;
    }
    free(r);
    (void)NO_MEMORY(error);
    return NULL;
}

segment *segment_get(block_store *memory, run_yield yield, uint first, uint lanes, uint packed_words) {
    size_t packed = yield == YIELD_SCORES ? 0 : packed_words;
    size_t scores = yield == YIELD_OUTPUTS ? 0 : lanes;
    segment *s = storage_get(memory, sizeof *s + packed * sizeof(word) + scores * sizeof(lane_score));
    if (!s) return NULL;
    word *room = (word *)(s + 1);
    *s = (segment){.first = first, .lanes = lanes};
    if (packed) {
        s->value = room;
        s->status = (uchar *)(room + packed - (lanes / 4 + 1));
        s->which = s->status + lanes;
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
    part->lanes = lanes;
    part->whole = whole;
    part->first = first;
    atomic_fetch_add(&whole->users, 1);
    return part;
}

void arcl_result_free(arcl_result *r) {
    if (!r) return;
    if (r->whole) {
        arcl_result *whole = r->whole;
        free(r);
        r = whole;
    }
    if (atomic_fetch_sub(&r->users, 1)) return; /* somebody else uses it still */
    for (uint32_t n = 0; r->of_lane && n < r->lanes;) {
        segment *s = r->of_lane[n];
        n += s ? s->lanes : 1;
        storage_give(r->storage, s);
    }
    free(r->of_lane);
    free(r);
}

uint32_t arcl_result_lanes(const arcl_result *r) { return r->lanes; }

/* The result that has the lane, and which one it is there. */
static const arcl_result *resolve(const arcl_result *r, uint32_t *lane_number) {
    if (!r->whole) return r;
    *lane_number += r->first;
    return r->whole;
}

arcl_lane_status arcl_result_status(const arcl_result *r, uint32_t lane_number) {
    r = resolve(r, &lane_number);
    const segment *s = r->of_lane[lane_number];
    uint n = lane_number - s->first;
    return (arcl_lane_status)(s->value ? s->status[n] : s->score[n].status);
}

arcl_score arcl_result_score(const arcl_result *r, uint32_t lane_number) {
    const segment *s = r->of_lane[lane_number];
    if (!s->score) return (arcl_score){.status = arcl_result_status(r, lane_number)};
    const lane_score *score = &s->score[lane_number - s->first];
    return (arcl_score){.fingerprint = score->fingerprint,
                        .words = score->words,
                        .cells = score->cells,
                        .status = (arcl_lane_status)score->status,
                        .compared = score->compared,
                        .same_shape = score->same_shape,
                        .match = score->match,
                        .usable = score->usable};
}

arcl_value arcl_result_value(const arcl_result *r, uint32_t lane_number) {
    r = resolve(r, &lane_number);
    const segment *s = r->of_lane[lane_number];
    if (!s->value) return (arcl_value){NULL, T_INT, NONE, -1};
    return (arcl_value){s->value, r->type[s->which[lane_number - s->first]], s->value[lane_number - s->first], -1};
}

const signed char *arcl_result_grid(const arcl_result *r, uint32_t lane_number, int *h, int *w) {
    arcl_value v = arcl_result_value(r, lane_number);
    *h = *w = 0;
    if (v.type != T_GRID) return NULL;
    grid g = grid_at(v.storage, v.word);
    if (g.rows) return NULL;
    *h = g.h;
    *w = g.w;
    return g.at;
}

arcl_kind arcl_value_kind(arcl_value v) {
    switch (type_head(v.type)) {
    case T_BOOL: return ARCL_BOOL;
    case T_INT: return v.word == NONE ? ARCL_NONE : ARCL_INT;
    case T_SET: return ARCL_SET;
    default: return ARCL_TUPLE;
    }
}

int64_t arcl_value_int(arcl_value v) { return v.word; }

uint32_t arcl_value_count(arcl_value v) {
    switch (type_head(v.type)) {
    case T_IJ:
    case T_CELL:
    case T_MIX: return v.word == EMPTY_IJ ? 0 : 2;
    case T_GRID: {
        grid g = grid_at(v.storage, v.word);
        return (uint32_t)(v.row < 0 ? g.h : row_length(g, (int)v.row));
    }
    case T_RECORD: return (uint32_t)type_fields(v.type);
    default: return ref_length(v.word);
    }
}

static arcl_value grid_item(arcl_value v, uint32_t index) {
    if (v.row < 0) {
        v.row = index;
        return v;
    }
    lane k = {.arena = (word *)v.storage}; /* which is only read */
    return (arcl_value){v.storage, T_INT, cell_at(&k, grid_of(&k, v.word), (int)v.row, (int)index), -1};
}

static arcl_value location_item(arcl_value v, uint32_t index) {
    int is_pair = v.type == T_IJ || (v.type == T_MIX && loc_colour(v.word) == NO_COLOUR);
    if (is_pair) return (arcl_value){v.storage, T_INT, int_of_coord(index ? loc_j(v.word) : loc_i(v.word)), -1};
    if (index == 0) return (arcl_value){v.storage, T_INT, int_of_colour(loc_colour(v.word)), -1};
    return (arcl_value){v.storage, T_IJ, v.word - colour_word(loc_colour(v.word)), -1};
}

arcl_value arcl_value_item(arcl_value v, uint32_t index) {
    switch (type_head(v.type)) {
    case T_IJ:
    case T_CELL:
    case T_MIX: return location_item(v, index);
    case T_GRID: return grid_item(v, index);
    case T_RECORD:
        return (arcl_value){v.storage, type_field(v.type, (int)index), v.storage[ref_offset(v.word) + index], -1};
    default: return (arcl_value){v.storage, type_element(v.type), v.storage[ref_offset(v.word) + index], -1};
    }
}
