/* Grids whose rows differ in length, as vconcat makes them: reading their rows, and making grids row by row.
 *
 * They are rare, so what is here is plain rather than fast. Kernels ask once whether a grid is ragged (g.rows), and do
 * then with rows of their own lengths what Python would do; a cell that a shorter row does not have is out of bounds.
 */
#ifndef ARCL_RAGGED_H
#define ARCL_RAGGED_H
#include "lane.h"

/* ---- rows of any grid ---- */

LANE int row_length(grid g, int i) { return g.rows ? (int)ref_length(g.rows[i]) : g.w; }
LANE word row_start(grid g, int i) { return g.rows ? (word)ref_offset(g.rows[i]) : (word)i * g.w; }
LANE GLOBAL const cellbyte *row_cells(grid g, int i) { return g.at + row_start(g, i); }
LANE word total_cells(grid g) { return g.h ? row_start(g, g.h - 1) + row_length(g, g.h - 1) : 0; }

LANE int shortest_row(grid g) {
    int shortest = g.w;
    for (int i = 1; g.rows && i < g.h; i++) shortest = row_length(g, i) < shortest ? row_length(g, i) : shortest;
    return shortest;
}

/* Whether the grid has all cells of its upper left h by w. */
LANE int has_rectangle(grid g, int h, int w) {
    if (h == 0 || w == 0) return 1;
    if (h > g.h) return 0;
    for (int i = 0; i < h; i++)
        if (row_length(g, i) < w) return 0;
    return 1;
}

/* The words that a grid takes up. */
LANE uint storage_words(grid g) {
    return g.rows ? (uint)g.h + grid_words(1, cells_of_grid(g).w) : grid_words(g.h, g.w);
}

/* ---- grids with other cells in the same rows ---- */

/* The place for the cells of a grid that differs from `like` only in them. */
LANE GLOBAL cellbyte *cells_like(lane *k, grid like, uint at) {
    if (!like.rows) return cells_at(k, at);
    for (int i = 0; i < like.h; i++) k->arena[at + (uint)i] = like.rows[i];
    return cells_at(k, at + (uint)like.h);
}
/* That grid, once the cells are written. */
LANE word made_like(lane *k, word like, uint at) {
    k->used = storage_words(grid_of(k, like));
    return ref_length(like) ? made_ref(at, ref_length(like)) : 0;
}

/* ---- rectangles of a ragged grid ---- */

/* Copies w cells of each of the first h rows, which must have them, to arena[at]: the first, with `last` the last. */
LANE grid rectangle_at(lane *k, grid g, int h, int w, int last, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    grid r;
    for (int i = 0; i < h; i++, to += w) {
        GLOBAL const cellbyte *from = row_cells(g, i) + (last ? row_length(g, i) - w : 0);
        for (int j = 0; j < w; j++) to[j] = from[j];
    }
    r.at = cells_at(k, at);
    r.rows = 0;
    r.h = h;
    r.w = w;
    return r;
}

/* ---- making a grid of h rows ---- */

typedef struct {
    uint at;   /* where the rows' words are */
    int h;     /* how many rows there will be */
    int made;  /* how many there are */
    word next; /* where the next row begins, counted in bytes from the first */
} row_maker;

/* The words for h rows that have `cells` cells together, and a spare word. */
LANE uint rows_extent(lane *k, word h, word cells) {
    word need = h + cells / 8 + 2;
    if (h > MAX_SIDE) return (uint)fail(k, LANE_LIMIT);
    return need < 0x7fffffff ? (uint)need : 0x7fffffff;
}

LANE row_maker rows_at(uint at, int h) {
    row_maker m;
    m.at = at;
    m.h = h;
    m.made = 0;
    m.next = 0;
    return m;
}

/* The place for the cells of the next row. */
LANE GLOBAL cellbyte *add_row(lane *k, row_maker *m, word length) {
    GLOBAL cellbyte *cells = cells_at(k, m->at + (uint)m->h) + m->next;
    if (length > MAX_SIDE) fail(k, LANE_LIMIT);
    k->arena[m->at + (uint)m->made++] = made_ref((uint)m->next, (uint)length);
    m->next += length;
    return cells;
}

/* The grid of the rows: a rectangle has no words for them, so its cells move up. */
LANE word made_rows(lane *k, row_maker m) {
    GLOBAL word *rows = k->arena + m.at;
    uint cells = (uint)((m.next + 7) / 8);
    int w = m.h ? (int)ref_length(rows[0]) : 0, ragged = 0;
    for (int i = 1; i < m.h; i++) ragged |= (int)ref_length(rows[i]) != w;
    k->used = (uint)m.h + cells;
    if (ragged) return made_ref(m.at, (uint)m.h << 16 | RAGGED);
    for (uint n = 0; n < cells; n++) rows[n] = rows[n + (uint)m.h];
    return made_grid(k, m.at, m.h, w);
}

/* ---- cutting ---- */

/* Rows and columns of a slice: from the first to before the end. A negative bound counts from the end of its line. */
typedef struct {
    int top, bottom, left, right;
} slices;

LANE slices slices_of(int top, int bottom, int left, int right) {
    slices s;
    s.top = top;
    s.bottom = bottom;
    s.left = left;
    s.right = right;
    return s;
}

/* A bound of a slice of n: what lies outside is cut. */
LANE int slice_bound(int v, int n) {
    int from_start = v < 0 ? v + n : v;
    return from_start < 0 ? 0 : from_start > n ? n : from_start;
}

RARE word slice_rows(lane *k, grid g, slices s, uint at) {
    int top = slice_bound(s.top, g.h), bottom = slice_bound(s.bottom, g.h);
    row_maker m = rows_at(at, bottom > top ? bottom - top : 0);
    for (int i = top; i < bottom; i++) {
        int left = slice_bound(s.left, row_length(g, i)), right = slice_bound(s.right, row_length(g, i));
        GLOBAL const cellbyte *from = row_cells(g, i) + left;
        GLOBAL cellbyte *to = add_row(k, &m, right > left ? right - left : 0);
        for (int j = 0; j < right - left; j++) to[j] = from[j];
    }
    return made_rows(k, m);
}

#endif
