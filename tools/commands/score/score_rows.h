/* The rows of the page: a row for every pair of program and task, of which those are kept that the page shows. There
 * can be as many as programs times tasks, so what the page says of all of them is counted as they come. */
#ifndef ARCL_SCORE_ROWS_H
#define ARCL_SCORE_ROWS_H
#include "cli/allocation.h"
#include "commands/score/score_tally.h"

enum { MOST_ROWS = 2000 }; /* that the page shows */

typedef enum row_verdict { ROW_SOLVED, ROW_SOME_RIGHT, ROW_WRONG, ROW_FAILS, ROW_REJECTED, ROW_VERDICTS } row_verdict;

typedef struct score_row {
    const program_entry *program;
    const arc_task *task; /* NULL: named after none */
    int right, all, errors;
    uint64_t cells, all_cells;
    const char *rejected; /* why it could not be compiled or run; else NULL */
    uint64_t number;      /* in the order in which they came */
} score_row;

row_verdict score_row_verdict(const score_row *row);

typedef struct score_row_list {
    score_row *rows;
    int count, room;
    int full; /* the first MOST_ROWS are the best of those that came before, in order */
} score_row_list;

typedef struct score_rows {
    int best_first;                      /* else in the order in which they come */
    score_row_list lists[2];             /* of what is not solved, and of what is */
    uint64_t count;                      /* all that came, */
    uint64_t of[ROW_VERDICTS];           /* by their verdicts */
    const char *programs, *tasks;        /* the files that the first ones are from; NULL: none */
    int several_programs, several_tasks; /* others are from other files */
    hoard memory;                        /* of reasons */
} score_rows;

/* A zeroed one is empty. Free it. What rows refer to must outlive it, but for the reason of a rejection. */
void score_rows_add(score_rows *all, score_row row);
void score_rows_free(score_rows *all);

/* In the end, before they are looked at: orders them. The files are then those of the best. */
void score_rows_finish(score_rows *all);

#endif
