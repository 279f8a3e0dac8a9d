/* Planned and executed placement, compared: which kernels a run was to launch on which device, and which it did. They
 * are equal or the run has failed. Looked at only where launches are counted (arcl_report_enable).
 */
#ifndef ARCL_PLACEMENT_H
#define ARCL_PLACEMENT_H
#include "run/job.h"

/* Before a run: what it is planned to do, and what has been counted so far. NULL when there is no memory. */
typedef struct placement placement;
placement *placement_begin(arcl_context *c, const job *jobs, int count);

/* After it. ARCL_DEVICE_FAILED if a kernel ran where it was not planned. Frees the placement. */
ARCL_CHECKED arcl_status placement_end(placement *p, arcl_error *error);

#endif
