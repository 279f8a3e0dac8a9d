/* A batch as the library sees it: built in memory of its own, then placed in the context's arena. */
#ifndef ARCL_BATCH_H
#define ARCL_BATCH_H
#include "../cl/lane.h"
#include "context.h"
#include "type.h"

typedef struct words {
    word *at;
    size_t count, room;
} words;

typedef struct frame { /* a container that is being added */
    type_code type;
    size_t first;  /* of its parts on the stack */
    int row, h, w; /* of a grid */
} frame;

#define MAX_FRAMES 32
struct arcl_batch {
    arcl_context *context;
    int arguments;
    type_code type[4];
    uint32_t lanes; /* complete ones */
    int next;       /* the argument that comes next */
    words column[4];
    words data;  /* what columns refer to; offsets count from here */
    words stack; /* parts of the containers that are being added */
    frame frame[MAX_FRAMES];
    int depth;
    region *region;        /* NULL until placed */
    uint32_t placed_lanes; /* how many lanes are there */
    word *placed[4];       /* the columns in the arena */
};

/* Brings the batch into the arena, if it is not there as it is. */
arcl_status batch_place(arcl_batch *b, arcl_error *error);

#endif
