/* Rows of cells on standard output, in colours or digits, without blanks at the end of lines. */
#include "draw/grid_drawing.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/messages.h"
#include "cli/terminal_colours.h"
#include "draw/colours.h"

enum { GAP = 4 }; /* columns between panels; as wide as an arrow */

/* The nearest of the 6 x 6 x 6 colours that a terminal of 256 has, or of its greys. */
static int nearest_256(const unsigned char *rgb) {
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    int best = 16, least = INT_MAX;
    for (int n = 16; n < 256; n++) {
        int cube = n - 16, grey = 8 + 10 * (n - 232), away = 0;
        int is[3] = {steps[cube / 36 % 6], steps[cube / 6 % 6], steps[cube % 6]};
        for (int i = 0; i < 3; i++) {
            int far = (n < 232 ? is[i] : grey) - rgb[i];
            away += far * far;
        }
        if (away >= least) continue;
        least = away;
        best = n;
    }
    return best;
}

/* Columns of the terminal; a file has as many as are wanted. */
static int terminal_width(void) {
    struct winsize size;
    int known = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : INT_MAX;
}

/* Columns that a cell takes: a letter and a blank, or room for any number where a cell is no colour. */
static int cell_width(const panel *p) {
    for (int i = 0; i < p->h * p->w; i++)
        if (!panel_letter(p->cells[i])) return 5;
    return 2;
}

static int panel_width(const panel *p, int colour) {
    int title = p->title ? (int)strlen(p->title) : 0;
    int body = p->text ? (int)strlen(p->text) : p->w * cell_width(p) - !colour;
    return title > body ? title : body;
}

static int panel_height(const panel *p) { return p->text ? 1 : p->h; }

static void print_cell(short cell, int width, int colour) {
    char letter = panel_letter(cell);
    if (colour && colour_is(cell)) {
        const unsigned char *rgb = colour_rgb[cell];
        if (colour == COLOURS_24_BIT)
            printf("\033[48;2;%d;%d;%dm%*s\033[0m", rgb[0], rgb[1], rgb[2], width, "");
        else
            printf("\033[48;5;%dm%*s\033[0m", nearest_256(rgb), width, "");
    } else if (colour && letter == '.')
        printf("\033[2m%*c\033[0m", width, letter);
    else if (colour && letter && cell != PANEL_BLANK)
        printf("\033[1;97;41m%*c\033[0m", width, letter);
    else if (letter)
        printf("%*c", width, letter);
    else
        printf("%*d", width, cell);
}

/* Columns of a line that are not printed yet, in case nothing follows them. */
typedef struct line {
    int blank;
} line;

static void line_text(line *l, const char *text) {
    printf("%*s", l->blank, "");
    message_put_clean(stdout, text);
    l->blank = 0;
}

static void print_cells(line *l, const panel *p, int row, int colour) {
    int width = cell_width(p), last = p->w;
    while (last > 0 && !colour && p->cells[row * p->w + last - 1] == PANEL_BLANK) last--;
    if (last) printf("%*s", l->blank, "");
    for (int j = 0; j < last; j++) print_cell(p->cells[row * p->w + j], j || colour ? width : width - 1, colour);
    l->blank = last ? (p->w - last) * width : l->blank + p->w * width - !colour;
}

/* One line of panels side by side; row -1 has the titles. */
static void print_line(const panel *panels, int count, int row, int middle, int colour) {
    line l = {0};
    for (int i = 0; i < count; i++) {
        const panel *p = &panels[i];
        int room = panel_width(p, colour), used = 0;
        if (i > 0 && p->arrow && row == middle) {
            line_text(&l, " ->");
            l.blank = 1;
        } else if (i > 0)
            l.blank += GAP;
        if (row < 0 && p->title) {
            line_text(&l, p->title);
            used = (int)strlen(p->title);
        } else if (row >= 0 && p->text && row == (p->arrow ? middle : 0)) {
            line_text(&l, p->text);
            used = (int)strlen(p->text);
        } else if (row >= 0 && !p->text && row < p->h) {
            print_cells(&l, p, row, colour);
            used = p->w * cell_width(p) - !colour;
        }
        l.blank += room - used;
    }
    putchar('\n');
}

void drawing_print(const panel *panels, int count) {
    int colour = (int)terminal_colours(), most = terminal_width();
    for (int first = 0, next; first < count; first = next) {
        int width = panel_width(&panels[first], colour), height = panel_height(&panels[first]);
        int titled = panels[first].title != NULL;
        for (next = first + 1; next < count; next++) {
            width += GAP + panel_width(&panels[next], colour);
            if (width > most) break;
            if (panel_height(&panels[next]) > height) height = panel_height(&panels[next]);
            titled |= panels[next].title != NULL;
        }
        for (int row = titled ? -1 : 0; row < height; row++)
            print_line(panels + first, next - first, row, (height - 1) / 2, colour);
        putchar('\n');
    }
}
