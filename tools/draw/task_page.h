/* Tasks, and what a program made of one, as pages. */
#ifndef ARCL_TASK_PAGE_H
#define ARCL_TASK_PAGE_H
#include "data/task_run.h"
#include "draw/page.h"

/* The examples of a task, drawn: input and output side by side. With a title the outputs are called so. */
void task_page_examples(FILE *out, const arc_task *task, const char *title, int most);

/* "train[0]: 2 cells differ", and the panels of task_show_panels below it. */
void task_page_lane(FILE *out, const task_run *run, uint32_t lane);

/* A gallery of tasks from one path. Returns 0, or -1 after a message. */
int task_page_gallery(const char *path, const char *from, const arc_task *const *tasks, int count);

/* What a program makes of every example of a task. Returns likewise. */
int task_page_run(const char *path, arcl_context *context, const program_entry *program, const task_run *run);

#endif
