/* Running jobs by their plans: what comes before and after, wherever the lanes run. */
#include <stdlib.h>

#include "base/error.h"
#include "run/devices.h"
#include "run/placement.h"
#include "run/run.h"
#include "run/runners.h"

static arcl_status check_types(const arcl_program *p, const arcl_batch *b, arcl_error *error) {
    if (p->graph->parameters != b->arguments)
        return error_set(error, ARCL_INVALID, "the program has %d parameters, the batch has %d", p->graph->parameters,
                         b->arguments);
    for (int i = 0; i < p->graph->parameters; i++)
        if (p->graph->parameter[i] != b->type[i])
            return error_set(error, ARCL_INVALID, "parameter %d of the program and of the batch differ in type", i + 1);
    return ARCL_SUCCESS;
}

static arcl_status check_complete(const arcl_batch *b, arcl_error *error) {
    if (b->depth || b->next) return error_set(error, ARCL_INVALID, "the last lane of the batch is not complete");
    return ARCL_SUCCESS;
}

arcl_status run_check(const arcl_program *p, const arcl_batch *b, arcl_error *error) {
    PROPAGATE(check_types(p, b, error));
    return check_complete(b, error);
}

arcl_status run_check_expected(const arcl_batch *expected, const arcl_batch *b, arcl_error *error) {
    if (expected->arguments != 1 || expected->type[0] != T_GRID)
        return error_set(error, ARCL_INVALID, "what is expected is a batch of one grid per lane");
    if (expected->lanes != b->lanes)
        return error_set(error, ARCL_INVALID, "the batch has %u lanes, but %u grids are expected", b->lanes,
                         expected->lanes);
    return check_complete(expected, error);
}

arcl_status run_begin(run_state *r, arcl_context *context, const run_request *request, arcl_error *error) {
    *r = (run_state){.context = context, .count = request->count > 0 ? request->count : 0};
    pthread_mutex_init(&r->lock, NULL);
    r->jobs = calloc((size_t)r->count + 1, sizeof *r->jobs);
    if (!r->jobs) {
        r->count = 0;
        return NO_MEMORY(error);
    }
    for (int i = 0; i < r->count; i++) {
        job *j = &r->jobs[i];
        j->program = request->programs[i];
        j->batch = request->batches[i];
        j->yield = request->yield;
        j->expected = request->expected ? request->expected[i] : NULL;
        PROPAGATE(run_check(j->program, j->batch, error));
        if (j->expected) PROPAGATE(run_check_expected(j->expected, j->batch, error));
        j->result = result_create(j->batch->context, j->program->graph, j->batch->lanes, error);
        if (!j->result) return ARCL_NO_MEMORY;
    }
    return ARCL_SUCCESS;
}

void run_end(run_state *r, arcl_status status, arcl_result **results) {
    for (int i = 0; i < r->count; i++)
        if (status == ARCL_SUCCESS)
            results[i] = r->jobs[i].result;
        else
            arcl_result_free(r->jobs[i].result);
    pthread_mutex_destroy(&r->lock);
    free(r->jobs);
}

/* ---- by plan ---- */

static int planned(const run_state *r, int kind) {
    for (int i = 0; i < r->count; i++)
        if ((int)r->jobs[i].plan->kind == kind) return 1;
    return 0;
}

/* Device after device: each has its jobs to itself. */
static void run_device_jobs(run_state *r) {
    arcl_error error;
    int wanted = planned(r, ON_DEVICE) || planned(r, IN_PARTS);
    arcl_status status = wanted ? devices_check_process(&error) : ARCL_SUCCESS;
    if (status != ARCL_SUCCESS) run_fail(r, status, &error);
    for (int i = 0; i < r->count && !run_is_over(r); i++) {
        const run_plan *plan = r->jobs[i].plan;
        if (plan->kind == ON_DEVICE && atomic_load(&r->jobs[i].taken) < r->jobs[i].batch->lanes)
            run_on_devices(r, plan->worker, plan->workers);
        else if (plan->kind == IN_PARTS)
            run_in_parts(r, &r->jobs[i]);
    }
}

arcl_status run_execute(run_state *r, arcl_error *error) {
    placement *compared = NULL;
    for (int i = 0; i < r->count; i++)
        atomic_store_explicit(&r->jobs[i].words, r->jobs[i].plan->lane_words, memory_order_relaxed);
    if (r->context->worker[0].counting && !(compared = placement_begin(r->context, r->jobs, r->count)))
        return NO_MEMORY(error);
    if (planned(r, ON_HOST)) run_on_host(r);
    run_device_jobs(r);
    arcl_error elsewhere;
    arcl_status placed = compared ? placement_end(compared, &elsewhere) : ARCL_SUCCESS;
    if (placed != ARCL_SUCCESS) run_fail(r, placed, &elsewhere);
    if (atomic_load(&r->failed) && error) *error = r->error;
    return (arcl_status)atomic_load(&r->failed);
}

arcl_status run_settle(arcl_context *context, arcl_status status, int count, arcl_result **results, arcl_error *error) {
    if (!context_take_cancel(context, error)) return status;
    for (int i = 0; i < count; i++) {
        if (status == ARCL_SUCCESS) arcl_result_free(results[i]);
        results[i] = NULL;
    }
    return ARCL_CANCELLED;
}

arcl_status run_by_plans(arcl_context *context, const run_request *request, const run_plan *plans,
                         arcl_result **results, arcl_error *error) {
    run_state r;
    arcl_status status = run_begin(&r, context, request, error);
    for (int i = 0; i < r.count; i++) {
        r.jobs[i].plan = &plans[i];
        results[i] = NULL;
    }
    r.one_thread = r.count == 1 && plans->workers == 1;
    if (status == ARCL_SUCCESS) status = run_execute(&r, error);
    run_end(&r, status, results);
    return status;
}
