/* The files that a search writes when it ends, besides its folder: a submission, JSON, a page. They are made of what
 * was found, whether that was now or before. */
#ifndef ARCL_SEARCH_FILES_H
#define ARCL_SEARCH_FILES_H
#include "arcl.h"
#include "commands/search/found_task.h"
#include "commands/search/search_totals.h"

/* All return 0, or -1 after a message. `found` has an entry for every task of the set; NULL: nothing was found for it,
 * since it belongs to another part or was not begun.
 *
 * Two attempts for every test input of all tasks, as Kaggle wants them. */
int search_submission_write(const char *path, const task_set *tasks, found_task *const *found);
int search_json_write(const char *path, const task_set *tasks, found_task *const *found, const search_totals *totals);
/* What was found, and the nearest misses, drawn: the best programs run once more, in the context. */
int search_page_write(const char *path, arcl_context *context, const char *folder, const task_set *tasks,
                      found_task *const *found, const search_totals *totals);

#endif
