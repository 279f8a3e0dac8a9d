/* Colours of grids in the form of rows (cl/rows.h): counting, exchanging and drawing them, and finding objects.
 *
 * Here a colour is any int. As the colour of a cell it must fit the cell's word, which only the result asks. Counting
 * is sorting: the cells are written to scratch, in order.
 */
#ifndef ARCL_ROWS_COLOUR_H
#define ARCL_ROWS_COLOUR_H
#include "rows.h"
#include "sort.h"

/* ---- counting ---- */

/* The scratch for sorting all cells. */
RARE uint sorting_extent(grid g) { return extent_of(2 * total_cells(g)); }

/* Writes all cells to arena[at], in order; returns how many there are. */
RARE int sorted_cells(lane *k, grid g, uint at) {
    GLOBAL word *out = k->arena + at;
    int n = 0;
    for (int i = 0; i < g.h; i++)
        for (int j = 0; j < row_length(g, i); j++) out[n++] = cell_at(k, g, i, j);
    sort_words(out, out + n, n);
    return n;
}

/* The colour that most, or fewest, cells have; ties go to the smallest. */
RARE int extreme_colour(lane *k, grid g, int most, uint at) {
    GLOBAL const word *cells = k->arena + at;
    int n = sorted_cells(k, g, at), best = 0, count = 0;
    for (int from = 0, to; from < n; from = to) {
        for (to = from; to < n && cells[to] == cells[from];) to++;
        if (count == 0 || (most ? to - from > count : to - from < count)) {
            count = to - from;
            best = (int)cells[from];
        }
    }
    return best;
}

RARE word count_in_rows(lane *k, grid g, int colour) {
    word count = 0;
    for (int i = 0; i < g.h; i++)
        for (int j = 0; j < row_length(g, i); j++) count += cell_at(k, g, i, j) == colour;
    return count;
}

RARE int distinct_cells(lane *k, grid g, uint at) {
    int n = sorted_cells(k, g, at);
    return unique_words(k->arena + at, n);
}

RARE word places_in_rows(lane *k, grid g, int colour, uint at) {
    int n = 0;
    for (int i = 0; i < g.h; i++)
        for (int j = 0; j < row_length(g, i); j++)
            if (cell_at(k, g, i, j) == colour) k->arena[at + (uint)n++] = loc_word(i, j);
    return made_list(k, at, n);
}

/* ---- exchanging ---- */

/* The grid with `a` for `b` and `b` for `a`; or, one way only, with `b` for `a`. */
RARE word exchanged_rows(lane *k, grid g, int a, int b, int both, uint at) {
    row_maker m = rows_at(at, g.h);
    for (int i = 0; i < g.h; i++) {
        GLOBAL word *to = add_row(k, &m, row_length(g, i));
        for (int j = 0; j < row_length(g, i); j++) {
            int c = cell_at(k, g, i, j);
            to[j] = c == a ? b : both && c == b ? a : c;
        }
    }
    return made_rows(k, m);
}

/* ---- drawing ----
 *
 * What is inside is told by the first row: a shorter one may lack the cell, and that fails the lane.
 */

/* The copy to draw upon, and the scratch for finding the background. */
RARE uint drawn_rows_extent(lane *k, grid g) { return rows_extent(k, g.h, 3 * total_cells(g)); }

LANE row_maker copied_rows(lane *k, grid g, uint at) {
    row_maker m = rows_at(at, g.h);
    for (int i = 0; i < g.h; i++) add_part(k, &m, g, i, 0, row_length(g, i));
    return m;
}

/* A cell of the copy; null outside. */
LANE GLOBAL word *place_on(lane *k, grid g, row_maker m, int i, int j) {
    if (i < 0 || j < 0 || i >= g.h || j >= g.w) return 0;
    word row = k->arena[m.at + (uint)i];
    if (j < (int)ref_length(row)) return k->arena + ref_offset(row) + j;
    fail(k, LANE_BOUNDS);
    return 0;
}

/* Fills a patch; with `under`, only where the background is. */
RARE word fill_rows(lane *k, grid g, int colour, list patch, int under, uint at) {
    row_maker m = copied_rows(k, g, at);
    int old = under ? extreme_colour(k, g, 1, m.next) : 0;
    for (int n = 0; n < patch.n; n++) {
        GLOBAL word *cell = place_on(k, g, m, loc_i(patch.at[n]), loc_j(patch.at[n]));
        if (cell && (!under || *cell == old)) *cell = colour;
    }
    return made_rows(k, m);
}

/* The colour of a cell as a grid in the form of rows has it. */
LANE int painted_int(word cell) { return int_of_colour(loc_colour(cell)); }

