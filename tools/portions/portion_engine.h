/* Who runs a job: this process alone, or several that each have a part in it (tools/mpi). A command does the same in
 * all of them, so that each can run any portion, and one of them writes the results. */
#ifndef ARCL_PORTION_ENGINE_H
#define ARCL_PORTION_ENGINE_H
#include "cli/options.h"
#include "portions/bytes.h"
#include "portions/portion_job.h"

typedef struct portion_engine {
    void *self;
    int is_writer;
    int is_alone; /* there is nobody else, so that nothing has to be made bytes of unless a journal is wanted */
    /* The worst exit status of all processes. */
    int (*agree)(void *self, int status);
    /* Gives all processes the bytes that the writer has. */
    void (*share)(void *self, byte_list *bytes);
    /* Runs what is not done yet; the writer takes all records, in order, and returns CLI_DONE or another exit status
     * after a message. If a part of the job was asked for, that is run and nothing is taken: *is_part says so. */
    int (*run)(void *self, const portion_job *job, const cli_options *options, int *is_part);
} portion_engine;

#endif
