#include "plan/planner_problem.h"

static double move_to(const planner_problem *p, double bytes, int from, uint32_t to, double *moved_bytes) {
    double cost = 0;
    for (int d = 0; d < p->devices; d++) {
        if (d == from || !(to >> d & 1)) continue;
        cost += planner_move_cost(p, bytes, from, d);
        *moved_bytes += bytes;
    }
    return cost;
}

double planner_cost(const planner_problem *p, planner_plan *plan) {
    uint32_t used = 1, input_free = planner_input_free(p);
    double cost = 0;
    plan->input_held = input_free;
    plan->moved_bytes = 0;
    for (int u = 0; u < p->units; u++) {
        uint32_t here = (uint32_t)1 << plan->device[u];
        used |= here;
        plan->held[u] = here;
        cost += planner_unit_cost(p, u, plan->device[u]);
        for (uint32_t i = 0; i < p->unit[u].uses; i++) {
            uint32_t use = p->use[p->unit[u].first_use + i];
            *(use == PLANNER_INPUT ? &plan->input_held : &plan->held[use]) |= here;
        }
    }
    for (int i = 0; i < p->results; i++) plan->held[p->result[i]] |= 1;
    for (int u = 0; u < p->units; u++)
        cost += move_to(p, p->unit[u].bytes, plan->device[u], plan->held[u], &plan->moved_bytes);
    cost += move_to(p, p->input_bytes, 0, plan->input_held & ~input_free, &plan->moved_bytes);
    for (int d = 0; d < p->devices; d++)
        if (used >> d & 1) cost += p->start[d];
    return plan->predicted = cost;
}
