/* Where should every part of a program run? The planner places units on devices so that the predicted time of
 * everything, moves between devices included, is least. It works on numbers alone: what a unit does, what a device is
 * and where the numbers come from is its caller's business.
 *
 * THE MODEL
 *   Units run one after the other. A unit reads the input or values of earlier units and makes one value. Device 0 is
 *   the host: the input is there at first, the results must be there in the end. A value that is needed on another
 *   device than its maker's is moved there once, from its maker's device (the input: from the host), and is valid in
 *   both places from then on. A plan costs
 *
 *       the start of every device that is used + every unit on its device + every move
 *
 *   where the host counts as used in any case.
 *
 * THE METHOD
 *   - Where every value has at most one reader (chains and trees; the input may have many): dynamic programming over
 *     the tree. Exact, for up to five devices: above, starts of devices can be paid in too many ways. planner_tree.c
 *   - Everything else: dynamic programming over the units in their order. Partial plans that differ only in what no
 *     later unit can notice count as one; those that cannot become better than the best known plan are dropped, for
 *     which there is a lower bound of what the rest costs (planner_bound.c). Exact, unless more partial plans are left
 *     than there is time for: then only the most promising go on, and in the end single units are moved as long as that
 *     helps (planner_climb.c). It takes a program with many values alive at a time to get there. planner_sweep.c
 *   The result is never worse than any plan with a single device. The same problem gives the same plan.
 */
#ifndef ARCL_PLANNER_H
#define ARCL_PLANNER_H
#include <stdint.h>

#include "arcl.h"
#include "base/pool.h"

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

/* The best plan. Its arrays are in the pool, as is what is needed meanwhile. ARCL_INVALID if the problem makes no sense
 * or a unit can run nowhere. */
ARCL_CHECKED arcl_status planner_solve(pool *memory, const planner_problem *problem, planner_plan *plan,
                                       arcl_error *error);

/* What any placement costs: reads plan->device, sets everything else but `exact`, returns plan->predicted. */
double planner_cost(const planner_problem *problem, planner_plan *plan);

/* What would it cost if this unit ran elsewhere? total[device] is the predicted time of the best plan in which the unit
 * runs there: all others are placed anew, as if it had no choice. INFINITY where it cannot run; the plan's own time for
 * its own device. `next` gets the best of the other devices, -1 if there is none. A total may be less than the plan's
 * time if that is not exact. */
ARCL_CHECKED arcl_status planner_next_best(const planner_problem *problem, const planner_plan *plan, int unit,
                                           double *total, int *next, arcl_error *error);

#endif
