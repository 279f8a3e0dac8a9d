/* Where programs fail most often: for the summary of `arcl score`. */
#ifndef ARCL_SCORE_FAILURES_H
#define ARCL_SCORE_FAILURES_H
#include "commands/score/score_tally.h"

/* A zeroed one is empty. Free it. */
typedef struct score_failures {
    struct failure_place *places;
    int count, room;
    int looked_at; /* lanes that have failed and were run again */
    int left_out;  /* and those that were not: there is a limit */
} score_failures;

/* Looks at some of the examples in which a program that was scored has failed. */
void score_failures_add(score_failures *f, arcl_context *context, const score_outcome *outcome);

/* Says on standard error which places are the commonest, if there are any. */
void score_failures_tell(score_failures *f);
void score_failures_free(score_failures *f);

#endif
