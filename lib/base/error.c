#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

arcl_status error_set(arcl_error *error, arcl_status status, const char *format, ...) {
    if (error) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return status;
}

static const struct {
    const char *name, *meaning;
} statuses[ARCL_LANE_STATUSES] = {
    {"OK", "a value"},
#define STATUS(name, meaning) {#name, meaning},
#include "base/status.def"
#undef STATUS
};

const char *arcl_lane_status_name(arcl_lane_status status) {
    return (unsigned)status < ARCL_LANE_STATUSES ? statuses[status].name : "?";
}

const char *arcl_lane_status_meaning(arcl_lane_status status) {
    return (unsigned)status < ARCL_LANE_STATUSES ? statuses[status].meaning : "?";
}

const char *arcl_version(void) { return ARCL_VERSION; }
