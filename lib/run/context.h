/* The context: the arena, the threads and their workers, and pools of memory for compiling.
 *
 *   arena:  | zeros | batches ...                    | worker 0 | worker 1 | .. |
 *
 * One reservation of address space; pages cost memory only when they are touched. Offsets into it are what values hold.
 */
#ifndef ARCL_CONTEXT_H
#define ARCL_CONTEXT_H
#include <pthread.h>
#include <stdatomic.h>

#include "arcl.h"
#include "base/pool.h"
#include "base/storage.h"
#include "host/host.h"
#include "host/threads.h"
#include "ops/op_table.h"

#define ZERO_WORDS 4096u /* offset 0 is where every default value points: it must read as zeros */

typedef struct region { /* a batch's part of the arena */
    uint begin, end;
    struct region *next; /* by ascending begin */
} region;

/* What runs were predicted to take and took, in nanoseconds. */
typedef struct run_totals {
    uint64_t runs;
    double predicted, taken;
    double unpredicted; /* the part of `taken` that nothing was predicted for */
    double planning;
} run_totals;

/* What a room above keeps in a context, which knows only how to get rid of it. */
typedef struct kept_answers {
    void (*forget)(struct kept_answers *answers);
} kept_answers;

struct arcl_context {
    arcl_options options; /* its texts are the context's own copies */
    op_index ops;
    word *arena;
    uint64_t arena_bytes;
    uint batches_end; /* where the workers' parts begin */
    region *regions;
    int thread_count;
    threads *threads;
    host_worker *worker;
    pthread_mutex_t lock; /* of `regions`, `pools` and `op_types` */
    struct pooled *pools;
    block_store results;
    _Atomic uint64_t batch_serial;
    _Atomic int cancelled; /* arcl_cancel was called, and no call has been ended by it yet */
    run_totals totals;
    struct selector *selector; /* NULL until something is to be run */
    struct cache *cache;       /* NULL: nothing is kept */
    kept_answers *op_types;    /* NULL until somebody asks for one; made under the lock */
    struct opencl *opencl;     /* NULL until somebody asks for its devices */
    /* A worker per queue of the devices that are open. If the options name devices, these are all, and everything runs
     * on them; on "auto" they are opened when a plan wants them. */
    struct device_worker *device;
    int device_count;
    int named_count;               /* of these workers, belong to devices that the options name */
    int host_only;                 /* the options name the host */
    struct similarity *similarity; /* NULL until something is compared */
};

/* What running takes, by the options: the arena and its workers, and, once it is known how many devices there are to be
 * driven, threads. context_stop gives back whatever there is of it. */
ARCL_CHECKED arcl_status context_reserve(arcl_context *c, arcl_error *error);
ARCL_CHECKED arcl_status context_start_threads(arcl_context *c, arcl_error *error);
void context_stop(arcl_context *c);

/* Uses up the wish to cancel: whether there was one. */
int context_take_cancel(arcl_context *c, arcl_error *error);

/* arcl_parallel on the threads of a context, if they have nothing else to do; else the caller does it all. So it may be
 * called from any thread, also while something runs. */
void context_share(void *context, uint32_t count, void (*work)(void *arg, uint32_t index), void *arg);

/* A pool for one compilation; safe from any thread. */
pool *context_pool_take(arcl_context *c);
void context_pool_give(arcl_context *c, pool *p);

/* Words of the arena for a batch; NULL if there is no room. */
region *context_region_take(arcl_context *c, uint words);
void context_region_give(arcl_context *c, region *r);

/* Lanes may make so many words from now on; returns how many it was. For those that run many programs of which few
 * matter, between their own runs: the budget is the context's. */
uint32_t context_change_budget(arcl_context *c, uint32_t words);

#endif
