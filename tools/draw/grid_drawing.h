/* Panels in the terminal: blocks of colour, or digits where standard output is no terminal, TERM is dumb or NO_COLOR is
 * set. */
#ifndef ARCL_GRID_DRAWING_H
#define ARCL_GRID_DRAWING_H
#include "draw/panel.h"

/* Draws panels side by side, a blank line after. What does not fit the terminal's width goes below. */
void drawing_print(const panel *panels, int count);

#endif
