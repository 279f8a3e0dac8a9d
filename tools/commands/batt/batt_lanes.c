#include "commands/batt/batt_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "data/task_batch.h"

const char *const batt_lane_types[3] = {"[[grid]]", "grid", "grid"};

/* ---- lanes ---- */

static arcl_status add_grid(arcl_batch *batch, const task_grid *grid, arcl_error *error) {
    return arcl_batch_add_grid(batch, grid->h, grid->w, grid->cells, error);
}

/* An output that is not known is the empty grid: what is equal to it, and what differs say of it, does not count. */
static arcl_status add_task(batt_lanes *lanes, const arc_task *task, arcl_error *error) {
    static const task_grid nothing = {0, 0, NULL};
    arcl_status status = ARCL_SUCCESS;
    for (int i = 0; i < task->count && !status; i++) {
        const task_grid *output = task->examples[i].output.cells ? &task->examples[i].output : &nothing;
        status = task_batch_add(lanes->batch, TASK_WITH_PAIRS, task, &task->examples[i], error);
        if (!status) status = add_grid(lanes->batch, output, error);
    }
    return status;
}

int batt_lanes_open(arcl_context *context, const arc_task *const *tasks, int count, batt_lanes *lanes) {
    arcl_error error;
    *lanes = (batt_lanes){.tasks = tasks, .count = count};
    lanes->first = allocation_get((size_t)count + 1, sizeof *lanes->first);
    arcl_status status = arcl_batch_create(context, "[[grid]] grid grid", &lanes->batch, &error);
    for (int i = 0; i < count && !status; i++) {
        lanes->first[i] = arcl_batch_lanes(lanes->batch);
        status = add_task(lanes, tasks[i], &error);
    }
    if (status) message_error("%s", error.message);
    return status ? -1 : 0;
}

void batt_lanes_close(batt_lanes *lanes) {
    free(lanes->first);
    arcl_batch_free(lanes->batch);
    *lanes = (batt_lanes){0};
}

/* ---- scores ---- */

/* As D_Score.update of the fork's run_batt.py has it: the first item, an int, from 0 to 1000. For a differ that judges
 * the input it adds 1000 minus that and then that, which is 1000 whatever it says. Of a battery that was compiled for
 * scores, the first item is what is left. */
static int64_t differ_score(const arcl_definition_info *info, const arcl_result *result, uint32_t lane, int is_first) {
    if (!result || arcl_result_status(result, lane) != ARCL_OK) return 0;
    arcl_value first = arcl_result_value(result, lane);
    if (arcl_value_kind(first) == ARCL_TUPLE && arcl_value_count(first) > 1)
        first = arcl_value_item(first, 0);
    else if (!is_first)
        return 0;
    if (arcl_value_kind(first) != ARCL_INT) return 0;
    if (strcmp(info->id, "None") == 0) return 1000;
    int64_t score = arcl_value_int(first);
    return score < 0 ? 0 : score > 1000 ? 1000 : score;
}

/* The differs of both runs of an example; of one whose output is not known there is only the first. */
static void tally_differs(batt_tally *t, const batt *b, uint32_t lane, int known) {
    int is_first = b->purpose == BATT_FOR_SCORES;
    for (int i = 0; i < b->count; i++)
        for (int c = BATT_ABSENT; c <= (known ? BATT_GIVEN : BATT_ABSENT); c++)
            if (b->infos[i].kind == ARCL_BATTERY_DIFFER)
                t->score[b->key[i]] += differ_score(&b->infos[i], batt_result(b, i, (batt_c)c), lane, is_first);
}

static int is_row(arcl_value row, const signed char *cells, int w) {
    if (arcl_value_kind(row) != ARCL_TUPLE || arcl_value_count(row) != (uint32_t)w) return 0;
    for (int j = 0; j < w; j++) {
        arcl_value cell = arcl_value_item(row, (uint32_t)j);
        int is_number = arcl_value_kind(cell) == ARCL_INT || arcl_value_kind(cell) == ARCL_BOOL;
        if (!is_number || arcl_value_int(cell) != cells[j]) return 0;
    }
    return 1;
}

/* Rows that are equal are a grid that is equal, whatever the type of the result. */
static int is_grid(arcl_value value, const task_grid *grid) {
    if (arcl_value_kind(value) != ARCL_TUPLE || arcl_value_count(value) != (uint32_t)grid->h) return 0;
    for (int i = 0; i < grid->h; i++)
        if (!is_row(arcl_value_item(value, (uint32_t)i), grid->cells + i * grid->w, grid->w)) return 0;
    return 1;
}

static int is_right(const batt *b, int program, uint32_t lane, const task_grid *expected) {
    arcl_value value = arcl_result_value(batt_result(b, program, BATT_ABSENT), lane);
    return b->purpose == BATT_FOR_SCORES ? arcl_value_int(value) == 1 : is_grid(value, expected);
}

static void tally_results(batt_tally *t, const batt *b, uint32_t lane, const task_grid *expected) {
    int any = 0, known = expected->cells != NULL;
    for (int i = 0; i < b->count; i++) {
        if (b->infos[i].kind != ARCL_BATTERY_RESULT) continue;
        int has_value = batt_has_value(b, i, BATT_ABSENT, lane);
        t->missing += !has_value;
        if (!known || !has_value || !is_right(b, i, lane, expected)) continue;
        t->right[i]++;
        t->score[b->key[i]] += 1000;
        any = 1;
    }
    t->known += known;
    t->known_right += any;
}

static void tally_task(batt_tally *t, const batt *b, uint32_t lane) {
    t->right = allocation_get((size_t)b->count, sizeof *t->right);
    t->score = allocation_get((size_t)b->count, sizeof *t->score);
    for (int i = 0; i < t->task->count; i++, lane++) {
        const task_grid *expected = &t->task->examples[i].output;
        tally_differs(t, b, lane, expected->cells != NULL);
        tally_results(t, b, lane, expected);
    }
    for (int i = 0; i < b->count; i++)
        t->solved += b->infos[i].kind == ARCL_BATTERY_RESULT && t->known && t->right[i] == t->known;
}

typedef struct tallying {
    const batt_lanes *lanes;
    const batt *battery;
    batt_tally *tallies;
} tallying;

static void tally_one(void *arg, uint32_t index) {
    tallying *all = arg;
    all->tallies[index].task = all->lanes->tasks[index];
    tally_task(&all->tallies[index], all->battery, all->lanes->first[index]);
}

batt_tally *batt_lanes_tally(arcl_context *context, const batt_lanes *lanes, const batt *b) {
    tallying all = {lanes, b, allocation_get((size_t)lanes->count, sizeof *all.tallies)};
    arcl_parallel(context, (uint32_t)lanes->count, tally_one, &all);
    return all.tallies;
}

void batt_tally_free(batt_tally *tally) {
    free(tally->right);
    free(tally->score);
}
