/* The host as a device: the kernels compiled as C, run over chunks of lanes, each chunk through a whole program. */
#ifndef ARCL_HOST_H
#define ARCL_HOST_H
#include <stdint.h>

#include "../cl/lane.h"
#include "../lib/graph.h"

/* What running has done, per kernel and per kind of step. */
typedef struct host_count {
    uint64_t launches, lanes, words, failures, nanoseconds;
} host_count;
#define HOST_COUNTERS (KERNEL_COUNT + STEP_KINDS)

typedef void host_kernel(launch *l);

/* One thread's share of the arena and what it needs besides. */
typedef struct host_worker {
    word *arena;
    uint begin, end; /* the worker's own words of the arena */
    uint budget;
    host_kernel *const *kernels;
    int counting;
    host_count count[HOST_COUNTERS];
    /* per step and per scope, grown on demand */
    struct host_column *column;
    struct host_scope *scope;
    int columns, scopes;
} host_worker;

/* Lanes first .. first+lanes of a batch: input[i] is the column of parameter i, of all the batch's lanes. */
typedef struct host_chunk {
    const word *input[4];
    uint first, lanes;
    /* filled in by host_run */
    const word *result; /* one word per lane, in the arena until the worker runs again */
    const uchar *status;
    const uchar *which; /* of the program's results, per lane */
    uint used;          /* words of the arena that the chunk took */
} host_chunk;

enum host_outcome { HOST_DONE, HOST_OVERFLOW, HOST_NO_MEMORY };

/* Runs the program over the chunk. HOST_OVERFLOW: the worker's part of the arena is too small for so many lanes. */
enum host_outcome host_run(host_worker *w, const arcl_program *p, host_chunk *chunk);
void host_worker_free(host_worker *w);

/* The kernels, by kernel_id, in the build that suits this processor best. */
host_kernel *const *host_kernels(void);

/* Compile-time arithmetic: whether the kernel is made of ints only, and its result; 0 if it fails. */
int host_kernel_folds(unsigned kernel);
int host_fold(unsigned kernel, uint64_t imm, int args, const int64_t *arg, int64_t *result);

#endif
