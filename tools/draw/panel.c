/* Making panels. Knows nothing of how they are drawn. */
#include "draw/panel.h"

#include "draw/colours.h"

panel *panel_add(panel_row *row, hoard *owner, const char *title, int h, int w) {
    panel *p = &row->panels[row->count++];
    *p = (panel){.title = title, .h = h, .w = w};
    p->cells = hoard_get(owner, (size_t)(h * w) * sizeof *p->cells);
    for (int i = 0; i < h * w; i++) p->cells[i] = PANEL_BLANK;
    return p;
}

panel *panel_add_grid(panel_row *row, hoard *owner, const char *title, const task_grid *grid) {
    panel *p = panel_add(row, owner, title, grid->h, grid->w);
    for (int i = 0; i < grid->h * grid->w; i++) p->cells[i] = grid->cells[i];
    return p;
}

panel *panel_add_text(panel_row *row, hoard *owner, const char *title, const char *text) {
    panel *p = &row->panels[row->count++];
    *p = (panel){.title = title, .text = hoard_text(owner, text)};
    return p;
}

static int larger(int a, int b) { return a > b ? a : b; }
static int is_inside(const task_grid *grid, int i, int j) { return i < grid->h && j < grid->w; }

static enum panel_cell compare(const task_grid *expected, const task_grid *got, int i, int j) {
    int wanted = is_inside(expected, i, j), made = is_inside(got, i, j);
    if (wanted && made)
        return expected->cells[i * expected->w + j] == got->cells[i * got->w + j] ? PANEL_EQUAL : PANEL_OTHER;
    return wanted ? PANEL_MISSING : made ? PANEL_EXTRA : PANEL_BLANK;
}

int panel_add_difference(panel_row *row, hoard *owner, const char *title, const task_grid *expected,
                         const task_grid *got) {
    panel *p = panel_add(row, owner, title, larger(expected->h, got->h), larger(expected->w, got->w));
    int count = 0;
    for (int i = 0; i < p->h; i++)
        for (int j = 0; j < p->w; j++) {
            enum panel_cell cell = compare(expected, got, i, j);
            p->cells[i * p->w + j] = (short)cell;
            count += cell != PANEL_EQUAL && cell != PANEL_BLANK;
        }
    return count;
}

char panel_letter(short cell) {
    switch (cell) {
    case PANEL_BLANK: return ' ';
    case PANEL_PLACE: return 'o';
    case PANEL_EQUAL: return '.';
    case PANEL_OTHER: return 'x';
    case PANEL_EXTRA: return '+';
    case PANEL_MISSING: return '-';
    default: return colour_is(cell) ? (char)('0' + cell) : 0;
    }
}
