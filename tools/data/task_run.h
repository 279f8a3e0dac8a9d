/* One program on one task: running it, and what came out. */
#ifndef ARCL_TASK_RUN_H
#define ARCL_TASK_RUN_H
#include "data/program_files.h"
#include "data/session.h"
#include "data/task_file.h"

typedef struct task_run {
    arcl_context *context;
    const arc_task *task;
    const program_entry *program;
    session_work work;
    int is_grid; /* the result is a grid */
} task_run;

/* Compiles the program and runs it on all examples of the task. Returns CLI_DONE, or another exit status after a
 * message. Close it in both cases. */
int task_run_start(arcl_context *context, const arc_task *task, const program_entry *program, task_run *run);
void task_run_close(task_run *run);

typedef enum task_verdict { TASK_FAILED, TASK_UNKNOWN, TASK_RIGHT, TASK_WRONG } task_verdict;

/* Compares with the output in the task, where there is one. Lanes are the task's examples. */
task_verdict task_run_judge(const task_run *run, uint32_t lane);

/* CLI_DONE if no example failed or differs, else CLI_MISMATCH. */
int task_run_status(const task_run *run);

/* How the program was compiled. */
arcl_compile_options task_run_options(const task_run *run);

/* Where a lane has failed. Returns 0, or -1 if that cannot be told. */
int task_run_failure(const task_run *run, uint32_t lane, arcl_failure *failure);

/* The output of a lane that has one: cells that belong to the result. */
task_grid task_run_output(const task_run *run, uint32_t lane);

#endif
