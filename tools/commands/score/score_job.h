/* Scoring one program: its output on every example of its tasks, compared with the grid that is expected. */
#ifndef ARCL_SCORE_JOB_H
#define ARCL_SCORE_JOB_H
#include "arcl.h"
#include "data/program_files.h"
#include "data/session.h"
#include "data/task_batch.h"
#include "data/task_file.h"

/* Tasks whose examples are run together: they are the lanes of one batch, task by task. Those without an output do not
 * count, but what a program makes of them belongs to its behaviour. */
typedef struct score_target {
    const arc_task *const *tasks;
    int first, count;              /* of the tasks in their set */
    uint32_t counting;             /* examples that have an output */
    arcl_batch *batch[TASK_FORMS]; /* made by score_target_batch; NULL before */
    arcl_batch *expected;
} score_target;

/* The tasks first .. first+count of the set, which must outlive the target. */
score_target score_target_of(const task_set *set, int first, int count);
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

typedef struct score_count {
    int right, all;
} score_count;

/* What makes one program better than another on a task. Outputs of the test play no part in it, so that what is chosen
 * by it has not been told. */
typedef struct score_merit {
    int train_right;
    uint64_t train_cells; /* as expected, in train outputs of the right shape */
    int train_errors;     /* fewer are better, of course */
    uint64_t words;       /* that its lanes have made; fewer are better */
    int program;          /* its number: the first wins where all else is equal */
} score_merit;

int score_merit_is_better(const score_merit *a, const score_merit *b);

/* What a program did on one task. */
typedef struct score_tally {
    const arc_task *task;
    const arcl_result *result; /* NULL when rejected */
    uint32_t first;            /* lane of the task's first example */
    score_count train, test;   /* examples that have an output */
    int errors;
    uint64_t cells, all_cells; /* of all that have an output */
    uint64_t behaviour;        /* fingerprint of all outputs: equal if they are */
    score_merit merit;
} score_tally;

/* The tallies of the target's tasks; free() them. */
score_tally *score_job_tallies(const score_job *job);

static inline int score_tally_right(const score_tally *t) { return t->train.right + t->test.right; }
static inline int score_tally_all(const score_tally *t) { return t->train.all + t->test.all; }

#endif
