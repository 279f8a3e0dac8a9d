/* Geometry of grids: turning, mirroring, scaling and joining. No kernel here looks at colours.
 *
 * A grid's cells are bytes, so the work is moving bytes (cl/cells.h); where they are not, cl/rows.h does it.
 */
#include "cells.h"
#include "rows.h"

/* ---- turns and mirrors ---- */

/* Eight rows of eight cells, `across` apart, become the columns of eight rows that are `down` apart. Seen as 64 cells
 * in a row, exchanging rows and columns is interleaving the two halves, three times. */
LANE void transpose_block(GLOBAL cellbyte *to, word down, GLOBAL const cellbyte *from, word across) {
    cells16 a = joined(load8(from), load8(from + across));
    cells16 b = joined(load8(from + 2 * across), load8(from + 3 * across));
    cells16 c = joined(load8(from + 4 * across), load8(from + 5 * across));
    cells16 d = joined(load8(from + 6 * across), load8(from + 7 * across));
    for (int pass = 0; pass < 3; pass++) {
        cells16 ac = interleave_low(a, c), bd = interleave_low(b, d);
        cells16 ca = interleave_high(a, c), db = interleave_high(b, d);
        a = ac;
        b = ca;
        c = bd;
        d = db;
    }
    store8(to, low_of(a));
    store8(to + down, high_of(a));
    store8(to + 2 * down, low_of(b));
    store8(to + 3 * down, high_of(b));
    store8(to + 4 * down, low_of(c));
    store8(to + 5 * down, high_of(c));
    store8(to + 6 * down, low_of(d));
    store8(to + 7 * down, high_of(d));
}

/* The transposed grid. With `upward`, of the rows taken from the last to the first; with `backward`, the result's rows
 * are put down from the last to the first. No columns make no rows. */
LANE word turned_grid(lane *k, grid g, int upward, int backward, uint at) {
    if (g.rows) return ALONE(k, turned_rows(k, g, upward, backward, at));
    int h = g.h, w = g.w;
    if (h == 0 || w == 0) return 0;
    GLOBAL const cellbyte *from = upward ? row_of(g, h - 1) : g.at;
    word across = upward ? -(word)w : w;
#ifdef ARCL_TEAM
    team_copy(cells_at(k, at), w, h, from + (backward ? w - 1 : 0), backward ? -1 : 1, (int)across);
#else
    GLOBAL cellbyte *to = cells_at(k, at) + (backward ? (word)(w - 1) * h : 0);
    word down = backward ? -(word)h : h;
    if (h < 8 || w < 8) {
        for (int j = 0; j < w; j++)
            for (int i = 0; i < h; i++) to[j * down + i] = from[i * across + j];
    } else {
        for (int b = 0; b < h; b = next_block(b, h)) { /* in the order of memory, in which it arrives soonest */
            int i = upward ? h - 8 - b : b;
            for (int j = 0; j < w; j = next_block(j, w))
                transpose_block(to + j * down + i, down, from + i * across + j, across);
        }
    }
#endif
    return made_grid(k, at, w, h);
}

LANE uint turned_extent(lane *k, grid g) { return g.rows ? turned_rows_extent(k, g) : same_size(g); }

LANE uint rot90_extent(lane *k, grid g) { return turned_extent(k, g); }
LANE word rot90_write(lane *k, grid g, uint at) { return turned_grid(k, g, 1, 0, at); }
TEAM_ALLOC1(rot90, GRID)

LANE uint rot270_extent(lane *k, grid g) { return turned_extent(k, g); }
LANE word rot270_write(lane *k, grid g, uint at) { return turned_grid(k, g, 0, 1, at); }
TEAM_ALLOC1(rot270, GRID)

LANE uint dmirror_grid_extent(lane *k, grid g) { return turned_extent(k, g); }
LANE word dmirror_grid_write(lane *k, grid g, uint at) { return turned_grid(k, g, 0, 0, at); }
TEAM_ALLOC1(dmirror_grid, GRID)

