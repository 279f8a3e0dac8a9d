/* What ranks give each other to do: queues in memory of rank 0 that all of them read and change by themselves, and a
 * few numbers that all should know. All but opening and closing is one rank's own business and waits for nobody. */
#ifndef ARCL_RANK_QUEUE_H
#define ARCL_RANK_QUEUE_H
#include "portions/portion_plan.h"

typedef struct rank_queue rank_queue;

/* Queues, of which the first that has something is taken from. The units of a program are in classes, and those of the
 * first are likely to take longest. Each class has a queue of what is known to take long, then one of what else has
 * come that far; but what has come to the last class is in several, by what is left of it, the first of which is
 * RANK_ORDINARY. */
enum { RANK_CLASSES = 7, RANK_ORDINARY = 2 * RANK_CLASSES - 1, RANK_QUEUES = RANK_ORDINARY + 5 };

static inline int rank_queue_of_long(int number) { return 2 * number; }
static inline int rank_queue_of_class(int number) { return 2 * number + 1; }
static inline int rank_queue_is_long(int queue) { return queue < RANK_ORDINARY && queue % 2 == 0; }

/* Units, and what is known of what they cost. */
typedef struct rank_block {
    portion units;
    uint64_t tried; /* units before these, that were run last; 0: none */
    double seconds; /* that they took */
} rank_block;

typedef struct rank_given {
    rank_block block;
    int queue;
} rank_given;

typedef struct rank_given_list {
    rank_given *list;
    size_t count, room;
} rank_given_list;

void rank_given_add(rank_given_list *list, rank_block block, int queue);

/* All ranks. Rank 0 says whether there is nothing to do. */
rank_queue *rank_queue_open(int is_finished);
/* All ranks. */
void rank_queue_close(rank_queue *queue);

/* Reads how things are, for the functions below that say so. */
void rank_queue_look(rank_queue *queue);

/* Takes a portion from one of the first `queues`, as of the last look. Returns 0 if there is none. What the others have
 * is left to other ranks, but for what only this one can take. */
int rank_queue_take(rank_queue *queue, int queues, rank_given *given);

/* Gives portions for others to take, and empties the list. What there is no room for is left in it. */
void rank_queue_give(rank_queue *queue, rank_given_list *list);

/* This rank has nothing to do, or has again. */
void rank_queue_set_idle(rank_queue *queue, int is_idle);
/* How many have nothing to do, as of the last look. */
int rank_queue_idle(const rank_queue *queue);

/* Notes what a unit has cost that was tried first, which all know after the next look of this rank; and what is usual,
 * in seconds, as of that look: the geometric mean, in which a few that take very long hardly count. 0: nothing is
 * known. */
void rank_queue_note_cost(rank_queue *queue, double seconds);
double rank_queue_usual_cost(const rank_queue *queue);

/* Rank 0 says that all is done, and all ranks hear of it. */
void rank_queue_finish(rank_queue *queue);
int rank_queue_is_finished(const rank_queue *queue); /* as of the last look */

#endif
