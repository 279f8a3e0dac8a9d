/* Tasks: the ARC JSON format, read and checked. A path is a task file, one file that maps ids to tasks, or a folder
 * (data/task_folder.h says of which kinds). A task may also be a list of examples. Nothing is skipped: a path with
 * anything wrong in it is refused as a whole, with a message for each file. */
#ifndef ARCL_TASK_FILE_H
#define ARCL_TASK_FILE_H
#include "arcl.h"
#include "data/grid_json.h"
#include "data/task_folder.h"

typedef struct task_example {
    const char *part; /* "train" or "test" */
    int index;        /* in that part, from 0 */
    task_grid input, output;
} task_example;

typedef struct arc_task {
    const char *id;
    const char *file;
    int count;
    task_example *examples; /* train, then test */
} arc_task;

typedef struct task_set {
    int count;
    const arc_task **tasks; /* by id */
    struct task_source *sources;
    int source_count;
} task_set;

/* All tasks of these paths; one that is in several of them counts once. Returns 0, or -1 after messages. The context
 * only lends its threads. Free the set in both cases. */
int task_set_load(arcl_context *context, const char *const *paths, int count, task_set *set);
/* The same of files that were found. */
int task_set_load_files(arcl_context *context, const task_paths *files, task_set *set);
void task_set_free(task_set *set);

/* Reads the outputs of test examples, {"id": [grid, ..], ..}, into tasks that do not have them. Returns 0, or -1 after
 * a message. */
int task_set_add_solutions(task_set *set, const char *path);

/* Grids that are there. */
int task_grid_is_same(const task_grid *a, const task_grid *b);

/* The place in the set of the task with an id, or of the one after which a program is named: its name is the id or ends
 * with _ and the id. -1 if there is none. */
int task_set_find(const task_set *set, const char *id);
int task_set_match(const task_set *set, const char *program);

/* Says that there is no task with that id, and which may have been meant. */
void task_set_refuse(const task_set *set, const char *path, const char *id);

/* The task a user means: the one with that id, or the only one if id is NULL. NULL after a message. */
const arc_task *task_set_choose(const task_set *set, const char *path, const char *id);

#endif
