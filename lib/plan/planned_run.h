/* Runs by plans of the selector's: what arcl_run does once it is known that nothing is known. */
#ifndef ARCL_PLANNED_RUN_H
#define ARCL_PLANNED_RUN_H
#include "run/run.h"

/* Decides for every program where it runs, runs them all, and learns from what that took. */
ARCL_CHECKED arcl_status planned_run(arcl_context *context, const run_request *request, arcl_result **results,
                                     arcl_error *error);

#endif
