/* Synthetic profiles, for tests of what is made of them: nobody has measured these numbers. */
#ifndef SYNTHETIC_PROFILE_H
#define SYNTHETIC_PROFILE_H
#include <stdio.h>
#include <string.h>

#include "profile/profile.h"

/* So many nanoseconds a launch, a lane and an element. */
static inline kernel_cost synthetic_kernel(double per_launch, double per_lane, double per_element) {
    kernel_cost c = {.per_element = per_element, .most_elements = 1e9, .samples = 1, .correction = 1};
    curve_add(&c.launch, 1, per_launch + per_lane);
    curve_add(&c.launch, 1e7, per_launch + 1e7 * per_lane);
    return c;
}

/* Every kernel alike. */
static inline void synthetic_costs(profile_device *d, double per_launch, double per_lane, double per_element) {
    int is_host = strcmp(d->kind, "host") == 0;
    snprintf(d->variant[0], sizeof d->variant[0], "%s", is_host ? "synthetic" : profile_shapes[PROFILE_LANE]);
    d->variants = 1;
    for (unsigned k = 1; k < KERNEL_COUNT; k++) d->cost[0][k] = synthetic_kernel(per_launch, per_lane, per_element);
}

/* The host of this context, one thread as fast as all: 20 ns a launch, 10 ns a lane, 1 ns an element. */
static inline profile_device *synthetic_host(arcl_profile *p, arcl_context *c) {
    arcl_device_info info;
    if (arcl_device_get(c, 0, &info, NULL)) return NULL;
    profile_identity identity = profile_identity_of(&info);
    profile_device *d = profile_device_get(p, "host", "host", &identity);
    if (!d) return NULL;
    synthetic_costs(d, 20, 10, 1);
    d->overhead[OVERHEAD_run] = 200;
    d->overhead[OVERHEAD_chunk] = 50;
    d->chunk_words = 1 << 18;
    return d;
}

/* Like a GPU: 10 us a launch, 12 GB/s, 50 times the host's throughput. */
static inline profile_device *synthetic_gpu(arcl_profile *p, const char *id) {
    profile_identity identity = {.platform = "synthetic", .driver = "1", .compute_units = 1};
    snprintf(identity.name, sizeof identity.name, "a GPU that does not exist, %s", id);
    snprintf(identity.kernels, sizeof identity.kernels, "%s", kernel_identity);
    profile_device *d = profile_device_get(p, id, "gpu", &identity);
    synthetic_costs(d, 0, 10.0 / 50, 1.0 / 50);
    d->overhead[OVERHEAD_launch] = 10e3;
    d->overhead[OVERHEAD_chunk] = 20e3;
    d->overhead[OVERHEAD_open] = 100e6;
    for (int up = 0; up < 2; up++) {
        curve *c = up ? &d->up : &d->down;
        curve_add(c, 0, 10e3);
        curve_add(c, 12e9, 10e3 + 1e9);
    }
    return d;
}

/* The kernels that have teams, measured in that shape as well, alike. */
static inline void synthetic_teams(profile_device *d, double per_launch, double per_lane, double per_element) {
    strcpy(d->variant[PROFILE_TEAM], profile_shapes[PROFILE_TEAM]);
    d->variants = 2;
    for (unsigned k = 1; k < KERNEL_COUNT; k++)
        if (kernel_has(k, TEAM)) d->cost[PROFILE_TEAM][k] = synthetic_kernel(per_launch, per_lane, per_element);
}

/* Comparisons: so many nanoseconds more for the first one, and for a pair of cells. */
static inline void synthetic_similarity(profile_device *d, similarity_variant variant, double first, double per_pair) {
    d->similarity[variant] = (similarity_times){.first = first};
    curve_add(&d->similarity[variant].compare, 1, per_pair);
    curve_add(&d->similarity[variant].compare, 1e6, 1e6 * per_pair);
}

#endif
