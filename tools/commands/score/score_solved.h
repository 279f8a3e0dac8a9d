/* The numbers that people come for: how many tasks some program solves, and how many the two attempts of a submission
 * do, of those whose outputs are known. */
#ifndef ARCL_SCORE_SOLVED_H
#define ARCL_SCORE_SOLVED_H
#include "cli/json_writer.h"
#include "data/task_file.h"

typedef struct score_solved {
    uint64_t tasks;       /* that have an output to compare with */
    uint64_t by_program;  /* of them: some program has all that is known of them right */
    uint64_t tested;      /* tasks that have test outputs */
    uint64_t by_attempts; /* of them: for each test input, one of two attempts is right */
    uint64_t grids;       /* test outputs that are known */
    uint64_t grids_right; /* of them: one of two attempts is right */
} score_solved;

/* Counts what there is to solve in a task. */
void score_solved_count(score_solved *solved, const arc_task *task);

/* Counts how many of a task's test outputs the attempts have right. */
void score_solved_attempted(score_solved *solved, const arc_task *task, int right);

/* Test outputs of a task that are known. */
int score_solved_tests(const arc_task *task);

/* "solved by some program: 399 of 400 tasks", if there were programs, and
 * "two attempts: 416 test grids, 415 right; 399 of 400 tasks solved". */
void score_solved_print(const score_solved *solved, int has_programs);

/* As members of the object that is being written. */
void score_solved_json(json_writer *w, const score_solved *solved, int has_programs);

#endif
