/* Who runs lanes: the host's threads (run_host.c), the queues of devices (device/run_device.c), or several of them,
 * part after part (device/run_mixed.c). */
#ifndef ARCL_RUNNERS_H
#define ARCL_RUNNERS_H
#include "run/job.h"

/* These run all lanes of those jobs that are planned so; failures are in the state. */
void run_on_host(run_state *r);
void run_on_devices(run_state *r, int worker, int workers); /* of those jobs that are planned for just these workers */
void run_in_parts(run_state *r, job *j);

#endif
