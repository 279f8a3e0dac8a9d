/* Cutting work into portions. Results do not depend on it; how evenly many processes are busy does. */
#ifndef ARCL_PORTION_PLAN_H
#define ARCL_PORTION_PLAN_H
#include <stddef.h>

#include "portions/portion_job.h"

typedef struct portion_list {
    portion *list;
    size_t count, room;
} portion_list;

/* A zeroed list is empty. Free it. */
void portion_list_add(portion_list *list, portion units);
void portion_list_free(portion_list *list);

/* What decides how large portions are. */
typedef struct portion_sizes {
    int workers;           /* that share them; 0: one that takes all in order */
    uint64_t units;        /* of a portion, if that was said; 0: chosen */
    const double *factors; /* of each `each` of the job: how much more it costs than expected; NULL: 1 */
} portion_sizes;

/* What units that are within one `each` will cost. */
double portion_cost(const portion_job *job, const portion_sizes *sizes, portion units);

/* Cuts these units. For one worker in portions of the usual size; for several, so that those that cost most come first,
 * and so little is left in the end that all are done at the same time. */
portion_list portion_plan(const portion_job *job, const portion_sizes *sizes, const portion_list *work);

/* The part of a job that is number `part` of `parts`, from 1: portions from all over it, of about the same cost in all
 * parts. */
portion_list portion_part(const portion_job *job, int part, int parts);

#endif
