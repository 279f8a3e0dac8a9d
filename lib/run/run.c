/* Running: what comes before and after, wherever the lanes run. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "keep/cache.h"
#include "plan/selector.h"
#include "run/placement.h"
#include "run/run.h"

static arcl_status check_types(const arcl_program *p, const arcl_batch *b, arcl_error *error) {
    if (p->parameters != b->arguments)
        return error_set(error, ARCL_INVALID, "the program has %d parameters, the batch has %d", p->parameters,
                         b->arguments);
    for (int i = 0; i < p->parameters; i++)
        if (p->parameter[i] != b->type[i])
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

static arcl_status prepare(job *j, const arcl_batch *b, arcl_error *error) {
    PROPAGATE(run_check(j->program, b, error));
    if (j->expected) PROPAGATE(run_check_expected(j->expected, b, error));
    j->batch = b;
    j->result = result_create(b->context, j->program, b->lanes, error);
    return j->result ? ARCL_SUCCESS : ARCL_NO_MEMORY;
}

void run_fail(run_state *r, arcl_status status, const arcl_error *error) {
    pthread_mutex_lock(&r->lock);
    if (!atomic_load(&r->failed)) {
        r->error = *error;
        atomic_store(&r->failed, (int)status);
    }
    pthread_mutex_unlock(&r->lock);
}

void run_done(job *j, segment *s, uint words_used) {
    atomic_store_explicit(&j->words, words_used / s->lanes + 1, memory_order_relaxed);
    for (uint n = 0; n < s->lanes; n++) j->result->of_lane[s->first + n] = s;
}

/* ---- by plan ---- */

static int planned(const run_state *r, int kind) {
    for (int i = 0; i < r->count; i++)
        if ((int)r->jobs[i].plan->kind == kind) return 1;
    return 0;
}

/* Device after device: each has its jobs to itself. */
static void run_device_jobs(run_state *r) {
    for (int i = 0; i < r->count && !atomic_load(&r->failed); i++) {
        const run_plan *plan = r->jobs[i].plan;
        if (plan->kind == ON_DEVICE && atomic_load(&r->jobs[i].next) < r->jobs[i].batch->lanes)
            run_on_devices(r, plan->worker, plan->workers);
        else if (plan->kind == IN_PARTS)
            run_in_parts(r, &r->jobs[i]);
    }
}

/* For the report, and to learn from. */
static void note_run(run_state *r, double took) {
    const run_plan *only, **plans = r->count == 1 ? &only : malloc((size_t)r->count * sizeof *plans);
    run_totals *totals = &r->context->totals;
    totals->runs++;
    totals->taken += took;
    for (int i = 0; plans && i < r->count; i++) plans[i] = r->jobs[i].plan;
    double predicted = plans ? selector_predict(r->context, plans, r->count) : 0;
    totals->predicted += predicted;
    totals->unpredicted += predicted > 0 ? 0 : took;
    if (plans != &only) free(plans);
    selector_learn(r->context, r->jobs, r->count, took);
}

static arcl_status run_jobs(run_state *r, const arcl_batch *const *batches, const run_plan *plans, arcl_error *error) {
    for (int i = 0; i < r->count; i++) PROPAGATE(prepare(&r->jobs[i], batches[i], error));
    double started = clock_now();
    for (int i = 0; i < r->count; i++) {
        job *j = &r->jobs[i];
        if (plans)
            j->plan = &plans[i];
        else
            PROPAGATE(selector_plan(r->context, j->program, j->batch, &j->plan, error));
        atomic_store_explicit(&j->words, j->plan->lane_words, memory_order_relaxed);
    }
    placement *compared = NULL;
    if (r->context->worker[0].counting && !(compared = placement_begin(r->context, r->jobs, r->count)))
        return NO_MEMORY(error);
    double before = clock_now();
    r->context->totals.planning += before - started;
    if (planned(r, ON_HOST)) run_on_host(r);
    run_device_jobs(r);
    double took = clock_now() - before;
    arcl_error elsewhere;
    arcl_status placed = compared ? placement_end(compared, &elsewhere) : ARCL_SUCCESS;
    if (placed != ARCL_SUCCESS) run_fail(r, placed, &elsewhere);
    if (!atomic_load(&r->failed) && !plans) note_run(r, took);
    if (atomic_load(&r->failed) && error) *error = r->error;
    return (arcl_status)atomic_load(&r->failed);
}

arcl_status run_scored(arcl_context *context, int count, const arcl_program *const *programs,
                       const arcl_batch *const *batches, const score_wish *wish, const run_plan *plans,
                       arcl_result **results, arcl_error *error) {
    run_state r = {.context = context, .count = count};
    for (int i = 0; i < count; i++) results[i] = NULL;
    if (count <= 0) return ARCL_SUCCESS;
    r.jobs = calloc((size_t)count, sizeof *r.jobs);
    if (!r.jobs) return NO_MEMORY(error);
    for (int i = 0; i < count; i++) {
        r.jobs[i].program = programs[i];
        r.jobs[i].yield = wish ? wish->yield : YIELD_OUTPUTS;
        r.jobs[i].expected = wish && wish->expected ? wish->expected[i] : NULL;
    }
    pthread_mutex_init(&r.lock, NULL);
    arcl_status status = run_jobs(&r, batches, plans, error);
    for (int i = 0; i < count; i++)
        if (status == ARCL_SUCCESS)
            results[i] = r.jobs[i].result;
        else
            arcl_result_free(r.jobs[i].result);
    pthread_mutex_destroy(&r.lock);
    free(r.jobs);
    return status;
}

arcl_status run_many(arcl_context *context, int count, const arcl_program *const *programs,
                     const arcl_batch *const *batches, const run_plan *plans, arcl_result **results,
                     arcl_error *error) {
    return run_scored(context, count, programs, batches, NULL, plans, results, error);
}

arcl_status arcl_run_many(arcl_context *context, int count, const arcl_program *const *programs,
                          const arcl_batch *const *batches, arcl_result **results, arcl_error *error) {
    if (context->cache) return cache_run_many(context, count, programs, batches, NULL, results, error);
    return run_many(context, count, programs, batches, NULL, results, error);
}

arcl_status arcl_score_many(arcl_context *context, int count, const arcl_program *const *programs,
                            const arcl_batch *const *batches, const arcl_batch *const *expected, int outputs,
                            arcl_result **results, arcl_error *error) {
    score_wish wish = {expected, outputs ? YIELD_BOTH : YIELD_SCORES};
    if (context->cache) return cache_run_many(context, count, programs, batches, &wish, results, error);
    return run_scored(context, count, programs, batches, &wish, NULL, results, error);
}

arcl_status arcl_run(arcl_context *context, const arcl_program *program, const arcl_batch *batch, arcl_result **result,
                     arcl_error *error) {
    return arcl_run_many(context, 1, &program, &batch, result, error);
}
