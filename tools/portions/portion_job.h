/* A job as what runs it sees it: units that are counted in the order of the results, of which any that follow one
 * another can be run by themselves, anywhere. What comes of that is a record, bytes; records taken in order make the
 * results, whatever they were cut into. */
#ifndef ARCL_PORTION_JOB_H
#define ARCL_PORTION_JOB_H
#include <stdint.h>

#include "arcl.h"
#include "portions/bytes.h"

/* The units first .. end. */
typedef struct portion {
    uint64_t first, end;
} portion;

typedef struct portion_job {
    void *self;
    arcl_context *context; /* that it runs in, for reports */
    const char *what;      /* its units are called, as in "160000 pairs" */
    uint64_t units;
    uint64_t each; /* so many of them begin with the same preparations: cuts are best between these; those of them that
                      * are likely to take longest come first */
    double usual;  /* cost of a portion that keeps a machine busy */
    uint64_t key[2]; /* equal if jobs have the same units and the same results */
    /* What units are likely to cost, in some measure; they are within `each`. */
    double (*cost)(const void *self, portion units);
    /* Runs a portion and adds its record to the list, where those of portions that follow one another are the record of
     * all of them. Returns CLI_DONE, or another exit status after a message. */
    int (*run)(void *self, portion units, byte_list *record);
    /* Takes the record of the next portion. Returns 0, or -1 if it is none. */
    int (*take)(void *self, portion units, const unsigned char *record, size_t length);
} portion_job;

#endif
