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
