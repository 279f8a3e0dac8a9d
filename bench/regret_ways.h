/* All ways in which a program is tried: every device alone, with one worker or all; and, for short programs, every
 * split into two parts on two devices. */
#ifndef ARCL_REGRET_WAYS_H
#define ARCL_REGRET_WAYS_H
#include "run/device/run_mixed.h"
#include "run/run.h"

enum { MOST_WAYS = 128, MOST_SPLIT_OPS = 10 };

typedef struct regret_way {
    char name[64];
    run_plan plan;
    mixed_plan parts;
    int device; /* of the profile, where there is one for all; -1 for parts */
} regret_way;

typedef struct regret_ways {
    regret_way way[MOST_WAYS];
    int count;
} regret_ways;

/* The devices of the context's profile must be open. */
void regret_ways_make(arcl_context *c, const arcl_program *p, regret_ways *ways);
void regret_ways_free(regret_ways *ways);

/* The way that a plan is, or -1. */
int regret_ways_find(const regret_ways *ways, const run_plan *plan);

#endif
