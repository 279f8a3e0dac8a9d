/* What `arcl score` prints: a line per program, the best programs of each task, the last line. */
#ifndef ARCL_SCORE_OUTPUT_H
#define ARCL_SCORE_OUTPUT_H
#include "commands/score/score_ranking.h"
#include "commands/score/score_tally.h"
#include "commands/score/score_times.h"

typedef struct score_totals {
    const char *unit; /* what is counted as tasks: "tasks", or "pairs" of a program and a task */
    uint64_t tasks_right, tasks, examples_right, examples, errors;
} score_totals;

/* Adds a program that has tasks to the totals and prints its line if `print`. */
void score_output_program(const score_outcome *outcome, const score_tally *tallies, int all_pairs, int print,
                          score_totals *totals);

/* The best behaviours of a task. */
void score_output_ranking(const arc_task *task, const score_ranking *ranking, const program_list *programs);

/* "read 0.001 s, compile 0.002 s, ..", on standard error. */
void score_output_times(const score_times *times);

/* "tasks A/B examples C/D errors E" */
void score_output_totals(const score_totals *totals);

#endif
