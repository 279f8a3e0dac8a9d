/* Drawing on grids: the kernels that put colours at places, and index, which reads one.
 *
 * A drawing is a copy of the grid with some bytes changed; without cells to draw it is the grid itself, not a copy.
 * Cells outside the grid are passed over. Where the grid or a colour is not a matter of bytes, cl/rows_colour.h draws.
 */
#define ROOM_PER_CELL 1 /* uints: a sheet */
#include "draw_cells.h"
#include "draw_mask.h"

/* ---- extents ---- */

/* The background needs its room only until the result is written. */
LANE uint drawing_extent(lane *k, grid g, list patch, int as_rows) {
    k->work += (uint)patch.n;
    if (patch.n == 0) return 0;
    if (as_rows) return drawn_rows_extent(k, g);
    return grid_words(g.h, g.w) > COLOUR_COUNTS ? grid_words(g.h, g.w) : COLOUR_COUNTS;
}
/* The same where no background is asked for. */
LANE uint copy_extent(lane *k, grid g, list patch, int as_rows) {
    k->work += (uint)patch.n;
    if (patch.n == 0) return 0;
    return as_rows ? drawn_rows_extent(k, g) : grid_words(g.h, g.w);
}

/* Whether one of a tuple's cells has a colour that is no byte: -127 to 127 are those that leave the upper half of the
 * colour's field clear when 127 is added, and when 128 is. */
#ifdef MANY_ITEMS /* there registers are scarcer than time */
LANE int has_unfit_among(list cells) {
    int unfit = 0;
    for (int n = 0; n < cells.n; n++) unfit |= !fits_byte(loc_colour(cells.at[n]));
    return unfit;
}
#else
LANE int has_unfit_among(list cells) {
    ulong fields = ((ulong)1 << 47) + ((ulong)1 << 23), some = 0;
    for (int n = 0; n < cells.n; n++) {
        ulong cell = (ulong)cells.at[n] + fields;
        some |= (cell + ((ulong)127 << 48)) | (cell + ((ulong)128 << 48));
    }
    return some >> 56 != 0;
}
#endif

/* Whether cells have such a colour. A set is sorted by colour, so the ends tell; a tuple, where the immediate is 1, may
 * have any order. */
LANE int has_unfit_colour(lane *k, list object) {
    if (k->imm) return has_unfit_among(object);
    return object.n && are_unfit(object.at[0], object.at[object.n - 1]);
}

/* ---- filling ---- */

LANE void fill_cells(GLOBAL cellbyte *to, grid g, list patch, int colour) {
    uint h = (uint)g.h, w = (uint)g.w;
    int n = 0;
    while (has_many_places(patch.n - n)) {
        uint place[PLACES];
        int count = patch.n - n < PLACES ? patch.n - n : PLACES;
        if (!places_of(place, patch.at + n, count, h, w)) break;
        for (int m = 0; m < count; m++) to[place[m]] = (cellbyte)colour;
        n += count;
    }
    TEAM_FOR(m, patch.n - n) {
        uint i = raw_i(patch.at[n + m]), j = raw_j(patch.at[n + m]);
        if (i < h && j < w) to[i * w + j] = (cellbyte)colour;
    }
}

LANE uint fill_extent(lane *k, word from, int colour, list patch) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    return copy_extent(k, g, patch, g.rows || !fits_byte(colour));
}
LANE word fill_write(lane *k, word from, int colour, list patch, uint at) {
    grid g = grid_of(k, from);
    if (patch.n == 0) return from;
    if (g.rows || !fits_byte(colour)) return ALONE(k, fill_rows(k, g, colour, patch, 0, at));
    fill_cells(copied(k, from, at), g, patch, byte_of_int(colour));
    return made_grid(k, at, g.h, g.w);
}
TEAM_COUNTED_ALLOC3(fill, ANY, INT, PATCH)

LANE uint underfill_extent(lane *k, word from, int colour, list patch) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (g.w == 0 && !g.rows) return (uint)fail(k, LANE_EMPTY);
    return drawing_extent(k, g, patch, g.rows || !fits_byte(colour));
}
LANE word underfill_write(lane *k, word from, int colour, list patch, uint at) {
    grid g = grid_of(k, from);
    if (patch.n == 0) return from;
    if (g.rows || !fits_byte(colour)) return ALONE(k, fill_rows(k, g, colour, patch, 1, at));
    uint h = (uint)g.h, w = (uint)g.w;
    int old = background_at(k, g, at), fresh = byte_of_int(colour);
    GLOBAL cellbyte *to = copied(k, from, at);
    TEAM_FOR(n, patch.n) {
        uint i = raw_i(patch.at[n]), j = raw_j(patch.at[n]);
        if (i >= h || j >= w) continue;
        int c = g.at[i * w + j]; /* not what another cell at this place has made of it: that is the same */
        to[i * w + j] = (cellbyte)(c == old ? fresh : c);
    }
    return made_grid(k, at, g.h, g.w);
}
TEAM_COUNTED_ALLOC3(underfill, ANY, INT, PATCH)

