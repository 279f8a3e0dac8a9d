/* Geometry of grids: turning, mirroring, scaling, joining and cutting. No kernel here looks at colours but compress.
 *
 * A grid's cells are bytes, so the work is moving bytes: eight at a time, the last eight of a row overlapping the eight
 * before rather than being done one by one. Nothing is read outside the rows themselves. Results that are whole rows of
 * the argument and begin at a word of the arena share its storage.
 */
#include "lane.h"

/* ---- eight and sixteen cells at a time ---- */

#define INTERLEAVED_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define INTERLEAVED_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

#ifdef __OPENCL_C_VERSION__
typedef char16 cells16;
LANE ulong load8(GLOBAL const cellbyte *from) { return as_ulong(vload8(0, from)); }
LANE void store8(GLOBAL cellbyte *to, ulong v) { vstore8(as_char8(v), 0, to); }
LANE void copy4(GLOBAL cellbyte *to, GLOBAL const cellbyte *from) { vstore4(vload4(0, from), 0, to); }
LANE cells16 joined(ulong low, ulong high) { return as_char16((ulong2)(low, high)); }
LANE ulong low_of(cells16 v) { return as_ulong(v.lo); }
LANE ulong high_of(cells16 v) { return as_ulong(v.hi); }
LANE cells16 interleave_low(cells16 a, cells16 b) { return shuffle2(a, b, (uchar16)(INTERLEAVED_LOW)); }
LANE cells16 interleave_high(cells16 a, cells16 b) { return shuffle2(a, b, (uchar16)(INTERLEAVED_HIGH)); }
#else
typedef signed char cells16 __attribute__((vector_size(16)));
typedef ulong halves16 __attribute__((vector_size(16)));
LANE ulong load8(const cellbyte *from) {
    ulong v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
LANE void store8(cellbyte *to, ulong v) { __builtin_memcpy(to, &v, sizeof v); }
LANE void copy4(cellbyte *to, const cellbyte *from) { __builtin_memcpy(to, from, 4); }
LANE cells16 joined(ulong low, ulong high) { return (cells16)(halves16){low, high}; }
LANE ulong low_of(cells16 v) { return ((halves16)v)[0]; }
LANE ulong high_of(cells16 v) { return ((halves16)v)[1]; }
LANE cells16 interleave_low(cells16 a, cells16 b) { return __builtin_shufflevector(a, b, INTERLEAVED_LOW); }
LANE cells16 interleave_high(cells16 a, cells16 b) { return __builtin_shufflevector(a, b, INTERLEAVED_HIGH); }
#endif

LANE ulong eight_times(cellbyte c) { return (uchar)c * 0x0101010101010101ul; }

LANE ulong reversed8(ulong v) {
    v = (v >> 8 & 0x00ff00ff00ff00fful) | (v & 0x00ff00ff00ff00fful) << 8;
    v = (v >> 16 & 0x0000ffff0000fffful) | (v & 0x0000ffff0000fffful) << 16;
    return v >> 32 | v << 32;
}

LANE void copy_cells(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from, word n) {
    if (n < 4) {
        for (word m = 0; m < n; m++) to[m] = from[m];
        return;
    }
    if (n < 8) {
        copy4(to, from);
        copy4(to + n - 4, from + n - 4);
        return;
    }
    word m = 0;
    for (; m + 16 <= n; m += 16) {
        ulong a = load8(from + m), b = load8(from + m + 8);
        store8(to + m, a);
        store8(to + m + 8, b);
    }
    if (m + 8 <= n) store8(to + m, load8(from + m));
    store8(to + n - 8, load8(from + n - 8));
}

LANE void reverse_cells(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from, word n) {
    if (n < 8) {
        for (word m = 0; m < n; m++) to[m] = from[n - 1 - m];
        return;
    }
    for (word m = 0; m + 8 <= n; m += 8) store8(to + m, reversed8(load8(from + n - 8 - m)));
    store8(to + n - 8, reversed8(load8(from)));
}

LANE GLOBAL const cellbyte *row_of(grid g, int i) { return g.at + (word)i * g.w; }
LANE word cell_count(grid g) { return (word)g.h * g.w; }

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

/* Where the block after the one at `v` begins, of blocks of 8 that cover n >= 8: the last one overlaps. */
LANE int next_block(int v, int n) { return v + 16 <= n || v + 8 == n ? v + 8 : n - 8; }

/* The transposed grid. With `upward`, of the rows taken from the last to the first; with `backward`, the result's rows
 * are put down from the last to the first. No columns make no rows. */
LANE word turned_grid(lane *k, grid g, int upward, int backward, uint at) {
    int h = g.h, w = g.w;
    if (h == 0 || w == 0) return 0;
    GLOBAL const cellbyte *from = upward ? row_of(g, h - 1) : g.at;
    GLOBAL cellbyte *to = cells_at(k, at) + (backward ? (word)(w - 1) * h : 0);
    word across = upward ? -(word)w : w;
    word down = backward ? -(word)h : h;
    if (h < 8 || w < 8) {
        for (int j = 0; j < w; j++)
            for (int i = 0; i < h; i++) to[j * down + i] = from[i * across + j];
    } else {
        for (int i = 0; i < h; i = next_block(i, h))
            for (int j = 0; j < w; j = next_block(j, w))
                transpose_block(to + j * down + i, down, from + i * across + j, across);
    }
    return made_grid(k, at, w, h);
}

LANE uint same_size(grid g) { return grid_words(g.h, g.w); }

LANE uint rot90_extent(lane *k, grid g) { return same_size(g); }
LANE word rot90_write(lane *k, grid g, uint at) { return turned_grid(k, g, 1, 0, at); }
ALLOC1(rot90, GRID)

LANE uint rot270_extent(lane *k, grid g) { return same_size(g); }
LANE word rot270_write(lane *k, grid g, uint at) { return turned_grid(k, g, 0, 1, at); }
ALLOC1(rot270, GRID)

LANE uint dmirror_grid_extent(lane *k, grid g) { return same_size(g); }
LANE word dmirror_grid_write(lane *k, grid g, uint at) { return turned_grid(k, g, 0, 0, at); }
ALLOC1(dmirror_grid, GRID)

LANE uint cmirror_grid_extent(lane *k, grid g) { return same_size(g); }
LANE word cmirror_grid_write(lane *k, grid g, uint at) { return turned_grid(k, g, 1, 1, at); }
ALLOC1(cmirror_grid, GRID)

LANE uint rot180_extent(lane *k, grid g) { return same_size(g); }
LANE word rot180_write(lane *k, grid g, uint at) {
    reverse_cells(cells_at(k, at), g.at, cell_count(g));
    return made_grid(k, at, g.h, g.w);
}
ALLOC1(rot180, GRID)

LANE uint hmirror_grid_extent(lane *k, grid g) { return same_size(g); }
LANE word hmirror_grid_write(lane *k, grid g, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    for (int i = g.h - 1; i >= 0; i--, to += g.w) copy_cells(to, row_of(g, i), g.w);
    return made_grid(k, at, g.h, g.w);
}
ALLOC1(hmirror_grid, GRID)

LANE uint vmirror_grid_extent(lane *k, grid g) { return same_size(g); }
LANE word vmirror_grid_write(lane *k, grid g, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    for (int i = 0; i < g.h; i++, to += g.w) reverse_cells(to, row_of(g, i), g.w);
    return made_grid(k, at, g.h, g.w);
}
ALLOC1(vmirror_grid, GRID)

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

/* Factors below zero are as good as zero. None is an error, but only a cell or a row that is to be repeated asks. */
LANE uint hupscale_extent(lane *k, grid g, int n) {
    if (g.h == 0 || g.w == 0) return 0;
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    return n > 0 ? grid_extent(k, g.h, (word)g.w * n) + 1 : 0;
}
LANE word hupscale_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    if (g.w == 0 || n <= 0) return made_grid(k, at, g.h, 0);
    for (int i = 0; i < g.h; i++) widen_row(to + (word)i * g.w * n, row_of(g, i), g.w, n);
    return made_grid(k, at, g.h, g.w * n);
}
ALLOC2(hupscale, GRID, INT)

