/* The lanes of a battery of tokpidjin for the examples of tasks, and what became of them. An example is a lane; its
 * output is C, where that is known. */
#ifndef ARCL_BATT_LANES_H
#define ARCL_BATT_LANES_H
#include "data/batt.h"
#include "data/task_file.h"

/* The types of S, I and C. */
extern const char *const batt_lane_types[3];

/* Tasks whose examples are run together. */
typedef struct batt_lanes {
    const arc_task *const *tasks;
    int count;
    uint32_t *first; /* lane of each task; its examples follow */
    arcl_batch *batch;
} batt_lanes;

/* Returns 0, or -1 after a message. Close it in both cases. */
int batt_lanes_open(arcl_context *context, const arc_task *const *tasks, int count, batt_lanes *lanes);
void batt_lanes_close(batt_lanes *lanes);

/* What a battery did on one task. Scores are the fork's, per key of the battery (data/batt.h). */
typedef struct batt_tally {
    const arc_task *task;
    int known;        /* examples whose output is known */
    int *right;       /* of these, per program that is a result */
    int64_t *score;   /* per program that is the first of its key: of a result, or of a differ */
    int solved;       /* results that are right for all of them */
    int known_right;  /* examples that some result is right for */
    uint64_t missing; /* results of lanes that have no value */
} batt_tally;

/* The tallies of all tasks of the lanes that the battery was run on; free them one by one and then their array. */
batt_tally *batt_lanes_tally(arcl_context *context, const batt_lanes *lanes, const batt *b);
void batt_tally_free(batt_tally *tally);

#endif