LANE uint cover_extent(lane *k, word from, list patch) {
    grid g = grid_of(k, from);
    if (g.h == 0 || (g.w == 0 && !g.rows)) return (uint)fail(k, LANE_EMPTY);
    return drawing_extent(k, g, patch, g.rows != 0);
}
LANE word cover_write(lane *k, word from, list patch, uint at) {
    grid g = grid_of(k, from);
    if (patch.n == 0) return from;
    if (g.rows) return ALONE(k, fill_rows(k, g, extreme_colour(k, g, 1, at), patch, 0, at));
    int colour = background_at(k, g, at);
    fill_cells(copied(k, from, at), g, patch, colour);
    return made_grid(k, at, g.h, g.w);
}
TEAM_COUNTED_ALLOC2(cover, ANY, PATCH)

/* ---- filling the places of a mask ----
 *
 * Each row is copied and filled at once. What is a list, or no matter of bytes, is drawn as a list. */

LANE int draws_mask(word patch, grid g, int colour) { return is_mask(patch) && !g.rows && fits_byte(colour); }
LANE uint drawing_more(lane *k, grid g, word patch, int colour) {
    return draws_mask(patch, g, colour) ? 0 : listing_words(patch);
}
/* The list, if need be behind what drawing rows takes. */
LANE list drawn_list(lane *k, grid g, word patch, uint at) {
    if (!is_mask(patch)) return list_of(k, patch);
    return list_of(k, (word)ALONE(k, listed(k, patch, at + drawn_rows_extent(k, g))));
}
/* A list of no words, as long as the patch is. */
LANE list length_of(lane *k, word patch) {
    list l = {k->arena, (int)patch_length(is_mask(patch) ? patch : patch_argument(k, patch))};
    return l;
}

LANE uint fill_mask_extent(lane *k, word from, int colour, word patch) {
    return fill_extent(k, from, colour, length_of(k, patch));
}
LANE uint fill_mask_more(lane *k, word from, int colour, word patch) {
    return drawing_more(k, grid_of(k, from), patch, colour);
}
LANE word fill_mask_write(lane *k, word from, int colour, word patch, uint at) {
    grid g = grid_of(k, from);
    if (!draws_mask(patch, g, colour)) return fill_write(k, from, colour, drawn_list(k, g, patch, at), at);
    fill_places(cells_at(k, at), g, mask_of(k, patch), ANY_CELL, byte_of_int(colour));
    return made_grid(k, at, g.h, g.w);
}
TEAM_MASKED_ALLOC3(fill_mask, ANY, INT, ANY)

LANE uint underfill_mask_extent(lane *k, word from, int colour, word patch) {
    return underfill_extent(k, from, colour, length_of(k, patch));
}
LANE uint underfill_mask_more(lane *k, word from, int colour, word patch) {
    return drawing_more(k, grid_of(k, from), patch, colour);
}
LANE word underfill_mask_write(lane *k, word from, int colour, word patch, uint at) {
    grid g = grid_of(k, from);
    if (!draws_mask(patch, g, colour)) return underfill_write(k, from, colour, drawn_list(k, g, patch, at), at);
    int old = background_at(k, g, at);
    fill_places(cells_at(k, at), g, mask_of(k, patch), old, byte_of_int(colour));
    return made_grid(k, at, g.h, g.w);
}
TEAM_MASKED_ALLOC3(underfill_mask, ANY, INT, ANY)

LANE uint cover_mask_extent(lane *k, word from, word patch) { return cover_extent(k, from, length_of(k, patch)); }
LANE uint cover_mask_more(lane *k, word from, word patch) { return drawing_more(k, grid_of(k, from), patch, 0); }
LANE word cover_mask_write(lane *k, word from, word patch, uint at) {
    grid g = grid_of(k, from);
    if (!draws_mask(patch, g, 0)) return cover_write(k, from, drawn_list(k, g, patch, at), at);
    int colour = background_at(k, g, at);
    fill_places(cells_at(k, at), g, mask_of(k, patch), ANY_CELL, colour);
    return made_grid(k, at, g.h, g.w);
}
TEAM_MASKED_ALLOC2(cover_mask, ANY, ANY)

/* ---- painting ---- */

/* Draws cells in their order, so that of two at one place the later stays. A colour that is no byte is one that the
 * ends of the object did not tell of, as only those of a set do. */
