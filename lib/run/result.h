/* What a run leaves behind: per chunk of lanes, statuses, values, and what the values refer to; or scores; or both. */
#ifndef ARCL_RESULT_H
#define ARCL_RESULT_H
#include <pthread.h>
#include <stdatomic.h>

#include "base/storage.h"
#include "cl/word.h"
#include "ops/type.h"
#include "program/execute.h"

typedef struct segment {
    uint first, lanes;
    word *value;   /* per program of the graph and lane; offsets count from `value`. NULL: only scores are here */
    uchar *status; /* likewise */
    uchar *which;  /* of the result's types, likewise */
    uint *mishaps; /* ops that failed, likewise; NULL: the program is strict */
    struct lane_score *score; /* likewise (cl/frame.h). NULL: no scores were wanted */
    /* what a run has packed follows (cl/packed.h), and the scores */
} segment;

struct arcl_result {
    type_code type[MAX_RESULTS];
    int triples; /* its cells are (i, j, c) */
    uint32_t lanes;
    block_store *storage; /* the context's, where the segments are from */
    segment **of_lane;    /* the segment of every lane, behind the result; NULL in a view */
    /* A view is some lanes of a whole, or all lanes of one program of a whole that is a graph of several. The whole
     * lives as long as somebody uses it: */
    struct arcl_result *whole; /* NULL: this is one */
    uint32_t first;            /* lane of the whole */
    uint32_t program;          /* of the whole's graph */
    _Atomic uint32_t users;    /* of a whole, besides the first */
    /* Lanes of a program that were run again, for it alone. */
    struct arcl_result *again;
    uint32_t *again_lane; /* per lane: its number there, + 1; 0: it is not among them */
};

/* A result of the program without segments yet; NULL, and a message, when there is no memory. */
arcl_result *result_create(arcl_context *context, const program_graph *p, uint32_t lanes, arcl_error *error);

/* Lanes first .. first+lanes of a result that is no view, as a result of their own, to be freed like any. Both are
 * freed in any order. NULL when there is no memory. */
arcl_result *result_view(arcl_result *whole, uint32_t first, uint32_t lanes);

/* The same of one program of the graph that `whole` is from, with all lanes. */
arcl_result *result_of_program(arcl_result *whole, const program_graph *graph, uint32_t program);

/* Whether only running the program alone can tell the lane's status. */
int result_is_doubtful(const arcl_result *r, uint32_t lane_number);

/* Room for what a run yields of lanes first .. first+lanes: the packed results, to be put at `value`, and scores, to be
 * put at `score`. NULL when there is no memory. */
segment *segment_get(block_store *memory, const program_graph *p, run_yield yield, uint first, uint lanes,
                     uint packed_words);

/* Leaves, of a result with outputs and scores, only what is wanted. It must be no view. */
void result_keep_only(arcl_result *r, run_yield yield);

/* value_parts.c: whether the value is a part of one that has guests, so that ints in it may stand for other values. */
int value_has_guests(arcl_value v);

#endif
