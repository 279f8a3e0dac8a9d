/* An accumulator from the inside. Three files: accumulator.c has the tickets and the thread, accumulator_groups.c which
 * submissions wait together and until when, accumulator_run.c how a group becomes a run and a run becomes answers.
 *
 * A submission is owned by its group until the thread takes the group, then by the run, and in the end by its ticket.
 * All of that changes hands under the accumulator's lock; while a run has it, nobody else looks at it.
 */
#ifndef ARCL_ACCUMULATOR_INSIDE_H
#define ARCL_ACCUMULATOR_INSIDE_H
#include "profile/run_costs.h"
#include "run/batch.h"

typedef struct submission {
    struct submission *next; /* of the same group */
    const arcl_program *program;
    arcl_batch *batch;
    uint32_t lanes;
    int answered;
    /* the answer: */
    arcl_status status;
    arcl_result *result;
    arcl_error *error; /* NULL: none, or no memory for it */
} submission;

typedef struct submission_list {
    submission *first, *last;
    uint32_t count, lanes;
} submission_list;

/* ---- groups ---- */

typedef enum group_reason { BY_COST, BY_SIZE, BY_DELAY, BY_REQUEST, GROUP_REASONS } group_reason;

typedef struct group {
    const arcl_program *program;
    unsigned size; /* class of its arguments */
    submission_list waiting;
    int64_t first_came, last_came;
    int64_t due;
    group_reason reason;
    int running;
    recent_values gaps;            /* between submissions */
    run_costs costs;               /* of its runs */
    curve predicted;               /* costs by the selector: nanoseconds over lanes; empty: it knows nothing */
    uint32_t runs;                 /* that it has had */
    struct group *chain;           /* of the same bucket */
    struct group *previous, *next; /* in one of the lists below, or in none */
} group;

typedef struct group_list {
    group *first, *last;
} group_list;

#define GROUP_BUCKETS 1024u
typedef struct group_table {
    group *bucket[GROUP_BUCKETS];
    group_list waiting, idle; /* idle ones are kept for what they know; the longest idle comes first */
    uint32_t idle_count;
    uint32_t most_lanes; /* of a group that waits */
    int64_t longest;     /* that a submission waits */
} group_table;

/* Adds a submission that has just come to its group. 0: no memory. */
int groups_add(group_table *t, submission *s, int64_t now);

/* Everything that waits is due. */
void groups_hurry(group_table *t, group_reason reason);

/* A group that is due, or NULL: then *earliest is when the next will be, or INT64_MAX. The group is taken out, and must
 * be given back when it has been run. */
group *groups_take(group_table *t, int64_t now, int64_t *earliest);
void groups_give(group_table *t, group *g);
void groups_free(group_table *t);

/* ---- runs ---- */

#define MOST_RUNS 256

typedef struct group_run {
    group *group;
    submission_list submissions;
    double nanoseconds; /* that it took; below 0: it did not run alone, or it failed */
    curve predicted;    /* for the group, by what is known after the run */
} group_run;

/* Runs the groups, up to MOST_RUNS, together and answers all their submissions, whatever happens; 0 if they were
 * cancelled. Or answers them so without running. */
int runs_execute(arcl_context *c, group_run *runs, int count);
void runs_cancel(group_run *runs, int count);

/* After that: what the groups' next runs should take, by the selector. It is asked here, on the thread that runs,
 * because it must not be asked while something runs. That takes as long as several small runs: so it is asked when a
 * group has run twice, which most programs of a search never do, and again when it has run twice as often as the last
 * time: by then more is known. */
void runs_predict(arcl_context *c, group_run *runs, int count);

#endif
