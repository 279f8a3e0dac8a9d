/* Running batteries: the graphs over the batch, and then, by themselves, what a graph cannot tell. That is the status
 * of a lane that failed for more than one reason, of which only the order of the program's own steps says which comes
 * first (cl/apart.h); if there are scores, the words of a strict lane that failed for anything but its budget, since it
 * would have stopped there; and everything of a graph that needs more memory for one lane than there is. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "battery/battery.h"
#include "plan/planned_run.h"
#include "run/batch_lanes.h"

typedef struct battery_run {
    arcl_context *context;
    const arcl_battery *battery;
    const arcl_batch *batch;
    run_yield yield;
    const arcl_batch *expected; /* NULL: nothing is compared */
    arcl_result **results;
    arcl_error *errors;
} battery_run;

/* ---- programs by themselves ---- */

static arcl_status run_or_score(const battery_run *r, const arcl_program *p, const arcl_batch *batch,
                                const arcl_batch *expected, arcl_result **result, arcl_error *error) {
    if (r->yield == YIELD_OUTPUTS) return arcl_run(r->context, p, batch, result, error);
    return arcl_score_many(r->context, 1, &p, &batch, &expected, r->yield == YIELD_BOTH, result, error);
}

/* The program alone over some lanes, with those of their arguments that it takes. */
static arcl_status run_alone(const battery_run *r, int program, const uint32_t *lanes, uint32_t count,
                             arcl_result **result, arcl_error *error) {
    const arcl_program *p = r->battery->alone[program];
    int argument[4] = {0};
    arcl_batch *some = NULL, *expected = NULL;
    PROPAGATE(batch_select(r->batch, lanes, count, &some, error));
    for (int i = 0; i < p->graph->parameters; i++)
        argument[i] = battery_parameter(r->battery, p->graph->parameter[i], i);
    batch_keep_arguments(some, p->graph->parameters, argument);
    arcl_status status = r->expected ? batch_select(r->expected, lanes, count, &expected, error) : ARCL_SUCCESS;
    if (status == ARCL_SUCCESS) status = run_or_score(r, p, some, expected, result, error);
    arcl_batch_free(some);
    arcl_batch_free(expected);
    return status;
}

/* Whether something of the lane is not as it would be alone. */
static int is_unsettled(const battery_run *r, const battery_graph *g, const arcl_result *result, uint32_t n) {
    if (result_is_doubtful(result, n)) return 1;
    arcl_lane_status status = arcl_result_status(result, n);
    if (r->yield == YIELD_OUTPUTS || g->program->graph->apart != APART_STRICT) return 0;
    return status != ARCL_OK && status != ARCL_LANE_BUDGET; /* a budget that is used up is as many words either way */
}

/* Such lanes are run again. */
static arcl_status settle_lanes(const battery_run *r, const battery_graph *g, int program, arcl_error *error) {
    arcl_result *result = r->results[program];
    uint32_t count = 0, *lanes = NULL;
    for (uint32_t n = 0; n < result->lanes; n++) count += (uint32_t)is_unsettled(r, g, result, n);
    if (!count) return ARCL_SUCCESS;
    result->again_lane = calloc(result->lanes, sizeof *result->again_lane);
    lanes = malloc(count * sizeof *lanes);
    arcl_status status = result->again_lane && lanes ? ARCL_SUCCESS : NO_MEMORY(error);
    if (status == ARCL_SUCCESS) {
        count = 0;
        for (uint32_t n = 0; n < result->lanes; n++)
            if (is_unsettled(r, g, result, n)) lanes[count++] = n;
        status = run_alone(r, program, lanes, count, &result->again, error);
        for (uint32_t i = 0; status == ARCL_SUCCESS && i < count; i++) result->again_lane[lanes[i]] = i + 1;
    }
    free(lanes);
    return status;
}

/* What only concerns one program is noted with it; a device that fails concerns all. */
static arcl_status note_failure(const battery_run *r, int program, arcl_status status, const arcl_error *why,
                                arcl_error *error) {
    arcl_result_free(r->results[program]);
    r->results[program] = NULL;
    if (r->errors) r->errors[program] = *why;
    if (status == ARCL_NO_MEMORY) return ARCL_SUCCESS;
    if (error) *error = *why;
    return status;
}

/* ---- graphs ---- */

/* Deals out the result of a graph to its programs. */
static arcl_status deal_out(const battery_run *r, const battery_graph *g, arcl_result *all, arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    for (int i = 0; i < g->count && status == ARCL_SUCCESS; i++) {
        int program = r->battery->order[g->first + i];
        arcl_error why = {{0}};
        r->results[program] = result_of_program(all, g->program->graph, (uint32_t)i);
        if (!r->results[program])
            status = NO_MEMORY(error);
        else if ((status = settle_lanes(r, g, program, &why)) != ARCL_SUCCESS)
            status = note_failure(r, program, status, &why, error);
    }
    arcl_result_free(all); /* it lives on with those who share it */
    return status;
}

