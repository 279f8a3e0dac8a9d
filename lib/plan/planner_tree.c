/* The best plan of a forest: every value but the input has at most one reader. Units come before their readers, so one
 * pass forward finds what each unit's part of the tree costs on each device, and one pass back takes the best choices.
 *
 * What several units pay together, the starts of devices and the moves of the input, does not fit into that. It is paid
 * beforehand instead: one pass for each set of such fees, in which units keep to the devices that are paid for. The
 * first pass has everything for free; what it finds bounds all the others, most of which then need not be done. */
#include <math.h>
#include <string.h>

#include "plan/planner_view.h"

#define MOST_PASSES 81 /* four devices besides the host: unused, used without the input, used with the input */

typedef struct tree {
    const planner_view *view;
    double *total;         /* [unit * devices + device]: the unit and all that its value is made from */
    unsigned char *choice; /* [unit * devices + device of its reader]: the unit's best device */
    int *candidate;        /* [unit]: a placement */
} tree;

/* ---- fees ---- */

typedef struct fees {
    uint32_t start, input; /* sets of devices */
} fees;

static fees find_fees(const planner_view *v) {
    const planner_problem *p = v->problem;
    fees all = {0, 0};
    for (int d = 1; d < p->devices; d++) {
        uint32_t bit = (uint32_t)1 << d;
        if (p->start[d] > 0) all.start |= bit;
        if (planner_readers(v, p->units) > 0 && planner_input_fee(p, d) > 0) all.input |= bit;
    }
    return all;
}

static double sum_of(const planner_problem *p, fees f) {
    double sum = p->start[0];
    for (int d = 1; d < p->devices; d++) {
        if (f.start >> d & 1) sum += p->start[d];
        if (f.input >> d & 1) sum += planner_input_fee(p, d);
    }
    return sum;
}

int planner_tree_fits(const planner_view *v) {
    fees all = find_fees(v);
    int passes = 1;
    for (int u = 0; u < v->problem->units; u++)
        if (planner_readers(v, u) > 1) return 0;
    for (int d = 1; d < v->problem->devices && passes <= MOST_PASSES; d++)
        passes *= 1 + (int)(all.start >> d & 1) + (int)(all.input >> d & 1);
    return passes <= MOST_PASSES;
}

/* ---- one pass ---- */

/* What the units cost by themselves, where all fees of `all` must have been paid to use a device. */
static void set_unit_costs(tree *t, fees all, fees paid) {
    const planner_view *v = t->view;
    const planner_problem *p = v->problem;
    uint32_t usable = paid.start | ~all.start, has_input = paid.input | ~all.input;
    for (int u = 0; u < p->units; u++)
        for (int d = 0; d < p->devices; d++)
            t->total[u * p->devices + d] = usable >> d & 1 ? planner_unit_cost(p, u, d) : INFINITY;
    for (uint32_t i = v->first_reader[p->units]; i < v->first_reader[p->units + 1]; i++)
        for (int d = 0; d < p->devices; d++)
            if (!(has_input >> d & 1)) t->total[(int)v->reader[i] * p->devices + d] = INFINITY;
}

enum { NOWHERE = -1 };

/* The least that a unit's part of the tree costs if its value is needed on a device or nowhere, and by the host if it
 * is a result. */
static double best_for(const tree *t, int unit, int needed_on, int *best) {
    const planner_problem *p = t->view->problem;
    double least = INFINITY, bytes = p->unit[unit].bytes;
    *best = 0;
    for (int d = 0; d < p->devices; d++) {
        double total = t->total[unit * p->devices + d];
        if (needed_on != NOWHERE) total += planner_move_cost(p, bytes, d, needed_on);
        if (needed_on != 0 && t->view->is_result[unit]) total += planner_move_cost(p, bytes, d, 0);
        if (total < least) {
            least = total;
            *best = d;
        }
    }
    return least;
}

static double place(tree *t, fees all, fees paid) {
    const planner_view *v = t->view;
    const planner_problem *p = v->problem;
    double sum = 0;
    set_unit_costs(t, all, paid);
    for (int u = 0; u < p->units; u++) {
        if (planner_readers(v, u) == 0) {
            sum += best_for(t, u, NOWHERE, &t->candidate[u]);
            continue;
        }
        int reader = (int)v->reader[v->first_reader[u]], best;
        for (int d = 0; d < p->devices; d++) {
            t->total[reader * p->devices + d] += best_for(t, u, d, &best);
            t->choice[u * p->devices + d] = (unsigned char)best;
        }
    }
    for (int u = p->units - 1; u >= 0; u--)
        if (planner_readers(v, u) > 0)
            t->candidate[u] = t->choice[u * p->devices + t->candidate[v->reader[v->first_reader[u]]]];
    return sum;
}

/* ---- all passes ---- */

/* Keeps the placement if it is better than the plan. */
static void keep(const tree *t, double cost, planner_plan *plan) {
    if (cost >= plan->predicted) return;
    plan->predicted = cost;
    memcpy(plan->device, t->candidate, (size_t)t->view->problem->units * sizeof *plan->device);
}

/* All subsets of all fees, the input's only where the start is paid. The subset before s is (s - 1) & set. */
static void try_all_fees(tree *t, fees all, double least, planner_plan *plan) {
    fees paid;
    for (paid.start = all.start;; paid.start = (paid.start - 1) & all.start) {
        uint32_t useful = all.input & (paid.start | ~all.start);
        for (paid.input = useful;; paid.input = (paid.input - 1) & useful) {
            double fee = sum_of(t->view->problem, paid);
            if (fee + least < plan->predicted) keep(t, fee + place(t, all, paid), plan);
            if (!paid.input) break;
        }
        if (!paid.start) break;
    }
}

int planner_tree(pool *memory, const planner_view *v, planner_plan *plan) {
    const planner_problem *p = v->problem;
    size_t units = (size_t)p->units, pairs = units * (size_t)p->devices;
    tree t = {.view = v,
              .total = pool_get(memory, pairs * sizeof *t.total),
              .choice = pool_get(memory, pairs),
              .candidate = pool_get(memory, units * sizeof *t.candidate)};
    if (!t.total || !t.choice || !t.candidate) return 0;
    fees all = find_fees(v), none = {0, 0};
    double least = place(&t, none, none);
    planner_plan free_plan = {.device = t.candidate, .held = plan->held};
    keep(&t, planner_cost(p, &free_plan), plan);
    try_all_fees(&t, all, least, plan);
    planner_cost(p, plan);
    plan->exact = 1;
    return 1;
}
