/* Searching as a job of portions: its units are tasks, which are searched side by side in each process. What was found
 * for one goes to the writing process as a line of the journal. */
#ifndef ARCL_SEARCH_PORTIONS_H
#define ARCL_SEARCH_PORTIONS_H
#include "commands/search/search_crew.h"
#include "portions/portion_job.h"

typedef struct search_portions {
    const search_job *job;
    const int *tasks; /* the units */
    int count;
    search_crew_use *use; /* is given what was found for a task, in the writing process */
    void *arg;
    int status; /* of the worst that has come: a task that cannot be searched does not keep others from it */
} search_portions;

portion_job search_portions_job(search_portions *all);

#endif
