/* The programs of a task by what they do: those with the same outputs on all its examples are one behaviour, and the
 * best of these are kept in order. Of the others there are 12 bytes each, since there can be as many as pairs. */
#ifndef ARCL_SCORE_RANKING_H
#define ARCL_SCORE_RANKING_H
#include "commands/score/score_tally.h"

typedef struct score_behaviour {
    int place;         /* in the order in which they came */
    int programs;      /* that behave so */
    score_merit merit; /* of the best of them, which differ in words only */
    score_count train, test;
    uint64_t cells, all_cells;
} score_behaviour;

typedef struct score_ranking {
    int most;      /* behaviours that are wanted in the end; 0: only whether the task is solved */
    int programs;  /* in all */
    int is_solved; /* one of the programs has all examples right whose outputs are known */
    int count;     /* behaviours */
    int room;
    uint64_t *fingerprints; /* of each */
    int *alike;             /* programs of each */
    uint32_t *slots;        /* a hash table of their places, + 1 */
    score_behaviour *best;  /* those that may be among the best; one can be there more than once */
    int candidates, best_room;
    int kept; /* the first so many of them are the best that there were, in order */
} score_ranking;

/* An empty ranking has `most` and nothing else. Free it. */
void score_ranking_free(score_ranking *ranking);

/* Adds a program that was run on the task. Returns the place of its behaviour, or -1 if none are wanted. */
int score_ranking_add(score_ranking *ranking, const score_tally *tally);

/* The best of them, best first; free() them. Nothing is added afterwards. */
score_behaviour *score_ranking_best(const score_ranking *ranking, int *count);

#endif
