/* Drawing on grids: the kernels that put colours at places, and index, which reads one.
 *
 * A drawing is a copy of the grid with some bytes changed; without cells to draw it is the grid itself, not a copy.
 * Cells outside the grid are passed over. A colour that no byte can hold fails a lane only where it is to be written.
 * On a ragged grid, what is inside is told by the first row: a shorter one may lack the cell, and that fails the lane.
 */
#include "ragged.h"

/* ---- places ---- */

/* A location's coordinates as they lie in its word. They are the true ones where both are at least 0, and else one of
 * them is at least 2^23, which is outside every grid: one comparison each tells whether a location is inside. */
LANE uint raw_j(word w) { return (uint)w & 0xffffff; }
LANE uint raw_i(word w) { return (uint)(w >> 24) & 0xffffff; }

/* Of a patch that mixes locations and cells, a location is no cell to paint, wherever it lies. The colour that says so
 * is at the rim of its range, where a negative coordinate makes the word wrap around: hence no loc_colour here. */
LANE int is_coloured_cell(word cell) {
    ulong rounded = (ulong)cell + ((ulong)COORD_LIMIT << 24) + COORD_LIMIT;
    return (rounded >> 48) != ((ulong)NO_COLOUR & 0xffff);
}

LANE void copy_grid(GLOBAL word *restrict to, GLOBAL const word *restrict from, uint words) {
    for (uint n = 0; n < words; n++) to[n] = from[n];
}

LANE GLOBAL cellbyte *copied(lane *k, word g, uint at) {
    grid from = grid_of(k, g);
    copy_grid(k->arena + at, k->arena + ref_offset(g), storage_words(from));
    return cells_at(k, from.rows ? at + (uint)from.h : at);
}

LANE int fits_byte(int colour) { return colour == NONE || (colour >= -127 && colour <= 127); }

/* ---- the background ---- */

/* The most frequent byte, as grid_mostcommon finds it. The ten usual colours are counted one after another until those
 * not counted yet are too few to matter: for most grids that is after one or two. */
LANE int background(grid g, GLOBAL uint *count) {
    int cells = g.h * g.w, best = 0;
    uint left = (uint)cells, most = 0;
    for (int colour = 0; colour < 10; colour++) {
        uint n = count_byte(g.at, cells, (cellbyte)colour);
        if (n > most) {
            most = n;
            best = colour;
        }
        left -= n;
        if (left < most) return best;
    }
    return grid_mostcommon(g, count);
}

LANE int background_at(lane *k, grid g, uint at) { return background(g, (GLOBAL uint *)(k->arena + at)); }

/* The background needs its room only until the result is written. */
LANE uint drawing_words(grid g) { return storage_words(g) > COLOUR_COUNTS ? storage_words(g) : COLOUR_COUNTS; }
LANE uint drawing_extent(grid g, list patch) {
    if (patch.n == 0) return 0;
    return drawing_words(g) + (g.rows ? (uint)patch.n : 0);
}
/* The same where no background is asked for. */
LANE uint copy_extent(grid g, list patch) {
    if (g.rows) return drawing_extent(g, patch);
    return patch.n ? grid_words(g.h, g.w) : 0;
}

/* ---- ragged grids ---- */

/* What to draw, and on what: a ragged grid is drawn upon as one row of cells. */
typedef struct {
    grid g;
    list patch;
} drawing;

/* Moves a patch by `by` in a ragged grid, and then to where the cells are in the row of all; the words are written to
 * arena[at ..]. What is outside goes, but for locations among cells: paint must see them. */
LANE list patch_on_cells(lane *k, grid g, list patch, word by, uint at) {
    int down = loc_i(by), right = loc_j(by);
    list moved = {k->arena + at, 0};
    for (int n = 0; n < patch.n; n++) {
        word cell = patch.at[n];
        int i = loc_i(cell) + down, j = loc_j(cell) + right;
        if (i >= 0 && j >= 0 && i < g.h && j < g.w) {
            if (j >= row_length(g, i)) fail(k, LANE_BOUNDS);
            if (row_start(g, i) + j >= COORD_LIMIT) fail(k, LANE_LIMIT);
            k->arena[at + (uint)moved.n++] = colour_word(loc_colour(cell)) + row_start(g, i) + j;
        } else if (!is_coloured_cell(cell))
            k->arena[at + (uint)moved.n++] = colour_word(NO_COLOUR) + loc_word(1, 0);
    }
    if (k->status) moved.n = 0;
    return moved;
}

