/* Grids in the form of rows: tuples of tuples of ints, for what no rectangle of bytes can hold. Reading the cells of
 * any grid, making grids row by row, and what moves whole cells about.
 *
 * Rows that differ in length come from vconcat, ints that are no byte from computed colours. Both are rare, so what is
 * here is plain rather than fast. Kernels ask once whether a grid has this form (g.rows), and do then with ints, and
 * with rows of their own lengths, what Python would do; a cell that a shorter row does not have is out of bounds.
 */
#ifndef ARCL_ROWS_H
#define ARCL_ROWS_H
#include "lane.h"

/* ---- rows and cells of any grid ---- */

LANE int row_length(grid g, int i) { return g.rows ? (int)ref_length(g.rows[i]) : g.w; }
LANE int cell_at(lane *k, grid g, int i, int j) {
    return g.rows ? (int)k->arena[ref_offset(g.rows[i]) + (uint)j] : int_of_byte(g.at[(word)i * g.w + j]);
}

RARE word sum_of_rows(grid g) {
    word sum = 0;
    for (int i = 0; i < g.h; i++) sum += ref_length(g.rows[i]);
    return sum;
}
LANE word total_cells(grid g) { return g.rows ? sum_of_rows(g) : (word)g.h * g.w; }

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

/* ---- making a grid of h rows ---- */

typedef struct {
    uint at;   /* where the rows' words are; their cells follow */
    int h;     /* how many rows there will be */
    int made;  /* how many there are */
    uint next; /* where the next row's cells go */
} row_maker;

/* The words for h rows that have `cells` cells together. */
LANE uint rows_extent(lane *k, word h, word cells) {
    if (h > MAX_SIDE) return (uint)fail(k, LANE_LIMIT);
    return extent_of(h + cells);
}

LANE row_maker rows_at(uint at, int h) {
    row_maker m;
    m.at = at;
    m.h = h;
    m.made = 0;
    m.next = at + (uint)h;
    return m;
}

/* The place for the cells of the next row. */
LANE GLOBAL word *add_row(lane *k, row_maker *m, word length) {
    GLOBAL word *cells = k->arena + m->next;
    if (length > MAX_SIDE) fail(k, LANE_LIMIT);
    k->arena[m->at + (uint)m->made++] = length ? made_ref(m->next, (uint)length) : 0;
    m->next += (uint)length;
    return cells;
}

/* Adds the cells left..right-1 of row i of a grid. */
LANE void add_part(lane *k, row_maker *m, grid g, int i, int left, int right) {
    GLOBAL word *to = add_row(k, m, right > left ? right - left : 0);
    if (g.rows)
        for (int j = left; j < right; j++) to[j - left] = cell_at(k, g, i, j);
    else
        for (int j = left; j < right; j++) to[j - left] = int_of_byte(g.at[(word)i * g.w + j]);
}

/* The grid of the rows. What bytes can hold becomes a rectangle of them, so that a grid has one form only; no byte is
 * written before the word that lies there has been read. */
RARE word made_rows(lane *k, row_maker m) {
    GLOBAL word *rows = k->arena + m.at;
    GLOBAL const word *cells = rows + m.h;
    GLOBAL cellbyte *to = cells_at(k, m.at);
    uint n = m.next - m.at - (uint)m.h;
    int w = m.h ? (int)ref_length(rows[0]) : 0, stays = 0;
    for (int i = 1; i < m.h; i++) stays |= (int)ref_length(rows[i]) != w;
    for (uint c = 0; c < n && !stays; c++) stays |= !fits_byte((int)cells[c]);
    k->used = (uint)m.h + n;
    if (stays) return made_ref(m.at, (uint)m.h << 16 | RAGGED);
    for (uint c = 0; c < n; c++) to[c] = (cellbyte)byte_of_int((int)cells[c]);
    return made_grid(k, m.at, m.h, w);
}

/* ---- turns and mirrors ---- */

/* What exchanges rows and columns sees as many columns as the shortest row has. Where rows are both turned over and put
 * down backwards, it is their ends that count. */
RARE uint turned_rows_extent(lane *k, grid g) { return rows_extent(k, shortest_row(g), (word)g.h * shortest_row(g)); }
RARE word turned_rows(lane *k, grid g, int upward, int backward, uint at) {
    row_maker m = rows_at(at, shortest_row(g));
    for (int n = 0; n < m.h; n++) {
        GLOBAL word *to = add_row(k, &m, g.h);
        for (int c = 0; c < g.h; c++) {
            int i = upward ? g.h - 1 - c : c, j = backward ? m.h - 1 - n : n;
            to[c] = cell_at(k, g, i, upward && backward ? j + row_length(g, i) - m.h : j);
        }
    }
    return made_rows(k, m);
}

