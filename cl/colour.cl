/* Colours of grids and objects: counting, finding and exchanging them.
 *
 * An object is sorted by colour first, so its colours are runs and a run's end is found by search, not by counting.
 * A grid is read byte by byte in loops that compilers make wide. none is a colour like the others, the smallest.
 */
#include "cells.h"
#include "colour_counts.h"
#include "mask.h"
#include "rows_colour.h"

#define NOT_A_BYTE 1000 /* differs from every cell of a grid */

/* How a grid holds a colour, if it can. */
LANE int byte_if_any(int v) { return v == NONE ? NO_CELL : v > 127 || v < -127 ? NOT_A_BYTE : v; }

/* ---- colours of a grid ---- */

LANE int cells_of(grid g) { return g.h * g.w; }

/* How many cells have a colour, which may be NOT_A_BYTE. */
LANE uint count_of(lane *k, grid g, int byte) {
    if (byte == NOT_A_BYTE) return 0;
#ifdef ARCL_TEAM
    uint count = 0;
    TEAM_FOR(p, cells_of(g)) count += g.at[p] == (cellbyte)byte;
    return team_sum(k, count);
#else
    return count_byte(g.at, cells_of(g), (cellbyte)byte);
#endif
}

LANE uint counts_extent(lane *k, grid g) {
    if (g.rows) return sorting_extent(g);
    if (cells_of(g) == 0) return (uint)fail(k, LANE_EMPTY);
    return COLOUR_COUNTS;
}

/* A colour that more than half the cells have needs no other counts, and most grids have one. */
LANE int majority(lane *k, grid g) {
    int cells = cells_of(g);
    k->work += (uint)cells / 8;
    int first = g.at[0], middle = g.at[cells / 2], last = g.at[cells - 1];
    int guess = first == last ? first : middle;
    return 2 * (word)count_of(k, g, guess) > cells ? guess : NOT_A_BYTE;
}

/* The colour that occurs most, or least, of a grid with cells; ties go to the smallest. */
LANE int extreme_byte(grid g, int most, GLOBAL uint *count) {
    colours c = grid_counts(g, count);
    uint found = most ? 0 : 0xffffffffu;
    int best = 0;
    for (int v = c.low; v <= c.high; v++)
        if (count[v + 128] && (most ? count[v + 128] > found : count[v + 128] < found)) {
            found = count[v + 128];
            best = v;
        }
    return best;
}

#ifdef ARCL_TEAM
/* The same by a team, where colours are few. */
LANE int team_extreme_byte(lane *k, grid g, int most, GLOBAL uint *count) {
    if (!team_counts(k, g)) return (int)ALONE(k, extreme_byte(g, most, count));
    return team_extreme(k, (uint)cells_of(g), most);
}
#else
#define team_extreme_byte(k, g, most, count) extreme_byte(g, most, count)
#endif

LANE uint mostcolor_grid_extent(lane *k, grid g) { return counts_extent(k, g); }
LANE word mostcolor_grid_write(lane *k, grid g, uint at) {
    if (g.rows) return ALONE(k, extreme_colour(k, g, 1, at));
    int best = majority(k, g);
    if (best != NOT_A_BYTE) return int_of_byte(best);
    k->work += (uint)cells_of(g);
    return int_of_byte(team_extreme_byte(k, g, 1, (GLOBAL uint *)(k->arena + at)));
}
TEAM_COUNTED_ALLOC1(mostcolor_grid, GRID)

LANE uint leastcolor_grid_extent(lane *k, grid g) { return counts_extent(k, g); }
LANE word leastcolor_grid_write(lane *k, grid g, uint at) {
    if (g.rows) return ALONE(k, extreme_colour(k, g, 0, at));
    k->work += (uint)cells_of(g);
    return int_of_byte(team_extreme_byte(k, g, 0, (GLOBAL uint *)(k->arena + at)));
}
TEAM_COUNTED_ALLOC1(leastcolor_grid, GRID)

