/* Nanoseconds of a clock that only goes forward, for measuring. No result depends on it. */
#ifndef ARCL_CLOCK_H
#define ARCL_CLOCK_H
#include <time.h>

static inline double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#endif