RARE word mirrored_rows(lane *k, grid g, int upside_down, int reversed, uint at) {
    row_maker m = rows_at(at, g.h);
    for (int n = 0; n < g.h; n++) {
        int i = upside_down ? g.h - 1 - n : n, length = row_length(g, i);
        GLOBAL word *to = add_row(k, &m, length);
        for (int j = 0; j < length; j++) to[j] = cell_at(k, g, i, reversed ? length - 1 - j : j);
    }
    return made_rows(k, m);
}

/* ---- scaling ---- */

RARE uint scaled_rows_extent(lane *k, grid g, int across, int down) {
    word longest = 0;
    if (across == NONE || down == NONE) return (uint)fail(k, LANE_TYPE);
    if (across <= 0 || down <= 0) return 0;
    for (int i = 0; i < g.h; i++) longest = row_length(g, i) > longest ? row_length(g, i) : longest;
    if (longest * across > MAX_SIDE || (word)g.h * down > MAX_SIDE) return (uint)fail(k, LANE_LIMIT);
    return rows_extent(k, (word)g.h * down, total_cells(g) * across * down);
}
RARE word scaled_rows(lane *k, grid g, int across, int down, uint at) {
    row_maker m = rows_at(at, g.h * down);
    for (int n = 0; n < m.h; n++) {
        int i = n / down, length = row_length(g, i);
        GLOBAL word *to = add_row(k, &m, (word)length * across);
        for (int j = 0; j < length * across; j++) to[j] = cell_at(k, g, i, j / across);
    }
    return made_rows(k, m);
}

/* Every n-th row, of each h of them, and w times every n-th cell of it. */
RARE word sampled_rows(lane *k, grid g, int n, int h, int w, uint at) {
    row_maker m = rows_at(at, h);
    for (int i = 0; i < h; i++) {
        GLOBAL word *to = add_row(k, &m, w);
        for (int j = 0; j < w; j++) to[j] = cell_at(k, g, i * n, j * n);
    }
    return made_rows(k, m);
}

/* ---- joining ---- */

RARE word joined_rows(lane *k, grid a, grid b, uint at) {
    row_maker m = rows_at(at, a.h < b.h ? a.h : b.h);
    for (int i = 0; i < m.h; i++) {
        int before = row_length(a, i), length = before + row_length(b, i);
        GLOBAL word *to = add_row(k, &m, length);
        for (int j = 0; j < length; j++) to[j] = j < before ? cell_at(k, a, i, j) : cell_at(k, b, i, j - before);
    }
    return made_rows(k, m);
}

RARE word stacked_rows(lane *k, grid a, grid b, uint at) {
    row_maker m = rows_at(at, a.h + b.h);
    for (int i = 0; i < a.h; i++) add_part(k, &m, a, i, 0, row_length(a, i));
    for (int i = 0; i < b.h; i++) add_part(k, &m, b, i, 0, row_length(b, i));
    return made_rows(k, m);
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
    for (int i = top; i < bottom; i++)
        add_part(k, &m, g, i, slice_bound(s.left, row_length(g, i)), slice_bound(s.right, row_length(g, i)));
    return made_rows(k, m);
}

/* ---- lines of one colour ---- */

LANE int row_has_one_colour(lane *k, grid g, int i) {
    int j = 1, length = row_length(g, i);
    while (j < length && cell_at(k, g, i, j) == cell_at(k, g, i, 0)) j++;
    return j == length;
}
/* Of a column that all rows have. */
LANE int column_has_one_colour(lane *k, grid g, int j) {
    int i = 1;
    while (i < g.h && cell_at(k, g, i, j) == cell_at(k, g, 0, j)) i++;
    return i == g.h;
}

/* Rows are judged by all their cells, columns only where all rows have one. Behind the result there is a word for each
 * column. */
RARE uint compressed_rows_extent(lane *k, grid g) { return rows_extent(k, g.h, total_cells(g) + shortest_row(g)); }
RARE word compressed_rows(lane *k, grid g, uint at) {
    GLOBAL word *dropped = k->arena + at + (uint)g.h + (uint)total_cells(g);
    int columns = shortest_row(g), h = 0, fewer = 0;
    for (int j = 0; j < columns; j++) fewer += (int)(dropped[j] = column_has_one_colour(k, g, j));
    for (int i = 0; i < g.h; i++) h += !row_has_one_colour(k, g, i);
    row_maker m = rows_at(at, h);
    for (int i = 0; i < g.h; i++) {
        if (row_has_one_colour(k, g, i)) continue;
        GLOBAL word *to = add_row(k, &m, row_length(g, i) - fewer);
        for (int j = 0; j < row_length(g, i); j++)
            if (j >= columns || !dropped[j]) *to++ = cell_at(k, g, i, j);
    }
    return made_rows(k, m);
}

#endif