LANE drawing drawing_of(lane *k, word from, list patch, word by, uint at) {
    drawing d = {grid_of(k, from), patch};
    if (d.g.rows) {
        d.patch = patch_on_cells(k, d.g, patch, by, at + drawing_words(d.g));
        d.g = cells_of_grid(d.g);
    }
    return d;
}

/* ---- filling ---- */

LANE void fill_cells(GLOBAL cellbyte *to, grid g, list patch, int colour) {
    uint h = (uint)g.h, w = (uint)g.w;
    for (int n = 0; n < patch.n; n++) {
        uint i = raw_i(patch.at[n]), j = raw_j(patch.at[n]);
        if (i < h && j < w) to[i * w + j] = (cellbyte)colour;
    }
}

LANE int touches(grid g, list patch) {
    for (int n = 0; n < patch.n; n++)
        if (raw_i(patch.at[n]) < (uint)g.h && raw_j(patch.at[n]) < (uint)g.w) return 1;
    return 0;
}

LANE uint fill_extent(lane *k, word from, int colour, list patch) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    return copy_extent(g, patch);
}
LANE word fill_write(lane *k, word from, int colour, list patch, uint at) {
    if (patch.n == 0) return from;
    drawing d = drawing_of(k, from, patch, 0, at);
    if (!fits_byte(colour)) return touches(d.g, d.patch) ? fail(k, LANE_LIMIT) : from;
    fill_cells(copied(k, from, at), d.g, d.patch, byte_of_int(k, colour));
    return made_like(k, from, at);
}
ALLOC3(fill, ANY, INT, PATCH)

LANE uint underfill_extent(lane *k, word from, int colour, list patch) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (g.w == 0 && !g.rows) return (uint)fail(k, LANE_EMPTY);
    return drawing_extent(g, patch);
}
LANE word underfill_write(lane *k, word from, int colour, list patch, uint at) {
    if (patch.n == 0) return from;
    drawing d = drawing_of(k, from, patch, 0, at);
    uint h = (uint)d.g.h, w = (uint)d.g.w;
    int old = background_at(k, d.g, at), fresh = fits_byte(colour) ? byte_of_int(k, colour) : old, written = 0;
    GLOBAL cellbyte *to = copied(k, from, at);
    for (int n = 0; n < d.patch.n; n++) {
        uint i = raw_i(d.patch.at[n]), j = raw_j(d.patch.at[n]);
        if (i >= h || j >= w) continue;
        int c = to[i * w + j];
        written |= c == old;
        to[i * w + j] = (cellbyte)(c == old ? fresh : c);
    }
    if (written && !fits_byte(colour)) return fail(k, LANE_LIMIT);
    return made_like(k, from, at);
}
ALLOC3(underfill, ANY, INT, PATCH)

LANE uint cover_extent(lane *k, word from, list patch) {
    grid g = grid_of(k, from);
    if (g.h == 0 || (g.w == 0 && !g.rows)) return (uint)fail(k, LANE_EMPTY);
    return drawing_extent(g, patch);
}
LANE word cover_write(lane *k, word from, list patch, uint at) {
    if (patch.n == 0) return from;
    drawing d = drawing_of(k, from, patch, 0, at);
    int colour = background_at(k, d.g, at);
    fill_cells(copied(k, from, at), d.g, d.patch, colour);
    return made_like(k, from, at);
}
ALLOC2(cover, ANY, PATCH)

/* ---- painting ---- */

