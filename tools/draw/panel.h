/* What is drawn: grids side by side, in rows. The terminal, pictures and pages draw the same panels, each in its way.
 * */
#ifndef ARCL_PANEL_H
#define ARCL_PANEL_H
#include "cli/allocation.h"
#include "data/task_file.h"

/* A cell of a panel is a cell of a grid, or one of these. */
enum panel_cell {
    PANEL_BLANK = 1000, /* nothing is there */
    PANEL_PLACE,        /* a location without a colour */
    PANEL_EQUAL,        /* as expected */
    PANEL_OTHER,        /* another colour than expected */
    PANEL_EXTRA,        /* outside the expected grid */
    PANEL_MISSING       /* outside the grid that was made */
};

typedef struct panel {
    const char *title; /* NULL: none */
    const char *text;  /* is drawn instead of cells; NULL: cells are */
    int arrow;         /* it comes out of what stands before it */
    int h, w;
    short *cells; /* row by row */
} panel;

enum { PANEL_MOST = 8 };

typedef struct panel_row {
    const char *caption; /* of the row, in a picture; NULL: none */
    const char *label;   /* the same, of a row that is aligned with others */
    int is_test;         /* belongs to the test examples of a task */
    int count;
    panel panels[PANEL_MOST];
} panel_row;

/* Adds a panel to a row and returns it, with blank cells that belong to the hoard. */
panel *panel_add(panel_row *row, hoard *owner, const char *title, int h, int w);
panel *panel_add_grid(panel_row *row, hoard *owner, const char *title, const task_grid *grid);
panel *panel_add_text(panel_row *row, hoard *owner, const char *title, const char *text);

/* Adds the cells of two grids that differ, marked. Returns how many there are. */
int panel_add_difference(panel_row *row, hoard *owner, const char *title, const task_grid *expected,
                         const task_grid *got);

/* How a cell is written where there are no colours: a digit, or a mark; 0 if it needs more than a letter. */
char panel_letter(short cell);

#endif
