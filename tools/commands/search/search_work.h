/* The search of one task, from the engine's side: what it is given and what it gives. The test outputs of a task stop
 * here. */
#ifndef ARCL_SEARCH_WORK_H
#define ARCL_SEARCH_WORK_H
#include "commands/search/found_task.h"
#include "commands/search/search_job.h"

/* Is called before the search begins, when it can be ended by arcl_cancel, and when it cannot any more; the latter
 * returns whether that was done. */
typedef struct search_watch {
    void (*begins)(void *arg);
    int (*ends)(void *arg);
    void *arg;
} search_watch;

/* Searches task number `task` in a context that nobody else uses. *found is what was found, if it ended early too; free
 * it. */
arcl_status search_work_run(const search_job *job, arcl_context *context, int task, const search_watch *watch,
                            found_task **found, arcl_error *error);

#endif
