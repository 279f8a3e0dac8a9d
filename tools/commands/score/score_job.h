/* Running one program on tasks, and what comes of that. */
#ifndef ARCL_SCORE_JOB_H
#define ARCL_SCORE_JOB_H
#include "arcl.h"
#include "commands/score/score_tally.h"
#include "data/program_files.h"
#include "data/session.h"
#include "data/task_batch.h"

/* An example of tasks that are run together. */
typedef struct score_lane {
    int task, example; /* of these tasks, and of that one */
    uint32_t number;   /* among all their examples */
} score_lane;

/* Tasks that are run together: their examples are the lanes of one batch. */
typedef struct score_target {
    score_tasks of;
    const score_lane *some;        /* these, `of.lanes` of them, are meant, in this order; NULL: all */
    arcl_batch *batch[TASK_FORMS]; /* made by score_target_batch; NULL before */
    arcl_batch *expected;
} score_target;

/* The batch for programs of a form, and what is expected, made if there are none yet; NULL after a message. */
arcl_batch *score_target_batch(arcl_context *context, score_target *target, int form);
void score_target_close(score_target *target);

typedef struct score_job {
    const program_entry *program;
    int number;           /* of the program among all */
    score_target *target; /* NULL: no task; it is only compiled, to report what is wrong with it */
    session_work work;    /* the batches are the target's; its error also says why a program does not compile */
    int rejected;         /* does not compile or cannot run */
} score_job;

void score_job_compile(arcl_context *context, score_job *job);
/* A program that could not be run is rejected. */
void score_job_judge(score_job *job);
void score_job_free(score_job *job);

/* What came of a judged job; its scores are copied to `scores`, where there is room for its lanes. The job must outlive
 * it. */
score_outcome score_job_outcome(const score_job *job, arcl_score *scores);

#endif