LANE void paint_cells(lane *k, GLOBAL cellbyte *to, grid g, list object) {
    uint h = (uint)g.h, w = (uint)g.w;
    int n = 0;
    while (has_many_places(object.n - n)) {
        uint place[PLACES], unfit = 0;
        int count = object.n - n < PLACES ? object.n - n : PLACES;
        if (!places_of(place, object.at + n, count, h, w)) break;
        for (int m = 0; m < count; m++) {
            int colour = (int)(object.at[n + m] >> 48);
            unfit |= (uint)colour + 127 > 254;
            to[place[m]] = (cellbyte)colour;
        }
        if (unfit) {
            fail(k, LANE_LIMIT);
            return;
        }
        n += count;
    }
    for (; n < object.n; n++) {
        word cell = object.at[n];
        uint i = raw_i(cell), j = raw_j(cell);
        if (i < h && j < w) {
            int colour = (int)(cell >> 48);
            if (colour < -127 || colour > 127) {
                fail(k, LANE_LIMIT);
                return;
            }
            to[i * w + j] = (cellbyte)colour;
        } else if (!is_coloured_cell(cell)) {
            fail(k, LANE_TYPE);
            return;
        }
    }
}

LANE uint paint_extent(lane *k, word from, list object) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    return copy_extent(k, g, object, g.rows || has_unfit_colour(k, object));
}
LANE word paint_in_order(lane *k, word from, list object, uint at) {
    grid g = grid_of(k, from);
    if (g.rows || has_unfit_colour(k, object)) return paint_rows(k, g, object, 0, at);
    paint_cells(k, copied_alone(k, from, at), g, object);
    return made_grid(k, at, g.h, g.w);
}
LANE word paint_write(lane *k, word from, list object, uint at) {
    if (object.n == 0) return from;
#ifdef ARCL_TEAM
    grid g = grid_of(k, from);
    uint is_odd = g.rows || k->imm || !has_sheet(g);
    if (!is_odd) {
        local int *sheet = team_sheet(k, g);
        TEAM_FOR(n, object.n) {
            paint_sheet(sheet, g, object.at[n]);
            is_odd |= !fits_byte(loc_colour(object.at[n]));
        }
        if (!team_most(k, is_odd)) return lay_sheet(k, sheet, g, at);
    }
#endif
    return ALONE(k, paint_in_order(k, from, object, at));
}
TEAM_COUNTED_ALLOC2(paint, ANY, PATCH)

LANE uint underpaint_extent(lane *k, word from, list object) {
    grid g = grid_of(k, from);
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (g.w == 0 && !g.rows) return (uint)fail(k, LANE_EMPTY);
    return drawing_extent(k, g, object, g.rows || has_unfit_colour(k, object));
}
/* A cell sees what the cells before it have drawn: what one of them made background is drawn over. */
LANE word underpaint_write(lane *k, word from, list object, uint at) {
    grid g = grid_of(k, from);
    if (object.n == 0) return from;
    if (g.rows || has_unfit_colour(k, object)) return paint_rows(k, g, object, 1, at);
    uint h = (uint)g.h, w = (uint)g.w;
    int old = background_at(k, g, at), unfit = 0;
    GLOBAL cellbyte *to = copied(k, from, at);
    for (int n = 0; n < object.n; n++) {
        word cell = object.at[n];
        uint i = raw_i(cell), j = raw_j(cell);
        if (!is_coloured_cell(cell)) return fail(k, LANE_TYPE);
        if (i >= h || j >= w) continue;
        int c = to[i * w + j], colour = (int)(cell >> 48);
        unfit |= (c == old) & ((colour < -127) | (colour > 127));
        to[i * w + j] = (cellbyte)(c == old ? colour : c);
    }
    return unfit ? fail(k, LANE_LIMIT) : made_grid(k, at, g.h, g.w);
}
COUNTED_ALLOC2(underpaint, ANY, PATCH)

LANE uint move_extent(lane *k, word from, list object, word by) {
    grid g = grid_of(k, from);
    if (g.h == 0 || (g.w == 0 && !g.rows)) return (uint)fail(k, LANE_EMPTY);
    if (object.n) loc_argument(k, by); /* as of shift */
    return drawing_extent(k, g, object, g.rows || has_unfit_colour(k, object));
}

/* Where a cell goes when it is moved, or -1. The moved coordinates may be beyond what a word can hold. */
LANE word moved_place(grid g, word cell, int down, int right) {
    int i = loc_i(cell) + down, j = loc_j(cell) + right;
    return i >= 0 && j >= 0 && i < g.h && j < g.w ? (word)i * g.w + j : -1;
}

/* Moving makes a set of the object, so at one place the largest colour stays. For a set, painting in order sees to
 * that; a tuple in another order takes a second pass, in which every painted place has one of its colours already. */
