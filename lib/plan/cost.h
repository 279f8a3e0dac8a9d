/* What a program would cost on a device, by its sizes and a profile. Predicts; decides nothing but how a single device
 * would best go about it: in chunks of how many lanes, with one worker or all.
 */
#ifndef ARCL_COST_H
#define ARCL_COST_H
#include "profile/profile.h"
#include "profile/sizes.h"

/* Nanoseconds, by what they go into. */
typedef struct cost_parts {
    double fixed;     /* calls, chunks, waking workers */
    double queue;     /* putting launches into a queue */
    double execution; /* of kernels */
    double transfer;  /* to the device and back */
    int unmeasured;   /* launches that nobody has measured; they count as nothing */
    int extrapolated; /* launches beyond what was measured */
} cost_parts;

double cost_total(const cost_parts *p);

/* How a device would run all lanes. */
typedef struct cost_way {
    uint32_t chunk; /* lanes */
    int workers;    /* 1, or all that the device has */
    cost_parts parts;
    double total, serial; /* serial: with one worker */
} cost_way;

/* A launch in a chunk of so many lanes: the variant of its kernel that is best there, and what one costs. */
typedef struct launch_cost {
    int variant;
    cost_estimate one;
} launch_cost;

launch_cost cost_of_launch(const profile_device *d, const launch_size *l, double lanes);

/* Launches of steps first .. last of one chunk of so many lanes; `whole` adds those before and after all steps. */
cost_parts cost_of_steps(const profile_device *d, const program_sizes *s, uint32_t first, uint32_t last, int whole,
                         double lanes);

/* The best way to run a program of so many steps over so many lanes. */
cost_way cost_best_way(const profile_device *d, const program_sizes *s, int steps, uint32_t lanes);

/* The same with the chunk and the workers given. */
cost_way cost_of_way(const profile_device *d, const program_sizes *s, int steps, uint32_t lanes, uint32_t chunk,
                     int workers);

#endif
