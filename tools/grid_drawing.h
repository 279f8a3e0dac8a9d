/* Grids in the terminal: blocks of colour, or digits where standard output is no terminal or NO_COLOR is set. */
#ifndef ARCL_GRID_DRAWING_H
#define ARCL_GRID_DRAWING_H
#include "task_file.h"

/* Draws grids side by side with an arrow between them, a blank line after. A grid without cells is left out. */
void drawing_print(const task_grid *grids, int count);

#endif