LANE word colorcount_grid(lane *k, grid g, int value) {
    word cells = total_cells(g);
    if (!count_work(k, (ulong)(g.rows ? cells : cells / 8))) return 0;
    return g.rows ? (word)ALONE(k, count_in_rows(k, g, value)) : (word)count_of(k, g, byte_if_any(value));
}
TEAM_COUNTED_ATOM2(colorcount_grid, GRID, INT)

/* Which colours a grid has: bit b of quarter q stands for the byte -128 + 64 * q + b. */
typedef struct {
    ulong quarter[4];
} presence;

LANE presence presence_of(lane *k, grid g) {
    presence s;
    int cells = cells_of(g);
    k->work += (uint)cells;
    uint few = team_colours_present(k, g.at, cells);
    for (int q = 0; q < 4; q++) s.quarter[q] = 0;
    if (few != OTHER_COLOURS) {
        s.quarter[2] = few;
        return s;
    }
    for (int q = 0; q < 4; q++)
        for (int n = 0; n < cells; n++) {
            int place = g.at[n] + 128 - 64 * q; /* seldom: by every member */
            s.quarter[q] |= place >= 0 && place < 64 ? (ulong)1 << place : 0;
        }
    return s;
}

LANE uint palette_grid_extent(lane *k, grid g) {
    if (g.rows) return sorting_extent(g);
    int cells = cells_of(g);
    return cells < 256 ? (uint)cells : 256u;
}
LANE word palette_grid_write(lane *k, grid g, uint at) {
    if (g.rows) return ALONE(k, made_list(k, at, distinct_cells(k, g, at)));
    presence s = presence_of(k, g);
    int n = 0;
    for (int q = 0; q < 4; q++) {
        ulong left = s.quarter[q];
        for (int b = 0; left; b++, left >>= 1)
            if (left & 1) {
                if (LEADS) k->arena[at + (uint)n] = int_of_byte(b - 128 + 64 * q);
                n++;
            }
    }
    return made_list(k, at, n);
}
TEAM_COUNTED_ALLOC1(palette_grid, GRID)

LANE uint numcolors_grid_extent(lane *k, grid g) { return g.rows ? sorting_extent(g) : 0; }
LANE word numcolors_grid_write(lane *k, grid g, uint at) {
    if (g.rows) return ALONE(k, distinct_cells(k, g, at));
    presence s = presence_of(k, g);
    word n = 0;
    for (int q = 0; q < 4; q++)
        for (ulong left = s.quarter[q]; left; left &= left - 1) n++;
    return n;
}
TEAM_COUNTED_ALLOC1(numcolors_grid, GRID)

/* ---- colours of an object ---- */

/* Where the run of the colour at obj.at[start] ends: in steps that double, then halve. */
LANE int run_end(lane *k, list obj, int start) {
    k->work += 16;
    int colour = loc_colour(obj.at[start]), step = 1, in = start;
    if (loc_colour(obj.at[obj.n - 1]) == colour) return obj.n;
    /* obj.at[in] is in the run, obj.at[out] is not */
    while (step < obj.n - in && loc_colour(obj.at[in + step]) == colour) {
        in += step;
        step *= 2;
    }
    int out = step < obj.n - in ? in + step : obj.n - 1;
    while (out - in > 1) {
        int middle = in + (out - in) / 2;
        if (loc_colour(obj.at[middle]) == colour)
            in = middle;
        else
            out = middle;
    }
    return out;
}

LANE word mostcolor_patch(lane *k, list obj) {
    if (obj.n == 0) return fail(k, LANE_EMPTY);
    int highest = 0, best = 0;
    for (int n = 0, end; n < obj.n; n = end) {
        end = run_end(k, obj, n);
        if (end - n > highest) {
            highest = end - n;
            best = loc_colour(obj.at[n]);
        }
    }
    return int_of_colour(best);
}
COUNTED_ATOM1(mostcolor_patch, PATCH)

LANE word leastcolor_patch(lane *k, list obj) {
    if (obj.n == 0) return fail(k, LANE_EMPTY);
    int lowest = 0x7fffffff, best = 0;
    for (int n = 0, end; n < obj.n; n = end) {
        end = run_end(k, obj, n);
        if (end - n < lowest) {
            lowest = end - n;
            best = loc_colour(obj.at[n]);
        }
    }
    return int_of_colour(best);
}
COUNTED_ATOM1(leastcolor_patch, PATCH)