LANE uint vupscale_extent(lane *k, grid g, int n) {
    if (g.h == 0) return 0;
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    return n > 0 ? grid_extent(k, (word)g.h * n, g.w) : 0;
}
LANE word vupscale_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    if (g.h == 0 || n <= 0) return 0;
    for (int i = 0; i < g.h; i++)
        for (int m = 0; m < n; m++, to += g.w) copy_cells(to, row_of(g, i), g.w);
    return made_grid(k, at, g.h * n, g.w);
}
ALLOC2(vupscale, GRID, INT)

LANE uint upscale_grid_extent(lane *k, grid g, int n) {
    if (g.h == 0) return 0;
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    return n > 0 ? grid_extent(k, (word)g.h * n, (word)g.w * n) + 1 : 0;
}
LANE word upscale_grid_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    if (g.h == 0 || n <= 0) return 0;
    int w = g.w * n;
    for (int i = 0; i < g.h; i++) {
        GLOBAL const cellbyte *first = to;
        widen_row(to, row_of(g, i), g.w, n);
        to += w;
        for (int m = 1; m < n; m++, to += w) copy_cells(to, first, w);
    }
    return made_grid(k, at, g.h * n, w);
}
ALLOC2(upscale_grid, GRID, INT)

/* Every n-th row and column; the sign of n does not matter. */
LANE int taken_of(int side, int n) { return (int)(((word)side + n - 1) / n); }
LANE int stride_of(int n) { return n < 0 ? -n : n; }
LANE uint downscale_extent(lane *k, grid g, int n) {
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    if (n == 0) return (uint)fail(k, LANE_DIVIDE);
    return grid_words(taken_of(g.h, stride_of(n)), taken_of(g.w, stride_of(n)));
}
LANE word downscale_write(lane *k, grid g, int n, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    word stride = stride_of(n);
    int h = taken_of(g.h, stride_of(n)), w = taken_of(g.w, stride_of(n));
    for (int i = 0; i < h; i++, to += w) {
        GLOBAL const cellbyte *from = row_of(g, (int)(i * stride));
        for (int j = 0; j < w; j++) to[j] = from[j * stride];
    }
    return made_grid(k, at, h, w);
}
ALLOC2(downscale, GRID, INT)

