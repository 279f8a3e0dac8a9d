/* Single lanes of a batch: what identifies their inputs, and batches made of some of them. */
#ifndef ARCL_BATCH_LANES_H
#define ARCL_BATCH_LANES_H
#include "run/batch.h"

/* The fingerprints of all complete lanes: equal for equal arguments, whatever batch they are in. They are the batch's,
 * and kept with it. NULL when there is no memory. */
const arcl_key *batch_lane_keys(arcl_batch *b);

/* A batch of the given lanes, which are in ascending order. */
ARCL_CHECKED arcl_status batch_select(const arcl_batch *b, const uint32_t *lanes, uint32_t count, arcl_batch **made,
                                      arcl_error *error);

/* Leaves only these of a batch's arguments, in that order; each is named once. */
void batch_keep_arguments(arcl_batch *b, int count, const int *argument);

/* Which of those arguments is a parameter's: the one at its place if it has that type, or the first that has; -1:
 * none. */
int batch_find_argument(const type_code *types, int count, type_code type, int place);

#endif