LANE word colorcount_patch(lane *k, list obj, int value) {
    int low = 0, high = obj.n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (int_of_colour(loc_colour(obj.at[middle])) < value)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == obj.n || int_of_colour(loc_colour(obj.at[low])) != value) return 0;
    return run_end(k, obj, low) - low;
}
COUNTED_ATOM2(colorcount_patch, PATCH, INT)

LANE uint palette_patch_extent(lane *k, list obj) {
    if (obj.n == 0) return 0;
    word range = (word)loc_colour(obj.at[obj.n - 1]) - loc_colour(obj.at[0]) + 1;
    return range < obj.n ? (uint)range : (uint)obj.n;
}
LANE word palette_patch_write(lane *k, list obj, uint at) {
    int colour = 0;
    for (int n = 0; n < obj.n; n = run_end(k, obj, n))
        k->arena[at + (uint)colour++] = int_of_colour(loc_colour(obj.at[n]));
    return made_list(k, at, colour);
}
COUNTED_ALLOC1(palette_patch, PATCH)

LANE word numcolors_patch(lane *k, list obj) {
    word colour = 0;
    for (int n = 0; n < obj.n; n = run_end(k, obj, n)) colour++;
    return colour;
}
COUNTED_ATOM1(numcolors_patch, PATCH)

LANE word color(lane *k, list obj) {
    if (obj.n == 0) return fail(k, LANE_EMPTY);
    return int_of_colour(loc_colour(obj.at[0]));
}
ATOM1(color, PATCH)

/* ---- colours by rank: by how often they occur, the most frequent first, then by where they occur first ---- */

/* A word per colour that is below those of colours that come later: `all` is no less than any count. */
LANE word rank_key(int all, int count, int first) { return ((word)(all - count) << 32) + first; }

/* Where the colour of that rank occurs first, of keys[0..n), which have as much room behind them. */
LANE int first_of_rank(lane *k, GLOBAL word *keys, int n, int rank) {
    sort_words(keys, keys + n, n);
    int place = position_of(k, n, rank);
    return k->status ? 0 : (int)(keys[place] & 0x7fffffff);
}

/* The same of n items that are words of a colour and a place, at[0..n), which have as much room behind them. Their keys
 * take their places. */
LANE word placed_colour(int colour, int place) { return (word)colour * ((word)1 << 32) + place; }
LANE int first_among(lane *k, GLOBAL word *at, int n, int rank) {
    int colour = 0, from = 0;
    sort_words(at, at + n, n);
    for (int m = 1; m <= n; m++) {
        if (m < n && at[m] >> 32 == at[from] >> 32) continue;
        at[colour++] = rank_key(n, m - from, (int)(at[from] & 0x7fffffff));
        from = m;
    }
    return first_of_rank(k, at, colour, rank);
}

RARE word color_rank_rows(lane *k, grid g, int rank, uint at) {
    GLOBAL word *items = k->arena + at;
    int n = 0, i = 0;
    for (; i < g.h; i++)
        for (int j = 0; j < row_length(g, i); j++, n++) items[n] = placed_colour(cell_at(k, g, i, j), n);
    int first = first_among(k, items, n, rank);
    if (k->status) return 0;
    for (i = 0; first >= row_length(g, i); i++) first -= row_length(g, i);
    return cell_at(k, g, i, first);
}

