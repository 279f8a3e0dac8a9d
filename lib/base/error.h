/* How fallible functions report: a status, and a message in a buffer that the caller may have omitted. */
#ifndef ARCL_ERROR_H
#define ARCL_ERROR_H
#include "arcl.h"

/* Writes the message and returns the status. */
__attribute__((format(printf, 3, 4))) arcl_status error_set(arcl_error *error, arcl_status status, const char *format,
                                                            ...);

#define NO_MEMORY(error) error_set(error, ARCL_NO_MEMORY, "out of memory")

/* At the beginning of a public function, whose arcl_error is called `error`: pointers that must not be NULL. */
#define NEED(pointer)                                                                                                  \
    do {                                                                                                               \
        if (!(pointer)) return error_set(error, ARCL_INVALID, "%s: %s must not be NULL", __func__, #pointer);          \
    } while (0)

#define PROPAGATE(call)                                                                                                \
    do {                                                                                                               \
        arcl_status status_ = (call);                                                                                  \
        if (status_ != ARCL_SUCCESS) return status_;                                                                   \
    } while (0)

#endif
