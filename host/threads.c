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
#define CACHE_LINE 64

typedef struct member {
    threads *pool;
    int number;
    pthread_t thread;
} member;

/* What a worker does of a loop, unless others have time for it: so that from one loop to the next it goes on with what
 * it has made, which another processor would have to fetch from its caches, and neighbours in memory stay with one. */
typedef struct share {
    _Alignas(CACHE_LINE) _Atomic uint64_t span; /* indices: the first, and behind the last one in the upper half */
} share;

struct threads {
    int count;   /* workers besides the caller */
    pid_t owner; /* the process that has them */
    member *members;
    share *shares;        /* of the caller and all members */
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
};

/* ---- sharing indices out ---- */

static uint64_t span_of(uint32_t begin, uint32_t end) { return (uint64_t)end << 32 | begin; }

/* The last index of a worker's own share; 0 if there is none left. What comes last in a text is often longest, and what
 * takes longest should not be begun last. */
static int take_index(share *own, uint32_t *index) {
    uint64_t span = atomic_load_explicit(&own->span, memory_order_relaxed);
    uint32_t begin, end;
    do {
        begin = (uint32_t)span;
        end = (uint32_t)(span >> 32);
        if (begin >= end) return 0;
    } while (!atomic_compare_exchange_weak_explicit(&own->span, &span, span_of(begin, end - 1), memory_order_relaxed,
                                                    memory_order_relaxed));
    *index = end - 1;
    return 1;
}

/* Half of what is left of somebody's share, the beginning of it, becomes the worker's own; 0 if there is none left. */
static int take_half(share *from, share *own) {
    uint64_t span = atomic_load_explicit(&from->span, memory_order_relaxed);
    uint32_t begin, end, middle;
    do {
        begin = (uint32_t)span;
        end = (uint32_t)(span >> 32);
        if (begin >= end) return 0;
        middle = end - (end - begin) / 2;
    } while (!atomic_compare_exchange_weak_explicit(&from->span, &span, span_of(middle, end), memory_order_relaxed,
                                                    memory_order_relaxed));
    atomic_store_explicit(&own->span, span_of(begin, middle), memory_order_relaxed);
    return 1;
}

static void share_out(threads *t, uint32_t count) {
    uint64_t workers = (uint64_t)t->count + 1;
    for (uint64_t i = 0; i < workers; i++)
        atomic_store_explicit(&t->shares[i].span,
                              span_of((uint32_t)(count * i / workers), (uint32_t)(count * (i + 1) / workers)),
                              memory_order_relaxed);
}

static int take_from_others(threads *t, int worker) {
    int workers = t->count + 1;
    for (int n = 1; n < workers; n++)
        if (take_half(&t->shares[(worker + n) % workers], &t->shares[worker])) return 1;
    return 0;
}

/* A worker's own share, and then halves of others'. */
static void take_indices(threads *t, int worker) {
    share *own = &t->shares[worker];
    uint32_t index;
    do
        while (take_index(own, &index)) t->work(t->arg, worker, index);
    while (take_from_others(t, worker));
}

/* ---- waiting ---- */

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
    t->shares = aligned_alloc(CACHE_LINE, (size_t)count * sizeof *t->shares);
    if (!t->members || !t->shares) count = 1;
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
    if (!t->members || !t->shares) {
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
    free(t->shares);
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
    share_out(t, count);
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
