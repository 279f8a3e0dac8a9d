/* The queue that ranks take work from, in memory of rank 0 that all of them read and change by themselves: a counter
 * over the planned portions, and slots with what ranks have given back because it takes long. What was given back comes
 * first. All but opening and closing is one rank's own business and waits for nobody. */
#ifndef ARCL_RANK_QUEUE_H
#define ARCL_RANK_QUEUE_H
#include "portions/portion_plan.h"

typedef struct rank_queue rank_queue;

/* All ranks, with the same plan, which must outlive the queue. Rank 0 says whether there is nothing to do. */
rank_queue *rank_queue_open(const portion_list *plan, int is_finished);
/* All ranks. */
void rank_queue_close(rank_queue *queue);

/* Takes a portion. Returns 0 if there is none now. */
int rank_queue_take(rank_queue *queue, portion *units);

/* Gives portions for others to take. Returns 0 if there is no room for them: then they stay the caller's. */
int rank_queue_give(rank_queue *queue, const portion_list *portions);

/* Rank 0 says that all is done, and all ranks hear of it. */
void rank_queue_finish(rank_queue *queue);
int rank_queue_is_finished(const rank_queue *queue); /* as of the last rank_queue_take */

#endif
