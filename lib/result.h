/* What a run leaves behind: per chunk of lanes, statuses, values, and what the values refer to. */
#ifndef ARCL_RESULT_H
#define ARCL_RESULT_H
#include <pthread.h>

#include "../cl/lane.h"
#include "graph.h"
#include "storage.h"
#include "type.h"

typedef struct segment {
    uint first, lanes;
    word *value;   /* per lane; offsets count from `value` */
    uchar *status; /* per lane */
    uchar *which;  /* of the result's types, per lane */
    /* what a run has packed follows (cl/pack.cl) */
} segment;

struct arcl_result {
    type_code type[MAX_RESULTS];
    uint32_t lanes;
    block_store *storage; /* the context's, where the segments are from */
    segment **of_lane;    /* the segment of every lane */
};

/* A result of the program without segments yet; NULL, and a message, when there is no memory. */
arcl_result *result_create(arcl_context *context, const arcl_program *p, uint32_t lanes, arcl_error *error);

/* Room for the packed results of lanes first .. first+lanes, to be put at `value`. NULL when there is no memory. */
segment *segment_get(block_store *memory, uint first, uint lanes, uint packed_words);

#endif
