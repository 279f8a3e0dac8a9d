/* Tasks, and what a program made of one, in the terminal and as pictures. */
#ifndef ARCL_TASK_SHOW_H
#define ARCL_TASK_SHOW_H
#include "data/task_run.h"
#include "draw/panel.h"

/* All pairs of a task. */
void task_show_print(const arc_task *task);
/* The same as a picture. Returns 0, or -1 after a message. */
int task_show_picture(const char *path, const arc_task *task);

/* "train[0] 3x3 not as expected: 2 cells differ", the line above the output of a lane; 0: how many is not said. A value
 * that is no grid has to follow on it. If the lane has failed, where that was follows. */
void task_show_verdict(const task_run *run, uint32_t lane, int differing);

/* Input, expected, got and difference; of the last three only what tells something. Returns how many cells differ. */
int task_show_panels(const task_run *run, uint32_t lane, hoard *owner, panel_row *row);

/* These of every example. */
void task_show_run(const task_run *run);
int task_show_run_picture(const char *path, const task_run *run);

#endif