LANE word move_write(lane *k, word from, list object, word by, uint at) {
    grid g = grid_of(k, from);
    if (object.n == 0) return from;
    if (g.rows || has_unfit_colour(k, object)) return move_rows(k, g, object, by, at);
    int colour = background_at(k, g, at), down = loc_i(by), right = loc_j(by), in_order = 1, unfit = 0, bare = 0;
    GLOBAL cellbyte *to = copied(k, from, at);
    fill_cells(to, g, object, colour);
    for (int n = 0; n < object.n; n++) {
        bare |= !is_coloured_cell(object.at[n]);
        word place = moved_place(g, object.at[n], down, right);
        if (n && object.at[n] < object.at[n - 1]) in_order = 0;
        if (place < 0) continue;
        unfit |= !fits_byte(loc_colour(object.at[n]));
        to[place] = (cellbyte)loc_colour(object.at[n]);
    }
    if (bare || unfit) return fail(k, bare ? LANE_TYPE : LANE_LIMIT);
    for (int n = 0; n < object.n && !in_order; n++) {
        word place = moved_place(g, object.at[n], down, right);
        if (place >= 0 && to[place] < loc_colour(object.at[n])) to[place] = (cellbyte)loc_colour(object.at[n]);
    }
    return made_grid(k, at, g.h, g.w);
}
COUNTED_ALLOC3(move, ANY, PATCH, ANY)

/* ---- whole grids and single cells ---- */

LANE uint canvas_extent(lane *k, int colour, word dims) {
    int h = loc_i(dims), w = loc_j(dims);
    if (h <= 0) return 0;
    if (w > 0 && !fits_byte(colour)) return rows_extent(k, h, (word)h * w);
    return grid_extent(k, h, w > 0 ? w : 0);
}
LANE word canvas_write(lane *k, int colour, word dims, uint at) {
    int h = loc_i(dims), w = loc_j(dims) > 0 ? loc_j(dims) : 0;
    if (h <= 0) return 0;
    if (w == 0) return made_grid(k, at, h, 0);
    if (!fits_byte(colour)) return ALONE(k, canvas_rows(k, colour, h, w, at));
    GLOBAL word *to = k->arena + at;
    word cells = (word)((uchar)byte_of_int(colour) * 0x0101010101010101ul);
    TEAM_FOR(n, (int)grid_words(h, w)) to[n] = cells;
    return made_grid(k, at, h, w);
}
TEAM_ALLOC2(canvas, INT, LOC)

/* Where a and b agree that colour, else the fallback. */
LANE void choose_cells(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict a,
                       GLOBAL const cellbyte *restrict b, uint cells, cellbyte fallback) {
    TEAM_FOR(n, (int)cells) to[n] = a[n] == b[n] ? a[n] : fallback;
}

/* Whether it is done cell by cell: also where the second grid may lack cells, which it may if there is an immediate. */
LANE int chooses_rows(lane *k, grid a, grid b, int fallback) {
    return a.rows || b.rows || !fits_byte(fallback) || (k->imm && (b.h < a.h || b.w < a.w));
}
LANE uint cellwise_extent(lane *k, grid a, grid b, int fallback) {
    if (chooses_rows(k, a, b, fallback)) return chosen_rows_extent(k, a, b);
    if (a.h == 0 || (a.w > 0 && (b.h < a.h || b.w < a.w))) return (uint)fail(k, LANE_BOUNDS);
    return grid_words(a.h, a.w);
}
LANE word cellwise_write(lane *k, grid a, grid b, int fallback, uint at) {
    if (chooses_rows(k, a, b, fallback)) return ALONE(k, chosen_rows(k, a, b, fallback, at));
    GLOBAL cellbyte *to = cells_at(k, at);
    uint h = (uint)a.h, w = (uint)a.w;
    cellbyte colour = (cellbyte)byte_of_int(fallback);
    if (a.w == b.w)
        choose_cells(to, a.at, b.at, h * w, colour);
    else if (w > 0)
        for (uint i = 0; i < h; i++) choose_cells(to + i * w, a.at + i * w, b.at + i * (uint)b.w, w, colour);
    return made_grid(k, at, a.h, a.w);
}
TEAM_ALLOC3(cellwise, GRID, GRID, INT)

LANE word index(lane *k, grid g, word at) {
    uint i = raw_i(at), j = raw_j(at);
    if (g.h == 0) return fail(k, LANE_BOUNDS);
    if (i >= (uint)g.h || j >= (uint)g.w) return NONE;
    if (!g.rows) return int_of_byte(g.at[i * (uint)g.w + j]);
    return (int)j < row_length(g, (int)i) ? cell_at(k, g, (int)i, (int)j) : fail(k, LANE_BOUNDS);
}
ATOM2(index, GRID, LOC)
