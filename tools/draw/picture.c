/* Layout, in pixels; every cell is `cell` wide and high, with a line of one pixel around it:
 *
 *     MARGIN  panel  ARROW or SPACE  panel  ..  MARGIN
 *
 * Panels stand in columns, each under its title. There is GAP between rows; rows of test examples lie on a darker band.
 * What is left of an arrow is moved towards it. A row with a caption above it is by itself, with columns of its own;
 * one with a label is not. The title, if there is one, is above all.
 */
#include "draw/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "draw/colours.h"
#include "draw/pixel_text.h"

enum { MARGIN = 16, GAP = 16, ARROW = 48, SPACE = 24, LARGEST_CELL = 24, LEAST_CELL = 4 };
enum { COMFORTABLE_SIDE = 720, COMFORTABLE_WIDTH = 1600 }; /* of a grid, of all grids of a row */
enum { SCALE = 2, TITLE = PIXEL_TEXT_H * SCALE + 6 };      /* of letters; height of a line with a title */

/* Palette entries after the colours. */
enum { PAPER = COLOURS, BAND, LINE, INK, FAINT, MARK, PALETTE };

typedef struct columns {
    int left[PANEL_MOST], width[PANEL_MOST];
    int right; /* end of the last one */
} columns;

typedef struct picture {
    unsigned char *pixels; /* palette entries, row by row */
    int w, h, cell;
    columns shared; /* by rows without captions */
    const char *title;
} picture;

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

/* ---- sizes: the same for drawing and for finding how large the picture is ---- */

static int side(const picture *c, int cells) { return cells * (c->cell + 1) + 1; }
static int text_width(const char *text) { return pixel_text_width(text) * SCALE; }
static int body_width(const picture *c, const panel *p) { return p->text ? text_width(p->text) : side(c, p->w); }
static int body_height(const picture *c, const panel *p) { return p->text ? PIXEL_TEXT_H * SCALE : side(c, p->h); }

static int title_height(const panel_row *row) {
    for (int i = 0; i < row->count; i++)
        if (row->panels[i].title) return TITLE;
    return 0;
}

static const char *caption_of(const panel_row *row) { return row->caption ? row->caption : row->label; }
static int caption_height(const panel_row *row) { return caption_of(row) ? TITLE : 0; }

static int row_body(const picture *c, const panel_row *row) {
    int height = 2 * MARGIN;
    for (int i = 0; i < row->count; i++) height = larger(height, body_height(c, &row->panels[i]));
    return height;
}

static int row_height(const picture *c, const panel_row *row) {
    return caption_height(row) + title_height(row) + row_body(c, row);
}

static int cell_size(const panel_row *rows, int count) {
    int most = 1, widest = 1;
    for (int i = 0; i < count; i++) {
        int across = 0;
        for (int j = 0; j < rows[i].count; j++) {
            const panel *p = &rows[i].panels[j];
            if (p->text) continue;
            most = larger(most, larger(p->h, p->w));
            across += p->w;
        }
        widest = larger(widest, across);
    }
    int cell = smaller(COMFORTABLE_SIDE / most, COMFORTABLE_WIDTH / widest);
    return larger(LEAST_CELL, smaller(LARGEST_CELL, cell));
}

/* The columns of rows that are aligned with each other. */
static columns columns_of(const picture *c, const panel_row *rows, int count) {
    columns k = {.right = MARGIN};
    int arrows[PANEL_MOST] = {0}, used = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < rows[i].count; j++) {
            const panel *p = &rows[i].panels[j];
            int title = p->title ? text_width(p->title) : 0;
            k.width[j] = larger(k.width[j], larger(title, body_width(c, p)));
            arrows[j] |= p->arrow;
        }
        used = larger(used, rows[i].count);
    }
    for (int j = 0; j < used; j++) {
        k.left[j] = k.right + (j == 0 ? 0 : arrows[j] ? ARROW : SPACE);
        k.right = k.left[j] + k.width[j];
    }
    return k;
}

static columns row_columns(const picture *c, const panel_row *row) {
    return row->caption ? columns_of(c, row, 1) : c->shared;
}

static void measure(picture *c, const panel_row *rows, int count) {
    int right = 0;
    c->cell = cell_size(rows, count);
    c->shared = columns_of(c, rows, count);
    c->h = GAP + (c->title ? TITLE + GAP / 2 : 0);
    if (c->title) right = MARGIN + text_width(c->title);
    for (int i = 0; i < count; i++) {
        right = larger(right, row_columns(c, &rows[i]).right);
        if (caption_of(&rows[i])) right = larger(right, MARGIN + text_width(caption_of(&rows[i])));
        c->h += row_height(c, &rows[i]) + GAP;
    }
    c->w = right + MARGIN;
}

/* ---- drawing ---- */

static void fill_box(picture *c, int x, int y, int w, int h, int colour) {
    for (int i = y; i < y + h; i++) memset(c->pixels + (size_t)i * (size_t)c->w + x, colour, (size_t)w);
}

static void draw_text(picture *c, int x, int y, const char *text) {
    for (int i = 0; i < PIXEL_TEXT_H; i++)
        for (int j = 0; j < pixel_text_width(text); j++)
            if (pixel_text_ink(text, j, i)) fill_box(c, x + j * SCALE, y + i * SCALE, SCALE, SCALE, INK);
}

