/* Running a rank's part of a job, until all of the job is done: pieces of its own (rank_blocks.h), and what others give
 * (rank_queue.h). */
#ifndef ARCL_RANK_LOOP_H
#define ARCL_RANK_LOOP_H
#include "mpi/rank_records.h"

/* Runs this rank's share of the work, or what it gets instead. With `most`, no record has more units. */
void rank_loop_run(rank_records *records, const portion_list *work, uint64_t most);

/* Runs all of it, in order, where there is one rank. */
void rank_loop_run_alone(rank_records *records, const portion_list *work, uint64_t most);

#endif
