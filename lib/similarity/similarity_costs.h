/* What comparing costs by a profile, for choosing among variants and devices.
 *
 * The first comparison of a variant on a device opens the device and compiles. That is worth it when it saves more than
 * it takes, now or together with what earlier comparisons would have saved: so it counts as a part of the costs, less
 * by what has been missed so far.
 */
#ifndef ARCL_SIMILARITY_COSTS_H
#define ARCL_SIMILARITY_COSTS_H
#include "base/similarity_variants.h"
#include "profile/profile.h"

/* What decides how long a comparison takes: how many grids, and the largest sides. */
typedef struct similarity_size {
    uint32_t outputs, expected;
    int h, w;
} similarity_size;

/* The same as one number: pairs of cells. */
static inline double similarity_work(const similarity_size *s) {
    return (double)s->outputs * s->expected * (double)s->h * (double)s->w;
}

typedef struct similarity_use {
    int used;      /* in this context */
    double missed; /* nanoseconds that would have been saved, had it been used */
} similarity_use;

typedef struct similarity_costs { /* starts out zeroed */
    similarity_use of[PROFILE_DEVICES][SIMILARITY_VARIANTS];
} similarity_costs;

/* Whether there is anything to choose by: costs of another device than the host. */
int similarity_costs_known(const arcl_profile *p);

/* The device of the profile that this one is; -1: there is none. */
int similarity_costs_device(const arcl_profile *p, const arcl_device_info *info);

/* Nanoseconds of a comparison; below 0: nobody knows. `now` has what the first use costs, too. */
double similarity_costs_run(const arcl_profile *p, int device, similarity_variant variant, const similarity_size *size);
double similarity_costs_now(const similarity_costs *s, const arcl_profile *p, int device, similarity_variant variant,
                            const similarity_size *size);

/* Another one, which takes so many nanoseconds, was chosen; or this one was. */
void similarity_costs_miss(similarity_costs *s, const arcl_profile *p, int device, similarity_variant variant,
                           const similarity_size *size, double chosen);
void similarity_costs_use(similarity_costs *s, int device, similarity_variant variant);

#endif
