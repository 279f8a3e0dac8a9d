/* A table of text whose columns are as wide as what is in them, and no wider altogether than there is room: then the
 * first column is shortened, and if that does not do, columns are left out, the least important first. A column with
 * nothing in it is left out anyway. */
#ifndef ARCL_TEXT_TABLE_H
#define ARCL_TEXT_TABLE_H
#include <stdio.h>

enum { TEXT_TABLE_COLUMNS = 16, TEXT_TABLE_CELL = 96 };

typedef struct text_column {
    const char *title;
    int is_number;  /* stands at the right */
    int importance; /* columns with less of it go first; 0: stays */
} text_column;

typedef struct text_table {
    const text_column *columns;
    int count, rows;
    char (*cells)[TEXT_TABLE_CELL]; /* row by row */
} text_table;

/* Room for so many rows. Free it. */
void text_table_start(text_table *table, const text_column *columns, int count, int rows);
void text_table_free(text_table *table);

/* The cell, empty at first. */
char *text_table_cell(text_table *table, int row, int column);

/* Prints it in so many characters a line; 0: as many as it takes. What was left out is said below it. */
void text_table_print(const text_table *table, int width, FILE *out);

/* The width of standard output: of the terminal, or what COLUMNS says; 0 if it is none. */
int text_table_width(void);

#endif
