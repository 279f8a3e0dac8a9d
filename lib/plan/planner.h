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
#include "base/pool.h"
#include "plan/planner_problem.h"

/* The best plan. Its arrays are in the pool, as is what is needed meanwhile. ARCL_INVALID if the problem makes no sense
 * or a unit can run nowhere. */
ARCL_CHECKED arcl_status planner_solve(pool *memory, const planner_problem *problem, planner_plan *plan,
                                       arcl_error *error);

/* What would it cost if this unit ran elsewhere? total[device] is the predicted time of the best plan in which the unit
 * runs there: all others are placed anew, as if it had no choice. INFINITY where it cannot run; the plan's own time for
 * its own device. `next` gets the best of the other devices, -1 if there is none. A total may be less than the plan's
 * time if that is not exact. */
ARCL_CHECKED arcl_status planner_next_best(const planner_problem *problem, const planner_plan *plan, int unit,
                                           double *total, int *next, arcl_error *error);

#endif
