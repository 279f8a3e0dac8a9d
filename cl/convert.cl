/* From one representation of a value to another, where the language lets one type stand for a second one. */
#include "compare.h"

LANE word ij_first(lane *k, word a) { return a == EMPTY_IJ ? fail(k, LANE_EMPTY) : int_of_coord(loc_i(a)); }
LANE word ij_last(lane *k, word a) { return a == EMPTY_IJ ? fail(k, LANE_EMPTY) : int_of_coord(loc_j(a)); }
LANE word cell_first(lane *k, word a) { return int_of_colour(loc_colour(a)); }
LANE word cell_last(lane *k, word a) { return a - colour_word(loc_colour(a)); }
LANE word field(lane *k, word record) { return k->arena[ref_offset(record) + (uint)k->imm]; }
ATOM1(ij_first, ANY)
ATOM1(ij_last, ANY)
ATOM1(cell_first, ANY)
ATOM1(cell_last, ANY)
ATOM1(field, ANY)

LANE word splat(lane *k, int a) {
    if (a == NONE) return fail(k, LANE_TYPE);
    return loc_result(k, a, a);
}
ATOM1(splat, INT)

LANE uint ij_list_extent(lane *k, word a) { return 2; }
LANE word ij_list_write(lane *k, word a, uint at) {
    if (a == EMPTY_IJ) return 0;
    k->arena[at] = int_of_coord(loc_i(a));
    k->arena[at + 1] = int_of_coord(loc_j(a));
    return made_list(k, at, 2);
}
ALLOC1(ij_list, ANY)

LANE word list_ij(lane *k, list a) {
    if (a.n != 2) return fail(k, LANE_TYPE);
    return pair_of_ints(k, (int)a.at[0], (int)a.at[1]);
}
ATOM1(list_ij, LIST)

/* A container whose elements have the wrong type is right as long as it has none. */
LANE word require_empty(lane *k, word c) { return ref_length(c) ? fail(k, LANE_TYPE) : 0; }
ATOM1(require_empty, ANY)

LANE word always_fail(lane *k, word a) { return fail(k, (int)k->imm); }
ATOM1(always_fail, ANY)

/* ---- grids and tuples of tuples ---- */

LANE uint grid_rows_extent(lane *k, grid g) { return (uint)g.h + (uint)total_cells(g); }
LANE word grid_rows_write(lane *k, grid g, uint at) {
    uint cells = at + (uint)g.h, total = (uint)total_cells(g);
    for (int i = 0; i < g.h; i++) {
        uint length = (uint)row_length(g, i);
        k->arena[at + (uint)i] = length ? made_ref(cells + (uint)row_start(g, i), length) : 0;
    }
    for (uint n = 0; n < total; n++) k->arena[cells + n] = int_of_byte(g.at[n]);
    word rows = made_list(k, at, g.h);
    k->used = (uint)g.h + total;
    return rows;
}
ALLOC1(grid_rows, ANYGRID)

LANE uint rows_grid_extent(lane *k, list rows) {
    word cells = 0;
    for (int i = 0; i < rows.n; i++) cells += ref_length(rows.at[i]);
    return rows_extent(k, rows.n, cells);
}
RARE word rows_ragged_grid(lane *k, list rows, uint at) {
    row_maker m = rows_at(at, rows.n);
    for (int i = 0; i < rows.n; i++) {
        list row = list_of(k, rows.at[i]);
        GLOBAL cellbyte *out = add_row(k, &m, row.n);
        for (int j = 0; j < row.n; j++) out[j] = (cellbyte)byte_of_int(k, (int)row.at[j]);
    }
    return made_rows(k, m);
}
LANE word rows_grid_write(lane *k, list rows, uint at) {
    GLOBAL cellbyte *out = cells_at(k, at);
    int w = rows.n ? (int)ref_length(rows.at[0]) : 0;
    for (int i = 0; i < rows.n; i++)
        if ((int)ref_length(rows.at[i]) != w || w > MAX_SIDE) return rows_ragged_grid(k, rows, at);
    for (int i = 0; i < rows.n; i++) {
        list row = list_of(k, rows.at[i]);
        for (int j = 0; j < w; j++) *out++ = (cellbyte)byte_of_int(k, (int)row.at[j]);
    }
    return made_grid(k, at, rows.n, w);
}
ALLOC1(rows_grid, LIST)

/* A tuple of pairs is a grid two cells wide; the corner of an empty patch is a row without cells. */
LANE uint pairs_grid_extent(lane *k, list pairs) { return rows_extent(k, pairs.n, 2 * (word)pairs.n); }
LANE word pairs_grid_write(lane *k, list pairs, uint at) {
    row_maker m = rows_at(at, pairs.n);
    for (int n = 0; n < pairs.n; n++) {
        GLOBAL cellbyte *out = add_row(k, &m, pairs.at[n] == EMPTY_IJ ? 0 : 2);
        if (pairs.at[n] == EMPTY_IJ) continue;
        out[0] = (cellbyte)byte_of_int(k, loc_i(pairs.at[n]));
        out[1] = (cellbyte)byte_of_int(k, loc_j(pairs.at[n]));
    }
    return made_rows(k, m);
}
ALLOC1(pairs_grid, LIST)

/* What is to be shown as a picture. */
LANE word require_rectangle(lane *k, word g) { return grid_of(k, g).rows ? fail(k, LANE_SHAPE) : g; }
ATOM1(require_rectangle, ANY)

/* ---- patches whose cells may have no colour ---- */

LANE uint uncoloured_extent(lane *k, list p) { return (uint)p.n; }
LANE word uncoloured_write(lane *k, list p, uint at) {
    for (int n = 0; n < p.n; n++) k->arena[at + (uint)n] = p.at[n] + colour_word(NO_COLOUR);
    return made_list(k, at, p.n);
}
ALLOC1(uncoloured, LIST)

LANE word require_colours(lane *k, word p) {
    list l = list_of(k, p);
    for (int n = 0; n < l.n; n++)
        if (loc_colour(l.at[n]) == NO_COLOUR) return fail(k, LANE_TYPE);
    return p;
}
ATOM1(require_colours, ANY)
