#include "host/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

/* Nanoseconds that a thread waits awake for the next loop before it goes to sleep. Waking it takes some tens of
 * microseconds, and whoever has run one loop often has the next one ready soon. It waits at least about as long as
 * waking it would take, and otherwise as long as it has just worked, so that no more than half of its time is lost. */
#define LEAST_PATIENCE 50000
#define MOST_PATIENCE 1000000
#define LOOKS 64 /* between two looks at the clock */

#define TURNS 8 /* of each thread, if all took as many of the indices that are left as this one does */

typedef struct member {
    threads *pool;
    int number;
    pthread_t thread;
} member;

struct threads {
    int count;   /* workers besides the caller */
    pid_t owner; /* the process that has them */
    member *members;
    pthread_mutex_t turn; /* of whoever runs a loop */
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t start, done;
    /* Changed under the lock only; read without it while somebody is patient: */
    _Atomic unsigned round; /* which loop is on */
    _Atomic int open;       /* it may still be joined */
    _Atomic int busy;       /* members that have joined it and not left */
    int asleep;             /* members */
    int is_patient;         /* there are enough processors to wait awake */
    int stop;
    /* the loop */
    void (*work)(void *arg, int worker, uint32_t index);
    void *arg;
    uint32_t end;
    _Atomic uint32_t next;
};

/* The next indices: many at a time to begin with, since neighbours are often neighbours in memory too, which processors
 * would take from each other; one at a time in the end, so that all are done at about the same time. Returns how many. */
static uint32_t take_some(threads *t, uint32_t *first) {
    uint32_t next = atomic_load_explicit(&t->next, memory_order_relaxed), some;
    do {
        if (next >= t->end) return 0;
        some = (t->end - next) / (TURNS * ((uint32_t)t->count + 1)) + 1;
    } while (!atomic_compare_exchange_weak_explicit(&t->next, &next, next + some, memory_order_relaxed,
                                                    memory_order_relaxed));
    *first = next;
    return some;
}

static void take_indices(threads *t, int worker) {
    uint32_t first, some;
    while ((some = take_some(t, &first)))
        for (uint32_t i = 0; i < some; i++) t->work(t->arg, worker, first + i);
}

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static int comes_a_loop(const threads *t, unsigned seen) {
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&t->open, memory_order_relaxed) &&
            atomic_load_explicit(&t->round, memory_order_relaxed) != seen)
            return 1;
        pause_briefly();
    }
    return 0;
}

/* Of a member that has begun to work at that time. */
static void await_loop(const threads *t, unsigned seen, int64_t began) {
    if (!t->is_patient) return;
    int64_t now = clock_nanoseconds();
    uint64_t worked = (uint64_t)(now - began);
    uint64_t patience = worked < LEAST_PATIENCE ? LEAST_PATIENCE : worked > MOST_PATIENCE ? MOST_PATIENCE : worked;
    while (!comes_a_loop(t, seen) && clock_since(now) < patience) continue;
}

/* Of whoever has run a loop, for those that have joined it. */
static void await_members(const threads *t) {
    if (!t->is_patient) return;
    int64_t now = clock_nanoseconds();
    while (atomic_load_explicit(&t->busy, memory_order_relaxed) && clock_since(now) < LEAST_PATIENCE) pause_briefly();
}

static void *live(void *arg) {
    member *m = arg;
    threads *t = m->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (!t->stop && (!t->open || t->round == seen)) {
            t->asleep++;
            pthread_cond_wait(&t->start, &t->lock);
            t->asleep--;
        }
        if (t->stop) break;
        seen = t->round;
        t->busy++;
        pthread_mutex_unlock(&t->lock);
        int64_t began = clock_nanoseconds();
        take_indices(t, m->number);
        pthread_mutex_lock(&t->lock);
        if (--t->busy == 0) pthread_cond_signal(&t->done);
        pthread_mutex_unlock(&t->lock);
        await_loop(t, seen, began);
        pthread_mutex_lock(&t->lock);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

threads *threads_create(int count) {
    threads *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->owner = getpid();
    pthread_mutex_init(&t->turn, NULL);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->start, NULL);
    pthread_cond_init(&t->done, NULL);
    t->is_patient = count <= sysconf(_SC_NPROCESSORS_ONLN);
    t->members = calloc((size_t)count, sizeof *t->members);
    if (!t->members) count = 1;
    for (int i = 1; i < count; i++) {
        member *m = &t->members[t->count];
        m->pool = t;
        m->number = i;
        if (pthread_create(&m->thread, NULL, live, m)) {
            threads_free(t);
            return NULL;
        }
        t->count++;
    }
    if (!t->members) {
        threads_free(t);
        return NULL;
    }
    return t;
}

/* In a child of the process that made the pool there are no threads, and the lock may be held by one that was. */
static int are_gone(const threads *t) { return t->owner != getpid(); }

static void stop(threads *t) {
    pthread_mutex_lock(&t->lock);
    t->stop = 1;
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->lock);
    for (int i = 0; i < t->count; i++) pthread_join(t->members[i].thread, NULL);
    pthread_mutex_destroy(&t->turn);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->start);
    pthread_cond_destroy(&t->done);
}

void threads_free(threads *t) {
    if (!t) return;
    if (!are_gone(t)) stop(t);
    free(t->members);
    free(t);
}

/* Whether the caller does it all: waking others would cost more than it brings, or there are none. */
static int is_alone(const threads *t, uint32_t count) { return count == 1 || t->count == 0 || are_gone(t); }

static void run_alone(uint32_t count, void (*work)(void *arg, int worker, uint32_t index), void *arg) {
    for (uint32_t i = 0; i < count; i++) work(arg, 0, i);
}

/* For whoever has the turn. */
static void run_together(threads *t, uint32_t count, void (*work)(void *arg, int worker, uint32_t index), void *arg) {
    pthread_mutex_lock(&t->lock);
    t->work = work;
    t->arg = arg;
    t->end = count;
    atomic_store(&t->next, 0);
    t->open = 1;
    t->round++;
    if (t->asleep) pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->lock);
    take_indices(t, 0);
    pthread_mutex_lock(&t->lock);
    t->open = 0; /* a member that wakes up only now is not waited for: there is nothing left for it */
    pthread_mutex_unlock(&t->lock);
    await_members(t);
    pthread_mutex_lock(&t->lock);
    while (t->busy) pthread_cond_wait(&t->done, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void threads_run(threads *t, uint32_t count, void (*work)(void *arg, int worker, uint32_t index), void *arg) {
    if (is_alone(t, count)) {
        run_alone(count, work, arg);
        return;
    }
    pthread_mutex_lock(&t->turn);
    run_together(t, count, work, arg);
    pthread_mutex_unlock(&t->turn);
}

void threads_share(threads *t, uint32_t count, void (*work)(void *arg, int worker, uint32_t index), void *arg) {
    if (is_alone(t, count) || pthread_mutex_trylock(&t->turn)) {
        run_alone(count, work, arg);
        return;
    }
    run_together(t, count, work, arg);
    pthread_mutex_unlock(&t->turn);
}
