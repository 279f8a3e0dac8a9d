/* The chunks of a queue, from lanes that are brought up to segments of results.
 *
 * On a CPU two may be on their way at once, each in a half of the memory that chunks have, so that the device goes on
 * while the host reads what the one has made and writes the beginning of another:
 *
 *   host    launch a | launch b | wait for a | fetch a, launch c | wait for b | fetch b, launch d | ..
 *   device    | a ............. | b ................. | a's results | c ......... | b's results | d ..
 *
 * What is fetched has come when the chunk behind it is done: the queue is in order, and nobody waits for it.
 */
#ifndef ARCL_DEVICE_CHUNKS_H
#define ARCL_DEVICE_CHUNKS_H
#include "run/device/worker.h"
#include "run/job.h"

/* What a job needs on the device: the inputs, and what is expected. */
typedef struct job_lanes {
    resident_lanes in, expected;
    uint lanes; /* that both have */
} job_lanes;
ARCL_CHECKED arcl_status chunks_bring_up(device_worker *w, const job *j, lanes_wanted wanted, job_lanes *l,
                                         arcl_error *error);

typedef struct queue_chunks queue_chunks;
queue_chunks *chunks_create(run_state *r, device_worker *w, arcl_error *error); /* NULL: there is no memory */

/* Gives back what a failure has left on its way; to a device that cannot be waited for, the memory is left. */
void chunks_free(queue_chunks *q);

/* Runs lanes of the job that are on the device, or launches them. */
ARCL_CHECKED arcl_status chunks_run(queue_chunks *q, job *j, const job_lanes *l, uint first, uint lanes,
                                    arcl_error *error);

/* Waits for all that is on its way. */
ARCL_CHECKED arcl_status chunks_finish(queue_chunks *q, arcl_error *error);

#endif
