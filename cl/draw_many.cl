/* Drawing many patches at once: what fill, underfill, cover and paint do with patches that were only brought together
 * for that, without bringing them together.
 *
 * Nobody sees in which order cells are drawn: filling does not care for it, and of cells at one place the one of the
 * largest colour stays, as of a set, which is in order. So patches are drawn one after the other, and painted cells
 * upon a sheet of their own, where the larger of two bytes stays. What is no matter of bytes is brought together, and
 * then drawn as cl/draw.cl does it.
 *
 * The immediate is the type of the elements, and above that the manner of filling, or of painting: copies of an object
 * that come in the order of a tuple are painted in that order.
 */
#define ROOM_PER_CELL 1 /* uints: a sheet */
#include "cells.h"
#include "draw_cells.h"
#include "lists.h"

LANE ulong elements(lane *k) { return fresh_imm(k) & 15; }
LANE uint manner(lane *k) { return (uint)(fresh_imm(k) >> 4); }

/* ---- all cells, as a set of them would be told about ---- */

typedef struct {
    word least, greatest;
    ulong total; /* with repeats */
} cell_span;

LANE void span_add(cell_span *s, list cells) {
    word least = s->least, greatest = s->greatest;
    for (int n = 0; n < cells.n; n++) {
        least = cells.at[n] < least ? cells.at[n] : least;
        greatest = cells.at[n] > greatest ? cells.at[n] : greatest;
    }
    s->least = least;
    s->greatest = greatest;
    s->total += (ulong)cells.n;
}

LANE cell_span span_start(void) {
    cell_span s = {(word)((~(ulong)0) >> 1), -(word)((~(ulong)0) >> 1), 0};
    return s;
}

LANE cell_span span_of_lists(lane *k, list lists) {
    cell_span s = span_start();
    for (int n = 0; n < lists.n;) span_add(&s, joined_lists(k, lists, &n));
    return s;
}

#ifdef ARCL_TEAM
LANE cell_span team_span(lane *k, list lists) {
    cell_span s = span_start();
    for (int first = 0; first < lists.n; first += ARCL_TEAM) {
        int cells = flat_open(k, lists, first);
        s.total += (ulong)cells;
        TEAM_FOR(x, cells) {
            word cell = flat_word(k, x);
            s.least = min(s.least, cell);
            s.greatest = max(s.greatest, cell);
        }
        flat_close();
    }
    long2 both = desk_span(k->desk, (long2)(s.least, s.greatest));
    s.least = both.x;
    s.greatest = both.y;
    return s;
}
#else
#define team_span(k, lists) span_of_lists(k, lists)
#endif

/* Fails as making a set of them would, and as taking that for a patch would. */
LANE void require_patch(lane *k, cell_span s) {
    word limit = none_limit(elements(k));
    if (s.total == 0) return;
    if (s.least < limit && s.greatest >= limit) fail(k, LANE_TYPE);
    if (loc_i(s.least) == NO_COORD) fail(k, LANE_TYPE);
}

LANE int is_unfit(cell_span s) { return s.total && are_unfit(s.least, s.greatest); }

/* ---- brought together ---- */

LANE uint together_extent(lane *k, grid g, ulong total) {
    return extent_of((word)drawn_rows_extent(k, g) + 2 * (word)total);
}

/* Where they are brought together: behind what is drawn. */
LANE uint place_together(lane *k, grid g, uint at) { return at + drawn_rows_extent(k, g); }

LANE list in_order(lane *k, uint at, int n) {
    GLOBAL word *cells = k->arena + at;
    list l = {cells, n};
    sort_words(cells, cells + n, n);
    l.n = unique_words(cells, n);
    return l;
}

RARE list lists_together(lane *k, list lists, uint at) {
    int made = 0;
    for (int n = 0; n < lists.n; n++) {
        list l = list_of(k, lists.at[n]);
        for (int m = 0; m < l.n; m++) k->arena[at + (uint)made++] = l.at[m];
    }
    return in_order(k, at, made);
}

RARE list copies_together(lane *k, list patch, list offsets, uint at) {
    int made = 0;
    for (int n = 0; n < offsets.n; n++)
        for (int m = 0; m < patch.n; m++)
            k->arena[at + (uint)made++] = (word)((ulong)patch.at[m] + (ulong)offsets.at[n]);
    list as_they_come = {k->arena + at, made};
    return manner(k) == PAINT_IN_ORDER ? as_they_come : in_order(k, at, made);
}

