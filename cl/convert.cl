/* From one representation of a value to another, where the language lets one type stand for a second one. */
#include "cells.h"
#include "compare.h"

LANE word ij_first(lane *k, word a) { return is_missing_ij(a) ? fail(k, LANE_EMPTY) : int_of_coord(loc_i(a)); }
LANE word ij_last(lane *k, word a) { return is_missing_ij(a) ? fail(k, LANE_EMPTY) : second_of_ij(a); }
LANE word cell_first(lane *k, word a) { return int_of_colour(loc_colour(a)); }
LANE word cell_last(lane *k, word a) { return a - colour_word(loc_colour(a)); }
LANE word field(lane *k, word record) { return k->arena[ref_offset(record) + (uint)k->imm]; }
ATOM1(ij_first, ANY)
ATOM1(ij_last, ANY)
ATOM1(cell_first, ANY)
ATOM1(cell_last, ANY)
ATOM1(field, ANY)

/* The coordinates of a cell, which the other dialect of the language writes as (i, j, colour). */
LANE word cell_row(lane *k, word a) { return int_of_coord(loc_i(a)); }
LANE word cell_column(lane *k, word a) { return int_of_coord(loc_j(a)); }
ATOM1(cell_row, ANY)
ATOM1(cell_column, ANY)

LANE uint int_triple_list_extent(lane *k, word cell) { return 3; }
LANE word int_triple_list_write(lane *k, word cell, uint at) {
    k->arena[at] = int_of_coord(loc_i(cell));
    k->arena[at + 1] = int_of_coord(loc_j(cell));
    k->arena[at + 2] = int_of_colour(loc_colour(cell));
    return made_list(k, at, 3);
}
ALLOC1(int_triple_list, ANY)

/* What to compute with where a pair may be missing: then both coordinates are the immediate. */
LANE word pair_or(lane *k, word a) { return a == EMPTY_IJ ? loc_word((int)k->imm, (int)k->imm) : a; }
ATOM1(pair_or, ANY)

LANE word splat(lane *k, int a) {
    if (a == NONE) return fail(k, LANE_TYPE);
    return loc_result(k, a, a);
}
ATOM1(splat, INT)

LANE uint ij_list_extent(lane *k, word a) { return 2; }
LANE word ij_list_write(lane *k, word a, uint at) {
    if (is_missing_ij(a)) return 0;
    k->arena[at] = int_of_coord(loc_i(a));
    k->arena[at + 1] = second_of_ij(a);
    return made_list(k, at, 2);
}
ALLOC1(ij_list, ANY)

/* The immediate is 1 where only the first two items are read, whatever follows them. */
LANE word list_ij(lane *k, list a) {
    if (a.n < 2 || (a.n > 2 && !k->imm)) return fail(k, LANE_TYPE);
    return pair_of_ints(k, (int)a.at[0], (int)a.at[1]);
}
ATOM1(list_ij, LIST)

/* A container whose elements have the wrong type is right as long as it has none. */
LANE word require_empty(lane *k, word c) { return ref_length(c) ? fail(k, LANE_TYPE) : 0; }
ATOM1(require_empty, ANY)

/* The value where the condition holds; the immediate is the status where it does not. */
LANE word demand(lane *k, word value, int condition) { return condition ? value : fail(k, (int)k->imm); }
ATOM2(demand, ANY, INT)

LANE word always_fail(lane *k, word a) { return fail(k, (int)k->imm); }
ATOM1(always_fail, ANY)

/* ---- grids and tuples of tuples ---- */