LANE uint cmirror_grid_extent(lane *k, grid g) { return turned_extent(k, g); }
LANE word cmirror_grid_write(lane *k, grid g, uint at) { return turned_grid(k, g, 1, 1, at); }
TEAM_ALLOC1(cmirror_grid, GRID)

LANE uint mirrored_extent(lane *k, grid g) { return g.rows ? rows_extent(k, g.h, total_cells(g)) : same_size(g); }

LANE uint rot180_extent(lane *k, grid g) { return mirrored_extent(k, g); }
LANE word rot180_write(lane *k, grid g, uint at) {
    if (g.rows) return ALONE(k, mirrored_rows(k, g, 1, 1, at));
#ifdef ARCL_TEAM
    team_copy(cells_at(k, at), g.h, g.w, g.at + cell_count(g) - 1, -g.w, -1);
#else
    reverse_cells(cells_at(k, at), g.at, cell_count(g));
#endif
    return made_grid(k, at, g.h, g.w);
}
TEAM_ALLOC1(rot180, GRID)

LANE uint hmirror_grid_extent(lane *k, grid g) { return mirrored_extent(k, g); }
LANE word hmirror_grid_write(lane *k, grid g, uint at) {
    if (g.rows) return ALONE(k, mirrored_rows(k, g, 1, 0, at));
#ifdef ARCL_TEAM
    team_copy(cells_at(k, at), g.h, g.w, row_of(g, g.h - 1), -g.w, 1);
#else
    place_rows(cells_at(k, at) + cell_count(g) - g.w, -g.w, g.at, g.w, g.h, g.w);
#endif
    return made_grid(k, at, g.h, g.w);
}
TEAM_ALLOC1(hmirror_grid, GRID)

LANE uint vmirror_grid_extent(lane *k, grid g) { return mirrored_extent(k, g); }
LANE word vmirror_grid_write(lane *k, grid g, uint at) {
    if (g.rows) return ALONE(k, mirrored_rows(k, g, 0, 1, at));
#ifdef ARCL_TEAM
    team_copy(cells_at(k, at), g.h, g.w, g.at + g.w - 1, g.w, -1);
#else
    place_reversed(cells_at(k, at), g.w, g.at, g.w, g.h, g.w);
#endif
    return made_grid(k, at, g.h, g.w);
}
TEAM_ALLOC1(vmirror_grid, GRID)

/* Turns and mirrors by number; other numbers, and none, leave the grid as it is. */
enum turn { TURN_HMIRROR, TURN_DMIRROR, TURN_VMIRROR, TURN_CMIRROR, TURN_ROT90, TURN_ROT180, TURN_ROT270, TURNS };

LANE int exchanges_sides(int turn) {
    return turn == TURN_DMIRROR || turn == TURN_CMIRROR || turn == TURN_ROT90 || turn == TURN_ROT270;
}
LANE uint mir_rot_grid_extent(lane *k, word from, int turn) {
    if (turn < 0 || turn >= TURNS) return 0;
    return exchanges_sides(turn) ? turned_extent(k, grid_of(k, from)) : mirrored_extent(k, grid_of(k, from));
}
LANE word mir_rot_grid_write(lane *k, word from, int turn, uint at) {
    grid g = grid_of(k, from);
    if (turn < 0 || turn >= TURNS) return from;
    int upward = turn == TURN_ROT90 || turn == TURN_CMIRROR, backward = turn == TURN_ROT270 || turn == TURN_CMIRROR;
    if (exchanges_sides(turn)) return turned_grid(k, g, upward, backward, at);
    if (turn == TURN_ROT180) return rot180_write(k, g, at);
    return turn == TURN_HMIRROR ? hmirror_grid_write(k, g, at) : vmirror_grid_write(k, g, at);
}
TEAM_ALLOC2(mir_rot_grid, ANY, INT)

/* A turn as it is looked up: where a cell of the turned grid comes from. */
typedef struct {
    int exchanges, upward, backward;
    int columns; /* that all rows have, where they become rows */
} turning;

