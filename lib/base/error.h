/* How fallible functions report: a status, and a message in a buffer that the caller may have omitted. */
#ifndef ARCL_ERROR_H
#define ARCL_ERROR_H
#include "arcl.h"

/* Writes the message and returns the status. */
__attribute__((format(printf, 3, 4))) arcl_status error_set(arcl_error *error, arcl_status status, const char *format,
                                                            ...);

/* At the beginning of a public function: an error says nothing unless the call fails. */
static inline void error_clear(arcl_error *error) {
    if (error) error->message[0] = 0;
}

/* At the end of one that may have gone on after a failure inside: what that has left behind is no news. */
static inline arcl_status error_settle(arcl_error *error, arcl_status status) {
    if (status == ARCL_SUCCESS) error_clear(error);
    return status;
}

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
