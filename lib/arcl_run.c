/* Running for users, and the whole way from a program and a batch to results on one page:
 *
 *     known lanes  --cache_run--> results           lib/keep, where the context keeps results; it runs only the others:
 *     the others   --planned_run--> results         lib/plan/planned_run.c
 *         jobs     --selector_plan--> plans         lib/plan: where and how each program runs
 *         plans    --run_execute--> results         lib/run: chunks of lanes, on threads and queues
 *         chunks   --execute--> launches            lib/program/execute.c: the order of the steps
 *         launch   --> a kernel over all lanes      host/executor.c as C, lib/run/device as OpenCL; the kernels are cl/
 *
 * arcl_program.c has the way to a program. */
#include "base/error.h"
#include "keep/cache.h"
#include "plan/planned_run.h"

static arcl_status run(arcl_context *context, const run_request *request, arcl_result **results, arcl_error *error) {
    error_clear(error);
    NEED(context);
    if (request->count > 0) {
        NEED(request->programs);
        NEED(request->batches);
        NEED(results);
    }
    for (int i = 0; i < request->count; i++) {
        NEED(request->programs[i]);
        NEED(request->batches[i]);
    }
    arcl_status status =
        context->cache ? cache_run(context, request, results, error) : planned_run(context, request, results, error);
    return error_settle(error, run_settle(context, status, request->count, results, error));
}

arcl_status arcl_run(arcl_context *context, const arcl_program *program, const arcl_batch *batch, arcl_result **result,
                     arcl_error *error) {
    return run(context, &(run_request){1, &program, &batch, YIELD_OUTPUTS, NULL}, result, error);
}

arcl_status arcl_run_many(arcl_context *context, int count, const arcl_program *const *programs,
                          const arcl_batch *const *batches, arcl_result **results, arcl_error *error) {
    return run(context, &(run_request){count, programs, batches, YIELD_OUTPUTS, NULL}, results, error);
}

arcl_status arcl_score_many(arcl_context *context, int count, const arcl_program *const *programs,
                            const arcl_batch *const *batches, const arcl_batch *const *expected, int outputs,
                            arcl_result **results, arcl_error *error) {
    run_yield yield = outputs ? YIELD_BOTH : YIELD_SCORES;
    return run(context, &(run_request){count, programs, batches, yield, expected}, results, error);
}
