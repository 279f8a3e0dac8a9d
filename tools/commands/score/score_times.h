/* The phases of scoring, in their order, and the seconds spent in each. */
#ifndef ARCL_SCORE_TIMES_H
#define ARCL_SCORE_TIMES_H

/* PHASE(name):
 *   read     files, and putting the examples of tasks into batches
 *   compile  programs, or batteries of them
 *   plan     deciding where they run
 *   run      running them; comparing outputs is the last kernel of that
 *   score    counting, ranking, choosing attempts
 *   write    lines and files
 */
#define SCORE_PHASES(PHASE) PHASE(read) PHASE(compile) PHASE(plan) PHASE(run) PHASE(score) PHASE(write)

typedef struct score_times {
#define SCORE_TIME(name) double name;
    SCORE_PHASES(SCORE_TIME)
#undef SCORE_TIME
} score_times;

#endif