/* ---- what is drawn upon ---- */

LANE int asks_background(lane *k) { return manner(k) == FILL_BACKGROUND || manner(k) == FILL_COVERS; }

/* What an empty grid fails with, by the manner; painting is like filling. */
LANE void require_cells(lane *k, grid g) {
    int cover = manner(k) == FILL_COVERS;
    if (g.h == 0) fail(k, cover ? LANE_EMPTY : LANE_BOUNDS);
    if (!k->status && asks_background(k) && g.w == 0 && !g.rows) fail(k, LANE_EMPTY);
}

LANE int draws_rows(lane *k, grid g, int colour) { return g.rows || (manner(k) != FILL_COVERS && !fits_byte(colour)); }

LANE word fill_rows_by_manner(lane *k, grid g, int colour, list patch, uint at) {
    if (manner(k) == FILL_COVERS) colour = extreme_colour(k, g, 1, at);
    return fill_rows(k, g, colour, patch, manner(k) == FILL_BACKGROUND, at);
}

/* The words that a drawing of bytes takes; to find the background needs room until the drawing is made. */
LANE uint drawing_words(lane *k, grid g) {
    uint words = grid_words(g.h, g.w);
    return !asks_background(k) || words > COLOUR_COUNTS ? words : COLOUR_COUNTS;
}

#define NO_PAINT NO_CELL
#define MARK 0 /* for what has a colour of its own, or none */

LANE GLOBAL cellbyte *empty_sheet(lane *k, grid g, uint at) {
    for (uint n = 0; n < grid_words(g.h, g.w); n++) k->arena[at + n] = (word)eight_times(NO_PAINT);
    return cells_at(k, at);
}

/* How a patch is filled in: every cell, or those of the old colour. */
typedef struct {
    int colour, old, all;
} filling;

/* The grid with the sheet laid upon it. Both are whole words, and so is what is made of them. */
APART void lay_upon(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from,
                    GLOBAL const cellbyte *restrict sheet, uint words) {
    for (uint m = 0; m < 8 * words; m++) {
        cellbyte under = from[m], upon = sheet[m];
        to[m] = upon == NO_PAINT ? under : upon;
    }
}
/* The same of one colour. */
APART void fill_through(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from,
                        GLOBAL const cellbyte *restrict sheet, uint words, filling f) {
    cellbyte colour = (cellbyte)f.colour, old = (cellbyte)f.old, all = (cellbyte)f.all;
    for (uint m = 0; m < 8 * words; m++) {
        cellbyte under = from[m];
        to[m] = (sheet[m] != NO_PAINT) & (all | (under == old)) ? colour : under;
    }
}

LANE filling filling_of(lane *k, grid g, int colour, uint at) {
    filling f = {0, 0, manner(k) != FILL_BACKGROUND};
    f.old = manner(k) == FILL_ALL ? 0 : background_at(k, g, at);
    f.colour = manner(k) == FILL_COVERS ? f.old : byte_of_int(colour);
    return f;
}

LANE void fill_patch(GLOBAL cellbyte *to, grid g, list patch, ulong by, filling f) {
    uint h = (uint)g.h, w = (uint)g.w;
    for (int n = 0; n < patch.n; n++) {
        word cell = (word)((ulong)patch.at[n] + by);
        uint i = raw_i(cell), j = raw_j(cell);
        if (i < h && j < w && (f.all || to[i * w + j] == f.old)) to[i * w + j] = (cellbyte)f.colour;
    }
}

/* Where something is painted already the larger stays, or what comes later if that always stays. Returns whether a
 * colour may be no byte. A colour is looked up as it lies in its word, which is one less where the
 * row is above the grid. */
LANE int paint_patch(GLOBAL cellbyte *sheet, grid g, list patch, ulong by, int stays) {
    uint h = (uint)g.h, w = (uint)g.w;
    int odd = 0;
    for (int n = 0; n < patch.n; n++) {
        word cell = (word)((ulong)patch.at[n] + by);
        uint i = raw_i(cell), j = raw_j(cell);
        int colour = (int)(cell >> 48);
        odd |= (uint)(colour + 126) > 252;
        if (i >= h || j >= w) continue;
        int there = sheet[i * w + j];
        sheet[i * w + j] = (cellbyte)(colour > there || stays ? colour : there);
    }
    return odd;
}

