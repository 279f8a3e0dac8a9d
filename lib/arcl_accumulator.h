/* Accumulating: work that comes in small pieces, from any number of threads, and is run in large ones. arcl.h includes
 * this; its rules hold here too. Submissions of the same program whose arguments are of about the same size are a
 * group, and a group is run as one batch:
 *
 *   - when waiting no longer pays: when what is saved by running it together with the next submission, as far as
 *     earlier runs have been measured, is less than what those who wait lose until then (lib/accumulator/waiting.h has
 *     the formula);
 *   - when it has reached a size, or a submission has waited as long as it may; or on request.
 *
 * It pays where a run costs much more than a lane: on devices. On the host a run of a small program takes microseconds,
 * which is less than it takes to switch between threads: threads that wait for one answer at a time are better off
 * there with a context each.
 *
 * A thread of the accumulator runs the groups. As long as it exists, running on the context is its business alone: do
 * not call arcl_run, arcl_similarity or arcl_parallel; compiling with arcl_program_compile and building batches is
 * fine. All functions but arcl_accumulator_free may be called from any thread at any time. */
#ifndef ARCL_ACCUMULATOR_H
#define ARCL_ACCUMULATOR_H

#include "arcl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arcl_accumulator arcl_accumulator;

typedef struct arcl_accumulator_options {
    uint32_t lanes;   /* a group of so many is run at once; 0: ARCL_ACCUMULATOR_LANES */
    uint32_t pending; /* while so many lanes wait, submitting waits too; 0: ARCL_ACCUMULATOR_PENDING */
    uint64_t delay;   /* nanoseconds that a submission waits for others at most; 0: ARCL_ACCUMULATOR_DELAY */
} arcl_accumulator_options;

#define ARCL_ACCUMULATOR_LANES 16384u
#define ARCL_ACCUMULATOR_PENDING (1u << 20)
#define ARCL_ACCUMULATOR_DELAY ((uint64_t)10000000)

/* options may be NULL. */
ARCL_API ARCL_CHECKED arcl_status arcl_accumulator_create(arcl_context *context,
                                                          const arcl_accumulator_options *options,
                                                          arcl_accumulator **accumulator, arcl_error *error);

/* Runs what waits, as arcl_accumulator_close, and frees the answers that nobody has taken. Threads that wait for an
 * answer get it first; no other call may begin. Before arcl_context_free. */
ARCL_API void arcl_accumulator_free(arcl_accumulator *accumulator);

/* Names a submission until its answer is taken; never 0. */
typedef uint64_t arcl_ticket;

/* Submits lanes for a program, which must live until it is answered. The batch then belongs to the accumulator, which
 * frees it; after a failure it is still the caller's. */
ARCL_API ARCL_CHECKED arcl_status arcl_accumulator_submit(arcl_accumulator *accumulator, const arcl_program *program,
                                                          arcl_batch *batch, arcl_ticket *ticket, arcl_error *error);

/* Whether there is an answer, so that taking it does not wait: 1 or 0; -1 if there is no such submission. */
ARCL_API int arcl_accumulator_poll(arcl_accumulator *accumulator, arcl_ticket ticket);

/* Waits for the answer and takes it: the result for the lanes that were submitted, or the error of running them. The
 * result is the caller's, also when the accumulator is gone. An answer can be taken once; a ticket that was taken, or
 * never given, is ARCL_INVALID. What fails in one submission does not touch the others, unless a device has failed:
 * then none can be run any more. */
ARCL_API ARCL_CHECKED arcl_status arcl_accumulator_take(arcl_accumulator *accumulator, arcl_ticket ticket,
                                                        arcl_result **result, arcl_error *error);

/* All that waits is run from now on, without waiting for more. */
ARCL_API void arcl_accumulator_flush(arcl_accumulator *accumulator);

/* Takes no more submissions, runs all that wait and returns when they are answered. Answers can still be taken. */
ARCL_API void arcl_accumulator_close(arcl_accumulator *accumulator);

typedef struct arcl_accumulator_report {
    uint64_t submissions, lanes;
    uint64_t answered, failed; /* the latter: of these, with an error */
    uint64_t groups;           /* that were run; and why: */
    uint64_t by_cost, by_size, by_delay, by_request;
    int waiting; /* threads that wait for an answer now */
} arcl_accumulator_report;
ARCL_API arcl_accumulator_report arcl_accumulator_report_get(arcl_accumulator *accumulator);

#ifdef __cplusplus
}
#endif

#endif
