#include "run/job.h"

#include "base/error.h"
#include "run/context.h"

void run_fail(run_state *r, arcl_status status, const arcl_error *error) {
    pthread_mutex_lock(&r->lock);
    if (!atomic_load(&r->failed)) {
        r->error = *error;
        atomic_store(&r->failed, (int)status);
    }
    pthread_mutex_unlock(&r->lock);
}

int run_is_over(run_state *r) {
    arcl_error error;
    if (atomic_load_explicit(&r->context->cancelled, memory_order_relaxed))
        run_fail(r, error_set(&error, ARCL_CANCELLED, "cancelled"), &error);
    return atomic_load(&r->failed);
}

void run_done(job *j, segment *s, uint words_used) {
    atomic_store_explicit(&j->words, words_used / s->lanes + 1, memory_order_relaxed);
    for (uint n = 0; n < s->lanes; n++) j->result->of_lane[s->first + n] = s;
}

/* All that a run changes of a program. */
void run_remember(const job *j) {
    atomic_store_explicit(&((arcl_program *)j->program)->lane_words, atomic_load(&j->words), memory_order_relaxed);
}
