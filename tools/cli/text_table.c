#define _DEFAULT_SOURCE
#include "cli/text_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/allocation.h"
#include "cli/messages.h"

enum { GAP = 2, LEAST_FIRST = 16 };

void text_table_start(text_table *table, const text_column *columns, int count, int rows) {
    *table = (text_table){.columns = columns, .count = count, .rows = rows};
    table->cells = allocation_get((size_t)(count * rows) + 1, sizeof *table->cells);
}

void text_table_free(text_table *table) {
    free(table->cells);
    *table = (text_table){0};
}

char *text_table_cell(text_table *table, int row, int column) { return table->cells[row * table->count + column]; }

int text_table_width(void) {
    struct winsize size;
    const char *said = getenv("COLUMNS");
    int columns = said ? atoi(said) : 0;
    if (columns > 0) return columns;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* ---- widths ---- */

static const char *cell_of(const text_table *t, int row, int column) { return t->cells[row * t->count + column]; }

/* 0 for a column that has nothing in it. */
static int natural_width(const text_table *t, int column) {
    size_t widest = 0;
    for (int row = 0; row < t->rows; row++) {
        size_t length = strlen(cell_of(t, row, column));
        if (length > widest) widest = length;
    }
    size_t title = strlen(t->columns[column].title);
    return (int)(widest && title > widest ? title : widest);
}

static int total_width(const text_table *t, const int *width) {
    int sum = -GAP;
    for (int c = 0; c < t->count; c++)
        if (width[c]) sum += width[c] + GAP;
    return sum;
}

/* The column that can best be done without, or -1. */
static int least_important(const text_table *t, const int *width) {
    int least = -1;
    for (int c = 0; c < t->count; c++)
        if (width[c] && t->columns[c].importance &&
            (least < 0 || t->columns[c].importance < t->columns[least].importance))
            least = c;
    return least;
}

/* Shortens the first column by what is missing, at most to LEAST_FIRST. */
static void shorten_first(const text_table *t, int *width, int room) {
    int missing = total_width(t, width) - room, spare = width[0] - LEAST_FIRST;
    if (missing <= 0 || spare <= 0) return;
    width[0] -= missing < spare ? missing : spare;
}

static void fit(const text_table *t, int room, int *width, int *left_out) {
    int first = width[0], c;
    if (!room) return;
    shorten_first(t, width, room);
    while (total_width(t, width) > room && (c = least_important(t, width)) >= 0) {
        left_out[c] = 1;
        width[c] = 0;
        width[0] = first;
        shorten_first(t, width, room);
    }
}

/* ---- printing ---- */

static void print_cell(FILE *out, const char *text, int width, int is_number, int is_last) {
    char fitting[TEXT_TABLE_CELL];
    int length = (int)strlen(text), blank = length < width ? width - length : 0;
    snprintf(fitting, sizeof fitting, "%.*s%s", length > width ? width - 2 : length, text, length > width ? ".." : "");
    if (is_number) fprintf(out, "%*s", blank, "");
    message_put_clean(out, fitting);
    if (!is_number && !is_last) fprintf(out, "%*s", blank, "");
}

static void print_row(const text_table *t, const int *width, int row, FILE *out) {
    int last = 0;
    for (int c = 0; c < t->count; c++)
        if (width[c] && *(row < 0 ? t->columns[c].title : cell_of(t, row, c))) last = c;
    for (int c = 0; c <= last; c++) {
        if (!width[c]) continue;
        if (c) fprintf(out, "%*s", GAP, "");
        print_cell(out, row < 0 ? t->columns[c].title : cell_of(t, row, c), width[c], t->columns[c].is_number,
                   c == last);
    }
    putc('\n', out);
}

static void print_left_out(const text_table *t, const int *left_out, int room, FILE *out) {
    int used = 0;
    for (int c = 0; c < t->count; c++) {
        if (!left_out[c]) continue;
        int length = (int)strlen(t->columns[c].title) + 3;
        if (!used)
            used = fprintf(out, "(too narrow for: ");
        else if (used + 1 + length > room)
            used = fprintf(out, ",\n ") - 2;
        else
            used += fprintf(out, ", ");
        used += fprintf(out, "%s", t->columns[c].title);
    }
    if (used) fputs(")\n", out);
}

void text_table_print(const text_table *t, int room, FILE *out) {
    int width[TEXT_TABLE_COLUMNS] = {0}, left_out[TEXT_TABLE_COLUMNS] = {0};
    for (int c = 0; c < t->count; c++) width[c] = natural_width(t, c);
    fit(t, room, width, left_out);
    for (int row = -1; row < t->rows; row++) print_row(t, width, row, out);
    print_left_out(t, left_out, room, out);
}
