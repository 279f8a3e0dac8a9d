/* What a run leaves behind: per chunk of lanes, statuses, values, and what the values refer to. */
#ifndef ARCL_RESULT_H
#define ARCL_RESULT_H
#include <pthread.h>

#include "../host/host.h"
#include "storage.h"
#include "type.h"

typedef struct segment {
    uint first, lanes;
    word *value;   /* per lane; offsets count from `value` */
    uchar *status; /* per lane */
    uchar *which;  /* of the result's types, per lane */
    /* storage follows */
} segment;

struct arcl_result {
    type_code type[MAX_RESULTS];
    uint32_t lanes;
    block_store *storage; /* the context's, where the segments are from */
    segment **of_lane;    /* the segment of every lane */
};

/* Copies a finished chunk out of the arena. NULL when there is no memory. */
segment *segment_from(block_store *memory, const host_worker *w, const type_code *types, const host_chunk *chunk);

#endif