LANE turning turning_of(grid g, int turn) {
    turning t;
    t.exchanges = exchanges_sides(turn);
    t.upward = turn == TURN_HMIRROR || turn == TURN_CMIRROR || turn == TURN_ROT90 || turn == TURN_ROT180;
    t.backward = turn == TURN_VMIRROR || turn == TURN_CMIRROR || turn == TURN_ROT270 || turn == TURN_ROT180;
    t.columns = t.exchanges ? shortest_row(g) : 0;
    return t;
}

/* Whether row r of the turned grid a is that of b. As in turned_rows, it is the ends of rows that count where they are
 * both turned over and put down backwards. */
LANE int row_turns_into(lane *k, grid a, grid b, turning t, int r) {
    int line = t.exchanges ? (t.backward ? t.columns - 1 - r : r) : t.upward ? a.h - 1 - r : r;
    int length = t.exchanges ? a.h : row_length(a, line), same = row_length(b, r) == length;
    if (!count_work(k, 1 + (ulong)length)) return 0;
    for (int c = 0; c < length && same; c++) {
        int across = (t.exchanges ? t.upward : t.backward) ? length - 1 - c : c;
        int i = t.exchanges ? across : line, j = t.exchanges ? line : across;
        if (t.exchanges && t.upward && t.backward) j += row_length(a, i) - t.columns;
        same = cell_at(k, a, i, j) == cell_at(k, b, r, c);
    }
    return same;
}
LANE int turns_into(lane *k, grid a, grid b, int turn) {
    turning t = turning_of(a, turn);
    int h = t.exchanges ? t.columns : a.h, r = 0;
    if (b.h != h) return 0;
    while (r < h && row_turns_into(k, a, b, t, r)) r++;
    return r == h;
}

/* The first turn that makes of every input its output, of a tuple of pairs of grids: no turn at all is the last one. */
LANE word mirror_of_pairs(lane *k, list pairs) {
    uint left = (2u << TURNS) - 1; /* a bit for each turn that has not failed */
    for (int p = 0; p < pairs.n && left; p++) {
        list pair = list_of(k, pairs.at[p]);
        if (pair.n != 2) return fail(k, LANE_TYPE);
        grid from = grid_of(k, pair.at[0]), to = grid_of(k, pair.at[1]);
        for (int turn = 0; turn <= TURNS; turn++)
            if (left >> turn & 1) left &= ~((uint)!turns_into(k, from, to, turn) << turn);
    }
    return left ? lowest_bit(left) : fail(k, LANE_EMPTY);
}
COUNTED_ATOM1(mirror_of_pairs, LIST)

/* ---- scaling ---- */

/* Each cell of a row n times. Doubling, the usual factor, is interleaving the row with itself. Otherwise up to seven
 * bytes too many are written, which the next row, or a spare word, takes. */
LANE void widen_row(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from, int w, int n) {
    if (n == 2 && w >= 8) {
        for (int j = 0; j < w; j = next_block(j, w)) {
            cells16 row = joined(load8(from + j), 0);
            cells16 twice = interleave_low(row, row);
            store8(to + 2 * j, low_of(twice));
            store8(to + 2 * j + 8, high_of(twice));
        }
        return;
    }
    for (int j = 0; j < w; j++, to += n) {
        ulong cells = eight_times(from[j]);
        store8(to, cells);
        for (int m = 8; m < n; m += 8) store8(to + m, cells);
    }
}

#ifdef ARCL_TEAM
/* Each cell becomes `down` by `across` cells. */
LANE void team_scale(GLOBAL cellbyte *to, grid g, int down, int across) {
    cell_walk c = walk_start(g.w);
    int w = g.w * across;
    TEAM_FOR(p, g.h * g.w) {
        GLOBAL cellbyte *first = to + (word)c.i * down * w + c.j * across;
        for (int i = 0; i < down; i++)
            for (int j = 0; j < across; j++) first[(word)i * w + j] = g.at[p];
        walk_on(&c);
    }
}
#endif

