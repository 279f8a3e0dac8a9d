/* A plan as it is looked at: the choice, and per step what it costs, where else it could run, and with how many lanes
 * it would. Shared by the files that make it: plan_view.c, plan_rows.c, plan_flips.c. */
#ifndef ARCL_PLAN_VIEW_H
#define ARCL_PLAN_VIEW_H
#include "plan/choose.h"
#include "plan/shapes.h"

struct arcl_plan {
    const arcl_profile *profile;
    arcl_profile *restricted; /* what `profile` is if the user has said which shape kernels have; else NULL */
    const program_graph *program;
    int here;                       /* for the devices that are here, not for another machine's */
    uint32_t usable;                /* set of devices of the profile */
    char why[PROFILE_DEVICES][512]; /* a device is not usable */
    program_sizes *sizes;
    uint32_t lanes;
    pool memory;
    choice chosen;
    shape_table shapes; /* where it runs on one device that is not the host */
    int rows;
    arcl_plan_op *row;
    double input_bytes, input_transfer; /* of the input, to where it is read */
    double fixed;                       /* what is no row's */
    uint32_t *unit_of;                  /* per step */
    uint32_t *flips_at;                 /* per unit: lanes; 0: nowhere */
    int *flips_to;
};

/* The device of the profile on which a unit of a choice runs. */
static inline int plan_device_of(const choice *c, int unit) {
    return c->unit_device ? c->unit_device[unit] : c->device;
}

choice_request plan_request(const arcl_plan *p, uint32_t lanes);

/* Each fills its part of a plan whose choice is made. */
ARCL_CHECKED arcl_status plan_find_flips(arcl_plan *p, arcl_error *error);
ARCL_CHECKED arcl_status plan_fill_rows(arcl_plan *p, arcl_error *error);

#endif
