/* What running has done, per kernel: the stuff that reports are made of. */
#ifndef ARCL_COUNTS_H
#define ARCL_COUNTS_H
#include <stdint.h>

#include "cl/frame.h"
#include "program/graph.h"

typedef struct op_count {
    uint64_t launches, lanes, words, failures, nanoseconds;
    uint64_t teams; /* of the launches: those in the shape of teams */
} op_count;

/* Adds what the launches of a run have noted down, one entry per step, to the counts of KERNEL_COUNT kernels. */
void counts_add_steps(op_count *counts, const program_graph *p, const step_counter *steps);

#endif
