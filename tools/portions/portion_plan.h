/* Cutting work into portions. Results do not depend on it. */
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

/* Cuts these units, for one process that takes all in order: in portions of so many units, or of the usual size if that
 * is 0. Free them. */
portion_list portion_plan(const portion_job *job, uint64_t units, const portion_list *work);

/* The part of a job that is number `part` of `parts`, from 1: portions from all over it, of about the same cost in all
 * parts. */
portion_list portion_part(const portion_job *job, int part, int parts);

#endif
