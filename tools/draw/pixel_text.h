/* Short texts in pictures, in the letters of pixel_font.def. */
#ifndef ARCL_PIXEL_TEXT_H
#define ARCL_PIXEL_TEXT_H

enum { PIXEL_TEXT_H = 8 };

/* Pixels that a text is wide. */
int pixel_text_width(const char *text);

/* Whether the pixel at (x, y) of a text is inked. */
int pixel_text_ink(const char *text, int x, int y);

#endif
