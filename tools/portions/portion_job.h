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
    arcl_context *context; /* that it runs in, for reports; NULL: in several */
    const char *what;      /* its units are called, as in "160000 pairs" */
    uint64_t units;
    uint64_t each;  /* so many of them begin with the same preparations: cuts are best between these; those of them that
                      * are likely to take longest come first, */
    uint64_t tries; /* but for so many, which are run before all others to know what these cost; 0: there are none */
    double usual;   /* cost of a portion that keeps a machine busy */
    uint64_t together;   /* so many are run at the same time, if there are as many; 0: it does not matter */
    const char *kept_in; /* a folder where results are kept as they come, by `arrived`; NULL: a journal keeps them */
    uint64_t key[2];     /* equal if jobs have the same units and the same results */
    /* What units are likely to cost, in some measure; they are within `each`. */
    double (*cost)(const void *self, portion units);
    /* Runs a portion and adds its record to the list, where those of portions that follow one another are the record of
     * all of them. Returns CLI_DONE, or another exit status after a message. */
    int (*run)(void *self, portion units, byte_list *record);
    /* Is told, in the writing process, of a record that has come, in whatever order; NULL: nobody is. Returns as run
     * does. */
    int (*arrived)(void *self, portion units, const unsigned char *record, size_t length);
    /* Takes the record of the next portion. Returns 0, or -1 if it is none. */
    int (*take)(void *self, portion units, const unsigned char *record, size_t length);
} portion_job;

#endif
