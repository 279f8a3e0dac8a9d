/* Layout, in pixels; every cell is `cell` wide and high, with a line of one pixel around it:
 *
 *     MARGIN  input  ARROW  output  MARGIN        a row per example, GAP between rows; test examples lie on a darker
 *                                                 band, and one without an output has only its input
 */
#include "picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "allocation.h"
#include "colours.h"
#include "files.h"
#include "messages.h"

enum { MARGIN = 16, GAP = 16, ARROW = 48, LARGEST_CELL = 24, LEAST_CELL = 4, COMFORTABLE_SIDE = 720 };

/* Palette entries after the colours. */
enum { PAPER = COLOURS, BAND, LINE, INK, PALETTE };

typedef struct canvas {
    unsigned char *pixels; /* palette entries, row by row */
    int w, h, cell;
} canvas;

static void fill_box(canvas *c, int x, int y, int w, int h, int colour) {
    for (int i = y; i < y + h; i++) memset(c->pixels + (size_t)i * (size_t)c->w + x, colour, (size_t)w);
}

static int side(const canvas *c, int cells) { return cells * (c->cell + 1) + 1; }

static void draw_grid(canvas *c, int x, int y, const task_grid *grid) {
    fill_box(c, x, y, side(c, grid->w), side(c, grid->h), LINE);
    for (int i = 0; i < grid->h; i++)
        for (int j = 0; j < grid->w; j++)
            fill_box(c, x + side(c, j), y + side(c, i), c->cell, c->cell, grid->cells[i * grid->w + j]);
}

/* A shaft of 2 pixels and a head of 8, in the middle of the ARROW columns at x, centred on row y. */
static void draw_arrow(canvas *c, int x, int y) {
    enum { HEAD = 8 };
    fill_box(c, x + 10, y - 1, ARROW - 20 - HEAD, 2, INK);
    for (int i = 0; i < HEAD; i++) fill_box(c, x + ARROW - 10 - HEAD + i, y - HEAD + i, 1, 2 * (HEAD - i), INK);
}

static int largest(int a, int b) { return a > b ? a : b; }

/* Heights, and the columns where inputs end, are the same for drawing and for finding the size. */
static int example_height(const canvas *c, const task_example *example) {
    return largest(side(c, largest(example->input.h, example->output.h)), 2 * MARGIN);
}

static void measure(canvas *c, const arc_task *task, int *inputs) {
    int cells = 1, input = 0, output = 0;
    for (int i = 0; i < task->count; i++) {
        const task_example *e = &task->examples[i];
        input = largest(input, e->input.w);
        output = largest(output, e->output.w);
        cells = largest(cells, largest(largest(e->input.h, e->output.h), largest(input, output)));
    }
    c->cell = COMFORTABLE_SIDE / cells;
    if (c->cell > LARGEST_CELL) c->cell = LARGEST_CELL;
    if (c->cell < LEAST_CELL) c->cell = LEAST_CELL;
    *inputs = side(c, input);
    c->w = MARGIN + *inputs + ARROW + side(c, output) + MARGIN;
    c->h = GAP;
    for (int i = 0; i < task->count; i++) c->h += example_height(c, &task->examples[i]) + GAP;
}

static void draw(canvas *c, const arc_task *task, int inputs) {
    int y = GAP;
    fill_box(c, 0, 0, c->w, c->h, PAPER);
    for (int i = 0; i < task->count; i++) {
        const task_example *e = &task->examples[i];
        int height = example_height(c, e), middle = y + height / 2;
        if (strcmp(e->part, "test") == 0) fill_box(c, 0, y - GAP / 2, c->w, c->h - (y - GAP / 2), BAND);
        draw_grid(c, MARGIN + inputs - side(c, e->input.w), middle - side(c, e->input.h) / 2, &e->input);
        draw_arrow(c, MARGIN + inputs, middle);
        if (e->output.cells) draw_grid(c, MARGIN + inputs + ARROW, middle - side(c, e->output.h) / 2, &e->output);
        y += height + GAP;
    }
}

int picture_write(const char *path, const arc_task *task) {
    static const unsigned char others[PALETTE - COLOURS][3] = {
        {0xFF, 0xFF, 0xFF}, {0xE4, 0xE8, 0xEE}, {0x55, 0x55, 0x55}, {0x30, 0x30, 0x30}};
    unsigned char palette[PALETTE][3];
    memcpy(palette, colour_rgb, sizeof colour_rgb);
    memcpy(palette[COLOURS], others, sizeof others);

    canvas c;
    int inputs, status = -1;
    measure(&c, task, &inputs);
    c.pixels = allocation_get((size_t)c.w * (size_t)c.h, 1);
    draw(&c, task, inputs);

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
