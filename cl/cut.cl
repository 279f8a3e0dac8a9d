/* Parts of grids: cropping, halving, splitting, trimming and compressing. Only compress looks at colours.
 *
 * Results that are whole rows of the argument and begin at a word of the arena share its storage. A grid that has
 * rows is cut row by row, each by its own length, and what comes out may be a rectangle of bytes.
 */
#include "cells.h"
#include "rows.h"

/* ---- cutting ---- */

typedef struct {
    int top, left, h, w; /* lies inside the grid that it is a window of */
} window;

LANE window window_at(int top, int left, int h, int w) {
    window c;
    c.top = top;
    c.left = left;
    c.h = h > 0 ? h : 0;
    c.w = w > 0 ? w : 0;
    return c;
}

/* Whole rows can be shared when the first begins at a word; so can rows without cells. */
LANE int cut_shares(grid g, window c) {
    return c.h == 0 || c.w == 0 || (c.w == g.w && (uint)c.top * (uint)c.w % 8 == 0);
}
LANE window slice_window(grid g, slices s) {
    int top = slice_bound(s.top, g.h), left = slice_bound(s.left, g.w);
    return window_at(top, left, slice_bound(s.bottom, g.h) - top, slice_bound(s.right, g.w) - left);
}
LANE uint cut_extent(lane *k, word from, slices s) {
    grid g = grid_of(k, from);
    if (g.rows) return rows_extent(k, g.h, total_cells(g));
    window c = slice_window(g, s);
    return cut_shares(g, c) ? 0 : grid_words(c.h, c.w);
}
LANE word cut_write(lane *k, word from, slices s, uint at) {
    grid g = grid_of(k, from);
    if (g.rows) return ALONE(k, slice_rows(k, g, s, at));
    window c = slice_window(g, s);
    if (cut_shares(g, c)) {
        uint skipped = c.w ? (uint)c.top * (uint)c.w / 8 : 0;
        return c.h ? made_ref(ref_offset(from) + skipped, (uint)c.h << 16 | (uint)c.w) : 0;
    }
    GLOBAL cellbyte *to = cells_at(k, at);
#ifdef ARCL_TEAM
    team_copy(to, c.h, c.w, row_of(g, c.top) + c.left, g.w, 1);
#else
    if (c.w == g.w)
        place_cells(to, row_of(g, c.top), (word)c.h * c.w);
    else
        place_rows(to, c.w, row_of(g, c.top) + c.left, g.w, c.h, c.w);
#endif
    return made_grid(k, at, c.h, c.w);
}

LANE slices crop_slices(word start, word dims) {
    int i = loc_i(start), j = loc_j(start);
    return slices_of(i, i + loc_i(dims), j, j + loc_j(dims));
}
LANE uint crop_extent(lane *k, word g, word start, word dims) { return cut_extent(k, g, crop_slices(start, dims)); }
LANE word crop_write(lane *k, word g, word start, word dims, uint at) {
    return cut_write(k, g, crop_slices(start, dims), at);
}
TEAM_ALLOC3(crop, ANY, LOC, LOC)

/* Only windows that lie inside the grid, as its first row tells: any other is a grid without rows. */
LANE int lies_inside(grid g, slices s) {
    int starts_inside = s.top >= 0 && s.top < g.h && s.left >= 0 && s.left < g.w;
    return starts_inside && s.bottom <= g.h && s.right <= g.w;
}
LANE uint crop_inside_extent(lane *k, word g, word start, word dims) {
    slices s = crop_slices(start, dims);
    return lies_inside(grid_of(k, g), s) ? cut_extent(k, g, s) : 0;
}
LANE word crop_inside_write(lane *k, word g, word start, word dims, uint at) {
    slices s = crop_slices(start, dims);
    return lies_inside(grid_of(k, g), s) ? cut_write(k, g, s, at) : 0;
}
TEAM_ALLOC3(crop_inside, ANY, LOC, LOC)

