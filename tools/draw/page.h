/* Pieces of an HTML page that needs nothing besides itself: no other files, no network. */
#ifndef ARCL_PAGE_H
#define ARCL_PAGE_H
#include <stdio.h>

#include "arcl.h"
#include "draw/panel.h"

void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* Text with what HTML would read as its own written differently; control characters become '?'. */
void page_text(FILE *out, const char *text);

/* Panels side by side, as inline SVG. */
void page_panels(FILE *out, const panel *panels, int count);

/* What ran where: bars of time per kernel and device, from the report of a context as it is now. */
void page_placement(FILE *out, const arcl_context *context);

#endif