#ifdef HAS_WIDENING
/* Rows are short: the last four overlap those before. */
LANE void ints_of_cells(word *restrict to, const cellbyte *restrict from, int n) {
    for (int m = 0; m + 4 < n; m += 4) store4_ints(to + m, from + m);
    if (n >= 4)
        store4_ints(to + n - 4, from + n - 4);
    else
        for (int m = 0; m < n; m++) to[m] = int_of_byte(from[m]);
}
#else
LANE void ints_of_cells(GLOBAL word *restrict to, GLOBAL const cellbyte *restrict from, int n) {
    for (int m = 0; m < n; m++) to[m] = int_of_byte(from[m]);
}
#endif
/* Whether some int is no cell; the others are. */
LANE int cells_of_ints(GLOBAL cellbyte *restrict to, GLOBAL const word *restrict from, int n) {
    int unfit = 0;
    for (int m = 0; m < n; m++) {
        int c = (int)from[m];
        unfit |= (c != NONE) & ((uint)c + 127u > 254u);
        to[m] = (cellbyte)byte_of_int(c);
    }
    return unfit;
}

/* A grid that has rows is a tuple of tuples already. */
LANE uint grid_rows_extent(lane *k, word from) {
    grid g = grid_of(k, from);
    return g.rows ? 0 : extent_of(g.h + total_cells(g));
}
LANE word grid_rows_write(lane *k, word from, uint at) {
    grid g = grid_of(k, from);
    if (g.rows) return made_ref(ref_offset(from), (uint)g.h);
    uint cells = at + (uint)g.h, w = (uint)g.w, total = (uint)g.h * w;
    for (uint i = 0; i < (uint)g.h; i++) k->arena[at + i] = w ? made_ref(cells + i * w, w) : 0;
    ints_of_cells(k->arena + cells, g.at, (int)total);
    word rows = made_list(k, at, g.h);
    k->used = (uint)g.h + total;
    return rows;
}
ALLOC1(grid_rows, ANY)

/* Rows that bytes cannot hold are the grid. */
RARE word rows_as_they_are(lane *k, word from) {
    list rows = list_of(k, from);
    for (int i = 0; i < rows.n; i++)
        if (ref_length(rows.at[i]) > MAX_SIDE) return fail(k, LANE_LIMIT);
    return made_ref(ref_offset(from), (uint)rows.n << 16 | RAGGED);
}
LANE uint rows_grid_extent(lane *k, word from) {
    list rows = list_of(k, from);
    return rows.n ? grid_extent(k, rows.n, ref_length(rows.at[0])) : 0;
}
LANE word rows_grid_write(lane *k, word from, uint at) {
    list rows = list_of(k, from);
    GLOBAL cellbyte *out = cells_at(k, at);
    int w = rows.n ? (int)ref_length(rows.at[0]) : 0, unfit = 0;
    uint next = rows.n ? ref_offset(rows.at[0]) : 0, apart = 0;
    for (int i = 0; i < rows.n; i++, next += (uint)w) {
        if ((int)ref_length(rows.at[i]) != w) return rows_as_they_are(k, from);
        apart |= ref_offset(rows.at[i]) ^ next;
    }
    if (!apart) /* rows that were made one after the other lie so */
        unfit = rows.n ? cells_of_ints(out, list_of(k, rows.at[0]).at, rows.n * w) : 0;
    else
        for (int i = 0; i < rows.n; i++) unfit |= cells_of_ints(out + (word)i * w, list_of(k, rows.at[i]).at, w);
    return unfit ? rows_as_they_are(k, from) : made_grid(k, at, rows.n, w);
}
ALLOC1(rows_grid, ANY)

/* ---- a grid without its later repeats of rows: what dedupe makes of one ---- */

#define ROW_FACTOR 0xd6e8feb86659fd93ul
#define LEAST_PLACES 16

/* The cells of a row of eight at most as one number. It is read from within the grid. */
LANE ulong few_cells(grid g, int i) {
    GLOBAL const cellbyte *row = row_of(g, i);
    word left = (word)(g.h - i) * g.w;
    ulong cells = 0;
    if (left >= 8)
        cells = load8(row);
    else if (cell_count(g) >= 8)
        cells = load8(row + left - 8) >> 8 * (8 - left);
    else
        for (int m = 0; m < g.w; m++) cells |= (ulong)(uchar)row[m] << 8 * m;
    return g.w < 8 ? cells & (((ulong)1 << 8 * g.w) - 1) : cells;
}