/* The extent is that of the whole grid: it is not worth another pass over the patch. */
LANE uint subgrid_extent(lane *k, list patch, word from) {
    grid g = grid_of(k, from);
    if (patch.n == 0) return (uint)fail(k, LANE_EMPTY);
    return g.rows ? rows_extent(k, g.h, total_cells(g)) : same_size(g);
}
LANE word subgrid_write(lane *k, list patch, word g, uint at) {
    bounds b = team_bounds(k, patch);
    k->work += (uint)patch.n;
    return cut_write(k, g, slices_of(b.top, b.bottom + 1, b.left, b.right + 1), at);
}
TEAM_COUNTED_ALLOC2(subgrid, PATCH, ANY)

#define CUT(name, slices_of_g)                                                                                         \
    LANE slices name##_slices(grid g) { return slices_of_g; }                                                          \
    LANE uint name##_extent(lane *k, word from) { return cut_extent(k, from, name##_slices(grid_of(k, from))); }       \
    LANE word name##_write(lane *k, word from, uint at) {                                                              \
        return cut_write(k, from, name##_slices(grid_of(k, from)), at);                                                \
    }                                                                                                                  \
    TEAM_ALLOC1(name, ANY)

/* The first rows are always shared. */
LANE uint tophalf_extent(lane *k, word from) {
    grid g = grid_of(k, from);
    return g.rows ? rows_extent(k, g.h, total_cells(g)) : 0;
}
LANE word tophalf_write(lane *k, word from, uint at) {
    grid g = grid_of(k, from);
    if (g.rows) return slice_rows(k, g, slices_of(0, g.h / 2, 0, MAX_SIDE), at);
    return g.h / 2 ? made_ref(ref_offset(from), (uint)(g.h / 2) << 16 | (uint)g.w) : 0;
}
ALLOC1(tophalf, ANY)

CUT(bottomhalf, slices_of(g.h - g.h / 2, g.h, 0, MAX_SIDE))
CUT(trim, slices_of(1, -1, 1, -1))

/* These halves are defined by turning: half of a single column is a grid without rows, and only as many columns count
 * as all rows have. */
LANE slices columns_of(grid g, int left, int right) { return slices_of(0, right > left ? g.h : 0, left, right); }
CUT(lefthalf, columns_of(g, 0, shortest_row(g) / 2))
CUT(righthalf, columns_of(g, shortest_row(g) - shortest_row(g) / 2, shortest_row(g)))

/* ---- splitting ---- */

/* The m-th of n pieces of a side of g. */
LANE slices piece_of(grid g, int n, int m, int vertical) {
    int side = vertical ? g.h : g.w, size = side / n;
    word place = (word)size * m + (side % n ? m : 0);
    int start = place < MAX_SIDE ? (int)place : MAX_SIDE;
    return vertical ? slices_of(start, start + size, 0, g.w) : slices_of(0, g.h, start, start + size);
}

/* A list of n references, and after it the pieces' cells. */
LANE uint split_extent(lane *k, word from, int n, int vertical) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    if (n == 0) return (uint)fail(k, LANE_DIVIDE);
    if (n < 0) return 0;
    int h = vertical ? g.h / n : g.h, w = vertical ? g.w : g.w / n;
    word need = n;
    if (g.rows)
        need += (n > (vertical ? g.h : g.w) ? h : n * ((word)h + 1)) + total_cells(g);
    else if (h && w)
        need += n * (word)grid_words(h, w);
    return extent_of(need);
}
/* With `inside`, pieces that do not lie inside the grid are grids without rows. */
LANE word split_write(lane *k, word from, int n, int vertical, int inside, uint at) {
    grid g = grid_of(k, from);
    uint next = at + (uint)n;
    if (n < 0) return 0;
    if (g.rows && !count_work(k, (ulong)n * (ulong)(vertical ? g.h / n : g.h))) return 0; /* rows may be empty */
    for (int m = 0; m < n; m++) {
        k->used = 0;
        slices s = piece_of(g, n, m, vertical);
        word piece = inside && !lies_inside(g, s) ? 0 : cut_write(k, from, s, next);
        if (LEADS) k->arena[at + (uint)m] = piece;
        next += k->used;
    }
    k->used = next - at;
    return made_ref(at, (uint)n);
}

