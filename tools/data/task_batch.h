/* Batches made of tasks: what a program's parameters mean for an example. */
#ifndef ARCL_TASK_BATCH_H
#define ARCL_TASK_BATCH_H
#include "arcl.h"
#include "data/task_file.h"

/* The forms of a program: of the input alone, or with the task's train pairs. */
enum task_form { TASK_INPUT, TASK_WITH_PAIRS, TASK_FORMS };

/* The form of a compiled program, or -1 if its parameters are others. */
int task_form_of(const arcl_program *program);

/* A batch without lanes for programs of that form, and a lane more in it. */
arcl_status task_batch_create(arcl_context *context, int form, arcl_batch **batch, arcl_error *error);
arcl_status task_batch_add(arcl_batch *batch, int form, const arc_task *task, const task_example *example,
                           arcl_error *error);

/* A batch with a lane for every example of a task. Free it in any case. */
arcl_status task_batch_of(arcl_context *context, int form, const arc_task *task, arcl_batch **batch, arcl_error *error);

#endif
