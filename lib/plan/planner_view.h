/* A problem as the planner's methods look at it, and the methods. Internal to lib/planner*.c, and to what shows their
 * plans (plan_rows.c). */
#ifndef ARCL_PLANNER_VIEW_H
#define ARCL_PLANNER_VIEW_H
#include "base/pool.h"
#include "plan/planner_problem.h"

/* Values are numbered as their makers; the input is value `units`. */
typedef struct planner_view {
    const planner_problem *problem;
    uint32_t *first_reader;   /* [value]: where in `reader` its readers begin; one entry more for the end */
    uint32_t *reader;         /* units, in ascending order; each once, however often it reads the value */
    unsigned char *is_result; /* [value] */
} planner_view;

/* What comes after a unit costs at least so much. See planner_bound.c. */
typedef struct planner_bound {
    int *lead;     /* [unit]: the value that it counts as following on, `units` if none */
    double *after; /* [value * devices + device]: all that follows on the value, if that is made on the device */
    double *with;  /* [unit * devices + device of its lead]: the unit and all that follows on its value */
} planner_bound;

/* These return 0 when there is no memory. */
int planner_view_make(pool *memory, const planner_problem *problem, planner_view *view);
int planner_bound_make(pool *memory, const planner_view *view, planner_bound *bound);

/* The methods. They begin with a plan that can be carried out and whose cost is known, and look for a better one;
 * planner_tree is for what fits only. planner_tree and planner_sweep return 0 when there is no memory. */
int planner_tree_fits(const planner_view *view);
int planner_tree(pool *memory, const planner_view *view, planner_plan *plan);
int planner_sweep(pool *memory, const planner_view *view, planner_plan *plan);
void planner_climb(const planner_view *view, planner_plan *plan);

static inline int planner_value_of(const planner_problem *p, uint32_t use) {
    return use == PLANNER_INPUT ? p->units : (int)use;
}

static inline int planner_readers(const planner_view *v, int value) {
    return (int)(v->first_reader[value + 1] - v->first_reader[value]);
}

#endif
