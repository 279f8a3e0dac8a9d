/* Nanoseconds of clocks that only go forward, for measuring and for waiting: the only place of the library that reads
 * them. No result depends on them.
 */
#ifndef ARCL_CLOCK_H
#define ARCL_CLOCK_H
#include <stdint.h>
#include <time.h>

static inline int64_t clock_nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Of the processor, that the calling thread has had: how busy the machine is makes no difference. */
static inline int64_t clock_of_thread(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* For counters of time. */
static inline uint64_t clock_since(int64_t start) { return (uint64_t)(clock_nanoseconds() - start); }

/* For what computes with costs, which are doubles. */
static inline double clock_now(void) { return (double)clock_nanoseconds(); }

#endif
