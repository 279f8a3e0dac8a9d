/* The image of a run: what stands at the beginning of a chunk's memory before its first launch (cl/frame.h). */
#ifndef ARCL_IMAGE_H
#define ARCL_IMAGE_H
#include "cl/word.h"
#include "program/graph.h"

typedef struct image_request {
    const program_graph *program;
    uint at, limit; /* the chunk's part of the arena */
    uint lanes;
    uint interleaved, slab, budget;
    int records; /* whether launches go by records (cl/record.h) */
    int counting;
    const uint *input; /* where the columns of the inputs begin: the parameters, then what is carried or, of a masked
                        * program, the parameters with masks */
    uint carried;      /* where the statuses are that the part before has left; 0: this is the first part */
    uint out_base;     /* where the packed piece will go, if this is not the last part */
    int scores;        /* whether there are to be scores */
    uint expected;     /* where the column of the grids that are expected begins; 0: nothing is */
} image_request;

/* Words that image_write writes. */
uint64_t image_words(const image_request *r);

/* Writes the image of a chunk whose memory begins at arena[r->at] to `to`. 0 if the chunk's memory does not suffice. */
int image_write(const image_request *r, word *to);

#endif
