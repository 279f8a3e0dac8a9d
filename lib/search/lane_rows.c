#include "search/lane_rows.h"

#include <stdlib.h>

#include "base/error.h"
#include "run/batch.h"
#include "run/run_here.h"
#include "search/lane_hash.h"

/* Words that a pattern may make in a lane. What programs of tasks do in a line takes far less; what takes more is of no
 * use, and takes as long as thousands of others. */
#define BUDGET (1u << 15)

arcl_status rows_create(lane_store *store, rows **made, arcl_error *error) {
    rows *r = *made = calloc(1, sizeof *r);
    if (!r) return NO_MEMORY(error);
    r->store = store;
    r->region = context_region_take(store->context, MOST_COLUMNS * MOST_ROWS);
    return r->region ? ARCL_SUCCESS : NO_MEMORY(error);
}

void rows_free(rows *r) {
    if (r && r->region) context_region_give(r->store->context, r->region);
    free(r);
}

static word *column_of(const rows *r, int column) {
    return r->store->context->arena + r->region->begin + (size_t)column * MOST_ROWS;
}

void rows_clear(rows *r, int columns, uint32_t most) {
    r->columns = columns;
    r->count = 0;
    for (r->slots = 64; r->slots < 2 * most && r->slots < 2 * MOST_ROWS;) r->slots *= 2;
    if (!++r->stamp) { /* after so many rows that stamps are used up, old ones could be taken for new ones */
        for (uint32_t i = 0; i < 2 * MOST_ROWS; i++) r->slot[i].stamp = 0;
        r->stamp = 1;
    }
}

uint32_t rows_add(rows *r, const uint32_t *lanes) {
    uint64_t key = lanes[0];
    if (r->columns > 1) key |= (uint64_t)lanes[1] << 32;
    for (int i = 2; i < r->columns; i++) key = key_fold(key_fold(0, key), lanes[i]);
    uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) & (r->slots - 1);
    for (; r->slot[at].stamp == r->stamp; at = (at + 1) & (r->slots - 1))
        if (r->slot[at].key == key) return r->slot[at].row;
    r->slot[at] = (row_slot){key, r->count, r->stamp};
    for (int i = 0; i < r->columns; i++) column_of(r, i)[r->count] = r->store->lane[lanes[i]].value;
    return r->count++;
}

/* ---- running ---- */

static int is_kept(const rows *r, const here_lane *l) {
    type_code type = r->store->shelf[r->shelf].type;
    return l->status == ARCL_OK && (l->type == type || type_as_cells(l->type) == type);
}

/* What is looked for lies anywhere in tables larger than caches: it is sent for before it is needed. */
static int visit(void *owner, uint32_t first, const here_lane *lanes, uint32_t count) {
    rows *r = owner;
    uint64_t fingerprint[MOST_LANES_HERE];
    type_code type = r->store->shelf[r->shelf].type;
    for (uint32_t n = 0; n < count; n++) {
        fingerprint[n] = is_kept(r, &lanes[n]) ? lane_hash(r->storage, type, lanes[n].value) : 0;
        lane_store_prefetch(r->store, fingerprint[n]);
    }
    for (uint32_t n = 0; n < count && r->status == ARCL_SUCCESS; n++) {
        uint32_t found = KEY_ABSENT;
        if (is_kept(r, &lanes[n])) {
            arcl_value v = {r->storage, type, lanes[n].value, -1};
            found = lane_store_find(r->store, fingerprint[n]);
            if (found == KEY_ABSENT)
                r->status = lane_store_add(r->store, fingerprint[n], r->shelf, v, &found, r->error);
        }
        r->yielded[first + n] = found != KEY_ABSENT ? found : lanes[n].status == ARCL_OK ? ROW_UNKEPT : ROW_FAILED;
    }
    return r->status == ARCL_SUCCESS;
}

static arcl_status run_in_place(rows *r, const arcl_program *program, uint32_t *lane_words, arcl_error *error) {
    here_run run = {.program = program, .lanes = r->count, .lane_words = *lane_words, .visit = visit, .owner = r};
    for (int i = 0; i < r->columns; i++) run.column[i] = r->region->begin + (uint)i * MOST_ROWS;
    r->storage = r->store->context->arena;
    PROPAGATE(run_here(r->store->context, &run, error));
    *lane_words = run.lane_words;
    return ARCL_SUCCESS;
}

/* A batch of the rows, as devices take them. */
static arcl_status gather(const rows *r, const arcl_program *program, arcl_batch **batch, arcl_error *error) {
    arcl_context *c = r->store->context;
    arcl_batch stored[MOST_COLUMNS];
    arcl_column column[MOST_COLUMNS];
    uint32_t *numbers = malloc((size_t)r->count * sizeof *numbers);
    if (!numbers) return NO_MEMORY(error);
    for (uint32_t n = 0; n < r->count; n++) numbers[n] = n;
    for (int i = 0; i < r->columns; i++) {
        stored[i] = (arcl_batch){.context = c, .arguments = 1, .lanes = r->count};
        stored[i].type[0] = program->graph->parameter[i];
        stored[i].column[0] = (word_vector){column_of(r, i), r->count, r->count};
        stored[i].data.at = c->arena;
        column[i] = (arcl_column){.batch = &stored[i], .lanes = numbers};
    }
    arcl_status status = arcl_batch_gather(c, column, r->columns, r->count, batch, error);
    free(numbers);
    return status;
}

static arcl_status run_elsewhere(rows *r, const arcl_program *program, arcl_error *error) {
    arcl_batch *batch = NULL;
    arcl_result *result = NULL;
    PROPAGATE(gather(r, program, &batch, error));
    arcl_status status = arcl_run(r->store->context, program, batch, &result, error);
    for (uint32_t n = 0; status == ARCL_SUCCESS && n < r->count; n++) {
        arcl_value v = arcl_result_value(result, n);
        r->storage = v.storage;
        if (!visit(r, n, &(here_lane){arcl_result_status(result, n), v.type, v.word}, 1)) break;
    }
    arcl_result_free(result);
    arcl_batch_free(batch);
    return status;
}

arcl_status rows_run(rows *r, const arcl_program *program, int shelf_number, uint32_t *lane_words, arcl_error *error) {
    arcl_context *c = r->store->context;
    r->shelf = shelf_number;
    r->status = ARCL_SUCCESS;
    r->error = error;
    uint32_t budget = context_change_budget(c, BUDGET);
    arcl_status status = runs_here(c) ? run_in_place(r, program, lane_words, error) : run_elsewhere(r, program, error);
    context_change_budget(c, budget);
    return status == ARCL_SUCCESS ? r->status : status;
}