LANE uint hsplit_extent(lane *k, word from, int n) { return split_extent(k, from, n, 0); }
LANE word hsplit_write(lane *k, word from, int n, uint at) { return split_write(k, from, n, 0, 0, at); }
TEAM_COUNTED_ALLOC2(hsplit, ANY, INT)

LANE uint vsplit_extent(lane *k, word from, int n) { return split_extent(k, from, n, 1); }
LANE word vsplit_write(lane *k, word from, int n, uint at) { return split_write(k, from, n, 1, 0, at); }
TEAM_COUNTED_ALLOC2(vsplit, ANY, INT)

LANE word hsplit_inside_write(lane *k, word from, int n, uint at) { return split_write(k, from, n, 0, 1, at); }
LANE word vsplit_inside_write(lane *k, word from, int n, uint at) { return split_write(k, from, n, 1, 1, at); }
#define hsplit_inside_extent hsplit_extent
#define vsplit_inside_extent vsplit_extent
TEAM_COUNTED_ALLOC2(hsplit_inside, ANY, INT)
TEAM_COUNTED_ALLOC2(vsplit_inside, ANY, INT)

/* ---- compress ---- */

LANE int single_coloured(GLOBAL const cellbyte *row, int w) {
    if (w < 8) {
        for (int j = 1; j < w; j++)
            if (row[j] != row[0]) return 0;
        return w > 0;
    }
    ulong same = eight_times(row[0]);
    for (int j = 0; j < w; j = next_block(j, w))
        if (load8(row + j) != same) return 0;
    return 1;
}

/* Marks a grid's columns: zero where a column has a single colour. */
LANE void mark_columns(GLOBAL cellbyte *restrict mark, grid g) {
    if (g.w < 8) {
        for (int j = 0; j < g.w; j++) {
            int differs = 0;
            for (int i = 1; i < g.h; i++) differs |= row_of(g, i)[j] ^ g.at[j];
            mark[j] = (cellbyte)differs;
        }
        return;
    }
    for (int j = 0; j < g.w; j = next_block(j, g.w)) {
        ulong differs = 0, first = load8(g.at + j);
        for (int i = 1; i < g.h; i++) differs |= load8(row_of(g, i) + j) ^ first;
        store8(mark + j, differs);
    }
}

/* Turns the marks into runs of columns to keep, as start * 2^16 + length; returns how many runs there are. */
LANE int kept_runs(GLOBAL uint *run, GLOBAL const cellbyte *mark, int w) {
    int runs = 0;
    for (int j = 0; j < w; j++) {
        int start = j;
        while (j < w && mark[j]) j++;
        if (j > start) run[runs++] = (uint)start << 16 | (uint)(j - start);
    }
    return runs;
}

/* After the result there is room for the marks and for a run in every second column. */
LANE uint compress_extent(lane *k, word from) {
    grid g = grid_of(k, from);
    if (g.rows) return compressed_rows_extent(k, g);
    return same_size(g) + grid_words(1, g.w) + grid_words(2, g.w + 1);
}
LANE word compress_write(lane *k, word from, uint at) {
    grid g = grid_of(k, from);
    GLOBAL cellbyte *to = cells_at(k, at);
    if (g.rows) return compressed_rows(k, g, at);
    GLOBAL cellbyte *mark = cells_at(k, at + same_size(g));
    GLOBAL uint *run = (GLOBAL uint *)(k->arena + at + same_size(g) + grid_words(1, g.w));
    if (g.h == 0 || g.w == 0) return from;
    mark_columns(mark, g);
    int runs = kept_runs(run, mark, g.w), h = 0, w = 0;
    for (int r = 0; r < runs; r++) w += (int)(run[r] & 0xffff);
    for (int i = 0; i < g.h; i++) {
        GLOBAL const cellbyte *row = row_of(g, i);
        if (single_coloured(row, g.w)) continue;
        h++;
        for (int r = 0; r < runs; r++) {
            int n = (int)(run[r] & 0xffff);
            copy_cells(to, row + (run[r] >> 16), n);
            to += n;
        }
    }
    if (h == g.h && w == g.w) return from;
    return made_grid(k, at, h, w);
}
ALLOC1(compress, ANY)
