/* How much the rest of a program costs at least, for planner_sweep.c, which drops what cannot become good enough.
 *
 * A unit that is the first to read a value pays for the move if the value is elsewhere; later readers may find it moved
 * already. So each unit follows on at most one value, its lead: one that it is the first to read, the largest of them.
 * That makes a forest, in which one pass back finds what a unit and all that follows on it cost at least, given where
 * its lead is. All other moves and the starts of devices count as nothing. */
#include <math.h>

#include "plan/planner_view.h"

static int is_first_reader(const planner_view *v, int value, int unit) {
    return planner_readers(v, value) > 0 && v->reader[v->first_reader[value]] == (uint32_t)unit;
}

static int choose_lead(const planner_view *v, int unit) {
    const planner_problem *p = v->problem;
    int lead = p->units;
    for (uint32_t i = 0; i < p->unit[unit].uses; i++) {
        uint32_t use = p->use[p->unit[unit].first_use + i];
        if (use == PLANNER_INPUT || !is_first_reader(v, (int)use, unit)) continue;
        if (lead == p->units || p->unit[use].bytes > p->unit[lead].bytes) lead = (int)use;
    }
    return lead;
}

/* What a unit on a device costs by itself, in moves that only it can have to pay, and in what follows. */
static double cost_on(const planner_view *v, const planner_bound *b, int unit, int device) {
    const planner_problem *p = v->problem;
    double cost = planner_unit_cost(p, unit, device) + b->after[unit * p->devices + device];
    if (v->is_result[unit]) cost += planner_move_cost(p, p->unit[unit].bytes, device, 0);
    if (is_first_reader(v, p->units, unit)) cost += planner_input_fee(p, device);
    return cost;
}

static double least_with(const planner_view *v, const planner_bound *b, int unit, int lead_device) {
    const planner_problem *p = v->problem;
    int lead = b->lead[unit];
    double least = INFINITY;
    for (int d = 0; d < p->devices; d++) {
        double cost = cost_on(v, b, unit, d);
        int is_there =
            lead == p->units || (v->is_result[lead] && d == 0); /* results are moved as soon as they are made */
        if (!is_there) cost += planner_move_cost(p, p->unit[lead].bytes, lead_device, d);
        if (cost < least) least = cost;
    }
    return least;
}

int planner_bound_make(pool *memory, const planner_view *v, planner_bound *b) {
    const planner_problem *p = v->problem;
    size_t units = (size_t)p->units, devices = (size_t)p->devices;
    b->lead = pool_get(memory, units * sizeof *b->lead);
    b->after = pool_get(memory, (units + 1) * devices * sizeof *b->after);
    b->with = pool_get(memory, units * devices * sizeof *b->with);
    if (!b->lead || !b->after || !b->with) return 0;
    for (int u = p->units - 1; u >= 0; u--) {
        b->lead[u] = choose_lead(v, u);
        for (int d = 0; d < p->devices; d++) {
            double least = least_with(v, b, u, d);
            b->with[u * p->devices + d] = least;
            b->after[b->lead[u] * p->devices + d] += least;
        }
    }
    return 1;
}