static arcl_status run_separately(const battery_run *r, const battery_graph *g, arcl_error *error) {
    uint32_t count = r->batch->lanes, *all = malloc(((size_t)count + 1) * sizeof *all);
    arcl_status status = all ? ARCL_SUCCESS : NO_MEMORY(error);
    for (uint32_t n = 0; all && n < count; n++) all[n] = n;
    for (int i = 0; i < g->count && status == ARCL_SUCCESS; i++) {
        int program = r->battery->order[g->first + i];
        arcl_error why = {{0}};
        status = run_alone(r, program, all, count, &r->results[program], &why);
        if (status != ARCL_SUCCESS) status = note_failure(r, program, status, &why, error);
    }
    free(all);
    return status;
}

/* Graphs on the batch, all at once. A cache keeps nothing of graphs, so it is not asked. */
static arcl_status run_together(const battery_run *r, int first, int count, arcl_result **all, arcl_error *error) {
    const arcl_program **graphs = calloc((size_t)count, sizeof *graphs);
    const arcl_batch **batches = calloc((size_t)count, sizeof *batches),
                     **expected = calloc((size_t)count, sizeof *expected);
    arcl_status status = graphs && batches && expected ? ARCL_SUCCESS : NO_MEMORY(error);
    for (int i = 0; status == ARCL_SUCCESS && i < count; i++) {
        graphs[i] = r->battery->graphs[first + i].program;
        batches[i] = r->batch;
        expected[i] = r->expected;
    }
    const run_request request = {count, graphs, batches, r->yield, expected};
    if (status == ARCL_SUCCESS) status = planned_run(r->context, &request, all, error);
    free(graphs);
    free(batches);
    free(expected);
    return status;
}

/* One graph after the other: somewhere the memory does not suffice. */
static arcl_status run_one_by_one(const battery_run *r, arcl_error *error) {
    for (int i = 0; i < r->battery->graph_count; i++) {
        const battery_graph *g = &r->battery->graphs[i];
        arcl_result *all = NULL;
        arcl_status status = run_together(r, i, 1, &all, error);
        if (status == ARCL_NO_MEMORY)
            status = run_separately(r, g, error);
        else if (status == ARCL_SUCCESS)
            status = deal_out(r, g, all, error);
        PROPAGATE(status);
    }
    return ARCL_SUCCESS;
}

static arcl_status run_graphs(const battery_run *r, arcl_error *error) {
    int count = r->battery->graph_count;
    arcl_result **all = calloc((size_t)count, sizeof *all);
    if (!all) return NO_MEMORY(error);
    arcl_status status = run_together(r, 0, count, all, error);
    if (status == ARCL_NO_MEMORY)
        status = run_one_by_one(r, error);
    else
        for (int i = 0; i < count && status == ARCL_SUCCESS; i++) {
            status = deal_out(r, &r->battery->graphs[i], all[i], error);
            all[i] = NULL;
        }
    for (int i = 0; i < count; i++) arcl_result_free(all[i]);
    free(all);
    return status;
}

static arcl_status run_battery(const battery_run *r, arcl_error *error) {
    error_clear(error);
    NEED(r->context);
    NEED(r->battery);
    NEED(r->batch);
    if (r->battery->count) NEED(r->results);
    for (int i = 0; i < r->battery->count; i++) {
        r->results[i] = NULL;
        if (r->errors && r->battery->alone[i])
            error_clear(&r->errors[i]); /* of others it says why they were rejected */
    }
    if (!r->battery->graph_count) return ARCL_SUCCESS;
    arcl_status status = run_graphs(r, error);
    for (int i = 0; status != ARCL_SUCCESS && i < r->battery->count; i++) {
        arcl_result_free(r->results[i]);
        r->results[i] = NULL;
    }
    return error_settle(error, run_settle(r->context, status, r->battery->count, r->results, error));
}

arcl_status arcl_battery_run(arcl_context *context, const arcl_battery *battery, const arcl_batch *batch,
                             arcl_result **results, arcl_error *errors, arcl_error *error) {
    battery_run r = {context, battery, batch, YIELD_OUTPUTS, NULL, results, errors};
    return run_battery(&r, error);
}

arcl_status arcl_battery_score(arcl_context *context, const arcl_battery *battery, const arcl_batch *batch,
                               const arcl_batch *expected, int outputs, arcl_result **results, arcl_error *errors,
                               arcl_error *error) {
    battery_run r = {context, battery, batch, outputs ? YIELD_BOTH : YIELD_SCORES, expected, results, errors};
    return run_battery(&r, error);
}
