/* Many searches side by side: threads that each have a context, and take one task after the other. What they find comes
 * to the thread that waits for them, which alone writes files, draws and sees signals. It also ends searches: one whose
 * time is over, and all when a signal has come. */
#ifndef ARCL_SEARCH_CREW_H
#define ARCL_SEARCH_CREW_H
#include "commands/search/found_task.h"
#include "commands/search/search_job.h"

/* Is given what was found for a task, which it owns from then on. Returns 0, or -1 after a message: no other task is
 * begun then. */
typedef int search_crew_use(void *arg, found_task *found);

/* Searches the tasks with these numbers. Returns CLI_DONE, also if it was interrupted, or another exit status after
 * messages. */
int search_crew_run(const search_job *job, const int *tasks, int count, search_crew_use *use, void *arg);

#endif