/* Factors below zero are as good as zero. None is an error, but only a cell or a row that is to be repeated asks. */
LANE uint hupscale_extent(lane *k, grid g, int n) {
    if (g.rows) return scaled_rows_extent(k, g, n, 1);
    if (g.h == 0 || g.w == 0) return 0;
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    return n > 0 ? grid_extent(k, g.h, (word)g.w * n) + 1 : 0;
}
LANE word hupscale_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    if (g.rows && n > 0) return ALONE(k, scaled_rows(k, g, n, 1, at));
    if (g.w == 0 || n <= 0) return made_grid(k, at, g.h, 0);
#ifdef ARCL_TEAM
    team_scale(to, g, 1, n);
#else
    for (int i = 0; i < g.h; i++) widen_row(to + (word)i * g.w * n, row_of(g, i), g.w, n);
#endif
    return made_grid(k, at, g.h, g.w * n);
}
TEAM_ALLOC2(hupscale, GRID, INT)

LANE uint vupscale_extent(lane *k, grid g, int n) {
    if (g.rows) return scaled_rows_extent(k, g, 1, n);
    if (g.h == 0) return 0;
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    return n > 0 ? grid_extent(k, (word)g.h * n, g.w) : 0;
}
LANE word vupscale_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    if (g.h == 0 || n <= 0) return 0;
    if (g.rows) return ALONE(k, scaled_rows(k, g, 1, n, at));
#ifdef ARCL_TEAM
    team_scale(to, g, n, 1);
#else
    for (int i = 0; i < g.h; i++)
        for (int m = 0; m < n; m++, to += g.w) copy_cells(to, row_of(g, i), g.w);
#endif
    return made_grid(k, at, g.h * n, g.w);
}
TEAM_ALLOC2(vupscale, GRID, INT)

LANE uint upscale_grid_extent(lane *k, grid g, int n) {
    if (g.rows) return scaled_rows_extent(k, g, n, n);
    if (g.h == 0) return 0;
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    return n > 0 ? grid_extent(k, (word)g.h * n, (word)g.w * n) + 1 : 0;
}
LANE word upscale_grid_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    if (g.h == 0 || n <= 0) return 0;
    if (g.rows) return ALONE(k, scaled_rows(k, g, n, n, at));
    int w = g.w * n;
#ifdef ARCL_TEAM
    team_scale(to, g, n, n);
#else
    for (int i = 0; i < g.h; i++) {
        GLOBAL const cellbyte *first = to;
        widen_row(to, row_of(g, i), g.w, n);
        to += w;
        for (int m = 1; m < n; m++, to += w) copy_cells(to, first, w);
    }
#endif
    return made_grid(k, at, g.h * n, w);
}
TEAM_ALLOC2(upscale_grid, GRID, INT)

/* Every n-th row and column; the sign of n does not matter. */
LANE int taken_of(int side, int n) { return (int)(((word)side + n - 1) / n); }
LANE int stride_of(int n) { return n < 0 ? -n : n; }
/* How many columns it looks at, up to the last that is taken: every row must have them, taken or not. */
LANE int columns_read(grid g, int n) { return g.w ? (g.w - 1) / stride_of(n) * stride_of(n) + 1 : 0; }
LANE uint downscale_extent(lane *k, grid g, int n) {
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    if (n == 0) return (uint)fail(k, LANE_DIVIDE);
    int h = taken_of(g.h, stride_of(n)), w = taken_of(g.w, stride_of(n));
    if (!g.rows) return grid_words(h, w);
    if (!has_rectangle(g, g.h, columns_read(g, n))) return (uint)fail(k, LANE_BOUNDS);
    return rows_extent(k, h, (word)h * w);
}
LANE word downscale_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    word stride = stride_of(n);
    int h = taken_of(g.h, stride_of(n)), w = taken_of(g.w, stride_of(n));
    if (g.rows) return ALONE(k, sampled_rows(k, g, stride_of(n), h, w, at));
#ifdef ARCL_TEAM
    team_copy(to, h, w, g.at, (int)stride * g.w, (int)stride);
#else
    for (int i = 0; i < h; i++, to += w) {
        GLOBAL const cellbyte *from = row_of(g, (int)(i * stride));
        for (int j = 0; j < w; j++) to[j] = from[j * stride];
    }
#endif
    return made_grid(k, at, h, w);
}
TEAM_ALLOC2(downscale, GRID, INT)

