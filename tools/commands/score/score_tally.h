/* What a program did on its tasks, as plain data: all that lines, rankings, attempts, pages and JSON are made of. Where
 * and when it ran is not known here, so that results of another process or of an earlier one serve as well. */
#ifndef ARCL_SCORE_TALLY_H
#define ARCL_SCORE_TALLY_H
#include "arcl.h"
#include "data/program_files.h"
#include "data/task_file.h"

/* Tasks whose examples are run together, task by task, a lane each. Those without an output do not count, but what a
 * program makes of them belongs to its behaviour. */
typedef struct score_tasks {
    const arc_task *const *tasks;
    int first, count;  /* of the tasks in their set */
    uint32_t counting; /* examples that have an output */
    uint32_t lanes;    /* and all */
} score_tasks;

/* The tasks first .. first+count of the set, which must outlive them. */
score_tasks score_tasks_of(const task_set *set, int first, int count);

/* What came of one program. */
typedef struct score_outcome {
    const program_entry *program;
    int number;               /* of the program among all */
    const score_tasks *tasks; /* NULL: it has none and was only compiled */
    const arcl_score *scores; /* of each lane; NULL: it has no tasks, or is rejected */
    const char *rejection;    /* why it could not be compiled or run; else NULL */
} score_outcome;

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
    const arcl_score *scores; /* of its examples; NULL when rejected */
    score_count train, test;  /* examples that have an output */
    int errors;
    uint64_t cells, all_cells; /* of all that have an output */
    uint64_t behaviour;        /* fingerprint of all outputs: equal if they are */
    score_merit merit;
} score_tally;

/* The tallies of the outcome's tasks; free() them. */
score_tally *score_outcome_tallies(const score_outcome *outcome);

static inline int score_tally_right(const score_tally *t) { return t->train.right + t->test.right; }
static inline int score_tally_all(const score_tally *t) { return t->train.all + t->test.all; }

#endif
