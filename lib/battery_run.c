/* Running batteries: the graphs over the batch, and then, by themselves, what a graph cannot tell. That is the status of a
 * lane that failed for more than one reason, of which only the order of the program's own steps says which comes first
 * (cl/apart.h), and everything of a graph that needs more memory for one lane than there is. */
#include <stdlib.h>
#include <string.h>

#include "batch_lanes.h"
#include "battery.h"
#include "error.h"
#include "run.h"

typedef struct battery_run {
    arcl_context *context;
    const arcl_battery *battery;
    const arcl_batch *batch;
    arcl_result **results;
    arcl_error *errors;
} battery_run;

/* ---- programs by themselves ---- */

/* The program alone over some lanes, with those of their arguments that it takes. */
static arcl_status run_alone(const battery_run *r, int program, const uint32_t *lanes, uint32_t count,
                             arcl_result **result, arcl_error *error) {
    const arcl_program *p = r->battery->alone[program];
    int argument[4] = {0};
    arcl_batch *some = NULL;
    PROPAGATE(batch_select(r->batch, lanes, count, &some, error));
    for (int i = 0; i < p->parameters; i++) argument[i] = battery_parameter(r->battery, p->parameter[i], i);
    batch_keep_arguments(some, p->parameters, argument);
    arcl_status status = arcl_run(r->context, p, some, result, error);
    arcl_batch_free(some);
    return status;
}

/* The lanes whose status is in doubt are run again. */
static arcl_status settle_doubts(const battery_run *r, int program, arcl_error *error) {
    arcl_result *result = r->results[program];
    uint32_t count = 0, *lanes = NULL;
    for (uint32_t n = 0; n < result->lanes; n++) count += (uint32_t)result_is_doubtful(result, n);
    if (!count) return ARCL_SUCCESS;
    result->again_lane = calloc(result->lanes, sizeof *result->again_lane);
    lanes = malloc(count * sizeof *lanes);
    arcl_status status = result->again_lane && lanes ? ARCL_SUCCESS : NO_MEMORY(error);
    if (status == ARCL_SUCCESS) {
        count = 0;
        for (uint32_t n = 0; n < result->lanes; n++)
            if (result_is_doubtful(result, n)) lanes[count++] = n;
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
        r->results[program] = result_of_program(all, g->graph, (uint32_t)i);
        if (!r->results[program])
            status = NO_MEMORY(error);
        else if ((status = settle_doubts(r, program, &why)) != ARCL_SUCCESS)
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

/* One graph after the other: somewhere the memory does not suffice. */
static arcl_status run_one_by_one(const battery_run *r, arcl_error *error) {
    for (int i = 0; i < r->battery->graph_count; i++) {
        const battery_graph *g = &r->battery->graphs[i];
        arcl_result *all = NULL;
        arcl_status status = arcl_run(r->context, g->graph, r->batch, &all, error);
        if (status == ARCL_NO_MEMORY)
            status = run_separately(r, g, error);
        else if (status == ARCL_SUCCESS)
            status = deal_out(r, g, all, error);
        PROPAGATE(status);
    }
    return ARCL_SUCCESS;
}

static arcl_status run_graphs(const battery_run *r, arcl_error *error) {
    size_t count = (size_t)r->battery->graph_count;
    const arcl_program **graphs = calloc(count + 1, sizeof *graphs);
    const arcl_batch **batches = calloc(count + 1, sizeof *batches);
    arcl_result **all = calloc(count + 1, sizeof *all);
    arcl_status status = graphs && batches && all ? ARCL_SUCCESS : NO_MEMORY(error);
    for (size_t i = 0; status == ARCL_SUCCESS && i < count; i++) {
        graphs[i] = r->battery->graphs[i].graph;
        batches[i] = r->batch;
    }
    if (status == ARCL_SUCCESS) status = arcl_run_many(r->context, (int)count, graphs, batches, all, error);
    if (status == ARCL_NO_MEMORY && all)
        status = run_one_by_one(r, error);
    else
        for (size_t i = 0; i < count && status == ARCL_SUCCESS; i++) {
            status = deal_out(r, &r->battery->graphs[i], all[i], error);
            all[i] = NULL;
        }
    for (size_t i = 0; all && i < count; i++) arcl_result_free(all[i]);
    free(graphs);
    free(batches);
    free(all);
    return status;
}

arcl_status arcl_battery_run(arcl_context *context, const arcl_battery *battery, const arcl_batch *batch,
                             arcl_result **results, arcl_error *errors, arcl_error *error) {
    battery_run r = {context, battery, batch, results, errors};
    for (int i = 0; i < battery->count; i++) results[i] = NULL;
    if (!battery->graph_count) return ARCL_SUCCESS;
    arcl_status status = run_graphs(&r, error);
    for (int i = 0; status != ARCL_SUCCESS && i < battery->count; i++) {
        arcl_result_free(results[i]);
        results[i] = NULL;
    }
    return status;
}
