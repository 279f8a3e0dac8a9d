#include "base/process.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_uint generation;

static void note_fork(void) { atomic_fetch_add(&generation, 1); }
static void watch(void) { pthread_atfork(NULL, NULL, note_fork); }

unsigned process_generation(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
    return atomic_load_explicit(&generation, memory_order_relaxed);
}
