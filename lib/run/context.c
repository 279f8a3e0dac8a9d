#define _GNU_SOURCE
#include "run/context.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"

struct pooled {
    pool memory; /* first: a pool is its pooled */
    struct pooled *next;
};

#define MAX_ARENA_WORDS ((uint64_t)0xffffffffu)
#define MIN_WORKER_WORDS ((uint64_t)1 << 17)

/* Half of what a process may have at all, if that is limited (ulimit -v). */
static uint64_t default_memory(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return ARCL_DEFAULT_MEMORY;
    return limit.rlim_cur / 2 < ARCL_DEFAULT_MEMORY ? limit.rlim_cur / 2 : ARCL_DEFAULT_MEMORY;
}

/* Address space for so many words; NULL if there is none. */
static word *reserve(arcl_context *c, uint64_t words) {
    c->arena_bytes = words * sizeof(word);
    void *at = mmap(NULL, c->arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* Reserves room for the workers' parts and as much again or more for batches. */
static arcl_status reserve_arena(arcl_context *c, arcl_error *error) {
    uint64_t per_worker = c->options.memory / sizeof(word) / (uint64_t)c->thread_count;
    uint64_t batches = MAX_ARENA_WORDS, workers;
    if (per_worker < MIN_WORKER_WORDS)
        return error_set(error, ARCL_INVALID,
                         "a memory limit of %llu bytes is too small: %d threads need at least %llu",
                         (unsigned long long)c->options.memory, c->thread_count,
                         (unsigned long long)(MIN_WORKER_WORDS * sizeof(word) * (uint64_t)c->thread_count));
    if (per_worker * (uint64_t)c->thread_count > MAX_ARENA_WORDS / 2)
        per_worker = MAX_ARENA_WORDS / 2 / (uint64_t)c->thread_count;
    workers = per_worker * (uint64_t)c->thread_count;
    batches -= workers;
    while (!(c->arena = reserve(c, batches + workers)) && batches > MIN_WORKER_WORDS) batches /= 2;
    if (c->arena && batches < MAX_ARENA_WORDS - workers) { /* address space is scarce, and others need some too */
        munmap(c->arena, c->arena_bytes);
        batches /= 2;
        c->arena = reserve(c, batches + workers);
    }
    if (!c->arena)
        return error_set(error, ARCL_NO_MEMORY, "no address space for %llu bytes: lower the memory limit",
                         (unsigned long long)c->arena_bytes);
#ifdef MADV_HUGEPAGE
    madvise(c->arena, c->arena_bytes, MADV_HUGEPAGE); /* fewer page faults where the kernel offers it; it may refuse */
#endif
    c->batches_end = (uint)batches;
    for (int i = 0; i < c->thread_count; i++) {
        host_worker *w = &c->worker[i];
        w->arena = c->arena;
        w->begin = (uint)(batches + per_worker * (uint64_t)i);
        w->end = (uint)(w->begin + per_worker);
        w->budget = c->options.budget;
        w->kernels = host_kernels(0);
        w->cancelled = &c->cancelled;
    }
    return ARCL_SUCCESS;
}

arcl_status context_reserve(arcl_context *c, arcl_error *error) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    arcl_options *o = &c->options;
    if (o->threads < 0 || o->threads > ARCL_MAX_THREADS)
        return error_set(error, ARCL_INVALID, "%d threads: 1 to %d are possible", o->threads, ARCL_MAX_THREADS);
    c->thread_count = o->threads                 ? o->threads
                      : cores < 1                ? 1
                      : cores > ARCL_MAX_THREADS ? ARCL_MAX_THREADS
                                                 : (int)cores;
    if (!o->memory) o->memory = default_memory();
    if (!o->budget) o->budget = ARCL_DEFAULT_BUDGET;
    if (o->budget > 0x40000000)
        return error_set(error, ARCL_INVALID, "a budget of %u: up to %u is possible", o->budget, 0x40000000u);
    c->worker = calloc((size_t)c->thread_count, sizeof *c->worker);
    if (!c->worker) return NO_MEMORY(error);
    op_index_fill(&c->ops);
    return reserve_arena(c, error);
}

/* Each device is driven by a thread of its own. */
arcl_status context_start_threads(arcl_context *c, arcl_error *error) {
    c->threads = threads_create(c->device_count > c->thread_count ? c->device_count : c->thread_count);
    return c->threads ? ARCL_SUCCESS
                      : error_set(error, ARCL_NO_MEMORY, "%d threads could not be started", c->thread_count);
}

void context_stop(arcl_context *c) {
    threads_free(c->threads);
    free(c->worker);
    while (c->pools) {
        struct pooled *next = c->pools->next;
        pool_free(&c->pools->memory);
        free(c->pools);
        c->pools = next;
    }
    while (c->regions) context_region_give(c, c->regions);
    if (c->arena) munmap(c->arena, c->arena_bytes);
}

/* Nothing but a store that no lock stands before: it may be called in a signal handler. */
void arcl_cancel(arcl_context *c) {
    if (c) atomic_store(&c->cancelled, 1);
}

int context_take_cancel(arcl_context *c, arcl_error *error) {
    if (!atomic_load(&c->cancelled) || !atomic_exchange(&c->cancelled, 0)) return 0;
    error_set(error, ARCL_CANCELLED, "cancelled");
    return 1;
}

int arcl_context_threads(const arcl_context *c) { return c ? c->thread_count : 0; }

typedef struct loop {
    void (*work)(void *arg, uint32_t index);
    void *arg;
} loop;

static void run_index(void *arg, int worker, uint32_t index) {
    const loop *l = arg;
    (void)worker;
    l->work(l->arg, index);
}

void arcl_parallel(arcl_context *c, uint32_t count, void (*work)(void *arg, uint32_t index), void *arg) {
    loop l = {work, arg};
    if (!c || !work) return;
    threads_run(c->threads, count, run_index, &l);
}

void context_share(void *context, uint32_t count, void (*work)(void *arg, uint32_t index), void *arg) {
    arcl_context *c = context;
    loop l = {work, arg};
    threads_share(c->threads, count, run_index, &l);
}

pool *context_pool_take(arcl_context *c) {
    pthread_mutex_lock(&c->lock);
    struct pooled *p = c->pools;
    if (p) c->pools = p->next;
    pthread_mutex_unlock(&c->lock);
    if (!p) p = calloc(1, sizeof *p);
    return p ? &p->memory : NULL;
}

void context_pool_give(arcl_context *c, pool *memory) {
    struct pooled *p = (struct pooled *)memory;
    pool_reset(memory);
    pthread_mutex_lock(&c->lock);
    p->next = c->pools;
    c->pools = p;
    pthread_mutex_unlock(&c->lock);
}

region *context_region_take(arcl_context *c, uint words) {
    region *r = malloc(sizeof *r), **at = &c->regions;
    uint begin = ZERO_WORDS;
    if (!r) return NULL;
    pthread_mutex_lock(&c->lock);
    while (*at && (*at)->begin - begin < words) { /* the first gap that is large enough */
        begin = (*at)->end;
        at = &(*at)->next;
    }
    int fits = words <= c->batches_end - begin;
    if (fits) {
        *r = (region){.begin = begin, .end = begin + words, .next = *at};
        *at = r;
    }
    pthread_mutex_unlock(&c->lock);
    if (!fits) free(r);
    return fits ? r : NULL;
}

#define RELEASE_BYTES ((size_t)1 << 20) /* smaller regions stay warm */

void context_region_give(arcl_context *c, region *r) {
    size_t bytes = (size_t)(r->end - r->begin) * sizeof(word);
    if (bytes > RELEASE_BYTES) {
        uintptr_t from = ((uintptr_t)(c->arena + r->begin) + 4095) & ~(uintptr_t)4095;
        uintptr_t to = (uintptr_t)(c->arena + r->end) & ~(uintptr_t)4095;
        if (to > from) madvise((void *)from, to - from, MADV_DONTNEED);
    }
    pthread_mutex_lock(&c->lock);
    for (region **at = &c->regions; *at; at = &(*at)->next)
        if (*at == r) {
            *at = r->next;
            break;
        }
    pthread_mutex_unlock(&c->lock);
    free(r);
}

uint32_t context_change_budget(arcl_context *c, uint32_t words) {
    uint32_t before = c->options.budget;
    c->options.budget = words;
    for (int i = 0; i < c->thread_count; i++) c->worker[i].budget = words;
    return before;
}
