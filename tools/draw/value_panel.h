/* Values of the language as panels: grids, patches and objects are drawn, anything else is written. */
#ifndef ARCL_VALUE_PANEL_H
#define ARCL_VALUE_PANEL_H
#include "data/json_node.h"
#include "draw/panel.h"

/* Where the patches of a row lie, so that all of them are drawn in the same frame. A zeroed frame is an empty one. */
typedef struct value_frame {
    int top, left, h, w;
} value_frame;

/* Makes the frame large enough for a value of that type. */
void value_frame_add(value_frame *frame, const char *type, json_node value);

/* Adds a panel for the value; for a container of grids or patches one for each element, as long as there is room. The
 * JSON is in the notation of the vectors. */
void value_panel_add(panel_row *row, hoard *owner, const value_frame *frame, const char *type, json_node value);

#endif