/* A cross, a plus, a minus or a dot within a cell. */
static void draw_mark(picture *c, int x, int y, short cell) {
    int edge = c->cell / 5, length = c->cell - 2 * edge, thick = larger(1, c->cell / 8);
    int middle = edge + (length - thick) / 2, last = c->cell - edge - thick;
    for (int i = 0; cell == PANEL_OTHER && i <= last - edge; i++) {
        fill_box(c, x + edge + i, y + edge + i, thick, thick, MARK);
        fill_box(c, x + last - i, y + edge + i, thick, thick, MARK);
    }
    if (cell == PANEL_EXTRA || cell == PANEL_MISSING) fill_box(c, x + edge, y + middle, length, thick, MARK);
    if (cell == PANEL_EXTRA) fill_box(c, x + middle, y + edge, thick, length, MARK);
    if (cell == PANEL_PLACE) fill_box(c, x + edge, y + edge, length, length, INK);
}

static void draw_cell(picture *c, int x, int y, short cell) {
    int ground = colour_is(cell) ? cell : cell == PANEL_BLANK || cell == PANEL_EQUAL ? FAINT : PAPER;
    fill_box(c, x, y, c->cell, c->cell, ground);
    draw_mark(c, x, y, cell);
}

static void draw_body(picture *c, int x, int y, const panel *p) {
    if (p->text) {
        draw_text(c, x, y, p->text);
        return;
    }
    fill_box(c, x, y, side(c, p->w), side(c, p->h), LINE);
    for (int i = 0; i < p->h; i++)
        for (int j = 0; j < p->w; j++) draw_cell(c, x + side(c, j), y + side(c, i), p->cells[i * p->w + j]);
}

/* A shaft of 2 pixels and a head of 8, in the middle of the ARROW columns at x, centred on row y. */
static void draw_arrow(picture *c, int x, int y) {
    enum { HEAD = 8 };
    fill_box(c, x + 10, y - 1, ARROW - 20 - HEAD, 2, INK);
    for (int i = 0; i < HEAD; i++) fill_box(c, x + ARROW - 10 - HEAD + i, y - HEAD + i, 1, 2 * (HEAD - i), INK);
}

/* Grids under titles begin at the same height; without, their middles are in one line. */
static int body_top(const picture *c, int y, const panel_row *row, const panel *p) {
    int title = title_height(row);
    return y + title + (title && !p->text ? 0 : (row_body(c, row) - body_height(c, p)) / 2);
}

static void draw_row(picture *c, int y, const panel_row *row) {
    if (caption_of(row)) draw_text(c, MARGIN, y, caption_of(row));
    y += caption_height(row);
    columns k = row_columns(c, row);
    for (int j = 0; j < row->count; j++) {
        const panel *p = &row->panels[j];
        int to_arrow = j + 1 < row->count && row->panels[j + 1].arrow;
        int title = p->title ? text_width(p->title) : 0, body = body_width(c, p);
        int right = k.left[j] + k.width[j];
        if (p->title) draw_text(c, to_arrow ? right - larger(title, body) : k.left[j], y, p->title);
        draw_body(c, to_arrow ? right - body : k.left[j], body_top(c, y, row, p), p);
        if (p->arrow) draw_arrow(c, k.left[j] - ARROW, y + title_height(row) + row_body(c, row) / 2);
    }
}

static void draw(picture *c, const panel_row *rows, int count) {
    int y = GAP;
    fill_box(c, 0, 0, c->w, c->h, PAPER);
    if (c->title) draw_text(c, MARGIN, y, c->title);
    if (c->title) y += TITLE + GAP / 2;
    for (int i = 0; i < count; i++) {
        if (rows[i].is_test) fill_box(c, 0, y - GAP / 2, c->w, c->h - (y - GAP / 2), BAND);
        draw_row(c, y, &rows[i]);
        y += row_height(c, &rows[i]) + GAP;
    }
}

int picture_write(const char *path, const panel_row *rows, int count) {
    return picture_write_titled(path, NULL, rows, count);
}

int picture_write_titled(const char *path, const char *title, const panel_row *rows, int count) {
    static const unsigned char others[PALETTE - COLOURS][3] = {
        [PAPER - COLOURS] = {0xFF, 0xFF, 0xFF}, [BAND - COLOURS] = {0xE4, 0xE8, 0xEE},
        [LINE - COLOURS] = {0x55, 0x55, 0x55},  [INK - COLOURS] = {0x30, 0x30, 0x30},
        [FAINT - COLOURS] = {0xF2, 0xF2, 0xF2}, [MARK - COLOURS] = {0xD0, 0x10, 0x20}};
    unsigned char palette[PALETTE][3];
    memcpy(palette, colour_rgb, sizeof colour_rgb);
    memcpy(palette[COLOURS], others, sizeof others);

    picture c = {.title = title};
    int status = -1;
    measure(&c, rows, count);
    c.pixels = allocation_get((size_t)c.w * (size_t)c.h, 1);
    draw(&c, rows, count);

    file_output out;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)c.w,
                       .height = (png_uint_32)c.h,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = PALETTE};
    if (file_create(&out, path) == 0) {
        if (png_image_write_to_stdio(&image, out.stream, 0, c.pixels, c.w, palette))
            status = file_commit(&out);
        else
            message_error("%s: cannot write: %s", path, image.message);
        file_discard(&out);
    }
    free(c.pixels);
    return status;
}
