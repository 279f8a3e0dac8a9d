/* Seconds of a clock that only goes forward, to show progress and how long phases took, and of the processor's time:
 * the only place of the tools that reads clocks. Results never depend on them.
 */
#ifndef ARCL_STOPWATCH_H
#define ARCL_STOPWATCH_H
#include <time.h>

static inline double stopwatch_read(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline double stopwatch_now(void) { return stopwatch_read(CLOCK_MONOTONIC); }

/* Of all threads of the process together. */
static inline double stopwatch_processor(void) { return stopwatch_read(CLOCK_PROCESS_CPUTIME_ID); }

#endif
