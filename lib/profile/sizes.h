/* How much a program does per lane: its launches, with the lanes and elements that each goes over. Where it runs makes
 * no difference to that, so a few lanes on the host tell what the whole batch will do on any device.
 */
#ifndef ARCL_SIZES_H
#define ARCL_SIZES_H
#include "program/graph.h"
#include "run/batch.h"

/* One launch of a chunk, or, in a loop, one of several. */
typedef struct launch_size {
    uint16_t kernel;
    uint32_t step;   /* of the program; SIZES_NO_STEP for what comes before and after all steps */
    int shared;      /* goes over one lane, however many the batch has */
    double launches; /* in a chunk */
    double lanes;    /* of one launch, per lane of the batch */
    double elements; /* likewise: words read and made */
} launch_size;

#define SIZES_NO_STEP 0xffffffffu

typedef struct program_sizes {
    int count;
    launch_size *launch; /* in the order of the steps; run_start first where there is one, the two of packing last */
    double *bytes;       /* per step of the batch's lanes: what its value takes in a lane, with all it refers to */
    double words;        /* that a lane makes of a chunk's memory */
    double input_bytes, result_bytes; /* of a lane */
    uint32_t sampled; /* lanes that were looked at; 0: nobody has looked, and these are typical values */
} program_sizes;

/* What is known without running it: containers have typical lengths. NULL when there is no memory. */
program_sizes *sizes_estimate(const program_graph *p);

/* Runs `lanes` lanes of the batch, from all over it, on the calling thread and looks. NULL if that was not possible:
 * with too little memory, for example; the run itself will say why. */
program_sizes *sizes_sample(arcl_context *c, const program_graph *p, const arcl_batch *b, uint32_t lanes);
void sizes_free(program_sizes *s);

#endif
