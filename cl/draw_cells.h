/* What all drawing on grids stands on: places in a grid, copies of it, and its background.
 */
#ifndef ARCL_DRAW_CELLS_H
#define ARCL_DRAW_CELLS_H
#include "colour_counts.h"
#include "rows_colour.h"

/* ---- places ---- */

/* A location's coordinates as they lie in its word. They are the true ones where both are at least 0, and else one of
 * them is at least 2^23, which is outside every grid: one comparison each tells whether a location is inside. */
LANE uint raw_j(word w) { return (uint)w & 0xffffff; }
LANE uint raw_i(word w) { return (uint)(w >> 24) & 0xffffff; }

/* Of patches that are not short, places are computed some at a time in a loop that is made wide, and what draws there
 * need not ask any more. 0 if one of them lies outside. */
#define PLACES 64
LANE int has_many_places(int cells) {
#ifdef MANY_ITEMS /* there registers are scarcer than time */
    return 0;
#else
    return cells >= 16;
#endif
}
LANE int places_of(uint *place, GLOBAL const word *at, int n, uint h, uint w) {
    uint outside = 0;
    for (int m = 0; m < n; m++) {
        uint i = raw_i(at[m]), j = raw_j(at[m]);
        outside |= (i >= h) | (j >= w);
        place[m] = i * w + j;
    }
    return !outside;
}

LANE void copy_grid(GLOBAL word *restrict to, GLOBAL const word *restrict from, uint words) {
    for (uint n = 0; n < words; n++) to[n] = from[n];
}

LANE GLOBAL cellbyte *copied_alone(lane *k, word from, uint at) {
    grid g = grid_of(k, from);
    copy_grid(k->arena + at, k->arena + ref_offset(from), grid_words(g.h, g.w));
    return cells_at(k, at);
}
#ifdef ARCL_TEAM
LANE GLOBAL cellbyte *copied(lane *k, word from, uint at) {
    grid g = grid_of(k, from);
    TEAM_FOR(n, (int)grid_words(g.h, g.w)) k->arena[at + (uint)n] = k->arena[ref_offset(from) + (uint)n];
    team_meet();
    return cells_at(k, at);
}
#else
#define copied copied_alone
#endif

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

LANE int background_at(lane *k, grid g, uint at) {
    k->work += (uint)(g.h * g.w) / 4;
#ifdef ARCL_TEAM
    if (team_counts(k, g)) return team_extreme(k, (uint)(g.h * g.w), 1);
#endif
    return (int)ALONE(k, background(g, (GLOBAL uint *)(k->arena + at)));
}

/* ---- sheets of teams ----
 *
 * Cells are painted upon a sheet in local memory, all at once, where the larger of two colours stays, as it does of a
 * set that is painted in order; then the sheet is laid upon the grid. */
#ifdef ARCL_TEAM
#define NOTHING_PAINTED (-0x7fffffff - 1)

LANE int has_sheet(grid g) { return g.h * g.w <= ARCL_TEAM_CELLS; }
LANE local int *team_sheet(lane *k, grid g) {
    local int *sheet = (local int *)k->desk->room;
    TEAM_FOR(p, g.h * g.w) sheet[p] = NOTHING_PAINTED;
    barrier(CLK_LOCAL_MEM_FENCE);
    return sheet;
}
LANE void paint_sheet(local int *sheet, grid g, word cell) {
    uint i = raw_i(cell), j = raw_j(cell);
    if (i < (uint)g.h && j < (uint)g.w) atomic_max(&sheet[i * (uint)g.w + j], (int)(cell >> 48));
}
LANE word lay_sheet(lane *k, local const int *sheet, grid g, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    barrier(CLK_LOCAL_MEM_FENCE);
    TEAM_FOR(p, g.h * g.w) to[p] = sheet[p] == NOTHING_PAINTED ? g.at[p] : (cellbyte)sheet[p];
    return made_grid(k, at, g.h, g.w);
}
#endif

/* Whether cells have a colour that is no byte, of which these are the first and the last in order. */
LANE int are_unfit(word least, word greatest) {
    return !fits_byte(loc_colour(least)) || !fits_byte(loc_colour(greatest));
}

#endif