/* Draws cells in their order, so that of two at one place the later stays. */
LANE void paint_cells(lane *k, GLOBAL cellbyte *to, grid g, list object) {
    uint h = (uint)g.h, w = (uint)g.w;
    for (int n = 0; n < object.n; n++) {
        word cell = object.at[n];
        uint i = raw_i(cell), j = raw_j(cell);
        if (i < h && j < w) {
            int colour = (int)(cell >> 48);
            if (colour < -127 || colour > 127) byte_of_colour(k, colour);
            to[i * w + j] = (cellbyte)colour;
        } else if (!is_coloured_cell(cell))
            fail(k, LANE_TYPE);
    }
}

LANE uint paint_extent(lane *k, word from, list object) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    return copy_extent(g, object);
}
LANE word paint_write(lane *k, word from, list object, uint at) {
    if (object.n == 0) return from;
    drawing d = drawing_of(k, from, object, 0, at);
    paint_cells(k, copied(k, from, at), d.g, d.patch);
    return made_like(k, from, at);
}
ALLOC2(paint, ANY, PATCH)

LANE uint underpaint_extent(lane *k, word from, list object) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (g.w == 0 && !g.rows) return (uint)fail(k, LANE_EMPTY);
    return drawing_extent(g, object);
}
/* A cell sees what the cells before it have drawn: what one of them made background is drawn over. */
LANE word underpaint_write(lane *k, word from, list object, uint at) {
    if (object.n == 0) return from;
    drawing d = drawing_of(k, from, object, 0, at);
    uint h = (uint)d.g.h, w = (uint)d.g.w;
    int old = background_at(k, d.g, at), unfit = 0;
    GLOBAL cellbyte *to = copied(k, from, at);
    for (int n = 0; n < d.patch.n; n++) {
        word cell = d.patch.at[n];
        uint i = raw_i(cell), j = raw_j(cell);
        if (!is_coloured_cell(cell)) return fail(k, LANE_TYPE);
        if (i >= h || j >= w) continue;
        int c = to[i * w + j], colour = (int)(cell >> 48);
        unfit |= (c == old) & ((colour < -127) | (colour > 127));
        to[i * w + j] = (cellbyte)(c == old ? colour : c);
    }
    if (unfit) return fail(k, LANE_LIMIT);
    return made_like(k, from, at);
}
ALLOC2(underpaint, ANY, PATCH)

LANE uint move_extent(lane *k, word from, list object, word by) { return cover_extent(k, from, object); }

/* Where a cell goes when it is moved, or -1. The moved coordinates may be beyond what a word can hold. */
LANE word moved_place(grid g, word cell, int down, int right) {
    int i = loc_i(cell) + down, j = loc_j(cell) + right;
    return i >= 0 && j >= 0 && i < g.h && j < g.w ? (word)i * g.w + j : -1;
}

LANE word move_ragged(lane *k, word from, list object, word by, uint at) {
    drawing d = drawing_of(k, from, object, 0, at);
    int colour = background_at(k, d.g, at);
    GLOBAL cellbyte *to = copied(k, from, at);
    fill_cells(to, d.g, d.patch, colour);
    d = drawing_of(k, from, object, by, at);
    paint_cells(k, to, d.g, d.patch);
    return made_like(k, from, at);
}

/* Moving makes a set of the object, so at one place the largest colour stays. For a set, painting in order sees to
 * that; a tuple in another order takes a second pass, in which every painted place has one of its colours already. */
LANE word move_write(lane *k, word from, list object, word by, uint at) {
    grid g = grid_of(k, from);
    if (object.n == 0) return from;
    if (g.rows) return move_ragged(k, from, object, by, at);
    int colour = background_at(k, g, at), down = loc_i(by), right = loc_j(by), in_order = 1;
    GLOBAL cellbyte *to = copied(k, from, at);
    fill_cells(to, g, object, colour);
    for (int n = 0; n < object.n; n++) {
        if (!is_coloured_cell(object.at[n])) return fail(k, LANE_TYPE);
        word place = moved_place(g, object.at[n], down, right);
        if (n && object.at[n] < object.at[n - 1]) in_order = 0;
        if (place >= 0) to[place] = (cellbyte)byte_of_colour(k, loc_colour(object.at[n]));
    }
    for (int n = 0; n < object.n && !in_order; n++) {
        word place = moved_place(g, object.at[n], down, right);
        if (place >= 0 && to[place] < loc_colour(object.at[n])) to[place] = (cellbyte)loc_colour(object.at[n]);
    }
    return made_grid(k, at, g.h, g.w);
}
ALLOC3(move, ANY, PATCH, LOC)

