/* Scoring one program: its output on every example of its tasks, compared with the grid that is expected. */
#ifndef ARCL_SCORE_JOB_H
#define ARCL_SCORE_JOB_H
#include "arcl.h"
#include "program_files.h"
#include "session.h"
#include "task_batch.h"
#include "task_file.h"

/* Tasks whose examples are run together: all that have an output, task by task, are the lanes of one batch. */
typedef struct score_target {
    const arc_task *const *tasks;
    int count;
    uint32_t lanes;
    arcl_batch *batch[TASK_FORMS]; /* made by score_target_batch; NULL before */
} score_target;

/* Counts the lanes. The tasks must outlive the target. */
score_target score_target_of(const arc_task *const *tasks, int count);
/* The batch for programs of a form, made if there is none yet; NULL after a message. */
arcl_batch *score_target_batch(arcl_context *context, score_target *target, int form);
void score_target_close(score_target *target);

typedef struct score_lane {
    arcl_lane_status status;
    int match, same_shape;
    uint32_t cells; /* equal to the expected ones, where the shape is the same */
} score_lane;

typedef struct score_job {
    const program_entry *program;
    score_target *target; /* NULL: no task; it is only compiled, to report what is wrong with it */
    session_work work;    /* the batch is the target's; its error also says why a program does not compile */
    score_lane *lanes;    /* NULL when rejected */
    int rejected;         /* does not compile or cannot run */
} score_job;

void score_job_compile(arcl_context *context, score_job *job);
/* Compares the result; a program without one is rejected. */
void score_job_judge(score_job *job);
void score_job_free(score_job *job);

/* What a program did on one task. */
typedef struct score_tally {
    const arc_task *task;
    const score_lane *lanes; /* of the task's examples that have an output, in order; NULL when rejected */
    int right, all, errors;
    uint64_t cells, all_cells;
} score_tally;

/* The tally of target task `index`, whose first lane is *lane; moves *lane on. */
score_tally score_job_tally(const score_job *job, int index, uint32_t *lane);

#endif
