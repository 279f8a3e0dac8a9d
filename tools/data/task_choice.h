/* Which program on which task: what `arcl run`, `show` and `explain` are about. */
#ifndef ARCL_TASK_CHOICE_H
#define ARCL_TASK_CHOICE_H
#include "cli/options.h"
#include "data/program_files.h"
#include "data/task_file.h"

/* A file of tasks and one of programs, and which of each is meant. */
typedef struct task_choice {
    task_set tasks;
    program_list programs;
    const arc_task *task;
    const program_entry *program;
} task_choice;

/* Loads both files and chooses as --task and --program say, and else by names; without tasks (NULL) a program alone.
 * Returns 0, or -1 after a message. Close it in both cases. */
int task_choice_open(arcl_context *context, const char *tasks, char *programs, const cli_options *options,
                     task_choice *choice);
void task_choice_close(task_choice *choice);

/* The two halves of opening: load both, then choose. Between them a command may see that a file is another thing than
 * programs to choose from; then the task is chosen alone. Return likewise. */
int task_choice_load(arcl_context *context, const char *tasks, char *programs, const cli_options *options,
                     task_choice *choice);
int task_choice_choose(const char *tasks, const char *programs, const cli_options *options, task_choice *choice);
int task_choice_choose_task(const char *tasks, const cli_options *options, task_choice *choice);

#endif
