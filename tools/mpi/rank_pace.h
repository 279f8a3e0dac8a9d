/* How much of a portion to run at once, by how long its last piece took. A program is tried on a single unit first, and
 * on more and more as long as it is fast: some take ten thousand times as long as others, and a piece that was begun
 * cannot be shared. */
#ifndef ARCL_RANK_PACE_H
#define ARCL_RANK_PACE_H
#include "portions/portion_plan.h"

typedef struct rank_pace {
    const portion_job *job;
    uint64_t each;  /* that the last piece was in */
    double cost;    /* of it, as it was expected */
    double seconds; /* that it took for each of that; 0: nothing is known */
} rank_pace;

rank_pace rank_pace_start(const portion_job *job);

/* Where the next piece ends, of units that are left; it should not take longer than `most` seconds. */
uint64_t rank_pace_next(const rank_pace *pace, portion units, double most);
void rank_pace_took(rank_pace *pace, portion units, double seconds);

/* Divides what is left, for others: into portions that take `wanted` seconds by what is known, but no more than there
 * are some for each of `workers`. Free them. */
portion_list rank_pace_divide(const rank_pace *pace, portion units, double wanted, int workers);

#endif
