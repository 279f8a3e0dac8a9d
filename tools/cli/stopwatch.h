/* Seconds of a clock that only goes forward, to show progress and how long phases took. Results never depend on it. */
#ifndef ARCL_STOPWATCH_H
#define ARCL_STOPWATCH_H
#include <time.h>

static inline double stopwatch_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
