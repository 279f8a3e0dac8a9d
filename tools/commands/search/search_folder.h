/* The folder in which a search keeps what it has found: the files of programs (found_files.h) and journals, a line per
 * task that is finished. `journal` is that of a search of all tasks, `journal-2-of-8` that of a part of them, so that
 * parts can share a folder; a search of all tasks takes what parts have finished from theirs. */
#ifndef ARCL_SEARCH_FOLDER_H
#define ARCL_SEARCH_FOLDER_H
#include "commands/search/found_task.h"
#include "data/journal.h"

/* Every `of`th task, beginning with number `part` - 1; 1 of 1 are all. */
typedef struct search_part {
    int part, of;
} search_part;

static inline int search_part_has(search_part part, int task) { return task % part.of == part.part - 1; }

typedef struct search_folder {
    const char *path, *job;
    const task_set *tasks;
    found_task **found; /* by task, the caller's; NULL: not finished */
    search_part part;
    journal journal;
} search_folder;

/* Opens the folder of a job, or makes it, and puts what is finished into `found`. Without `resume` there must not be
 * any. Returns 0, or -1 after a message. Close it in both cases. */
int search_folder_open(search_folder *folder, int resume);
void search_folder_close(search_folder *folder);

/* Keeps what was found for a task. If it is finished, it will not be searched again. Returns likewise. */
int search_folder_keep(search_folder *folder, const found_task *found);

/* When all tasks are finished: the journal has their lines in the order of tasks from now on. Returns likewise. */
int search_folder_finish(search_folder *folder);

#endif