/* ---- whole grids and single cells ---- */

LANE uint canvas_extent(lane *k, int colour, word dims) {
    int h = loc_i(dims), w = loc_j(dims);
    if (h <= 0) return 0;
    if (w > 0 && !fits_byte(colour)) return (uint)fail(k, LANE_LIMIT);
    return grid_extent(k, h, w > 0 ? w : 0);
}
LANE word canvas_write(lane *k, int colour, word dims, uint at) {
    int h = loc_i(dims), w = loc_j(dims) > 0 ? loc_j(dims) : 0;
    if (h <= 0) return 0;
    if (w == 0) return made_grid(k, at, h, 0);
    GLOBAL word *to = k->arena + at;
    word cells = (word)((uchar)byte_of_int(k, colour) * 0x0101010101010101ul);
    for (uint n = 0; n < grid_words(h, w); n++) to[n] = cells;
    return made_grid(k, at, h, w);
}
ALLOC2(canvas, INT, LOC)

/* Where a and b agree that colour, else the fallback; returns whether the fallback was needed. */
LANE int choose_cells(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict a,
                      GLOBAL const cellbyte *restrict b, uint cells, cellbyte fallback) {
    cellbyte differs = 0;
    for (uint n = 0; n < cells; n++) {
        differs |= (cellbyte)(a[n] ^ b[n]);
        to[n] = a[n] == b[n] ? a[n] : fallback;
    }
    return differs != 0;
}

LANE uint cellwise_extent(lane *k, grid a, grid b, int fallback) {
    if (a.rows || b.rows) {
        if (a.h == 0 || !has_rectangle(a, a.h, a.w) || !has_rectangle(b, a.h, a.w)) return (uint)fail(k, LANE_BOUNDS);
        return 3 * grid_words(a.h, a.w);
    }
    if (a.h == 0 || (a.w > 0 && (b.h < a.h || b.w < a.w))) return (uint)fail(k, LANE_BOUNDS);
    return grid_words(a.h, a.w);
}
LANE word cellwise_write(lane *k, grid a, grid b, int fallback, uint at) {
    if (a.rows || b.rows) { /* all cells of the first are needed, up to the length of its first row */
        int common = a.w ? a.h : 0;
        b = rectangle_at(k, b, common, a.w, 0, at + grid_words(a.h, a.w));
        a = rectangle_at(k, a, a.h, a.w, 0, at + 2 * grid_words(a.h, a.w));
    }
    GLOBAL cellbyte *to = cells_at(k, at);
    uint h = (uint)a.h, w = (uint)a.w;
    cellbyte colour = (cellbyte)(fits_byte(fallback) ? byte_of_int(k, fallback) : 0);
    int differs = 0;
    if (a.w == b.w)
        differs = choose_cells(to, a.at, b.at, h * w, colour);
    else if (w > 0)
        for (uint i = 0; i < h; i++) differs |= choose_cells(to + i * w, a.at + i * w, b.at + i * (uint)b.w, w, colour);
    if (differs && !fits_byte(fallback)) return fail(k, LANE_LIMIT);
    return made_grid(k, at, a.h, a.w);
}
ALLOC3(cellwise, ANYGRID, ANYGRID, INT)

LANE word index(lane *k, grid g, word at) {
    uint i = raw_i(at), j = raw_j(at);
    if (g.h == 0) return fail(k, LANE_BOUNDS);
    if (i >= (uint)g.h || j >= (uint)g.w) return NONE;
    if (!g.rows) return int_of_byte(g.at[i * (uint)g.w + j]);
    return (int)j < row_length(g, (int)i) ? int_of_byte(row_cells(g, (int)i)[j]) : fail(k, LANE_BOUNDS);
}
ATOM2(index, ANYGRID, LOC)
