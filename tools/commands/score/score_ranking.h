/* The programs of a task by what they do: those with the same outputs on all its examples are one behaviour, and
 * behaviours are ordered from the best to the worst. */
#ifndef ARCL_SCORE_RANKING_H
#define ARCL_SCORE_RANKING_H
#include "commands/score/score_job.h"

typedef struct score_behaviour {
    uint64_t fingerprint;
    int programs;      /* that behave so */
    score_merit merit; /* of the best of them, which differ in words only */
    score_count train, test;
    uint64_t cells, all_cells;
} score_behaviour;

typedef struct score_ranking {
    score_behaviour *list; /* in the order in which they came */
    int count, room;
    int programs;    /* in all */
    uint32_t *slots; /* a hash table of places in the list, + 1 */
} score_ranking;

/* Adds a program that was run on the task. Returns the place of its behaviour in the list. A zeroed ranking is
 * empty. */
int score_ranking_add(score_ranking *ranking, const score_tally *tally);
void score_ranking_free(score_ranking *ranking);

/* Whether one of the programs has all examples right whose outputs are known. */
int score_ranking_is_solved(const score_ranking *ranking);

/* The best of them, at most `most`, best first; free() them. */
const score_behaviour **score_ranking_best(const score_ranking *ranking, int most, int *count);

#endif
