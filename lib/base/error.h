/* How fallible functions report: a status, and a message in a buffer that the caller may have omitted. */
#ifndef ARCL_ERROR_H
#define ARCL_ERROR_H
#include "arcl.h"

/* Writes the message and returns the status. */
__attribute__((format(printf, 3, 4))) arcl_status error_set(arcl_error *error, arcl_status status, const char *format,
                                                            ...);

#define NO_MEMORY(error) error_set(error, ARCL_NO_MEMORY, "out of memory")

#define PROPAGATE(call)                                                                                                \
    do {                                                                                                               \
        arcl_status status_ = (call);                                                                                  \
        if (status_ != ARCL_SUCCESS) return status_;                                                                   \
    } while (0)

#endif
