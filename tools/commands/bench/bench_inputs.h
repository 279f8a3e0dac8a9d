/* Inputs that make sense: which arguments an op is measured with, and batches of them. */
#ifndef ARCL_BENCH_INPUTS_H
#define ARCL_BENCH_INPUTS_H
#include <stdint.h>

#include "arcl.h"

typedef enum bench_argument {
#define ARGUMENT(kind, type) BENCH_##kind,
#include "commands/bench/bench_arguments.def"
#undef ARGUMENT
    BENCH_ARGUMENTS
} bench_argument;

/* The kind of that name, or BENCH_ARGUMENTS. The name ends at a blank or at its end. */
bench_argument bench_argument_find(const char *name);
const char *bench_argument_type(bench_argument kind);

/* How much values are: the cells of grids, and bytes, one for such a cell and eight for any other number. */
typedef struct bench_amount {
    uint64_t cells, bytes;
} bench_amount;

/* A batch of so many lanes, each from a scene of its own of that side. The same for every context. What it amounts to
 * is added to *amount, which may be NULL. */
arcl_status bench_inputs_make(arcl_context *context, int count, const bench_argument *kinds, uint32_t lanes, int side,
                              arcl_batch **batch, bench_amount *amount, arcl_error *error) ARCL_CHECKED;

#endif
