/* A job over the ranks of MPI. Ranks take portions from a counter at rank 0, which each of them reads and increases by
 * itself; records go to rank 0, which writes them to the journal as they come, and makes the results of it when all are
 * there. Rank 0 runs portions too, while no record waits for it. */
#ifndef ARCL_RANKS_H
#define ARCL_RANKS_H
#include "cli/options.h"
#include "portions/portion_engine.h"

typedef struct ranks ranks;

/* Begins MPI. Threads that --threads leaves open become this rank's share of its node's cores. Returns 0, or -1 after a
 * message. */
int ranks_begin(ranks **all, int *argc, char ***argv, cli_options *options);
portion_engine ranks_engine(ranks *all);

/* Ends MPI; the status is that of the job, which all ranks return: that of rank 0, or that of another that is worse. */
int ranks_end(ranks *all, int status);

#endif