/* A number that equal rows share. */
LANE ulong row_key(lane *k, grid g, int i) {
    if (g.rows) {
        list row = list_of(k, g.rows[i]);
        ulong key = (ulong)row.n;
        for (int m = 0; m < row.n; m++) key = (key ^ (ulong)row.at[m]) * ROW_FACTOR;
        return key;
    }
    if (g.w <= 8) return few_cells(g, i);
    GLOBAL const cellbyte *row = row_of(g, i);
    ulong key = 0;
    for (int m = 0; m + 8 < g.w; m += 8) key = (key ^ load8(row + m)) * ROW_FACTOR;
    return key ^ load8(row + g.w - 8);
}

RARE int is_same_list(lane *k, grid g, int a, int b) {
    list p = list_of(k, g.rows[a]), q = list_of(k, g.rows[b]);
    int m = 0;
    while (m < p.n && m < q.n && p.at[m] == q.at[m]) m++;
    return m == p.n && m == q.n;
}
/* Of two rows of more than eight cells. */
LANE int is_same_piece(GLOBAL const cellbyte *x, GLOBAL const cellbyte *y, int w) {
    word m = 0;
#if !defined(OPENCL_TEXT) && defined(__SSE2__)
    if (w >= 16) {
        cells16 differ = load16(x + w - 16) ^ load16(y + w - 16);
        for (; m + 16 < w; m += 16) differ |= load16(x + m) ^ load16(y + m);
        return zero_bytes16(differ) == 0xffff;
    }
#endif
    ulong differ = load8(x + w - 8) ^ load8(y + w - 8);
    for (; m + 8 < w; m += 8) differ |= load8(x + m) ^ load8(y + m);
    return !differ;
}
LANE int is_same_row(lane *k, grid g, int a, int b) {
    if (g.rows) return is_same_list(k, g, a, b);
    return g.w <= 8 ? few_cells(g, a) == few_cells(g, b) : is_same_piece(row_of(g, a), row_of(g, b), g.w);
}

/* The numbers of the rows that are not the same as the one before, at out[0 ..]: neighbours often are. */
LANE int changing_rows(lane *k, grid g, GLOBAL word *out) {
    int made = g.h > 0;
    out[0] = 0;
    if (!g.rows && g.w <= 8) {
        ulong last = g.h ? few_cells(g, 0) : 0;
        for (int i = 1; i < g.h; i++) {
            ulong cells = few_cells(g, i);
            out[made] = i;
            made += cells != last;
            last = cells;
        }
        return made;
    }
    for (int i = 1; i < g.h; i++) {
        out[made] = i;
        made += !is_same_row(k, g, i - 1, i);
    }
    return made;
}

/* Rows are looked up by their keys: a place has the number of a row that was kept, counted from 1. */
LANE word key_places(int rows) {
    word places = LEAST_PLACES;
    while (places < 2 * (word)rows) places *= 2;
    return places;
}
LANE uint distinct_rows_extent(lane *k, grid g) {
    return grid_extent(k, g.h, g.w) + extent_of(2 * (word)g.h + key_places(g.h));
}

/* The numbers of the rows that stay, at kept[0 ..]; -1 if that was too much work. */
LANE int find_distinct(lane *k, grid g, GLOBAL word *kept, GLOBAL word *keys, GLOBAL word *places) {
    if (!count_work(k, (ulong)g.h + (ulong)total_cells(g) / 4)) return -1;
    int changing = changing_rows(k, g, kept), made = 0;
    int is_exact = !g.rows && g.w <= 8;         /* then a key is the row itself */
    uint mask = (uint)key_places(changing) - 1; /* as few as there need be: they are cleared first */
    for (uint p = 0; p <= mask; p++) places[p] = 0;
    for (int c = 0; c < changing; c++) { /* which are written over by those that stay */
        int i = (int)kept[c];
        ulong key = row_key(k, g, i);
        uint p = (uint)(key * ROW_FACTOR >> 32) & mask, looks = 1;
        for (; places[p]; p = (p + 1) & mask, looks++) {
            word n = places[p] - 1;
            if (keys[n] == (word)key && (is_exact || is_same_row(k, g, (int)kept[n], i))) break;
        }
        if (!count_work(k, looks * 2)) return -1;
        if (places[p]) continue;
        kept[made] = i;
        keys[made++] = (word)key;
        places[p] = made;
    }
    return made;
}

