/* A process of its own beside each rank, which only waits for it. MPI ends the whole job when a rank dies, with a
 * status that says how; the keeper is what mpirun has started, so that it can say what happened and how to go on, and
 * end with a status of ours. It is no failure detector: it knows of its own child alone. */
#ifndef ARCL_KEEPER_H
#define ARCL_KEEPER_H
#include "cli/options.h"

/* Returns in the process that is to be the rank. Before MPI is begun, and before there are threads. Returns 0, or -1
 * after a message. */
int keeper_start(const cli_options *options);

/* The number of the rank as those who start ranks tell it in the environment; -1: they do not. */
int keeper_rank(void);

#endif