RARE word paint_rows(lane *k, grid g, list object, int under, uint at) {
    row_maker m = copied_rows(k, g, at);
    int old = under ? extreme_colour(k, g, 1, m.next) : 0;
    for (int n = 0; n < object.n; n++) {
        GLOBAL word *cell = place_on(k, g, m, loc_i(object.at[n]), loc_j(object.at[n]));
        if (cell && (!under || *cell == old)) *cell = painted_int(object.at[n]);
    }
    return made_rows(k, m);
}

/* At one place the largest colour stays: a second pass over what is painted sees to that. */
RARE word move_rows(lane *k, grid g, list object, word by, uint at) {
    row_maker m = copied_rows(k, g, at);
    int background = extreme_colour(k, g, 1, m.next), down = loc_i(by), right = loc_j(by);
    for (int n = 0; n < object.n; n++) {
        GLOBAL word *cell = place_on(k, g, m, loc_i(object.at[n]), loc_j(object.at[n]));
        if (cell) *cell = background;
    }
    for (int n = 0; n < 2 * object.n; n++) {
        word moved = object.at[n % object.n];
        GLOBAL word *cell = place_on(k, g, m, loc_i(moved) + down, loc_j(moved) + right);
        if (cell && (n < object.n || *cell < painted_int(moved))) *cell = painted_int(moved);
    }
    return made_rows(k, m);
}

RARE word canvas_rows(lane *k, int colour, int h, int w, uint at) {
    row_maker m = rows_at(at, h);
    for (int i = 0; i < h; i++) {
        GLOBAL word *to = add_row(k, &m, w);
        for (int j = 0; j < w; j++) to[j] = colour;
    }
    return made_rows(k, m);
}

/* All cells of the first are needed, up to the length of its first row; so are those of the second, unless the
 * immediate says that it may lack some. */
RARE uint chosen_rows_extent(lane *k, grid a, grid b) {
    if (a.h == 0 || !has_rectangle(a, a.h, a.w)) return (uint)fail(k, LANE_BOUNDS);
    if (!k->imm && !has_rectangle(b, a.h, a.w)) return (uint)fail(k, LANE_BOUNDS);
    return rows_extent(k, a.h, (word)a.h * a.w);
}
/* What a cell of the first is compared with. Outside the second there is none, to which only none is equal, and that if
 * the immediate is 2; where it has no inside, or a row of it is too short, asking fails, which yields 0. */
LANE word counterpart(lane *k, grid b, int i, int j) {
    if (b.h == 0) return 0;
    if (i >= b.h || j >= b.w) return (word)NONE - (k->imm != 2);
    return j < row_length(b, i) ? cell_at(k, b, i, j) : 0;
}
RARE word chosen_rows(lane *k, grid a, grid b, int fallback, uint at) {
    row_maker m = rows_at(at, a.h);
    for (int i = 0; i < a.h; i++) {
        GLOBAL word *to = add_row(k, &m, a.w);
        for (int j = 0; j < a.w; j++) {
            int c = cell_at(k, a, i, j);
            to[j] = c == counterpart(k, b, i, j) ? c : fallback;
        }
    }
    return made_rows(k, m);
}

/* ---- cells and objects ---- */

/* Writes the cells that do not have the colour `without` to out[0..], sorted, with as much room behind them; returns
 * how many there are. */
RARE int cells_in_rows(lane *k, grid g, int all, int without, GLOBAL word *out) {
    int n = 0;
    for (int i = 0; i < g.h; i++)
        for (int j = 0; j < row_length(g, i); j++) {
            int c = cell_at(k, g, i, j);
            if (all || c != without) out[n++] = colour_word(colour_of_int(k, c)) + loc_word(i, j);
        }
    sort_words(out, out + n, n);
    return n;
}

/* One object a colour, without the background if only the foreground is wanted. The result has up to two words a cell,
 * and so has the scratch. */
RARE uint partition_rows_extent(grid g) { return extent_of(4 * total_cells(g)); }
RARE word partition_rows(lane *k, grid g, int foreground, uint at) {
    int background = foreground ? extreme_colour(k, g, 1, at) : 0;
    GLOBAL word *cells = k->arena + at + 2 * (uint)total_cells(g);
    int n = cells_in_rows(k, g, !foreground, background, cells);
    uint objects = 0, object = 0;
    int mixes = n > 1 && loc_colour(cells[0]) == NO_COLOUR && loc_colour(cells[n - 1]) != NO_COLOUR;
    if (mixes && !k->imm) return fail(k, LANE_TYPE);
    for (int m = 0; m < n; m++) objects += m == 0 || loc_colour(cells[m]) != loc_colour(cells[m - 1]);
    for (int from = 0, to; from < n; from = to) {
        uint place = at + objects + (uint)from;
        for (to = from; to < n && loc_colour(cells[to]) == loc_colour(cells[from]); to++)
            k->arena[place + (uint)(to - from)] = cells[to];
        k->arena[at + object++] = made_ref(place, (uint)(to - from));
    }
    k->used = objects + (uint)n;
    return objects ? made_ref(at, objects) : 0;
}

