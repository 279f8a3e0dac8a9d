/* From one representation of a value to another, where the language lets one type stand for a second one. */
#include "compare.h"

LANE word ij_first(lane *k, word a) { return loc_i(a); }
LANE word ij_last(lane *k, word a) { return loc_j(a); }
LANE word cell_first(lane *k, word a) { return int_of_colour(loc_colour(a)); }
LANE word cell_last(lane *k, word a) { return a - colour_word(loc_colour(a)); }
LANE word field(lane *k, word record) { return k->arena[ref_offset(record) + (uint)k->imm]; }
ATOM1(ij_first, LOC)
ATOM1(ij_last, LOC)
ATOM1(cell_first, LOC)
ATOM1(cell_last, LOC)
ATOM1(field, ANY)

LANE word splat(lane *k, int a) {
    if (a == NONE) return fail(k, LANE_TYPE);
    return loc_result(k, a, a);
}
ATOM1(splat, INT)

LANE uint ij_list_extent(lane *k, word a) { return 2; }
LANE word ij_list_write(lane *k, word a, uint at) {
    if (a == EMPTY_IJ) return 0;
    k->arena[at] = loc_i(a);
    k->arena[at + 1] = loc_j(a);
    return made_list(k, at, 2);
}
ALLOC1(ij_list, ANY)

LANE word list_ij(lane *k, list a) {
    if (a.n != 2 || a.at[0] == NONE || a.at[1] == NONE) return fail(k, LANE_TYPE);
    return loc_result(k, a.at[0], a.at[1]);
}
ATOM1(list_ij, LIST)

/* A container whose elements have the wrong type is right as long as it has none. */
LANE word require_empty(lane *k, word c) { return ref_length(c) ? fail(k, LANE_TYPE) : 0; }
ATOM1(require_empty, ANY)

LANE word always_fail(lane *k, word a) { return fail(k, (int)k->imm); }
ATOM1(always_fail, ANY)

/* ---- grids and tuples of tuples ---- */

LANE uint grid_rows_extent(lane *k, grid g) { return (uint)g.h + (uint)g.h * (uint)g.w; }
LANE word grid_rows_write(lane *k, grid g, uint at) {
    uint cells = at + (uint)g.h;
    for (int i = 0; i < g.h; i++)
        k->arena[at + (uint)i] = g.w ? made_ref(cells + (uint)i * (uint)g.w, (uint)g.w) : 0;
    for (int n = 0; n < g.h * g.w; n++) k->arena[cells + (uint)n] = int_of_byte(g.at[n]);
    word rows = made_list(k, at, g.h);
    k->used = (uint)g.h + (uint)g.h * (uint)g.w;
    return rows;
}
ALLOC1(grid_rows, GRID)

LANE uint rows_grid_extent(lane *k, list rows) {
    uint w = rows.n ? ref_length(rows.at[0]) : 0;
    for (int i = 1; i < rows.n; i++)
        if (ref_length(rows.at[i]) != w) return (uint)fail(k, LANE_SHAPE);
    return grid_extent(k, rows.n, w);
}
LANE word rows_grid_write(lane *k, list rows, uint at) {
    GLOBAL cellbyte *out = cells_at(k, at);
    int w = rows.n ? (int)ref_length(rows.at[0]) : 0;
    for (int i = 0; i < rows.n; i++) {
        list row = list_of(k, rows.at[i]);
        for (int j = 0; j < w; j++) *out++ = (cellbyte)byte_of_int(k, (int)row.at[j]);
    }
    return made_grid(k, at, rows.n, w);
}
ALLOC1(rows_grid, LIST)

/* A tuple of pairs is a grid two cells wide. */
LANE uint pairs_grid_extent(lane *k, list pairs) { return grid_extent(k, pairs.n, 2); }
LANE word pairs_grid_write(lane *k, list pairs, uint at) {
    GLOBAL cellbyte *out = cells_at(k, at);
    for (int n = 0; n < pairs.n; n++) {
        *out++ = (cellbyte)byte_of_int(k, loc_i(pairs.at[n]));
        *out++ = (cellbyte)byte_of_int(k, loc_j(pairs.at[n]));
    }
    return made_grid(k, at, pairs.n, pairs.n ? 2 : 0);
}
ALLOC1(pairs_grid, LIST)

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
