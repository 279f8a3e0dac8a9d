/* Rows of cells on standard output, 24-bit colours or digits, without blanks at the end of lines. */
#include "grid_drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "colours.h"

static int use_colour(void) {
    const char *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no);
}

static int is_colour(signed char cell) { return cell >= 0 && cell < COLOURS; }

/* Columns of the terminal that a cell takes: a digit and a blank, or room for any number where a cell is no colour. */
static int cell_width(const task_grid *grid) {
    for (int i = 0; i < grid->h * grid->w; i++)
        if (!is_colour(grid->cells[i])) return 5;
    return 2;
}

static void print_row(const task_grid *grid, int row, int width, int colour) {
    for (int j = 0; j < grid->w; j++) {
        signed char cell = grid->cells[row * grid->w + j];
        if (colour && is_colour(cell)) {
            const unsigned char *rgb = colour_rgb[cell];
            printf("\033[48;2;%d;%d;%dm%*s\033[0m", rgb[0], rgb[1], rgb[2], width, "");
        } else
            printf("%*d", j || colour ? width : width - 1, cell);
    }
}

void drawing_print(const task_grid *grids, int count) {
    int height = 0, colour = use_colour();
    for (int i = 0; i < count; i++)
        if (grids[i].cells && grids[i].h > height) height = grids[i].h;
    for (int row = 0; row < height; row++) {
        int blank = 0; /* columns not printed yet, in case nothing follows them */
        for (int i = 0; i < count; i++) {
            if (!grids[i].cells) continue;
            int width = cell_width(&grids[i]), arrow = i > 0 && row == (height - 1) / 2;
            if (arrow) {
                printf("%*s -> ", blank, "");
                blank = 0;
            } else if (i > 0)
                blank += 4;
            if (row < grids[i].h) {
                printf("%*s", blank, "");
                print_row(&grids[i], row, width, colour);
                blank = 0;
            } else
                blank += grids[i].w * width - !colour;
        }
        putchar('\n');
    }
    putchar('\n');
}