/* ---- joining ---- */

LANE uint hconcat_extent(lane *k, grid a, grid b) {
    int h = a.h < b.h ? a.h : b.h;
    if (a.rows || b.rows) return rows_extent(k, h, total_cells(a) + total_cells(b));
    return h ? grid_extent(k, h, (word)a.w + b.w) : 0;
}
LANE word hconcat_write(lane *k, grid a, grid b, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    int h = a.h < b.h ? a.h : b.h, w = a.w + b.w;
    if (a.rows || b.rows) return ALONE(k, joined_rows(k, a, b, at));
#ifdef ARCL_TEAM
    team_place(to, w, h, a.w, a.at, a.w, 1);
    team_place(to + a.w, w, h, b.w, b.at, b.w, 1);
#else
    place_rows(to, w, a.at, a.w, h, a.w);
    place_rows(to + a.w, w, b.at, b.w, h, b.w);
#endif
    return made_grid(k, at, h, w);
}
TEAM_ALLOC2(hconcat, GRID, GRID)

LANE int stacks_rows(grid a, grid b) { return a.w != b.w || a.rows || b.rows; }

/* Next to a grid without rows the other one is the result. */
LANE uint vconcat_extent(lane *k, word first, word second) {
    grid a = grid_of(k, first), b = grid_of(k, second);
    if (a.h == 0 || b.h == 0) return 0;
    if (stacks_rows(a, b)) return rows_extent(k, (word)a.h + b.h, total_cells(a) + total_cells(b));
    return grid_extent(k, (word)a.h + b.h, a.w);
}
LANE word vconcat_write(lane *k, word first, word second, uint at) {
    grid a = grid_of(k, first), b = grid_of(k, second);
    if (a.h == 0) return second;
    if (b.h == 0) return first;
    if (stacks_rows(a, b)) return ALONE(k, stacked_rows(k, a, b, at));
#ifdef ARCL_TEAM
    team_copy(cells_at(k, at), a.h, a.w, a.at, a.w, 1);
    team_copy(cells_at(k, at) + cell_count(a), b.h, b.w, b.at, b.w, 1);
#else
    place_cells(cells_at(k, at), a.at, cell_count(a));
    place_cells(cells_at(k, at) + cell_count(a), b.at, cell_count(b));
#endif
    return made_grid(k, at, a.h + b.h, a.w);
}
TEAM_ALLOC2(vconcat, ANY, ANY)

/* Many grids, one below the other: what merge makes of a tuple of them. */
typedef struct {
    word h, cells;
    int w, is_rectangle;
} stacking;

LANE stacking stacking_of(lane *k, list grids) {
    stacking s = {0, 0, 0, 1};
    for (int n = 0; n < grids.n; n++) {
        grid g = grid_of(k, grids.at[n]);
        if (g.h == 0) continue;
        s.w = s.h ? s.w : g.w;
        s.is_rectangle &= !g.rows && s.w == g.w;
        s.h += g.h;
        s.cells += total_cells(g);
    }
    return s;
}

LANE uint stack_extent(lane *k, list grids) {
    stacking s = stacking_of(k, grids);
    if (s.h == 0) return 0;
    return s.is_rectangle ? grid_extent(k, s.h, s.w) : rows_extent(k, s.h, s.cells);
}
LANE word stack_write(lane *k, list grids, uint at) {
    stacking s = stacking_of(k, grids);
    if (s.h == 0) return 0;
    row_maker m = rows_at(at, (int)s.h);
    GLOBAL cellbyte *to = cells_at(k, at);
    for (int n = 0; n < grids.n; n++) {
        grid g = grid_of(k, grids.at[n]);
        if (s.is_rectangle) {
            place_cells(to, g.at, cell_count(g));
            to += cell_count(g);
        }
        for (int i = 0; i < g.h && !s.is_rectangle; i++) add_part(k, &m, g, i, 0, row_length(g, i));
    }
    return s.is_rectangle ? made_grid(k, at, (int)s.h, s.w) : made_rows(k, m);
}
ALLOC1(stack, LIST)