/* Room for the counts, for where each colour is first, and for a key per colour to sort. */
LANE uint color_rank_grid_extent(lane *k, grid g, int rank) {
    if (rank == NONE) return (uint)fail(k, LANE_TYPE);
    if (total_cells(g) == 0) return (uint)fail(k, LANE_EMPTY);
    return g.rows ? sorting_extent(g) : 2 * COLOUR_COUNTS + 512;
}
LANE word color_rank_grid_write(lane *k, grid g, int rank, uint at) {
    if (g.rows) return color_rank_rows(k, g, rank, at);
    int cells = cells_of(g), most = rank == 0 ? majority(k, g) : NOT_A_BYTE, n = 0;
    if (most != NOT_A_BYTE) return int_of_byte(most);
    GLOBAL uint *count = (GLOBAL uint *)(k->arena + at);
    GLOBAL uint *first = count + 2 * COLOUR_COUNTS;
    GLOBAL word *keys = k->arena + at + 2 * COLOUR_COUNTS;
    k->work += 2 * (uint)cells;
    colours c = grid_counts(g, count);
    for (int p = cells - 1; p >= 0; p--) first[g.at[p] + 128] = (uint)p;
    for (int v = c.low + 128; v <= c.high + 128; v++)
        if (count[v]) keys[n++] = rank_key(cells, (int)count[v], (int)first[v]);
    int place = first_of_rank(k, keys, n, rank);
    return k->status ? 0 : int_of_byte(g.at[place]);
}
COUNTED_ALLOC2(color_rank_grid, GRID, INT)

/* Of cells in any order: a tuple's is its own. */
LANE uint color_rank_patch_extent(lane *k, list obj, int rank) {
    if (rank == NONE) return (uint)fail(k, LANE_TYPE);
    return obj.n ? extent_of(2 * (word)obj.n) : (uint)fail(k, LANE_EMPTY);
}
LANE word color_rank_patch_write(lane *k, list obj, int rank, uint at) {
    GLOBAL word *items = k->arena + at;
    for (int n = 0; n < obj.n; n++) items[n] = placed_colour(loc_colour(obj.at[n]), n);
    int place = first_among(k, items, obj.n, rank);
    return k->status ? 0 : int_of_colour(loc_colour(obj.at[place]));
}
ALLOC2(color_rank_patch, PATCH, INT)

/* ---- choosing among containers ---- */

LANE int has_first_colour(lane *k, word obj, int value) {
    return int_of_colour(loc_colour(k->arena[ref_offset(obj)])) == value;
}

LANE uint colorfilter_extent(lane *k, list objs, int value) { return (uint)objs.n; }
LANE word colorfilter_write(lane *k, list objs, int value, uint at) {
    GLOBAL word *out = k->arena + at;
#ifdef ARCL_TEAM
    uint kept = 0, empties = 0, all;
    SHARE_FOR(n, objs.n) {
        empties |= ref_length(objs.at[n]) == 0;
        kept += has_first_colour(k, objs.at[n], value);
    }
    if (team_most(k, empties)) return fail(k, LANE_EMPTY);
    uint next = team_scan(k, kept, &all);
    SHARE_FOR(n, objs.n) if (has_first_colour(k, objs.at[n], value)) out[next++] = objs.at[n];
    return made_list(k, at, (int)all);
#else
    int kept = 0;
    for (int n = 0; n < objs.n; n++) {
        word obj = objs.at[n];
        if (ref_length(obj) == 0) return fail(k, LANE_EMPTY);
        out[kept] = obj;
        kept += has_first_colour(k, obj, value);
    }
    return made_list(k, at, kept);
#endif
}
TEAM_ALLOC2(colorfilter, LIST, INT)

LANE uint sizefilter_list_extent(lane *k, list items, int size) { return size < 0 ? 0 : (uint)items.n; }
LANE word sizefilter_list_write(lane *k, list items, int size, uint at) {
    GLOBAL word *out = k->arena + at;
    int kept = 0;
    if (size < 0) return 0;
    for (int n = 0; n < items.n; n++) {
        out[kept] = items.at[n];
        kept += ref_length(items.at[n]) == (uint)size;
    }
    return made_list(k, at, kept);
}
ALLOC2(sizefilter_list, LIST, INT)

LANE uint sizefilter_grid_extent(lane *k, list grids, int size) { return size < 0 ? 0 : (uint)grids.n; }
LANE word sizefilter_grid_write(lane *k, list grids, int size, uint at) {
    GLOBAL word *out = k->arena + at;
    int kept = 0;
    if (size < 0) return 0;
    for (int n = 0; n < grids.n; n++) {
        out[kept] = grids.at[n];
        kept += ref_length(grids.at[n]) >> 16 == (uint)size;
    }
    return made_list(k, at, kept);
}
ALLOC2(sizefilter_grid, LIST, INT)

