/* Running a program in parts on different devices: for each chunk of lanes part after part, each where the plan says.
 * What crosses from one to the next is a piece of memory that the first has packed for the other. */
#ifndef ARCL_MIXED_H
#define ARCL_MIXED_H
#include "run/job.h"

#define MIXED_HOST (-1)

typedef struct mixed_part {
    program_graph *program; /* by split_part */
    int device;             /* MIXED_HOST, or the number of a device's first worker in the context */
    int queues;             /* of the device */
    const uchar *is_team;   /* as of a run_plan */
} mixed_part;

typedef struct mixed_plan {
    mixed_part *part;
    int parts;
} mixed_plan;

/* A plan by units of the program (split.h): unit i runs on device[i]. */
ARCL_CHECKED arcl_status mixed_plan_make(arcl_context *c, const program_graph *p, const int *device, mixed_plan *plan,
                                         arcl_error *error);
void mixed_plan_free(mixed_plan *plan);

#endif
