/* Tests of host/threads.h. Each index must come once, to one of the workers, and threads_run must not return before the
 * last one is done. The thread sanitizer's build runs this too. */
#include "host/threads.h"

#include <stdatomic.h>

#include "greatest.h"

enum { MOST = 5000, WORKERS = 16 };

typedef struct loop {
    _Atomic int taken[MOST];
    int last_worker[MOST];   /* plain: threads_run must make it visible */
    int per_worker[WORKERS]; /* plain: a worker is one thread at a time */
    _Atomic int done, strange;
    int workers;
    uint32_t count;
} loop;

static void take(void *arg, int worker, uint32_t index) {
    loop *l = arg;
    if (worker < 0 || worker >= l->workers || index >= l->count) {
        atomic_fetch_add(&l->strange, 1);
        return;
    }
    atomic_fetch_add(&l->taken[index], 1);
    l->last_worker[index] = worker;
    l->per_worker[worker]++;
    atomic_fetch_add(&l->done, 1);
}

static loop l;

TEST run_loop(threads *t, int workers, uint32_t count) {
    memset(&l, 0, sizeof l);
    l.workers = workers;
    l.count = count;
    for (uint32_t i = 0; i < count; i++) l.last_worker[i] = -1;
    threads_run(t, count, take, &l);
    ASSERT_EQ_FMT((int)count, atomic_load(&l.done), "%d");
    ASSERT_EQ_FMT(0, atomic_load(&l.strange), "%d");
    int sum = 0;
    for (int i = 0; i < workers; i++) sum += l.per_worker[i];
    ASSERT_EQ_FMT((int)count, sum, "%d");
    for (uint32_t i = 0; i < count; i++) {
        ASSERT_EQ_FMT(1, atomic_load(&l.taken[i]), "%d");
        ASSERT(l.last_worker[i] >= 0 && l.last_worker[i] < workers);
    }
    PASS();
}

TEST every_index_comes_once(int workers) {
    static const uint32_t counts[] = {0, 1, 2, 3, 7, 15, 100, MOST};
    threads *t = threads_create(workers);
    ASSERT(t);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) CHECK_CALL(run_loop(t, workers, counts[i]));
    threads_free(t);
    PASS();
}

TEST rounds_follow_each_other(int workers) {
    threads *t = threads_create(workers);
    ASSERT(t);
    for (uint32_t round = 0; round < 2000; round++) CHECK_CALL(run_loop(t, workers, round % 12));
    threads_free(t);
    PASS();
}

/* One worker is the caller alone, in order. */
static void in_order(void *arg, int worker, uint32_t index) {
    uint32_t *next = arg;
    if (worker == 0 && *next == index) ++*next;
}

TEST one_worker_goes_in_order(void) {
    uint32_t next = 0;
    threads *t = threads_create(1);
    ASSERT(t);
    threads_run(t, 1000, in_order, &next);
    ASSERT_EQ_FMT(1000u, next, "%u");
    threads_free(t);
    PASS();
}

/* A pool that never ran, and no pool at all, can be freed. */
TEST pools_can_be_freed_unused(void) {
    for (int i = 0; i < 50; i++) {
        threads *t = threads_create(1 + i % 8);
        ASSERT(t);
        threads_free(t);
    }
    threads_free(NULL);
    PASS();
}

/* A work function may use a pool of its own. */
typedef struct outer {
    threads *inner[4];
    _Atomic uint32_t sum;
} outer;

static void add_index(void *arg, int worker, uint32_t index) {
    (void)worker;
    atomic_fetch_add((_Atomic uint32_t *)arg, index);
}

static void run_inner(void *arg, int worker, uint32_t index) {
    outer *o = arg;
    (void)index;
    threads_run(o->inner[worker], 10, add_index, &o->sum);
}

TEST pools_are_independent(void) {
    outer o = {.sum = 0};
    threads *t = threads_create(4);
    ASSERT(t);
    for (int i = 0; i < 4; i++) ASSERT((o.inner[i] = threads_create(3)));
    threads_run(t, 40, run_inner, &o);
    ASSERT_EQ_FMT(40u * 45u, atomic_load(&o.sum), "%u");
    for (int i = 0; i < 4; i++) threads_free(o.inner[i]);
    threads_free(t);
    PASS();
}

/* threads_share asks for nothing: from inside a loop it goes on alone. */
typedef struct shared {
    threads *t;
    _Atomic uint32_t sum;
} shared;

static void share_again(void *arg, int worker, uint32_t index) {
    shared *s = arg;
    (void)worker;
    (void)index;
    threads_share(s->t, 10, add_index, &s->sum);
}

TEST loops_can_be_shared_from_anywhere(void) {
    shared s = {.t = threads_create(4)};
    ASSERT(s.t);
    threads_run(s.t, 40, share_again, &s);
    threads_share(s.t, 40, share_again, &s);
    threads_share(s.t, 10, add_index, &s.sum);
    ASSERT_EQ_FMT(81u * 45u, atomic_load(&s.sum), "%u");
    threads_free(s.t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    static const int workers[] = {1, 2, 3, 8, WORKERS};
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        RUN_TESTp(every_index_comes_once, workers[i]);
        RUN_TESTp(rounds_follow_each_other, workers[i]);
    }
    RUN_TEST(one_worker_goes_in_order);
    RUN_TEST(pools_can_be_freed_unused);
    RUN_TEST(pools_are_independent);
    RUN_TEST(loops_can_be_shared_from_anywhere);
    GREATEST_MAIN_END();
}
