/* Panels as a PNG picture: a row below the other, in the official colours with grid lines. */
#ifndef ARCL_PICTURE_H
#define ARCL_PICTURE_H
#include "draw/panel.h"

/* Returns 0, or -1 after a message. */
int picture_write(const char *path, const panel_row *rows, int count);
/* The same with a title, which may be NULL, above all. */
int picture_write_titled(const char *path, const char *title, const panel_row *rows, int count);

#endif
