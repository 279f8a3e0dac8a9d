#include "commands/score/score_rows.h"

#include <stdlib.h>
#include <string.h>

row_verdict score_row_verdict(const score_row *row) {
    if (row->rejected) return ROW_REJECTED;
    if (row->right == row->all) return ROW_SOLVED;
    return row->errors == row->all ? ROW_FAILS : row->right ? ROW_SOME_RIGHT : ROW_WRONG;
}

static int better_first(const void *a, const void *b) {
    const score_row *x = a, *y = b;
    int64_t examples = (int64_t)y->right * x->all - (int64_t)x->right * y->all;
    if (examples) return examples > 0 ? 1 : -1;
    uint64_t mine = x->cells * y->all_cells, other = y->cells * x->all_cells;
    return mine == other ? (x->number > y->number) - (x->number < y->number) : mine < other ? 1 : -1;
}

static void order(score_row_list *list) {
    if (list->count) qsort(list->rows, (size_t)list->count, sizeof *list->rows, better_first);
    if (list->count > MOST_ROWS) list->count = MOST_ROWS;
    list->full = list->count == MOST_ROWS;
}

/* Makes room for a row; 0 if it is not among those that are shown. */
static int may_be_shown(score_row_list *list, const score_row *row, int best_first) {
    if (!best_first && list->count == MOST_ROWS) return 0;
    if (list->full && better_first(row, &list->rows[MOST_ROWS - 1]) > 0) return 0;
    if (list->count == 2 * MOST_ROWS) order(list);
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 250;
        list->rows = allocation_resize(list->rows, (size_t)list->room, sizeof *list->rows);
    }
    return 1;
}

static void note_file(const char **first, int *several, const char *file) {
    if (!*first) *first = file;
    *several |= *first != file && strcmp(*first, file) != 0;
}

void score_rows_add(score_rows *all, score_row row) {
    row_verdict verdict = score_row_verdict(&row);
    score_row_list *list = &all->lists[verdict == ROW_SOLVED];
    row.number = all->count++;
    all->of[verdict]++;
    note_file(&all->programs, &all->several_programs, row.program->file);
    if (row.task) note_file(&all->tasks, &all->several_tasks, row.task->file);
    if (!may_be_shown(list, &row, all->best_first)) return;
    if (row.rejected) row.rejected = hoard_text(&all->memory, row.rejected);
    list->rows[list->count++] = row;
}

void score_rows_finish(score_rows *all) {
    if (!all->best_first) return;
    for (int solved = 0; solved < 2; solved++) { /* what is solved is better than what is not */
        score_row_list *list = &all->lists[solved];
        order(list);
        if (!list->count) continue;
        all->programs = list->rows[0].program->file;
        if (list->rows[0].task) all->tasks = list->rows[0].task->file;
    }
}

void score_rows_free(score_rows *all) {
    for (int i = 0; i < 2; i++) free(all->lists[i].rows);
    hoard_free(&all->memory);
    *all = (score_rows){0};
}
