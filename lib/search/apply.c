/* Applies a pattern to many values at once. Applications whose arguments are the same for an input are run once for it:
 * of ten thousand candidates, many look alike in a single lane. A candidate that fails anywhere, or does what another
 * did, is found by the numbers of its lanes. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "search/search_state.h"

/* The rows of the first applications, as many as there are rows for: of each application the numbers of its rows. */
static uint32_t make_rows(search_state *s, const pattern *p, const application *a, uint32_t count) {
    uint32_t most = MOST_ROWS / (uint32_t)s->inputs, *of = s->row_of;
    if (count > most) count = most;
    rows_clear(s->rows, p->holes, count * (uint32_t)s->inputs);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *argument[MAX_HOLES];
        for (int h = 0; h < p->holes; h++) argument[h] = value_lanes(&s->bank, a[n].argument[h]);
        for (int i = 0; i < s->inputs; i++) {
            uint32_t lanes[MAX_HOLES];
            for (int h = 0; h < p->holes; h++) lanes[h] = argument[h][i];
            *of++ = rows_add(s->rows, lanes);
        }
    }
    return count;
}

/* ---- what they yield ---- */

static bank_value value_of(const search_state *s, uint32_t pattern_number, const application *a) {
    const pattern *p = &s->patterns.at[pattern_number];
    bank_value v = {.pattern = pattern_number, .shelf = p->shelf};
    uint32_t cost = p->cost, calls = p->calls;
    for (int h = 0; h < p->holes; h++) {
        v.argument[h] = a->argument[h];
        cost += s->bank.value[a->argument[h]].cost;
        calls += s->bank.value[a->argument[h]].calls;
    }
    v.cost = (uint16_t)(cost < MAX_COST ? cost : MAX_COST);
    v.calls = (uint16_t)(calls < UINT16_MAX ? calls : UINT16_MAX);
    return v;
}

/* The lanes of an application; 0 if it fails, or cannot be kept, for some input. */
static int take_lanes(const search_state *s, const uint32_t *row, uint32_t *lanes) {
    for (int i = 0; i < s->inputs; i++) {
        lanes[i] = s->rows->yielded[row[i]];
        if (!row_is_lane(lanes[i])) return 0;
    }
    return 1;
}

static arcl_status settle(search_state *s, uint32_t pattern_number, uint64_t key, const uint32_t *lanes, application *a,
                          arcl_error *error) {
    a->result = value_bank_find(&s->bank, key);
    if (a->result != NO_VALUE) return ARCL_SUCCESS;
    bank_value v = value_of(s, pattern_number, a);
    PROPAGATE(value_bank_add(&s->bank, key, &v, lanes, &a->result, error));
    s->distinct++;
    return goals_check(s, a->result, error);
}

/* What is looked for is sent for some applications before it is needed. */
#define AHEAD 16

static arcl_status settle_all(search_state *s, uint32_t pattern_number, application *a, uint32_t count,
                              arcl_error *error) {
    uint32_t lanes[AHEAD][ARCL_SEARCH_INPUTS];
    uint64_t key[AHEAD];
    const uint32_t *row = s->row_of;
    for (uint32_t first = 0; first < count; first += AHEAD) {
        uint32_t some = count - first < AHEAD ? count - first : AHEAD;
        for (uint32_t n = 0; n < some; n++, row += s->inputs) {
            int is_right = take_lanes(s, row, lanes[n]);
            a[first + n].result = NO_VALUE;
            key[n] = is_right ? value_bank_key(&s->bank, lanes[n]) : NO_KEY;
            if (is_right) value_bank_prefetch(&s->bank, key[n]);
        }
        for (uint32_t n = 0; n < some; n++)
            if (key[n] != NO_KEY) PROPAGATE(settle(s, pattern_number, key[n], lanes[n], &a[first + n], error));
    }
    return ARCL_SUCCESS;
}

arcl_status apply_pattern(search_state *s, uint32_t pattern_number, application *a, uint32_t count, arcl_error *error) {
    for (uint32_t portion; count; a += portion, count -= portion) {
        pattern *p = &s->patterns.at[pattern_number];
        portion = make_rows(s, p, a, count);
        PROPAGATE(rows_run(s->rows, p->program, p->shelf, &p->lane_words, error));
        PROPAGATE(settle_all(s, pattern_number, a, portion, error));
    }
    return ARCL_SUCCESS;
}

arcl_status apply_constant(search_state *s, int n, int cost, uint32_t *value, arcl_error *error) {
    uint32_t lanes[ARCL_SEARCH_INPUTS];
    PROPAGATE(lane_store_int(&s->bank.lanes, n, &lanes[0], error));
    for (int i = 1; i < s->inputs; i++) lanes[i] = lanes[0];
    uint64_t key = value_bank_key(&s->bank, lanes);
    *value = value_bank_find(&s->bank, key);
    if (*value != NO_VALUE) return ARCL_SUCCESS;
    bank_value v = {.pattern = PATTERN_CONSTANT,
                    .argument = {(uint32_t)n},
                    .shelf = (uint16_t)s->bank.lanes.lane[lanes[0]].shelf,
                    .cost = (uint16_t)cost};
    return value_bank_add(&s->bank, key, &v, lanes, value, error);
}
