/* Scores of finished results, made on the host: for outputs that no run has just made. */
#ifndef ARCL_SCORE_RESULT_H
#define ARCL_SCORE_RESULT_H
#include "run/batch.h"
#include "run/result.h"

/* Scores every lane of a result that has outputs and room for scores, in which the words that the lane has asked for
 * are known already. `expected` has a grid for every lane (run_check_expected), or is NULL. The scores are those that a
 * run with the same expected grids makes on a device. */
void score_result(arcl_result *r, const arcl_batch *expected);

#endif