LANE uint cell_root(GLOBAL uint *parent, uint p) {
    while (parent[p] != p) p = parent[p] = parent[parent[p]];
    return p;
}

/* What is before a cell in raster order: left, above, above and left, above and right. */
LANE int step_down(int d) { return d == 0 ? 0 : -1; }
LANE int step_right(int d) { return d == 1 ? 0 : d == 3 ? 1 : -1; }

/* Joins each cell with those before it that belong to its object; `background` belongs to none. */
RARE void join_cells(lane *k, grid g, int univalued, int diagonal, int background, GLOBAL uint *parent) {
    for (int i = 0; i < g.h; i++)
        for (int j = 0; j < g.w; j++) {
            uint p = (uint)i * (uint)g.w + (uint)j;
            int c = cell_at(k, g, i, j);
            parent[p] = p;
            for (int d = 0; d < (diagonal ? 4 : 2) && c != background; d++) {
                int y = i + step_down(d), x = j + step_right(d);
                if (y < 0 || x < 0 || x >= g.w) continue;
                int other = cell_at(k, g, y, x);
                if (other == background || (univalued && other != c)) continue;
                uint a = cell_root(parent, p), b = cell_root(parent, (uint)y * (uint)g.w + (uint)x);
                parent[a > b ? a : b] = a > b ? b : a;
            }
        }
}

/* What lies beyond the first row's end counts for the background only; before it no cell may lack. */
RARE uint objects_rows_extent(lane *k, grid g) {
    if (!has_rectangle(g, g.h, g.w)) return (uint)fail(k, LANE_BOUNDS);
    return g.w ? extent_of(5 * (word)g.h * g.w + 2 * total_cells(g) + 2) : 0;
}
/* All cells of objects in order, dealt out to the objects: so each is in order, and so are the objects, by their first
 * cells. */
RARE word objects_rows(lane *k, grid g, int univalued, int diagonal, int without_bg, uint at) {
    uint most = (uint)g.h * (uint)g.w, objects = 0;
    if (most == 0) return 0;
    int background = without_bg ? extreme_colour(k, g, 1, at) : NONE, n = 0;
    GLOBAL word *cells = k->arena + at + 2 * most;
    GLOBAL word *next = cells + most;
    GLOBAL uint *parent = (GLOBAL uint *)(next + most);
    GLOBAL uint *number = parent + most;
    join_cells(k, g, univalued, diagonal, background, parent);
    for (uint p = 0; p < most; p++) {
        int i = (int)(p / (uint)g.w), j = (int)(p % (uint)g.w), c = cell_at(k, g, i, j);
        number[p] = 0xffffffffu;
        if (c != background) cells[n++] = colour_word(colour_of_int(k, c)) + loc_word(i, j);
    }
    sort_words(cells, next, n);
    for (int m = 0; m < n; m++) { /* the numbers of the objects, and their sizes */
        uint root = cell_root(parent, (uint)loc_i(cells[m]) * (uint)g.w + (uint)loc_j(cells[m]));
        if (number[root] == 0xffffffffu) {
            number[root] = objects++;
            k->arena[at + number[root]] = 0;
        }
        k->arena[at + number[root]]++;
    }
    uint place = at + objects;
    for (uint o = 0; o < objects; o++) {
        uint size = (uint)k->arena[at + o];
        next[o] = place;
        k->arena[at + o] = made_ref(place, size);
        place += size;
    }
    for (int m = 0; m < n; m++) {
        uint root = cell_root(parent, (uint)loc_i(cells[m]) * (uint)g.w + (uint)loc_j(cells[m]));
        k->arena[(uint)next[number[root]]++] = cells[m];
    }
    k->used = objects + (uint)n;
    return objects ? made_ref(at, objects) : 0;
}

/* Whether the object, moved, is on the grid. Its cells are asked for in their order: one that the grid lacks fails the
 * lane unless one before it differs. */
LANE int occurs_at(lane *k, grid g, list object, int down, int right) {
    for (int n = 0; n < object.n && !gives_up(k); n++) {
        int i = loc_i(object.at[n]) + down, j = loc_j(object.at[n]) + right;
        k->work++;
        if (j >= row_length(g, i)) return (int)fail(k, LANE_BOUNDS);
        if (cell_at(k, g, i, j) != int_of_colour(loc_colour(object.at[n]))) return 0;
    }
    return 1;
}
RARE word occurrences_in_rows(lane *k, grid g, list object, bounds b, uint at) {
    int m = 0;
    for (int i = 0; i < g.h - (b.bottom - b.top); i++)
        for (int j = 0; j < g.w - (b.right - b.left); j++)
            if (occurs_at(k, g, object, i - b.top, j - b.left)) k->arena[at + (uint)m++] = loc_word(i, j);
    return made_list(k, at, m);
}

#endif