LANE word distinct_rows_write(lane *k, grid g, uint at) {
    uint cells = grid_words(g.h, g.w);
    GLOBAL word *kept = k->arena + at + cells;
    GLOBAL cellbyte *to = cells_at(k, at);
    int made = find_distinct(k, g, kept, kept + g.h, kept + 2 * (word)g.h);
    if (made < 0) return 0;
    if (g.rows) {
        for (int n = 0; n < made; n++) kept[n] = g.rows[kept[n]];
        word rows = rows_grid_write(k, made_list(k, at + cells, made), at);
        k->used = cells + (uint)made;
        return rows;
    }
    for (int n = 0; n < made; n++, to += g.w) copy_cells(to, row_of(g, (int)kept[n]), g.w);
    return made_grid(k, at, made, g.w);
}
COUNTED_MAKER1(distinct_rows, GRID)

/* A tuple of pairs is a grid two cells wide; the corner of an empty patch is a row without cells. */
LANE uint pairs_grid_extent(lane *k, list pairs) { return rows_extent(k, pairs.n, 2 * (word)pairs.n); }
LANE word pairs_grid_write(lane *k, list pairs, uint at) {
    row_maker m = rows_at(at, pairs.n);
    for (int n = 0; n < pairs.n; n++) {
        GLOBAL word *out = add_row(k, &m, is_missing_ij(pairs.at[n]) ? 0 : 2);
        if (is_missing_ij(pairs.at[n])) continue;
        out[0] = int_of_coord(loc_i(pairs.at[n]));
        out[1] = second_of_ij(pairs.at[n]);
    }
    return made_rows(k, m);
}
ALLOC1(pairs_grid, LIST)

/* What is to be shown as a picture. */
LANE word require_rectangle(lane *k, word w) {
    grid g = grid_of(k, w);
    if (!g.rows) return w;
    k->work += (uint)g.h;
    for (int i = 1; i < g.h; i++)
        if (row_length(g, i) != g.w) return fail(k, LANE_SHAPE);
    return fail(k, LANE_LIMIT);
}
COUNTED_ATOM1(require_rectangle, ANY)

/* ---- patches whose cells may have no colour ---- */

LANE word bare(lane *k, word place) { return place + colour_word(BARE); }
ATOM1(bare, ANY)

LANE uint uncoloured_extent(lane *k, list p) { return (uint)p.n; }
LANE word uncoloured_write(lane *k, list p, uint at) {
    for (int n = 0; n < p.n; n++) k->arena[at + (uint)n] = p.at[n] + colour_word(BARE);
    return made_list(k, at, p.n);
}
ALLOC1(uncoloured, LIST)

LANE word require_colours(lane *k, word p) {
    list l = list_of(k, p);
    k->work += (uint)l.n;
    for (int n = 0; n < l.n; n++)
        if (!is_coloured_cell(l.at[n])) return fail(k, LANE_TYPE);
    return p;
}
COUNTED_ATOM1(require_colours, ANY)

/* A patch that mixes locations and cells can be computed with where it has but one of them. */
LANE word require_alike(lane *k, word p) {
    list l = list_of(k, p);
    k->work += (uint)l.n;
    for (int n = 1; n < l.n; n++)
        if (is_coloured_cell(l.at[n]) != is_coloured_cell(l.at[0])) return fail(k, LANE_TYPE);
    return p;
}
COUNTED_ATOM1(require_alike, ANY)

/* Locations where an object's colours are asked for: the first of each pair is the row. */
LANE uint row_colours_extent(lane *k, list p) { return (uint)p.n; }
LANE word row_colours_write(lane *k, list p, uint at) {
    for (int n = 0; n < p.n; n++) k->arena[at + (uint)n] = p.at[n] + colour_word(colour_of_int(k, loc_i(p.at[n])));
    return made_list(k, at, p.n);
}
ALLOC1(row_colours, PATCH)
