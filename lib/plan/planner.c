/* The planner's front: whether a problem makes sense, and which method gets it. */
#include "plan/planner.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "plan/planner_view.h"

/* ---- solving ---- */

static arcl_status check_unit(const planner_problem *p, int unit, arcl_error *error) {
    for (uint32_t i = 0; i < p->unit[unit].uses; i++) {
        uint32_t use = p->use[p->unit[unit].first_use + i];
        if (use != PLANNER_INPUT && use >= (uint32_t)unit)
            return error_set(error, ARCL_INVALID, "unit %d reads unit %u, which does not come before it", unit, use);
    }
    for (int d = 0; d < p->devices; d++)
        if (isfinite(planner_unit_cost(p, unit, d))) return ARCL_SUCCESS;
    return error_set(error, ARCL_INVALID, "unit %d can run on no device", unit);
}

static arcl_status check(const planner_problem *p, arcl_error *error) {
    if (p->devices < 1 || p->devices > PLANNER_DEVICES)
        return error_set(error, ARCL_INVALID, "%d devices: from 1 to %d can be planned for", p->devices,
                         PLANNER_DEVICES);
    for (int i = 0; i < p->results; i++)
        if (p->result[i] >= (uint32_t)p->units)
            return error_set(error, ARCL_INVALID, "result %u is no unit", p->result[i]);
    for (int u = 0; u < p->units; u++) PROPAGATE(check_unit(p, u, error));
    return ARCL_SUCCESS;
}

static int cheapest_device(const planner_problem *p, int unit) {
    int best = 0;
    for (int d = 1; d < p->devices; d++)
        if (planner_unit_cost(p, unit, d) < planner_unit_cost(p, unit, best)) best = d;
    return best;
}

/* The best plan in which all units run on one device, except those that cannot: the methods have to beat it. */
static int begin_simple(pool *memory, const planner_problem *p, planner_plan *plan) {
    size_t size = (size_t)p->units * sizeof *plan->device;
    planner_plan trial = {.device = pool_get(memory, size), .held = plan->held};
    if (!trial.device) return 0;
    plan->predicted = INFINITY;
    for (int d = 0; d < p->devices; d++) {
        for (int u = 0; u < p->units; u++)
            trial.device[u] = isfinite(planner_unit_cost(p, u, d)) ? d : cheapest_device(p, u);
        if (!(planner_cost(p, &trial) < plan->predicted)) continue;
        plan->predicted = trial.predicted;
        memcpy(plan->device, trial.device, size);
    }
    return 1;
}

arcl_status planner_solve(pool *memory, const planner_problem *p, planner_plan *plan, arcl_error *error) {
    planner_view view;
    PROPAGATE(check(p, error));
    *plan = (planner_plan){.device = pool_get(memory, (size_t)p->units * sizeof *plan->device),
                           .held = pool_get(memory, (size_t)p->units * sizeof *plan->held)};
    if (!plan->device || !plan->held || !begin_simple(memory, p, plan) || !planner_view_make(memory, p, &view))
        return NO_MEMORY(error);
    int done = planner_tree_fits(&view) ? planner_tree(memory, &view, plan) : planner_sweep(memory, &view, plan);
    return done ? ARCL_SUCCESS : NO_MEMORY(error);
}

/* ---- alternatives ---- */

/* The same problem, but one unit has only one device; `cost` has room for its costs. */
static planner_problem with_unit_on(const planner_problem *p, int unit, int device, double *cost) {
    planner_problem forced = *p;
    memcpy(cost, p->cost, (size_t)p->units * (size_t)p->devices * sizeof *cost);
    for (int d = 0; d < p->devices; d++)
        if (d != device) cost[unit * p->devices + d] = INFINITY;
    forced.cost = cost;
    return forced;
}

static arcl_status best_with_unit_on(const planner_problem *p, int unit, int device, double *total, arcl_error *error) {
    pool memory = {0};
    planner_plan plan = {.predicted = INFINITY};
    double *cost = pool_get(&memory, (size_t)p->units * (size_t)p->devices * sizeof *cost);
    arcl_status status = cost ? ARCL_SUCCESS : NO_MEMORY(error);
    if (cost) {
        planner_problem forced = with_unit_on(p, unit, device, cost);
        status = planner_solve(&memory, &forced, &plan, error);
    }
    *total = plan.predicted;
    pool_free(&memory);
    return status;
}

arcl_status planner_next_best(const planner_problem *p, const planner_plan *plan, int unit, double *total, int *next,
                              arcl_error *error) {
    *next = -1;
    for (int d = 0; d < p->devices; d++) {
        total[d] = plan->predicted;
        if (d == plan->device[unit]) continue;
        total[d] = INFINITY;
        if (!isfinite(planner_unit_cost(p, unit, d))) continue;
        PROPAGATE(best_with_unit_on(p, unit, d, &total[d], error));
        if (*next < 0 || total[d] < total[*next]) *next = d;
    }
    return ARCL_SUCCESS;
}
