/* Which files a path that is given for tasks stands for: those of a folder in one of the layouts in which tasks come.
 * Looks at names only. */
#ifndef ARCL_TASK_FOLDER_H
#define ARCL_TASK_FOLDER_H
#include "cli/allocation.h"

typedef struct task_paths {
    char **tasks, **solutions; /* they belong to the memory */
    int task_count, solution_count;
    hoard memory;
} task_paths;

/* Adds the files of a path: itself; or of a folder, the first of these that there is in it:
 *   X_challenges.json, with X_solutions.json where that is, as Kaggle has them
 *   *.json, other than a metadata.json
 *   those in tasks/, or in training/ and evaluation/, or in data/training/ and data/evaluation/
 * Returns 0, or -1 after a message. Free the paths in both cases; a zeroed struct has none. */
int task_paths_add(task_paths *paths, const char *path);
void task_paths_free(task_paths *paths);

#endif
