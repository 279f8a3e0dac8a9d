#define _DEFAULT_SOURCE /* clocks of conditions */
#include "commands/search/search_crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/stopwatch.h"
#include "commands/search/search_work.h"
#include "data/session.h"

/* How often clocks and signals are looked at. */
static const double LOOK_SECONDS = 0.02;

/* What a thread has done: what was found, or an error. */
typedef struct outcome {
    found_task *found;
    arcl_status status;
    arcl_error error;
    int task;
} outcome;

typedef struct worker {
    struct crew *crew;
    arcl_context *context;
    pthread_t thread;
    int is_searching; /* it can be ended */
    int is_ended;     /* it has been, since it began */
    double begun;
} worker;

typedef struct crew {
    const search_job *job;
    const int *tasks;
    int count, next; /* the tasks, and the one that is taken next */
    int stops;       /* none is begun any more, */
    int is_cut;      /* and what is ended now is not finished */
    worker *workers;
    int worker_count, working;
    outcome *outcomes; /* that nobody has looked at yet */
    int outcome_count;
    pthread_mutex_t lock; /* of all that */
    pthread_cond_t changed;
} crew;

/* ---- in the threads ---- */

static int take_task(crew *c) {
    pthread_mutex_lock(&c->lock);
    int task = c->stops || c->next == c->count ? -1 : c->tasks[c->next++];
    pthread_mutex_unlock(&c->lock);
    return task;
}

static void search_begins(void *arg) {
    worker *w = arg;
    pthread_mutex_lock(&w->crew->lock);
    w->begun = stopwatch_now();
    w->is_searching = 1;
    w->is_ended = 0;
    pthread_mutex_unlock(&w->crew->lock);
}

static int search_ends(void *arg) {
    worker *w = arg;
    pthread_mutex_lock(&w->crew->lock);
    w->is_searching = 0;
    int ended = w->is_ended;
    pthread_mutex_unlock(&w->crew->lock);
    return ended;
}

static void hand_over(worker *w, outcome *o) {
    crew *c = w->crew;
    pthread_mutex_lock(&c->lock);
    if (o->found) o->found->is_finished = !(w->is_ended && c->is_cut);
    c->outcomes[c->outcome_count++] = *o;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *arg) {
    worker *w = arg;
    crew *c = w->crew;
    search_watch watch = {search_begins, search_ends, w};
    outcome o;
    while ((o.task = take_task(c)) >= 0) {
        double start = stopwatch_now();
        o.found = NULL;
        o.status = search_work_run(c->job, w->context, o.task, &watch, &o.found, &o.error);
        if (o.found) o.found->seconds = stopwatch_now() - start;
        hand_over(w, &o);
    }
    pthread_mutex_lock(&c->lock);
    c->working--;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- in the thread that waits ---- */

/* With the lock. */
static void end_searches(crew *c) {
    double now = stopwatch_now(), most = (double)c->job->options->seconds;
    if (interrupt_has_come()) c->stops = c->is_cut = 1;
    for (int i = 0; i < c->worker_count; i++) {
        worker *w = &c->workers[i];
        int is_over = c->is_cut || (most > 0 && now - w->begun >= most);
        if (!w->is_searching || w->is_ended || !is_over) continue;
        w->is_ended = 1;
        arcl_cancel(w->context); /* which is never lost, so that once is enough */
    }
}

static void wait_a_little(crew *c) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(LOOK_SECONDS * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&c->changed, &c->lock, &until);
}

/* Returns an exit status. A task that cannot be searched does not keep others from it, unless a device has failed. */
static int use_outcome(crew *c, outcome *o, search_crew_use *use, void *arg) {
    if (o->found) return use(arg, o->found) ? CLI_BAD : CLI_DONE;
    allocation_check(&o->error);
    message_error("search: task %s: %s", c->job->tasks.tasks[o->task]->id, o->error.message);
    return o->status == ARCL_DEVICE_FAILED ? CLI_DEVICE : CLI_BAD;
}

static int use_outcomes(crew *c, search_crew_use *use, void *arg) {
    int status = CLI_DONE;
    pthread_mutex_lock(&c->lock);
    while (c->working || c->outcome_count) {
        if (!c->outcome_count) wait_a_little(c);
        end_searches(c);
        if (!c->outcome_count) continue;
        outcome o = c->outcomes[0];
        memmove(c->outcomes, c->outcomes + 1, (size_t)--c->outcome_count * sizeof *c->outcomes);
        pthread_mutex_unlock(&c->lock);
        int so = use_outcome(c, &o, use, arg);
        pthread_mutex_lock(&c->lock);
        if (so > status) status = so;
        if (so == CLI_DEVICE || (so != CLI_DONE && o.found)) c->stops = c->is_cut = 1; /* not to be run, or kept */
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* ---- beginning and ending ---- */

/* Returns an exit status, after a message if that is not CLI_DONE. */
static int open_contexts(crew *c) {
    cli_options each = *c->job->options;
    int status = CLI_DONE;
    each.threads = 1;
    each.memory = c->job->context_memory;
    for (int i = 0; i < c->worker_count && status == CLI_DONE; i++) {
        c->workers[i].crew = c;
        status = session_open(&each, &c->workers[i].context);
    }
    return status;
}

static int close_contexts(crew *c, int status) {
    for (int i = 0; i < c->worker_count; i++)
        if (c->workers[i].context) status = session_close(c->job->options, c->workers[i].context, status);
    return status;
}

static void prepare(crew *c) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, &clock);
    pthread_condattr_destroy(&clock);
    c->workers = allocation_get((size_t)c->worker_count, sizeof *c->workers);
    c->outcomes = allocation_get((size_t)c->count, sizeof *c->outcomes);
}

/* Those that can be started do all the work. */
static int start_threads(crew *c) {
    int started = 0;
    interrupt_hold(); /* signals are the main thread's */
    pthread_mutex_lock(&c->lock);
    while (started < c->worker_count &&
           pthread_create(&c->workers[started].thread, NULL, work, &c->workers[started]) == 0)
        started++;
    c->working = started;
    pthread_mutex_unlock(&c->lock);
    interrupt_release();
    if (!started) message_error("search: a thread could not be started");
    return started;
}

int search_crew_run(const search_job *job, const int *tasks, int count, search_crew_use *use, void *arg) {
    crew c = {.job = job, .tasks = tasks, .count = count};
    c.worker_count = job->threads < count ? job->threads : count;
    prepare(&c);
    int status = open_contexts(&c);
    if (status == CLI_DONE) {
        int started = start_threads(&c);
        status = started ? use_outcomes(&c, use, arg) : CLI_BAD;
        for (int i = 0; i < started; i++) pthread_join(c.workers[i].thread, NULL);
    }
    status = close_contexts(&c, status);
    pthread_cond_destroy(&c.changed);
    pthread_mutex_destroy(&c.lock);
    free(c.workers);
    free(c.outcomes);
    return status;
}
