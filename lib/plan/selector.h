/* Decides where and how programs run: on "auto" among all devices of the profile, otherwise among those that were
 * named.
 *
 *   sizes of the program (sizes.h)  \
 *   profile (profile.h)              > predicted cost per device (cost.h) -> the best single device
 *   residency of the batch          /                                     -> parts on several (planner.h), if less
 *
 * Plans are kept with their program, per class of batch sizes. Everything is decided before the run.
 */
#ifndef ARCL_SELECTOR_H
#define ARCL_SELECTOR_H
#include "run/job.h"

/* The plan for a run of the program over the batch. It belongs to the program, and is valid until the next call for
 * it. */
ARCL_CHECKED arcl_status selector_plan(arcl_context *c, const arcl_program *p, const arcl_batch *b,
                                       const run_plan **plan, arcl_error *error);

/* After a run of jobs by plans of the selector's: what it took, to learn from. Takes a little time of its own, unless
 * the context is frozen or reports what it runs. */
void selector_learn(arcl_context *c, const job *jobs, int count, double ns);

/* What runs by these plans, together, should take; 0 if nobody knows. */
double selector_predict(arcl_context *c, const run_plan *const *plans, int count);

/* What a run of the program over so many lanes should take, in nanoseconds, on the device that is best for it of those
 * that are open: by the sizes that are known of it, or typical ones. 0 if nobody knows: there is no profile, it does
 * not speak of the devices that the options name, or it has not all of the program's kernels. As selector_plan, not
 * while the context runs something on another thread. */
double selector_cost(arcl_context *c, const arcl_program *p, uint32_t lanes);

/* Whether the host gets so much work (nanoseconds with one thread) done sooner without waking its other threads. */
int selector_one_worker_suffices(arcl_context *c, double serial);

/* The profile that plans are made with; NULL: there is none, and *why says what to do about it. */
const arcl_profile *selector_profile(arcl_context *c, arcl_error *why);

/* Opens all devices of the profile at once, instead of when they have begun to pay. */
void selector_open_all(arcl_context *c);

/* The workers of a device of the profile that is open; 0 if it is not. */
int selector_workers(arcl_context *c, int device, int *first);

void selector_close(arcl_context *c);

#endif
