/* A device at work for a context: the open device, what it keeps of batches, and what it has counted.
 *
 *   its arena:  | zeros | batches ..      | the chunk that is running .. |
 */
#ifndef ARCL_OPENCL_WORKER_H
#define ARCL_OPENCL_WORKER_H
#include "opencl/opencl.h"
#include "program/counts.h"
#include "program/execute.h"
#include "run/batch.h"

/* Lanes of a batch that are on the device. */
typedef struct resident_lanes {
    uint64_t batch; /* its serial */
    uint first, lanes;
    uint column[4]; /* where the columns of its arguments begin: the first entry is lane `first` */
    uint masks[4];  /* where they begin with masks (lib/run/batch.h) */
    uint words;     /* that the largest of these lanes takes */
} resident_lanes;

#define RESIDENTS 64
typedef struct device_worker {
    opencl_device *device;
    uint batches_begin, batches_end; /* of the part of the arena that batches have; chunks have the rest */
    uint batches_cursor;
    resident_lanes resident[RESIDENTS];
    int residents;
    uint64_t beginnings; /* how often the batches' part of the arena has begun anew */
    int counting;
    arcl_shape shape; /* that the user wants */
    op_count count[KERNEL_COUNT];
} device_worker;

/* Lanes that are wanted on the device, from `first` on, and how many of them it will probably want: no fewer. */
typedef struct lanes_wanted {
    uint first, now, soon;
} lanes_wanted;

/* Lanes of the batch that are on the device: those that are wanted now, or as many as there is room for, but one at
 * least. Brings them there if they are not, and those that will be wanted soon with them, if there is room. */
ARCL_CHECKED arcl_status residency_get(device_worker *w, const arcl_batch *b, lanes_wanted wanted,
                                       const resident_lanes **found, arcl_error *error);

/* The same lanes of two batches, both on the device at once; as many as there are of both. */
ARCL_CHECKED arcl_status residency_get_both(device_worker *w, const arcl_batch *a, const arcl_batch *b,
                                            lanes_wanted wanted, resident_lanes *found_a, resident_lanes *found_b,
                                            arcl_error *error);

/* A program, or a part of one, over lanes whose inputs are on the device. */
enum { WHOLE_ROOM, FIRST_HALF, SECOND_HALF };
typedef struct device_chunk {
    const program_graph *program;
    const uint *input; /* where the columns of the inputs begin */
    uint lanes;
    uint budget;
    uint most;       /* words that the chunk may have; 0: all there are */
    run_yield yield; /* what is wanted; `expected` is where the column of the grids to compare with is, or 0 */
    uint expected;
    uint largest;         /* words that the largest input has; 0: not known */
    const uchar *is_team; /* per kernel: whether teams run it; NULL: as suits the device */
    int half;             /* which part of the chunks' memory it has: for two on their way at once, without pieces */
    uint piece;           /* words at the beginning of the chunks' memory that the part before has left there */
    uint out_base;        /* where the next part will find what this one leaves */
    /* filled in by device_execute, or by device_launch_chunk and device_chunk_landed: */
    uint frame;                /* where its memory begins, behind the piece */
    int done;                  /* 0: there was not enough memory for so many lanes */
    uint packed, packed_words; /* as pack.cl leaves it, until the worker runs again */
    uint scores;               /* a lane_score per lane, as long */
    uint used;                 /* words that the chunk took */
} device_chunk;
ARCL_CHECKED arcl_status device_execute(device_worker *w, device_chunk *c, arcl_error *error);

/* The same in two steps, for a worker that counts nothing. Between them other chunks may be launched in the other half:
 * *frame has what the second needs when the mark is reached. */
ARCL_CHECKED arcl_status device_launch_chunk(device_worker *w, device_chunk *c, run_frame *frame, opencl_mark *mark,
                                             arcl_error *error);
void device_chunk_landed(device_chunk *c, const run_frame *frame);

/* Words that a chunk in that part of the memory may have. */
uint device_room(const device_worker *w, int half);

#endif
