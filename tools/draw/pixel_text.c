/* Which pixels belong to a text. A letter that the font has not got looks like a question mark. */
#include "draw/pixel_text.h"

#include <string.h>

enum { LETTER_W = 5, STEP = LETTER_W + 1 };

typedef struct glyph {
    char letter;
    const char *lines[PIXEL_TEXT_H];
} glyph;

static const glyph glyphs[] = {
#define GLYPH(letter, a, b, c, d, e, f, g, h) {letter, {a, b, c, d, e, f, g, h}},
#include "draw/pixel_font.def"
#undef GLYPH
};

static const glyph *find(char letter) {
    const glyph *end = glyphs + sizeof glyphs / sizeof glyphs[0];
    for (const glyph *g = glyphs; g < end; g++)
        if (g->letter == letter) return g;
    return end - 1;
}

int pixel_text_width(const char *text) { return *text ? (int)strlen(text) * STEP - 1 : 0; }

int pixel_text_ink(const char *text, int x, int y) {
    char letter = text[x / STEP];
    return letter != ' ' && x % STEP < LETTER_W && find(letter)->lines[y][x % STEP] == '#';
}
