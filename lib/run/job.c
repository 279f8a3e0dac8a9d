#include "run/job.h"

void run_fail(run_state *r, arcl_status status, const arcl_error *error) {
    pthread_mutex_lock(&r->lock);
    if (!atomic_load(&r->failed)) {
        r->error = *error;
        atomic_store(&r->failed, (int)status);
    }
    pthread_mutex_unlock(&r->lock);
}

void run_done(job *j, segment *s, uint words_used) {
    atomic_store_explicit(&j->words, words_used / s->lanes + 1, memory_order_relaxed);
    for (uint n = 0; n < s->lanes; n++) j->result->of_lane[s->first + n] = s;
}
