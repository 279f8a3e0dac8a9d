/* The host as a device: the kernels compiled as C, run over chunks of lanes, each chunk through a whole program. */
#ifndef ARCL_HOST_H
#define ARCL_HOST_H
#include <stdatomic.h>
#include <stdint.h>

#include "cl/word.h"
#include "program/counts.h"
#include "program/execute.h"
#include "program/graph.h"

typedef void host_kernel(word *arena, uint frame, uint step);

/* One thread's share of the arena and what it needs besides. */
typedef struct host_worker {
    word *arena;
    uint begin, end; /* the worker's own words of the arena */
    uint budget;
    host_kernel *const *kernels;
    const _Atomic int *cancelled; /* not 0: runs end after the launch that is on */
    int counting;                 /* lanes, words and failures */
    int timing;                   /* launches, and how long they take: it takes time of its own */
    op_count count[KERNEL_COUNT];
    /* Called after every launch, by whom wants to know more; NULL: nobody. */
    void (*watch)(void *watcher, word *arena, uint frame, unsigned kernel, uint step);
    void *watcher;
} host_worker;

/* Lanes of a batch: input[i] is where their column of input i is. */
typedef struct host_chunk {
    const uint *input;
    uint lanes;
    host_kernel *const *kernels; /* NULL: the worker's */
    uint most;                   /* words of the worker's memory that the chunk may have; 0: all of it */
    run_yield yield; /* what is wanted; `expected` is where the column of the grids to compare with is, or 0 */
    uint expected;
    /* Gives memory for so many words, where the outputs go as pack.cl leaves them; NULL ends the run. Without it they
     * stay in the arena. */
    word *(*make_room)(void *owner, uint words);
    void *owner;
    /* of a program that comes in parts: */
    uint piece;    /* words at the beginning of the worker's memory that the part before has left there */
    uint out_base; /* where the next part will find what this one leaves */
    /* filled in by host_run: */
    const word *packed; /* as pack.cl leaves it, in the arena until the worker runs again */
    uint packed_words;
    uint scores; /* where a lane_score per lane is, as long, */
    uint frame;  /* and the run_frame */
    uint used;   /* words of the arena that the chunk took */
} host_chunk;

/* Runs the program over the chunk; 0 if the worker's part of the arena is too small for so many lanes, or if the run is
 * cancelled. */
int host_run(host_worker *w, const program_graph *p, host_chunk *chunk);

/* The builds of the kernels that this processor can run, the one that should suit it best first, each by kernel_id.
 * They are variants: which of them is faster for which kernel is a matter of measuring. */
int host_builds(void);
const char *host_build_name(int build);
host_kernel *const *host_kernels(int build);

/* Compile-time arithmetic: the result of a kernel that FOLDS; 0 if it fails. */
int host_fold(unsigned kernel, uint64_t imm, int args, const int64_t *arg, int64_t *result);

#endif
