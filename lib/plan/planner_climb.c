/* Improves a plan as far as moving single units to other devices does. planner_sweep.c has it look at plans that it
 * could not prove to be the best: those of wide programs, where it has to drop much. */
#include <math.h>

#include "plan/planner_view.h"

typedef struct climb {
    const planner_view *view;
    int *device;
    int units_on[PLANNER_DEVICES];
} climb;

static double value_moves(const climb *c, int value) {
    const planner_view *v = c->view;
    const planner_problem *p = v->problem;
    int is_input = value == p->units, maker = is_input ? 0 : c->device[value];
    uint32_t to = v->is_result[value];
    for (uint32_t i = v->first_reader[value]; i < v->first_reader[value + 1]; i++)
        to |= (uint32_t)1 << c->device[v->reader[i]];
    if (is_input) to &= ~planner_input_free(p);
    double cost = 0, bytes = is_input ? p->input_bytes : p->unit[value].bytes;
    for (int d = 0; d < p->devices; d++)
        if (to >> d & 1) cost += planner_move_cost(p, bytes, maker, d);
    return cost;
}

static int read_before(const planner_unit *unit, const uint32_t *use, uint32_t i) {
    for (uint32_t k = 0; k < i; k++)
        if (use[unit->first_use + k] == use[unit->first_use + i]) return 1;
    return 0;
}

/* All costs that depend on where the unit is: itself, the moves of its value and of those that it reads, and the start
 * of the device if nobody else is there. */
static double cost_around(const climb *c, int unit) {
    const planner_problem *p = c->view->problem;
    const planner_unit *what = &p->unit[unit];
    int device = c->device[unit];
    double cost = planner_unit_cost(p, unit, device) + value_moves(c, unit);
    for (uint32_t i = 0; i < what->uses; i++)
        if (!read_before(what, p->use, i)) cost += value_moves(c, planner_value_of(p, p->use[what->first_use + i]));
    return device && !c->units_on[device] ? cost + p->start[device] : cost;
}

/* Ignores gains that may be nothing but rounding, with which it could go round in circles. */
static int improve_unit(climb *c, int unit) {
    const planner_problem *p = c->view->problem;
    int before = c->device[unit], best = before;
    c->units_on[before]--;
    double least = cost_around(c, unit) * (1 - 1e-9);
    for (int d = 0; d < p->devices; d++) {
        if (d == before || !isfinite(planner_unit_cost(p, unit, d))) continue;
        c->device[unit] = d;
        double cost = cost_around(c, unit);
        if (cost >= least) continue;
        least = cost;
        best = d;
    }
    c->device[unit] = best;
    c->units_on[best]++;
    return best != before;
}

void planner_climb(const planner_view *v, planner_plan *plan) {
    climb c = {.view = v, .device = plan->device};
    int units = v->problem->units;
    for (int u = 0; u < units; u++) c.units_on[plan->device[u]]++;
    for (int unchanged = 0, u = 0; unchanged < units; u = (u + 1) % units)
        unchanged = improve_unit(&c, u) ? 0 : unchanged + 1;
    planner_cost(v->problem, plan);
}
