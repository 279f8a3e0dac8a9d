/* What the selector keeps for a context and for its programs. Shared by the files lib/selector*.c only:
 * selector_profile.c loads profiles and opens devices, selector.c makes plans and keeps them, selector_learn.c learns
 * from runs. */
#ifndef ARCL_SELECTOR_STATE_H
#define ARCL_SELECTOR_STATE_H
#include "plan/choose.h"
#include "plan/shapes.h"
#include "profile/refine.h"
#include "run/device/run_mixed.h"

enum { NOT_OPEN = -1, UNUSABLE = -2 };

struct selector {
    arcl_profile *profile; /* NULL: everything runs by `fixed` */
    char notice[1024];
    int worker[PROFILE_DEVICES];    /* the first of an open device, or NOT_OPEN, UNUSABLE; the host has none */
    int workers[PROFILE_DEVICES];   /* how many it has */
    double missed[PROFILE_DEVICES]; /* nanoseconds that runs would have saved on a device that is not open */
    uint32_t usable;                /* set of devices of the profile that plans may name */
    run_plan fixed;
    int named; /* the device of the profile that everything runs on, since the options name it; 0: none, or several */
    refine refine;
    char *path; /* of the profile, where what was learnt goes; NULL: nowhere */
};

/* One of the ways in which a program is run by a plan. */
typedef struct arm {
    run_plan plan;
    evidence seen; /* times of runs, as multiples of the predicted one */
} arm;

typedef struct kept_plan {
    struct kept_plan *next;
    int size_class;
    int corrections; /* that the profile had seen when this was planned */
    /* The way that is predicted to be the best; and, on the host, the same with the other number of threads: how well
     * threads work together depends on what else the machine does, which no profile knows. */
    arm arm[2];
    int arms;
    mixed_plan parts;
    host_kernel **kernels;
    shape_table *shapes; /* per device of the profile; NULL: as the user says, or suits the devices */
    int wish;            /* a device that is not open but would be better; 0: none */
    double gain;         /* nanoseconds that it would save */
} kept_plan;

/* What the selector keeps with a program. */
typedef struct program_plans {
    kept_plans base;
    arcl_context *context;
    program_sizes *sizes;
    kept_plan *first;
} program_plans;

/* The context's selector, made when it is first wanted; NULL when there is no memory. */
struct selector *selector_of(arcl_context *c);

/* Opens the device that was measured, if it is there as it was; otherwise it is unusable from now on, and a notice says
 * why. */
void selector_open_device(arcl_context *c, struct selector *s, int device);

/* The set of devices that plans may use right now, the host among them. */
uint32_t selector_open_set(const struct selector *s);

#endif
