/* What the planner is asked and what it answers, and what an answer costs. planner.h has the model. */
#ifndef ARCL_PLANNER_PROBLEM_H
#define ARCL_PLANNER_PROBLEM_H
#include <stdint.h>

#include "arcl.h"

#define PLANNER_DEVICES 32 /* the most that there may be: sets of devices are bits of a word */
#define PLANNER_INPUT 0xffffffffu

typedef struct planner_unit {
    uint32_t first_use, uses; /* what it reads: a part of planner_problem.use */
    double bytes;             /* of the value that it makes */
} planner_unit;

/* Times are in nanoseconds. No number is negative or NaN; all are finite where nothing else is said. */
typedef struct planner_problem {
    int devices, units, results;
    const planner_unit *unit; /* in the order in which they run */
    const uint32_t *use;      /* numbers of earlier units, or PLANNER_INPUT */
    const uint32_t *result;   /* numbers of the units whose values the host must have in the end */
    const double *cost;       /* [unit * devices + device]; INFINITY where a unit cannot run */
    const double *start;      /* [device]: for using it at all */
    /* [from * devices + to]: a move takes latency + bytes * per_byte. Where there is no direct way, the caller puts the
     * way over the host here. */
    const double *latency, *per_byte;
    double input_bytes;
    uint32_t input_on; /* set of devices that have the input already; the host always has */
} planner_problem;

typedef struct planner_plan {
    int *device;         /* [unit] */
    uint32_t *held;      /* [unit]: set of devices that have its value in the end; all but its maker's were sent it */
    uint32_t input_held; /* likewise; all but those that had it already were sent it */
    double predicted, moved_bytes;
    int exact; /* proven to be the best; otherwise the best that was found */
} planner_plan;

/* What any placement costs: reads plan->device, sets everything else but `exact`, returns plan->predicted. */
double planner_cost(const planner_problem *problem, planner_plan *plan);

static inline double planner_unit_cost(const planner_problem *p, int unit, int device) {
    return p->cost[unit * p->devices + device];
}

static inline double planner_move_cost(const planner_problem *p, double bytes, int from, int to) {
    int i = from * p->devices + to;
    return from == to ? 0 : p->latency[i] + bytes * p->per_byte[i];
}

/* The devices that have the input without paying for it. */
static inline uint32_t planner_input_free(const planner_problem *p) { return p->input_on | 1; }

static inline double planner_input_fee(const planner_problem *p, int device) {
    return planner_input_free(p) >> device & 1 ? 0 : planner_move_cost(p, p->input_bytes, 0, device);
}

#endif