/* ---- places of a colour, and patches of one ---- */

LANE uint ofcolor_extent(lane *k, grid g, int value) {
    if (g.rows) return extent_of(total_cells(g));
    return byte_if_any(value) == NOT_A_BYTE ? 0 : (uint)g.h * (uint)g.w;
}
LANE word ofcolor_write(lane *k, grid g, int value, uint at) {
    GLOBAL word *out = k->arena + at;
    GLOBAL word *next = out;
    int byte = byte_if_any(value), w = g.w;
    if (g.rows) return ALONE(k, places_in_rows(k, g, value, at));
    if (byte == NOT_A_BYTE) return 0;
#ifdef ARCL_TEAM
    int cells = g.h * w, first = MEMBER * team_share(cells), i = w ? first / w : 0, j = first - i * w;
    uint hits = 0, all;
    SHARE_FOR(p, cells) hits += g.at[p] == (cellbyte)byte;
    next += team_scan(k, hits, &all);
    SHARE_FOR(p, cells) {
        if (g.at[p] == (cellbyte)byte) *next++ = loc_word(i, j);
        j = j + 1 < w ? j + 1 : 0;
        i += j == 0;
    }
    return made_list(k, at, (int)all);
#else
    GLOBAL const cellbyte *row = g.at;
    /* In short rows every location is written where the next hit belongs, and stays only if it is one. */
    for (int i = 0; i < g.h && w < 8; i++, row += w)
        for (int j = 0; j < w; j++) {
            *next = loc_word(i, j);
            next += row[j] == (cellbyte)byte;
        }
    for (int i = 0; i < g.h && w >= 8; i++, row += w)
        for (int j = 0; j < w; j += 64) {
            word place = loc_word(i, j);
            ulong hits = equal_cells(row + j, w - j < 64 ? w - j : 64, (cellbyte)byte);
            for (; hits; hits &= hits - 1) *next++ = place + lowest_bit(hits);
        }
    return made_list(k, at, (int)(next - out));
#endif
}
TEAM_ALLOC2(ofcolor, GRID, INT)

/* The same as a mask. */
#define ofcolor_mask_extent ofcolor_extent
LANE word ofcolor_mask_write(lane *k, grid g, int value, uint at) {
    int byte = byte_if_any(value);
    uint cells = 0;
    if (!fits_mask(g)) return ofcolor_write(k, g, value, at);
    if (byte == NOT_A_BYTE || g.w == 0) return 0;
    GLOBAL uint *row = (GLOBAL uint *)(k->arena + at);
#ifndef MANY_ITEMS
    if (cells_of(g) <= 64) { /* all of the grid at once */
        ulong hits = equal_cells(g.at, cells_of(g), (cellbyte)byte);
        cells = bits_set(hits);
        for (int i = 0; i < g.h; i++, hits >>= g.w) row[i] = (uint)hits & (uint)(((ulong)1 << g.w) - 1);
        if (g.h % 2) row[g.h] = 0;
        return made_mask(k, at, (uint)(g.h + 1) / 2, cells);
    }
#endif
    TEAM_FOR(i, g.h) {
        uint hits = equal_in_row(row_of(g, i), g.w, (g.h - i) * g.w, (cellbyte)byte);
        row[i] = hits;
        cells += bits_set(hits);
    }
    if (LEADS && g.h % 2) row[g.h] = 0;
    return made_mask(k, at, (uint)(g.h + 1) / 2, team_sum(k, cells));
}
TEAM_ALLOC2(ofcolor_mask, GRID, INT)

/* A patch that has one colour already, and the right one, is its own result. */
LANE int has_colour(list p, int colour) { return one_colour(p) && loc_colour(p.at[0]) == colour; }

