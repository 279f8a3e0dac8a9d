/* What runs of one program have taken, by their number of lanes: the medians of the last ones, and a curve through
 * them. For whoever has no profile to predict with. Not safe from several threads at once. */
#ifndef ARCL_RUN_COSTS_H
#define ARCL_RUN_COSTS_H
#include <stdint.h>

#include "base/curve.h"

/* The last few values: outliers, up to three of them, do not move their median. */
#define RECENT 7
typedef struct recent_values {
    double value[RECENT];
    uint32_t count; /* of all that came, also of those that are forgotten */
} recent_values;
void recent_add(recent_values *r, double value);
double recent_median(const recent_values *r); /* below 0: there is none */

typedef struct run_costs {
    recent_values lanes[CURVE_POINTS], nanoseconds[CURVE_POINTS]; /* by powers of two of the lanes */
    curve medians;
} run_costs;
void run_costs_add(run_costs *c, uint32_t lanes, double nanoseconds);

/* Nanoseconds for so many lanes; below 0: nothing was measured. Beyond what was measured a lane costs what it did at
 * the end of that: what was never seen promises no saving. */
double run_costs_at(const run_costs *c, double lanes);

#endif
