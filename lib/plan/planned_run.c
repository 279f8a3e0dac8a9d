#include "plan/planned_run.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "plan/selector.h"

static arcl_status plan_jobs(run_state *r, arcl_error *error) {
    for (int i = 0; i < r->count; i++)
        PROPAGATE(selector_plan(r->context, r->jobs[i].program, r->jobs[i].batch, &r->jobs[i].plan, error));
    return ARCL_SUCCESS;
}

/* Whether waking the host's other threads pays: what one job knows, or all together. */
static int one_thread_suffices(const run_state *r) {
    double serial = 0;
    int on_host = 0, narrow = 1, known = 1;
    for (int i = 0; i < r->count; i++) {
        const run_plan *plan = r->jobs[i].plan;
        if (plan->kind != ON_HOST) continue;
        on_host++;
        narrow = plan->workers == 1;
        known &= plan->serial > 0;
        serial += plan->serial;
    }
    return on_host < 2 ? narrow : known && selector_one_worker_suffices(r->context, serial);
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

static arcl_status plan_and_execute(run_state *r, arcl_error *error) {
    double started = clock_now();
    PROPAGATE(plan_jobs(r, error));
    r->one_thread = one_thread_suffices(r);
    double planned = clock_now();
    r->context->totals.planning += planned - started;
    PROPAGATE(run_execute(r, error));
    note_run(r, clock_now() - planned);
    return ARCL_SUCCESS;
}

arcl_status planned_run(arcl_context *context, const run_request *request, arcl_result **results, arcl_error *error) {
    run_state r;
    for (int i = 0; i < request->count; i++) results[i] = NULL;
    if (request->count <= 0) return ARCL_SUCCESS;
    arcl_status status = run_begin(&r, context, request, error);
    if (status == ARCL_SUCCESS) status = plan_and_execute(&r, error);
    run_end(&r, status, results);
    return status;
}
