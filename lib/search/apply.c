/* Applies a pattern to many values at once. Applications whose arguments are the same for an input are run once for it:
 * of ten thousand candidates, many look alike in a single lane. A candidate that fails anywhere, or does what another
 * did, is found by fingerprints, before anything of it is kept. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/packed_value.h"
#include "search/search_state.h"

/* Words that a pattern may make in a lane. What programs of tasks do in a line takes far less; what takes more is of no
 * use, and takes as long as thousands of others. */
#define BUDGET (1u << 15)
#define PORTION_WORDS (1u << 20) /* of arguments that are run at once, about */
#define MAX_VALUE_WORDS 1500     /* of a lane; larger values are not kept */

typedef struct rows { /* what is run: distinct arguments of single lanes */
    uint32_t *of;     /* the row of application a and input i: of[a * inputs + i] */
    uint32_t *lane[MAX_HOLES];
    uint32_t count;
    key_table known;
} rows;

static void rows_free(rows *r) {
    free(r->of);
    for (int i = 0; i < MAX_HOLES; i++) free(r->lane[i]);
    key_table_free(&r->known);
}

static arcl_status rows_make(search_state *s, const pattern *p, const application *a, uint32_t count, rows *r,
                             arcl_error *error) {
    size_t all = (size_t)count * (size_t)s->inputs;
    r->of = malloc(all * sizeof *r->of);
    if (!r->of) return NO_MEMORY(error);
    for (int h = 0; h < p->holes; h++)
        if (!(r->lane[h] = malloc(all * sizeof *r->lane[h]))) return NO_MEMORY(error);
    for (uint32_t n = 0; n < count; n++)
        for (int i = 0; i < s->inputs; i++) {
            uint64_t key = 0;
            for (int h = 0; h < p->holes; h++) key = key_fold(key, value_lanes(&s->bank, a[n].argument[h])[i] + 1u);
            uint32_t row = key_table_find(&r->known, key);
            if (row == KEY_ABSENT) {
                row = r->count++;
                PROPAGATE(key_table_put(&r->known, key, row, error));
                for (int h = 0; h < p->holes; h++)
                    r->lane[h][row] = s->bank.lanes.lane[value_lanes(&s->bank, a[n].argument[h])[i]].at;
            }
            r->of[(size_t)n * (size_t)s->inputs + (size_t)i] = row;
        }
    return ARCL_SUCCESS;
}

static arcl_status rows_run(search_state *s, const pattern *p, const rows *r, arcl_result **result, arcl_error *error) {
    arcl_column column[MAX_HOLES];
    arcl_batch *batch = NULL;
    const arcl_program *program = p->program;
    for (int h = 0; h < p->holes; h++)
        column[h] = (arcl_column){.batch = s->bank.lanes.shelf[p->hole[h]].batch, .lanes = r->lane[h]};
    PROPAGATE(arcl_batch_gather(s->context, column, p->holes, r->count, &batch, error));
    const arcl_batch *run = batch;
    uint32_t budget = context_change_budget(s->context, BUDGET);
    arcl_status status = arcl_score_many(s->context, 1, &program, &run, NULL, 1, result, error);
    context_change_budget(s->context, budget);
    arcl_batch_free(batch);
    return status;
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

/* The lanes of a value that is new. Returns through `fits` whether it can be kept. */
static arcl_status store_lanes(search_state *s, const pattern *p, const arcl_result *r, const uint32_t *row,
                               uint32_t *lanes, int *fits, arcl_error *error) {
    lane_store *store = &s->bank.lanes;
    *fits = 1;
    for (int i = 0; i < s->inputs && *fits; i++) {
        uint64_t fingerprint = arcl_result_score(r, row[i]).fingerprint;
        lanes[i] = lane_store_find(store, fingerprint);
        if (lanes[i] != KEY_ABSENT) {
            *fits = store->lane[lanes[i]].shelf == p->shelf; /* a choice may yield several types */
            continue;
        }
        arcl_value v = arcl_result_value(r, row[i]);
        *fits = type_as_cells(v.type) == store->shelf[p->shelf].type &&
                packed_words(v.storage, store->shelf[p->shelf].type, v.word) <= MAX_VALUE_WORDS;
        if (*fits) PROPAGATE(lane_store_add(store, fingerprint, p->shelf, v, &lanes[i], error));
    }
    return ARCL_SUCCESS;
}

static arcl_status settle(search_state *s, uint32_t pattern_number, const arcl_result *r, const uint32_t *row,
                          application *a, arcl_error *error) {
    uint64_t key = 0;
    uint32_t lanes[ARCL_SEARCH_INPUTS];
    int fits;
    a->result = NO_VALUE;
    for (int i = 0; i < s->inputs; i++) {
        arcl_score score = arcl_result_score(r, row[i]);
        if (score.status != ARCL_OK) return ARCL_SUCCESS;
        key = key_fold(key, score.fingerprint);
    }
    a->result = value_bank_find(&s->bank, key);
    if (a->result != NO_VALUE) return ARCL_SUCCESS;
    PROPAGATE(store_lanes(s, &s->patterns.at[pattern_number], r, row, lanes, &fits, error));
    if (!fits) return ARCL_SUCCESS;
    bank_value v = value_of(s, pattern_number, a);
    PROPAGATE(value_bank_add(&s->bank, key, &v, lanes, &a->result, error));
    s->distinct++;
    return goals_check(s, a->result, error);
}

/* How many of the applications to run at once, so that what they take stays small beside any memory limit. */
static uint32_t portion_of(const search_state *s, const pattern *p, const application *a, uint32_t count) {
    size_t words = 0;
    uint32_t n = 0;
    for (; n < count && words < PORTION_WORDS; n++)
        for (int h = 0; h < p->holes; h++)
            for (int i = 0; i < s->inputs; i++)
                words += s->bank.lanes.lane[value_lanes(&s->bank, a[n].argument[h])[i]].words;
    return n;
}

static arcl_status apply_portion(search_state *s, uint32_t pattern_number, application *a, uint32_t count,
                                 arcl_error *error) {
    rows r = {0};
    arcl_result *result = NULL;
    arcl_status status = rows_make(s, &s->patterns.at[pattern_number], a, count, &r, error);
    if (status == ARCL_SUCCESS) status = rows_run(s, &s->patterns.at[pattern_number], &r, &result, error);
    for (uint32_t n = 0; n < count && status == ARCL_SUCCESS; n++)
        status = settle(s, pattern_number, result, r.of + (size_t)n * (size_t)s->inputs, &a[n], error);
    arcl_result_free(result);
    rows_free(&r);
    return status;
}

arcl_status apply_pattern(search_state *s, uint32_t pattern_number, application *a, uint32_t count, arcl_error *error) {
    for (uint32_t portion; count; a += portion, count -= portion) {
        portion = portion_of(s, &s->patterns.at[pattern_number], a, count);
        PROPAGATE(apply_portion(s, pattern_number, a, portion, error));
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