/* ---- lists of patches ---- */

LANE uint fill_lists_extent(lane *k, word from, int colour, list lists) {
    grid g = grid_of(k, from);
    cell_span s = team_span(k, lists);
    require_patch(k, s);
    if (k->status) return 0;
    require_cells(k, g);
    count_work(k, s.total);
    if (s.total == 0 || k->status) return 0;
    return draws_rows(k, g, colour) ? together_extent(k, g, s.total) : drawing_words(k, g);
}
LANE word fill_lists_alone(lane *k, word from, list lists, filling f, uint at) {
    grid g = grid_of(k, from);
    GLOBAL cellbyte *to = copied_alone(k, from, at);
    for (int n = 0; n < lists.n;) fill_patch(to, g, joined_lists(k, lists, &n), 0, f);
    return made_grid(k, at, g.h, g.w);
}
#ifdef ARCL_TEAM
LANE word fill_by_sheet(lane *k, local const int *sheet, grid g, filling f, uint at) {
    GLOBAL cellbyte *to = cells_at(k, at);
    barrier(CLK_LOCAL_MEM_FENCE);
    TEAM_FOR(p, g.h * g.w) {
        int under = g.at[p], is_drawn = sheet[p] != NOTHING_PAINTED && (f.all || under == f.old);
        to[p] = (cellbyte)(is_drawn ? f.colour : under);
    }
    return made_grid(k, at, g.h, g.w);
}
#endif
LANE word fill_lists_write(lane *k, word from, int colour, list lists, uint at) {
    grid g = grid_of(k, from);
    if (total_length(lists) == 0) return from;
    if (draws_rows(k, g, colour))
        return ALONE(k, fill_rows_by_manner(k, g, colour, lists_together(k, lists, place_together(k, g, at)), at));
    filling f = filling_of(k, g, colour, at);
#ifdef ARCL_TEAM
    if (has_sheet(g)) {
        local int *sheet = team_sheet(k, g);
        for (int first = 0; first < lists.n; first += ARCL_TEAM) {
            int cells = flat_open(k, lists, first);
            TEAM_FOR(x, cells) paint_sheet(sheet, g, flat_word(k, x));
            flat_close();
        }
        return fill_by_sheet(k, sheet, g, f, at);
    }
#endif
    return ALONE(k, fill_lists_alone(k, from, lists, f, at));
}
TEAM_COUNTED_ALLOC3(fill_lists, ANY, INT, LIST)

LANE uint paint_lists_extent(lane *k, word from, list lists) {
    grid g = grid_of(k, from);
    cell_span s = team_span(k, lists);
    require_patch(k, s);
    if (k->status) return 0;
    require_cells(k, g);
    count_work(k, s.total);
    if (s.total == 0 || k->status) return 0;
    return g.rows || is_unfit(s) ? together_extent(k, g, s.total) : 2 * grid_words(g.h, g.w);
}
LANE word paint_lists_alone(lane *k, word from, list lists, uint at) {
    grid g = grid_of(k, from);
    int odd = 0;
    if (!g.rows) {
        GLOBAL cellbyte *sheet = empty_sheet(k, g, at + grid_words(g.h, g.w));
        for (int n = 0; n < lists.n;) odd |= paint_patch(sheet, g, joined_lists(k, lists, &n), 0, 0);
        if (!odd || !is_unfit(span_of_lists(k, lists))) {
            lay_upon(cells_at(k, at), g.at, sheet, grid_words(g.h, g.w));
            return made_grid(k, at, g.h, g.w);
        }
    }
    return paint_rows(k, g, lists_together(k, lists, place_together(k, g, at)), 0, at);
}
LANE word paint_lists_write(lane *k, word from, list lists, uint at) {
    if (total_length(lists) == 0) return from;
#ifdef ARCL_TEAM
    grid g = grid_of(k, from);
    if (!g.rows && has_sheet(g)) {
        local int *sheet = team_sheet(k, g);
        uint odd = 0;
        for (int first = 0; first < lists.n; first += ARCL_TEAM) {
            int cells = flat_open(k, lists, first);
            TEAM_FOR(x, cells) {
                word cell = flat_word(k, x);
                odd |= !fits_byte(loc_colour(cell));
                paint_sheet(sheet, g, cell);
            }
            flat_close();
        }
        if (!team_most(k, odd)) return lay_sheet(k, sheet, g, at);
    }
#endif
    return ALONE(k, paint_lists_alone(k, from, lists, at));
}
TEAM_COUNTED_ALLOC2(paint_lists, ANY, LIST)

