/* Running programs over batches, by plans that somebody has made. */
#ifndef ARCL_RUN_H
#define ARCL_RUN_H
#include "run/job.h"

/* What is to be run, and what is wanted of it. */
typedef struct run_request {
    int count;
    const arcl_program *const *programs;
    const arcl_batch *const *batches;
    run_yield yield;
    const arcl_batch *const *expected; /* that the lanes of batches[i] are compared with, or NULL; NULL: none at all */
} run_request;

/* Whether the batch is complete and is what the program takes. */
ARCL_CHECKED arcl_status run_check(const arcl_program *p, const arcl_batch *b, arcl_error *error);

/* Whether `expected` is something that the batch's lanes can be compared with. */
ARCL_CHECKED arcl_status run_check_expected(const arcl_batch *expected, const arcl_batch *b, arcl_error *error);

/* A run from beginning to end: run_begin checks the request and makes its jobs, somebody gives each of them a plan,
 * run_execute runs all of them, and run_end hands out their results, or frees them if something has failed. */
ARCL_CHECKED arcl_status run_begin(run_state *r, arcl_context *context, const run_request *request, arcl_error *error);
ARCL_CHECKED arcl_status run_execute(run_state *r, arcl_error *error);
void run_end(run_state *r, arcl_status status, arcl_result **results);

/* What a call that has run so many programs returns: ARCL_CANCELLED, and no results, if it was cancelled meanwhile. */
ARCL_CHECKED arcl_status run_settle(arcl_context *context, arcl_status status, int count, arcl_result **results,
                                    arcl_error *error);

/* All of that, by plans that the caller has made: plans[i] for programs[i]. */
ARCL_CHECKED arcl_status run_by_plans(arcl_context *context, const run_request *request, const run_plan *plans,
                                      arcl_result **results, arcl_error *error);

#endif
