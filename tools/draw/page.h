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

/* A list of what the page is about: between begin and end names with values, when it was made, where things ran. */
void page_facts_begin(FILE *out);
void page_fact(FILE *out, const char *name, const char *value);
void page_fact_date(FILE *out);
void page_fact_devices(FILE *out, arcl_context *context);
void page_facts_end(FILE *out);

/* A place to type what is looked for, among all that has an attribute data-find, and buttons for values of data-result;
 * a `part` of the page is hidden with all that it has. It is there only where scripts run. */
void page_filter_begin(FILE *out, const char *label);
void page_filter_button(FILE *out, const char *value, uint64_t count);
void page_filter_end(FILE *out);

/* Panels side by side, as inline SVG. */
void page_panels(FILE *out, const panel *panels, int count);

/* What ran where: bars of time per kernel and device, from the report of a context as it is now. */
void page_placement(FILE *out, const arcl_context *context);

#endif
