/* Profiling a device for users: compiles the programs that are run to find out what the device itself costs. */
#include <string.h>

#include "base/error.h"
#include "profile/profile_measure.h"
#include "run/context.h"

arcl_status arcl_profile_measure_device(arcl_profile *profile, arcl_context *c, const char *device, arcl_error *error) {
    error_clear(error);
    NEED(profile);
    NEED(c);
    NEED(device);
    arcl_source *source = NULL;
    arcl_program *probe[OVERHEAD_PROBES] = {NULL};
    arcl_status status = arcl_source_parse(c, overhead_probes, strlen(overhead_probes), "overheads", &source, error);
    for (int i = 0; i < OVERHEAD_PROBES && status == ARCL_SUCCESS; i++)
        status = arcl_program_compile(c, source, i, NULL, &probe[i], error);
    if (status == ARCL_SUCCESS)
        status = measure_overheads(profile, c, device, (const arcl_program *const *)probe, error);
    for (int i = 0; i < OVERHEAD_PROBES; i++) arcl_program_free(probe[i]);
    arcl_source_free(source);
    return context_take_cancel(c, error) ? ARCL_CANCELLED : status;
}