/* ---- copies of one patch ---- */

/* A patch that is neither small nor sparse is drawn upon a stencil that has its bounding box, and copies of that are
 * laid upon the sheet a row at a time. */
#define STENCIL_CELLS 12
LANE int wants_stencil(list patch, bounds box) {
    word area = ((word)box.bottom - box.top + 1) * ((word)box.right - box.left + 1);
    return patch.n >= STENCIL_CELLS && area <= 16 * (word)patch.n;
}
LANE uint stencil_words(bounds box) { return grid_words(box.bottom - box.top + 1, box.right - box.left + 1); }

/* Fails as moving the patch to all these places would. */
LANE void require_moves(lane *k, bounds box, list offsets) {
    bounds by = moves_of(k, offsets);
    if (!coord_fits((word)box.top + by.top) || !coord_fits((word)box.bottom + by.bottom) ||
        !coord_fits((word)box.left + by.left) || !coord_fits((word)box.right + by.right))
        fail(k, LANE_LIMIT);
}

/* The words for drawing all copies on bytes, or else on rows. */
LANE uint copies_extent(lane *k, grid g, list patch, list offsets, int as_rows) {
    ulong total = (ulong)patch.n * (ulong)offsets.n;
    if (total == 0) {
        require_cells(k, g);
        return 0;
    }
    bounds box = patch_bounds(patch);
    int stencil = wants_stencil(patch, box);
    require_moves(k, box, offsets);
    if (k->status) return 0;
    require_cells(k, g);
    count_work(k, stencil ? (ulong)patch.n + (ulong)offsets.n * (ulong)(box.bottom - box.top + 1) : total);
    if (k->status) return 0;
    if (as_rows) return together_extent(k, g, total);
    return drawing_words(k, g) + grid_words(g.h, g.w) + (stencil ? stencil_words(box) : 0);
}

/* What is there afterwards: the larger of both, or what is laid upon the sheet if that stays. */
LANE cells16 laid16(cells16 under, cells16 upon, int stays) {
    cells16 none = (cells16)(upon == (cellbyte)NO_PAINT);
    return stays ? (under & none) | (upon & ~none) : larger16(under, upon);
}
LANE ulong laid8(GLOBAL const cellbyte *sheet, GLOBAL const cellbyte *row, int stays) {
    return low_of(laid16(joined(load8(sheet), 0), joined(load8(row), 0), stays));
}
/* Blocks may overlap: what is laid upon the sheet twice is there once. The last one is read before any is written: a
 * processor waits for what it has just written if it reads a part of that. */
LANE void lay_row(GLOBAL cellbyte *sheet, GLOBAL const cellbyte *row, int n, int stays) {
#ifndef MANY_ITEMS /* there registers are scarcer than time */
    if (n >= 16) {
        cells16 last = laid16(load16(sheet + n - 16), load16(row + n - 16), stays);
        for (int m = 0; m + 16 < n; m += 16) store16(sheet + m, laid16(load16(sheet + m), load16(row + m), stays));
        store16(sheet + n - 16, last);
        return;
    }
#endif
    if (n >= 8) {
        ulong last = laid8(sheet + n - 8, row + n - 8, stays);
        for (int m = 0; m + 8 < n; m += 8) store8(sheet + m, laid8(sheet + m, row + m, stays));
        store8(sheet + n - 8, last);
        return;
    }
    for (int m = 0; m < n; m++) sheet[m] = (stays ? row[m] != NO_PAINT : row[m] > sheet[m]) ? row[m] : sheet[m];
}

