/* Which device, or which devices for which parts, a program should run on: from sizes and a profile alone. Opens
 * nothing and remembers nothing, so that it answers for other machines as well as for this one.
 */
#ifndef ARCL_CHOOSE_H
#define ARCL_CHOOSE_H
#include "plan/cost.h"
#include "plan/planner.h"

typedef struct choice {
    int device;                    /* of the profile: the best one for everything */
    cost_way way[PROFILE_DEVICES]; /* how each would run everything */
    int able[PROFILE_DEVICES];     /* whether it may: it is usable, and all that it would run was measured */
    /* Several devices, one per unit (split.h), where that is better than the best single one; else unit_device is
     * NULL. */
    int units;
    uint32_t *cut;
    int *unit_device;
    double predicted;        /* nanoseconds of what was chosen */
    int exact;               /* parts were considered by an exact method, or cannot be better */
    planner_problem problem; /* of placing units; problem.units is 0 if that was not looked at */
    planner_plan plan;
} choice;

typedef struct choice_request {
    const arcl_profile *profile;
    uint32_t usable;   /* set of devices of the profile */
    uint32_t input_on; /* set of devices that have the batch already */
    const program_graph *program;
    const program_sizes *sizes;
    uint32_t lanes;
    int always_parts; /* look at parts even where they cannot pay: somebody wants to know what they would cost */
} choice_request;

/* The choice's arrays are in the pool. */
ARCL_CHECKED arcl_status choose(const choice_request *r, pool *memory, choice *c, arcl_error *error);

#endif