/* ---- joining ---- */

LANE uint hconcat_extent(lane *k, grid a, grid b) {
    int h = a.h < b.h ? a.h : b.h;
    return h ? grid_extent(k, h, (word)a.w + b.w) : 0;
}
LANE word hconcat_write(lane *k, grid a, grid b, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    int h = a.h < b.h ? a.h : b.h, w = a.w + b.w;
    for (int i = 0; i < h; i++, to += w) {
        copy_cells(to, row_of(a, i), a.w);
        copy_cells(to + a.w, row_of(b, i), b.w);
    }
    return made_grid(k, at, h, w);
}
ALLOC2(hconcat, GRID, GRID)

/* Next to a grid without rows the other one is the result. */
LANE uint vconcat_extent(lane *k, word first, word second) {
    grid a = grid_of(k, first), b = grid_of(k, second);
    if (a.h == 0 || b.h == 0) return 0;
    if (a.w != b.w) return (uint)fail(k, LANE_SHAPE);
    return grid_extent(k, (word)a.h + b.h, a.w);
}
LANE word vconcat_write(lane *k, word first, word second, uint at) {
    grid a = grid_of(k, first), b = grid_of(k, second);
    if (a.h == 0) return second;
    if (b.h == 0) return first;
    copy_cells(cells_at(k, at), a.at, cell_count(a));
    copy_cells(cells_at(k, at) + cell_count(a), b.at, cell_count(b));
    return made_grid(k, at, a.h + b.h, a.w);
}
ALLOC2(vconcat, ANY, ANY)

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
LANE uint cut_extent(lane *k, word from, window c) {
    return cut_shares(grid_of(k, from), c) ? 0 : grid_words(c.h, c.w);
}
LANE word cut_write(lane *k, word from, window c, uint at) {
    grid g = grid_of(k, from);
    if (cut_shares(g, c)) {
        uint skipped = c.w ? (uint)c.top * (uint)c.w / 8 : 0;
        return c.h ? made_ref(ref_offset(from) + skipped, (uint)c.h << 16 | (uint)c.w) : 0;
    }
    GLOBAL cellbyte *to = cells_at(k, at);
    if (c.w == g.w)
        copy_cells(to, row_of(g, c.top), (word)c.h * c.w);
    else
        for (int i = 0; i < c.h; i++, to += c.w) copy_cells(to, row_of(g, c.top + i) + c.left, c.w);
    return made_grid(k, at, c.h, c.w);
}

/* A bound of a slice of n: a negative one counts from the end, and what lies outside is cut. */
LANE int slice_bound(int v, int n) {
    int from_start = v < 0 ? v + n : v;
    return from_start < 0 ? 0 : from_start > n ? n : from_start;
}
LANE window slice_window(grid g, int i, int j, int h, int w) {
    int top = slice_bound(i, g.h), left = slice_bound(j, g.w);
    return window_at(top, left, slice_bound(i + h, g.h) - top, slice_bound(j + w, g.w) - left);
}