/* Lays the stencil upon the sheet, moved, as far as it is inside. */
LANE void lay_stencil(GLOBAL cellbyte *sheet, grid g, GLOBAL const cellbyte *stencil, bounds box, word by, int stays) {
    int top = box.top + loc_i(by), left = box.left + loc_j(by), width = box.right - box.left + 1;
    int bottom = box.bottom + loc_i(by) < g.h ? box.bottom + loc_i(by) + 1 : g.h;
    int right = box.right + loc_j(by) < g.w ? box.right + loc_j(by) + 1 : g.w;
    int first = left > 0 ? left : 0;
    for (int i = top > 0 ? top : 0; i < bottom; i++) {
        GLOBAL const cellbyte *row = stencil + (i - top) * width + (first - left);
        lay_row(sheet + i * g.w + first, row, right - first, stays);
    }
}

/* Lays all copies upon the sheet, in their colours or as marks; the stencil is made at arena[at]. */
LANE void lay_copies(lane *k, GLOBAL cellbyte *sheet, grid g, list patch, bounds box, list offsets, int marks,
                     uint at) {
    grid s = {0, 0, box.bottom - box.top + 1, box.right - box.left + 1};
    GLOBAL cellbyte *stencil = empty_sheet(k, s, at);
    ulong to_origin = (ulong)loc_word(-box.top, -box.left);
    filling mark = {MARK, 0, 1};
    if (marks)
        fill_patch(stencil, s, patch, to_origin, mark);
    else
        paint_patch(stencil, s, patch, to_origin, 0);
    for (int n = 0; n < offsets.n; n++) lay_stencil(sheet, g, stencil, box, offsets.at[n], manner(k) == PAINT_IN_ORDER);
}

LANE int paints_rows(grid g, list patch) {
    return g.rows || (patch.n && are_unfit(patch.at[0], patch.at[patch.n - 1]));
}
LANE uint paint_copies_extent(lane *k, word from, list patch, list offsets) {
    grid g = grid_of(k, from);
    return copies_extent(k, g, patch, offsets, paints_rows(g, patch));
}
LANE word paint_copies_write(lane *k, word from, list patch, list offsets, uint at) {
    grid g = grid_of(k, from);
    if (patch.n == 0 || offsets.n == 0) return from;
    if (paints_rows(g, patch))
        return paint_rows(k, g, copies_together(k, patch, offsets, place_together(k, g, at)), 0, at);
    uint sheet_at = at + grid_words(g.h, g.w);
    GLOBAL cellbyte *sheet = empty_sheet(k, g, sheet_at);
    bounds box = patch_bounds(patch);
    if (wants_stencil(patch, box))
        lay_copies(k, sheet, g, patch, box, offsets, 0, sheet_at + grid_words(g.h, g.w));
    else
        for (int n = 0; n < offsets.n; n++)
            paint_patch(sheet, g, patch, (ulong)offsets.at[n], manner(k) == PAINT_IN_ORDER);
    lay_upon(cells_at(k, at), g.at, sheet, grid_words(g.h, g.w));
    return made_grid(k, at, g.h, g.w);
}
COUNTED_ALLOC3(paint_copies, ANY, PATCH, LIST)

LANE uint fill_copies_extent(lane *k, word from, int colour, list patch, list offsets) {
    grid g = grid_of(k, from);
    return copies_extent(k, g, patch, offsets, draws_rows(k, g, colour));
}
LANE word fill_copies_write(lane *k, word from, int colour, list patch, list offsets, uint at) {
    grid g = grid_of(k, from);
    if (patch.n == 0 || offsets.n == 0) return from;
    if (draws_rows(k, g, colour))
        return fill_rows_by_manner(k, g, colour, copies_together(k, patch, offsets, place_together(k, g, at)), at);
    filling f = filling_of(k, g, colour, at);
    bounds box = patch_bounds(patch);
    if (!wants_stencil(patch, box)) {
        GLOBAL cellbyte *to = copied(k, from, at);
        for (int n = 0; n < offsets.n; n++) fill_patch(to, g, patch, (ulong)offsets.at[n], f);
        return made_grid(k, at, g.h, g.w);
    }
    uint sheet_at = at + grid_words(g.h, g.w);
    GLOBAL cellbyte *sheet = empty_sheet(k, g, sheet_at);
    lay_copies(k, sheet, g, patch, box, offsets, 1, sheet_at + grid_words(g.h, g.w));
    fill_through(cells_at(k, at), g.at, sheet, grid_words(g.h, g.w), f);
    return made_grid(k, at, g.h, g.w);
}
COUNTED_ALLOC4(fill_copies, ANY, INT, PATCH, LIST)
