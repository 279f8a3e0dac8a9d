/* Runs one lane of a batch again, on the host, to see where it fails: at which step, and for which elements of the
 * scopes above that. Results are the same on every device, so it does not matter where the lane has failed first. */
#ifndef ARCL_FAILURE_FIND_H
#define ARCL_FAILURE_FIND_H
#include "run/batch.h"

/* The way down to a lane of a scope: one of its elements, from the lanes of the batch on. */
typedef struct failure_level {
    uint8_t kind;          /* STEP_EACH, STEP_ZIP, STEP_CROSS or STEP_LOOP: what has opened the scope */
    uint32_t index, other; /* the element; of CROSS, one of each container; of LOOP, the round */
    uint32_t count;        /* elements that there are; 0: not known */
} failure_level;

typedef struct lane_failure {
    arcl_lane_status status; /* if it is ARCL_OK, nothing else is known */
    uint32_t step;
    int depth;
    failure_level level[ARCL_FAILURE_LEVELS]; /* the outermost ones, if there are more */
} lane_failure;

/* The program's parameters are found among the batch's arguments by their types. */
ARCL_CHECKED arcl_status failure_find(arcl_context *context, const program_graph *p, const arcl_batch *batch,
                                      uint32_t lane, lane_failure *found, arcl_error *error);

#endif