LANE window crop_window(lane *k, word g, word start, word dims) {
    return slice_window(grid_of(k, g), loc_i(start), loc_j(start), loc_i(dims), loc_j(dims));
}
LANE uint crop_extent(lane *k, word g, word start, word dims) {
    return cut_extent(k, g, crop_window(k, g, start, dims));
}
LANE word crop_write(lane *k, word g, word start, word dims, uint at) {
    return cut_write(k, g, crop_window(k, g, start, dims), at);
}
ALLOC3(crop, ANY, LOC, LOC)

/* The extent is that of the whole grid: it is not worth another pass over the patch. */
LANE uint subgrid_extent(lane *k, list patch, word g) {
    if (patch.n == 0) return (uint)fail(k, LANE_EMPTY);
    return same_size(grid_of(k, g));
}
LANE word subgrid_write(lane *k, list patch, word g, uint at) {
    bounds b = patch_bounds(patch);
    return cut_write(k, g, slice_window(grid_of(k, g), b.top, b.left, b.bottom - b.top + 1, b.right - b.left + 1), at);
}
ALLOC2(subgrid, LIST, ANY)

LANE word tophalf(lane *k, word g) {
    uint h = ref_length(g) >> 17;
    return h ? made_ref(ref_offset(g), h << 16 | (ref_length(g) & 0xffff)) : 0;
}
ATOM1(tophalf, ANY)

#define CUT(name, window_of_g)                                                                                         \
    LANE window name##_window(grid g) { return window_of_g; }                                                          \
    LANE uint name##_extent(lane *k, word from) { return cut_extent(k, from, name##_window(grid_of(k, from))); }       \
    LANE word name##_write(lane *k, word from, uint at) {                                                              \
        return cut_write(k, from, name##_window(grid_of(k, from)), at);                                                \
    }                                                                                                                  \
    ALLOC1(name, ANY)

/* Half of a single column is a grid without rows, since the halves are defined by turning. */
CUT(bottomhalf, window_at(g.h - g.h / 2, 0, g.h / 2, g.w))
CUT(lefthalf, window_at(0, 0, g.w > 1 ? g.h : 0, g.w / 2))
CUT(righthalf, window_at(0, g.w - g.w / 2, g.w > 1 ? g.h : 0, g.w / 2))
CUT(trim, window_at(1, 1, g.h - 2, g.w - 2))

/* The m-th of n pieces of a side. */
LANE int piece_start(int side, int n, int m) {
    word start = (word)(side / n) * m + (side % n ? m : 0);
    return start < side ? (int)start : side;
}
LANE int piece_size(int side, int n, int m) {
    int start = piece_start(side, n, m), size = side / n;
    return size < side - start ? size : side - start;
}

/* A list of n references, and after it the pieces' cells. */
LANE uint split_extent(lane *k, word from, int n, int side, word piece) {
    if (grid_of(k, from).h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    if (n == 0) return (uint)fail(k, LANE_DIVIDE);
    if (n < 0) return 0;
    word need = n + (n > side ? 0 : n * piece);
    return need < 0x7fffffff ? (uint)need : 0x7fffffff;
}
LANE word split_write(lane *k, word from, int n, int vertical, uint at) {
    grid g = grid_of(k, from);
    uint next = at + (uint)n;
    if (n < 0) return 0;
    for (int m = 0; m < n; m++) {
        window c = vertical ? window_at(piece_start(g.h, n, m), 0, piece_size(g.h, n, m), g.w)
                            : window_at(0, piece_start(g.w, n, m), g.h, piece_size(g.w, n, m));
        k->used = 0;
        k->arena[at + (uint)m] = cut_write(k, from, c, next);
        next += k->used;
    }
    k->used = next - at;
    return made_ref(at, (uint)n);
}

LANE uint hsplit_extent(lane *k, word from, int n) {
    grid g = grid_of(k, from);
    return split_extent(k, from, n, g.w, n > 0 ? grid_words(g.h, g.w / n) : 0);
}
LANE word hsplit_write(lane *k, word from, int n, uint at) { return split_write(k, from, n, 0, at); }
ALLOC2(hsplit, ANY, INT)

LANE uint vsplit_extent(lane *k, word from, int n) {
    grid g = grid_of(k, from);
    return split_extent(k, from, n, g.h, n > 0 ? grid_words(g.h / n, g.w) : 0);
}
LANE word vsplit_write(lane *k, word from, int n, uint at) { return split_write(k, from, n, 1, at); }
ALLOC2(vsplit, ANY, INT)

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
    return same_size(g) + grid_words(1, g.w) + grid_words(2, g.w + 1);
}
LANE word compress_write(lane *k, word from, uint at) {
    grid g = grid_of(k, from);
    GLOBAL cellbyte *to = cells_at(k, at);
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