LANE uint recolor_extent(lane *k, int value, word patch) {
    list p = list_of(k, patch);
    if (p.n == 0) return 0;
    int colour = colour_of_int(k, value);
    if (k->status || has_colour(p, colour)) return 0;
    return one_colour(p) ? (uint)p.n : 2 * (uint)p.n;
}
LANE word recolor_write(lane *k, int value, word patch, uint at) {
    list p = list_of(k, patch);
    if (p.n == 0) return 0;
    int colour = colour_of_int(k, value);
    if (has_colour(p, colour)) return patch;
    GLOBAL word *out = k->arena + at;
    ulong add = (ulong)colour_word(colour);
#ifdef ARCL_TEAM
    if (one_colour(p)) {
        add -= (ulong)colour_word(loc_colour(p.at[0]));
        TEAM_FOR(m, p.n) out[m] = (word)((ulong)p.at[m] + add);
        return made_list(k, at, p.n);
    }
#endif
    int n = (int)ALONE(k, patch_locations(p, out, out + p.n));
    TEAM_FOR(m, n) out[m] = (word)((ulong)out[m] + add);
    return made_list(k, at, n);
}
TEAM_ALLOC2(recolor, INT, PATCHREF)

/* The same of a patch that may be a mask, whose locations are coloured while they are listed. */
LANE uint recolor_mask_extent(lane *k, int value, word patch) {
    if (!is_mask(patch)) return recolor_extent(k, value, patch_argument(k, patch));
    return colour_of_int(k, value) ? patch_length(patch) : 0;
}
LANE uint recolor_mask_more(lane *k, int value, word patch) { return value ? 0 : listing_words(patch); }
LANE word recolor_mask_write(lane *k, int value, word patch, uint at) {
    if (!is_mask(patch)) return recolor_write(k, value, patch, at);
    return listed_rows(k, mask_of(k, patch), colour_word(colour_of_int(k, value)), at);
}
MASKED_ALLOC2(recolor_mask, INT, ANY)

/* ---- exchanging colours ----
 *
 * A colour that no byte can hold occurs in no grid of bytes, so looking for one changes nothing; putting one in makes a
 * grid of rows, if there is a cell to put it.
 */

LANE uint replace_extent(lane *k, word w, int old, int new_) {
    grid g = grid_of(k, w);
    if (old == new_) return 0;
    if (g.rows) return rows_extent(k, g.h, total_cells(g));
    if (!fits_byte(old)) return 0;
    return fits_byte(new_) ? grid_words(g.h, g.w) : rows_extent(k, g.h, total_cells(g));
}
LANE word replace_write(lane *k, word w, int old, int new_, uint at) {
    grid g = grid_of(k, w);
    int cells = g.h * g.w;
    if (old == new_ || (!g.rows && !fits_byte(old))) return w;
    if (g.rows || !fits_byte(new_)) return ALONE(k, exchanged_rows(k, g, old, new_, 0, at));
    GLOBAL cellbyte *out = cells_at(k, at);
    cellbyte from = (cellbyte)byte_of_int(old), to = (cellbyte)byte_of_int(new_);
    TEAM_FOR(n, cells) out[n] = g.at[n] == from ? to : g.at[n];
    return made_grid(k, at, g.h, g.w);
}
TEAM_ALLOC3(replace, ANY, INT, INT)

LANE uint switch_colors_extent(lane *k, word w, int one, int two) {
    grid g = grid_of(k, w);
    if (one == two) return 0;
    if (g.rows) return rows_extent(k, g.h, total_cells(g));
    if (fits_byte(one) && fits_byte(two)) return grid_words(g.h, g.w);
    return fits_byte(one) || fits_byte(two) ? rows_extent(k, g.h, total_cells(g)) : 0;
}
LANE word switch_colors_write(lane *k, word w, int one, int two, uint at) {
    grid g = grid_of(k, w);
    int cells = g.h * g.w;
    if (one == two || (!g.rows && !fits_byte(one) && !fits_byte(two))) return w;
    if (g.rows || !fits_byte(one) || !fits_byte(two)) return ALONE(k, exchanged_rows(k, g, one, two, 1, at));
    GLOBAL cellbyte *out = cells_at(k, at);
    cellbyte x = (cellbyte)byte_of_int(one), y = (cellbyte)byte_of_int(two);
    TEAM_FOR(n, cells) {
        cellbyte c = g.at[n];
        out[n] = c == x ? y : c == y ? x : c;
    }
    return made_grid(k, at, g.h, g.w);
}
TEAM_ALLOC3(switch_colors, ANY, INT, INT)
