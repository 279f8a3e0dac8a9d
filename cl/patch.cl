/* Patches: sets of locations and of cells, as sorted words. Where the order of a result follows from the order of the
 * argument nothing is sorted; the sort is for what really mixes: colours that are dropped, rows that become columns.
 *
 * A patch whose first and last word have one colour is in raster order throughout; {ij} is the case of colour 0.
 */
#include "team_sets.h"

#include "draw_cells.h"
#include "rows_colour.h"
#include "sort.h"

#define MOST_INSERTED 12 /* up to so many words are put in order by inserting each */
#define FEW 32           /* up to so many words a comparison sort beats a table of 256 counts */

/* A patch in raster order. Words without colour and with a negative row wrap around, so they prove nothing. */
LANE int raster_order(list p) { return one_colour(p) && loc_colour(p.at[0]) != BARE; }

/* patch_bounds, from the ends and one pass over the columns where the order allows. */
LANE bounds patch_box(list p) {
    if (!raster_order(p)) return patch_bounds(p);
    int low = 2147483647, high = NONE;
    for (int n = 0; n < p.n; n++) {
        int j = (int)((uint)(ulong)p.at[n] << 8);
        low = j < low ? j : low;
        high = j > high ? j : high;
    }
    bounds b = {loc_i(p.at[0]), low >> 8, loc_i(p.at[p.n - 1]), high >> 8};
    return b;
}

#ifdef ARCL_TEAM
#define team_box(k, p) team_bounds(k, p)
#else
#define team_box(k, p) patch_box(p)
#endif

LANE word box_area(bounds b) { return ((word)b.bottom - b.top + 1) * ((word)b.right - b.left + 1); }
LANE word loc_moved(word w, int di, int dj) { return (word)((ulong)w + (ulong)loc_word(di, dj)); }

/* All locations of a box. */
LANE void write_box(GLOBAL word *out, int top, int left, int h, int w) {
#ifdef ARCL_TEAM
    cell_walk c = walk_start(w);
    TEAM_FOR(p, h * w) {
        out[p] = loc_word(top + c.i, left + c.j);
        walk_on(&c);
    }
#else
    for (int i = top; i < top + h; i++) {
        word row = loc_word(i, left);
        for (int j = 0; j < w; j++) out[j] = row + j;
        out += w;
    }
#endif
}

/* ---- grids as patches ---- */

LANE uint asindices_extent(lane *k, grid g) { return extent_of((word)g.h * g.w); }
LANE word asindices_write(lane *k, grid g, uint at) {
    write_box(k->arena + at, 0, 0, g.h, g.w);
    return made_list(k, at, g.h * g.w);
}
TEAM_ALLOC1(asindices, GRID)

/* In tokpidjin rows that have none among their ints are no grid, and what is no grid has no cells. */
LANE uint asobject_extent(lane *k, grid g) {
    return g.rows ? sorting_extent(g) : extent_of((word)g.h * g.w + COLOUR_COUNTS);
}
LANE word LONE(asobject_write)(lane *k, grid g, uint at) {
    if (g.rows) {
        int n = cells_in_rows(k, g, 1, 0, k->arena + at);
        if (k->imm && n && loc_colour(k->arena[at]) == NO_COLOUR) return 0;
        return made_set(k, T_CELL, at, n);
    }
    int cells = g.h * g.w;
    GLOBAL uint *count = (GLOBAL uint *)(k->arena + at + cells);
    if (cells == 0) return 0;
    colours c = grid_counts(g, count);
    if (k->imm && c.low == NO_CELL) return 0;
    counts_to_starts(c, count);
    cells_by_colour(g, count, NO_CELL - 1, k->arena + at);
    return made_set(k, T_CELL, at, cells);
}
#ifdef ARCL_TEAM
LANE word asobject_write(lane *k, grid g, uint at) {
    if (!g.rows && g.h < SET_BITS && g.w < SET_BITS) {
        set_pass marks = set_marks(k, usual_window(T_CELL));
        cell_walk walk = walk_start(g.w);
        TEAM_FOR(n, g.h * g.w) {
            mark_place(k, &marks, g.at[n], walk.i, walk.j);
            walk_on(&walk);
        }
        if (all_marked(k, &marks)) return marked_set(k, &marks, at);
    }
    return ALONE(k, LONE(asobject_write)(k, g, at));
}
#endif
TEAM_ALLOC1(asobject, GRID)

/* ---- locations of a patch ---- */

/* The locations of cells of several colours: marks them in their bounding box if that fits into the n words of room,
 * else sorts. Returns how many there are. */
LANE int merged_indices(list p, GLOBAL word *to, GLOBAL word *room) {
    bounds b = patch_bounds(p);
    word area = box_area(b);
    int m = 0;
    if (area > (word)p.n * 8) return patch_locations(p, to, room);
    int width = b.right - b.left + 1;
    GLOBAL uchar *mark = (GLOBAL uchar *)room;
    for (int n = 0; n < (int)area; n++) mark[n] = 0;
    for (int n = 0; n < p.n; n++) mark[(loc_i(p.at[n]) - b.top) * width + loc_j(p.at[n]) - b.left] = 1;
    for (int i = b.top; i <= b.bottom; i++) {
        word row = loc_word(i, b.left);
        for (int j = 0; j < width; j++)
            if (mark[j]) to[m++] = row + j;
        mark += width;
    }
    return m;
}

/* Writes the locations of p, in order; `room` has p.n words too. */
LANE int write_indices(list p, GLOBAL word *to, GLOBAL word *room) {
    if (p.n == 0) return 0;
    return raster_order(p) ? patch_locations(p, to, room) : merged_indices(p, to, room);
}

LANE int colourless(list p) { return p.n == 0 || (raster_order(p) && loc_colour(p.at[0]) == 0); }

LANE uint toindices_extent(lane *k, word patch) {
    list p = list_of(k, patch);
    if (colourless(p)) return 0;
    return extent_of(raster_order(p) ? (word)p.n : (word)p.n * 2);
}
LANE word toindices_write(lane *k, word patch, uint at) {
    list p = list_of(k, patch);
    if (colourless(p)) return patch;
#ifdef ARCL_TEAM
    if (raster_order(p)) {
        ulong colour = (ulong)colour_word(loc_colour(p.at[0]));
        TEAM_FOR(n, p.n) k->arena[at + (uint)n] = (word)((ulong)p.at[n] - colour);
        return made_list(k, at, p.n);
    }
    set_pass marks = set_marks(k, usual_window(T_IJ));
    TEAM_FOR(m, p.n) mark_place(k, &marks, 0, loc_i(p.at[m]), loc_j(p.at[m]));
    if (all_marked(k, &marks)) return marked_set(k, &marks, at);
#endif
    return ALONE(k, made_list(k, at, write_indices(p, k->arena + at, k->arena + at + p.n)));
}
TEAM_ALLOC1(toindices, PATCHREF)

/* Sorts cells that are in raster order by their colours, which fit a byte, from `from` to `to`. */
LANE void sort_by_colour(GLOBAL word *from, GLOBAL word *to, int n, GLOBAL uint *count) {
    colours all = {NO_CELL, 127};
    for (int c = 0; c < 256; c++) count[c] = 0;
    for (int m = 0; m < n; m++) {
        int colour = loc_colour(from[m]);
        count[(colour == NO_COLOUR ? NO_CELL : colour) + 128]++;
    }
    counts_to_starts(all, count);
    for (int m = 0; m < n; m++) {
        int colour = loc_colour(from[m]);
        to[count[(colour == NO_COLOUR ? NO_CELL : colour) + 128]++] = from[m];
    }
}

LANE uint toobject_extent(lane *k, list p, grid g) {
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    return extent_of((word)p.n * 2 + (p.n > FEW ? COLOUR_COUNTS : 0));
}
/* A few locations of a grid that is bytes, put in order as they come. */
LANE word few_cells(lane *k, list p, grid g, uint at) {
    GLOBAL word *out = k->arena + at;
    int m = 0;
    for (int x = 0; x < p.n; x++) {
        int i = loc_i(p.at[x]), j = loc_j(p.at[x]), place = m;
        if ((uint)i >= (uint)g.h || (uint)j >= (uint)g.w) continue;
        word cell = loc_word(i, j) + colour_word(colour_of_byte(g.at[(word)i * g.w + j]));
        for (; place > 0 && out[place - 1] > cell; place--) out[place] = out[place - 1];
        out[place] = cell;
        m++;
    }
    return made_set(k, T_CELL, at, m);
}

LANE word LONE(toobject_write)(lane *k, list p, grid g, uint at) {
    if (p.n && p.n <= MOST_INSERTED && !g.rows && one_colour(p)) return few_cells(k, p, g, at);
    GLOBAL word *out = k->arena + at;
    GLOBAL word *room = out + p.n;
    int m = 0, sorted = 1, n = write_indices(p, room, out);
    for (int x = 0; x < n; x++) {
        int i = loc_i(room[x]), j = loc_j(room[x]);
        if (i < 0 || i >= g.h || j < 0 || j >= g.w) continue;
        if (g.rows && j >= row_length(g, i)) return fail(k, LANE_BOUNDS);
        int colour = g.rows ? colour_of_int(k, cell_at(k, g, i, j)) : colour_of_byte(g.at[(word)i * g.w + j]);
        word cell = room[x] + colour_word(colour);
        if (m > 0 && cell < room[m - 1]) sorted = 0;
        room[m++] = cell;
    }
    if (m > FEW && !sorted && !g.rows) {
        sort_by_colour(room, out, m, (GLOBAL uint *)(room + p.n));
    } else {
        for (int x = 0; x < m; x++) out[x] = room[x];
        sort_words(out, room, m);
    }
    return made_set(k, T_CELL, at, m);
}
#ifdef ARCL_TEAM
LANE word toobject_write(lane *k, list p, grid g, uint at) {
    if (!g.rows) {
        set_pass marks = set_marks(k, usual_window(T_CELL));
        TEAM_FOR(n, p.n) {
            int i = loc_i(p.at[n]), j = loc_j(p.at[n]);
            if ((uint)i < (uint)g.h && (uint)j < (uint)g.w) mark_place(k, &marks, g.at[(word)i * g.w + j], i, j);
        }
        if (all_marked(k, &marks)) return marked_set(k, &marks, at);
    }
    return ALONE(k, LONE(toobject_write)(k, p, g, at));
}
#endif
TEAM_ALLOC2(toobject, PATCH, GRID)

/* How many cells of a colour toobject finds: no op, but what colorcount makes of it. Locations that come once can be
 * looked up one after the other. */
LANE int looks_up(list p, grid g) { return !g.rows && (p.n == 0 || one_colour(p)); }
LANE uint colorcount_at_extent(lane *k, list p, grid g, int value) {
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    return looks_up(p, g) ? 0 : toobject_extent(k, p, g);
}
LANE int is_at(grid g, word at, cellbyte wanted) {
    int i = loc_i(at), j = loc_j(at);
    return (uint)i < (uint)g.h && (uint)j < (uint)g.w && g.at[(word)i * g.w + j] == wanted;
}
LANE word count_at(list p, grid g, int value) {
    cellbyte wanted = (cellbyte)byte_of_int(value);
    int count = 0;
    if (!fits_byte(value)) return 0;
#ifndef MANY_ITEMS
    uint place[PLACES];
    if (p.n <= PLACES && places_of(place, p.at, p.n, (uint)g.h, (uint)g.w)) {
        for (int n = 0; n < p.n; n++) count += g.at[place[n]] == wanted;
        return count;
    }
#endif
    for (int n = 0; n < p.n; n++) count += is_at(g, p.at[n], wanted);
    return count;
}
LANE word colorcount_at_write(lane *k, list p, grid g, int value, uint at) {
    int count = 0;
    if (looks_up(p, g)) return count_at(p, g, value);
    list object = list_of(k, LONE(toobject_write)(k, p, g, at));
    for (int n = 0; n < object.n && !k->status; n++) count += int_of_colour(loc_colour(object.at[n])) == value;
    k->used = 0;
    return count;
}
ALLOC3(colorcount_at, PATCH, GRID, INT)

/* ---- translation ---- */

LANE word translated(lane *k, list p, word by, uint at) {
    GLOBAL word *out = k->arena + at;
    ulong far = (ulong)by + NEAR;
    TEAM_FOR(n, p.n) {
        far |= (ulong)p.at[n] + NEAR;
        out[n] = (word)((ulong)p.at[n] + (ulong)by);
    }
    if (team_most(k, (far & FAR_BITS) != 0)) {
        bounds b = team_bounds(k, p);
        int di = loc_i(by), dj = loc_j(by);
        if (!coord_fits((word)b.top + di) || !coord_fits((word)b.bottom + di) || !coord_fits((word)b.left + dj) ||
            !coord_fits((word)b.right + dj))
            return fail(k, LANE_LIMIT);
    }
    return made_list(k, at, p.n);
}

/* By how much makes no difference to a patch that is empty, even if it is no offset at all: the corner of that
 * patch. */
LANE uint shift_extent(lane *k, word patch, word by) {
    if (ref_length(patch)) loc_argument(k, by);
    return by ? ref_length(patch) : 0;
}
LANE word shift_write(lane *k, word patch, word by, uint at) {
    if (by == 0 || ref_length(patch) == 0) return patch;
    return translated(k, list_of(k, patch), by, at);
}
TEAM_ALLOC2(shift, PATCHREF, ANY)

LANE uint normalize_extent(lane *k, word patch) { return ref_length(patch); }
LANE word normalize_write(lane *k, word patch, uint at) {
    list p = list_of(k, patch);
    if (p.n == 0) return patch;
    bounds b = team_box(k, p);
    if (b.top == 0 && b.left == 0) return patch;
    if (!coord_fits((word)b.bottom - b.top) || !coord_fits((word)b.right - b.left)) return fail(k, LANE_LIMIT);
    GLOBAL word *out = k->arena + at;
    ulong by = (ulong)loc_word(-b.top, -b.left);
    TEAM_FOR(n, p.n) out[n] = (word)((ulong)p.at[n] + by);
    return made_list(k, at, p.n);
}
TEAM_ALLOC1(normalize, PATCHREF)

/* ---- around a location ---- */

/* Room for n neighbours, if their coordinates fit. */
LANE uint neighbour_words(lane *k, word loc, uint n) {
    int i = loc_i(loc), j = loc_j(loc);
    return coord_fits(i < 0 ? i - 1 : i + 1) && coord_fits(j < 0 ? j - 1 : j + 1) ? n : (uint)fail(k, LANE_LIMIT);
}

LANE uint dneighbors_extent(lane *k, word loc) { return neighbour_words(k, loc, 4); }
LANE word dneighbors_write(lane *k, word loc, uint at) {
    GLOBAL word *out = k->arena + at;
    out[0] = loc_moved(loc, -1, 0);
    out[1] = loc_moved(loc, 0, -1);
    out[2] = loc_moved(loc, 0, 1);
    out[3] = loc_moved(loc, 1, 0);
    return made_list(k, at, 4);
}
ALLOC1(dneighbors, LOC)

LANE uint ineighbors_extent(lane *k, word loc) { return neighbour_words(k, loc, 4); }
LANE word ineighbors_write(lane *k, word loc, uint at) {
    GLOBAL word *out = k->arena + at;
    out[0] = loc_moved(loc, -1, -1);
    out[1] = loc_moved(loc, -1, 1);
    out[2] = loc_moved(loc, 1, -1);
    out[3] = loc_moved(loc, 1, 1);
    return made_list(k, at, 4);
}
ALLOC1(ineighbors, LOC)

LANE uint neighbors_extent(lane *k, word loc) { return neighbour_words(k, loc, 8); }
LANE word neighbors_write(lane *k, word loc, uint at) {
    GLOBAL word *out = k->arena + at;
    for (int j = 0; j < 3; j++) {
        out[j] = loc_moved(loc, -1, j - 1);
        out[j + 5] = loc_moved(loc, 1, j - 1);
    }
    out[3] = loc_moved(loc, 0, -1);
    out[4] = loc_moved(loc, 0, 1);
    return made_list(k, at, 8);
}
ALLOC1(neighbors, LOC)

/* ---- lines ---- */

/* These need one coordinate only, and take it as it is: the other may be none. */
LANE uint vfrontier_extent(lane *k, word loc) { return is_missing_ij(loc) ? (uint)fail(k, LANE_EMPTY) : 30; }
LANE word vfrontier_write(lane *k, word loc, uint at) {
    for (int i = 0; i < 30; i++) k->arena[at + (uint)i] = loc_word(i, loc_j(loc));
    return made_list(k, at, 30);
}
ALLOC1(vfrontier, ANY)

LANE uint hfrontier_extent(lane *k, word loc) { return is_missing_ij(loc) ? (uint)fail(k, LANE_EMPTY) : 30; }
LANE word hfrontier_write(lane *k, word loc, uint at) {
    for (int j = 0; j < 30; j++) k->arena[at + (uint)j] = loc_word(loc_i(loc), j);
    return made_list(k, at, 30);
}
ALLOC1(hfrontier, ANY)

/* The cells of the line from (i, j) to (i + di, j + dj), ends included; 0 where that is no straight line. */
LANE uint line_length(int di, int dj) {
    int down = di < 0 ? -di : di, across = dj < 0 ? -dj : dj;
    int is_straight = (di == 0) | (dj == 0) | (down == across);
    return is_straight ? (uint)(down > across ? down : across) + 1u : 0;
}

/* Writes that line of n locations in order, which is from its upper or else its left end. */
LANE word write_line(lane *k, word from, int di, int dj, uint at, uint n) {
    int backward = di < 0 || (di == 0 && dj < 0);
    word step = loc_word((di > 0) - (di < 0), (dj > 0) - (dj < 0));
    word start = backward ? from + step * (word)(n - 1) : from;
    step = backward ? -step : step;
    GLOBAL word *out = k->arena + at;
    for (uint m = 0; m < n; m++, start += step) out[m] = start;
    return made_list(k, at, (int)n);
}

LANE uint connect_extent(lane *k, word a, word b) { return line_length(loc_i(b) - loc_i(a), loc_j(b) - loc_j(a)); }
LANE word connect_write(lane *k, word a, word b, uint at) {
    int di = loc_i(b) - loc_i(a), dj = loc_j(b) - loc_j(a);
    uint n = line_length(di, dj);
    return n ? write_line(k, a, di, dj, at, n) : 0;
}
ALLOC2(connect, LOC, LOC)

/* The lines between all locations of one container and all of another, in any order; the empty one comes once if at
 * all. Where the immediate is 1 the two are the same, and no line is made a second time, backwards. */
#define MOST_PAIRS ((ulong)1 << 26) /* to look at more takes longer than any budget allows */

LANE ulong pairs_between(lane *k, list a, list b) {
    return k->imm ? (ulong)a.n * ((ulong)a.n + 1) / 2 : (ulong)a.n * (ulong)b.n;
}

/* The lengths of the lines from one location to others; a few of these at a time, as plain numbers, so that processors
 * do several at once. */
#ifdef MANY_ITEMS /* there is no room for more */
#define FEW_ENDS 1
#else
#define FEW_ENDS 128
#endif
typedef struct {
    int i[FEW_ENDS], j[FEW_ENDS], length[FEW_ENDS];
    int n;
} line_ends;

LANE void take_ends(line_ends *e, list b, int from) {
    e->n = b.n - from < FEW_ENDS ? b.n - from : FEW_ENDS;
    for (int m = 0; m < e->n; m++) {
        e->i[m] = loc_i(b.at[from + m]);
        e->j[m] = loc_j(b.at[from + m]);
    }
}

/* Sets the lengths from end `from` on; returns their sum. */
LANE uint line_lengths(line_ends *e, int from, int i, int j) {
    uint sum = 0;
    for (int m = from; m < e->n; m++) {
        e->length[m] = (int)line_length(e->i[m] - i, e->j[m] - j);
        sum += (uint)e->length[m];
    }
    return sum;
}

/* Where the lines of a[n] begin among the ends that were taken from `from` on. */
LANE int first_end(lane *k, int n, int from) { return k->imm && n > from ? n - from : 0; }

/* Room for a line per pair, so that what is only looked at costs as well, and for the locations that there are. */
LANE uint lines_extent(lane *k, list a, list b) {
    ulong pairs = pairs_between(k, a, b), locations = 0;
    line_ends ends;
    if (pairs == 0) return 0;
    for (int n = 0; n < a.n; n++) loc_argument(k, a.at[n]);
    for (int m = 0; m < b.n; m++) loc_argument(k, b.at[m]);
    if (k->status || pairs > MOST_PAIRS) return MOST_EXTENT;
    for (int from = 0; from < b.n; from += FEW_ENDS) {
        take_ends(&ends, b, from);
        for (int n = 0; n < a.n; n++)
            locations += line_lengths(&ends, first_end(k, n, from), loc_i(a.at[n]), loc_j(a.at[n]));
    }
    return extent_of((word)(pairs + locations));
}
/* Which of many ends have a line nobody could foresee: they are found first, without a branch. */
#define MANY_ENDS 32
LANE word lines_write(lane *k, list a, list b, uint at) {
    uint pairs = (uint)pairs_between(k, a, b), made = 0, place = at + pairs;
    line_ends ends;
    if (pairs == 0) return 0;
    for (int from = 0; from < b.n; from += FEW_ENDS) {
        take_ends(&ends, b, from);
        for (int n = 0; n < a.n; n++) {
            int i = loc_i(a.at[n]), j = loc_j(a.at[n]), x = first_end(k, n, from), end = ends.n;
            int with_line[FEW_ENDS], is_known = end - x >= MANY_ENDS;
            if (line_lengths(&ends, x, i, j) == 0) continue;
            if (is_known) {
                int lines = 0;
                for (; x < end; x++) {
                    with_line[lines] = x;
                    lines += ends.length[x] != 0;
                }
                x = 0;
                end = lines;
            }
            for (; x < end; x++) {
                int m = is_known ? with_line[x] : x;
                uint length = (uint)ends.length[m];
                if (!length) continue;
                k->arena[at + made++] = write_line(k, a.at[n], ends.i[m] - i, ends.j[m] - j, place, length);
                place += length;
            }
        }
    }
    if (made < pairs) k->arena[at + made++] = 0;
    word lines = made_list(k, at, (int)made);
    k->used = place - at;
    return lines;
}
ALLOC2(lines, LIST, LIST)

#define SHOT 42 /* how far shoot goes */

LANE uint shoot_extent(lane *k, word start, word direction) {
    int di = SHOT * loc_i(direction), dj = SHOT * loc_j(direction);
    uint n = line_length(di, dj);
    if (n && (!coord_fits((word)loc_i(start) + di) || !coord_fits((word)loc_j(start) + dj)))
        return (uint)fail(k, LANE_LIMIT);
    return n;
}
LANE word shoot_write(lane *k, word start, word direction, uint at) {
    int di = SHOT * loc_i(direction), dj = SHOT * loc_j(direction);
    uint n = line_length(di, dj);
    return n ? write_line(k, start, di, dj, at, n) : 0;
}
ALLOC2(shoot, LOC, LOC)

/* ---- bounding boxes ---- */

/* What is made is small, however many cells are looked at. */
LANE uint corners_extent(lane *k, list p) {
    k->work += (uint)p.n;
    return p.n ? 4 : 1;
}
LANE word corners_write(lane *k, list p, uint at) {
    GLOBAL word *out = k->arena + at;
    if (p.n == 0) {
        out[0] = EMPTY_IJ;
        return made_list(k, at, 1);
    }
    bounds b = patch_box(p);
    out[0] = loc_word(b.top, b.left);
    out[1] = loc_word(b.top, b.right);
    out[2] = loc_word(b.bottom, b.left);
    out[3] = loc_word(b.bottom, b.right);
    return made_list(k, at, unique_words(out, b.top == b.bottom ? 2 : 4));
}
COUNTED_ALLOC1(corners, PATCH)

LANE uint backdrop_extent(lane *k, list p) {
    k->work += (uint)p.n;
    return p.n ? extent_of(box_area(team_box(k, p))) : 0;
}
LANE word backdrop_write(lane *k, list p, uint at) {
    if (p.n == 0) return 0;
    bounds b = team_box(k, p);
    write_box(k->arena + at, b.top, b.left, b.bottom - b.top + 1, b.right - b.left + 1);
    return made_list(k, at, (int)box_area(b));
}
TEAM_COUNTED_ALLOC1(backdrop, PATCH)

/* The locations of the box that are not marked; the loop writes before it knows, hence one word of slack. */
LANE word delta_room(list p, bounds b) { return box_area(b) - (raster_order(p) ? p.n : 1) + 1; }
LANE uint delta_extent(lane *k, list p) {
    k->work += (uint)p.n;
    if (p.n == 0) return 0;
    bounds b = team_box(k, p);
    return extent_of(delta_room(p, b) + (box_area(b) + 7) / 8);
}
#ifndef MANY_ITEMS
/* The same with a bit a location; the room of the marks is slack behind the result. */
LANE int fits_delta_bits(bounds b) { return b.right - b.left < 63 && b.bottom - b.top < BIT_ROWS && box_area(b) > 16; }
LANE void clear_place(ulong *rows, bounds b, word at) {
    rows[loc_i(at) - b.top] &= ~((ulong)1 << (loc_j(at) - b.left));
}
LANE word delta_by_bits(lane *k, list p, bounds b, uint at) {
    ulong rows[BIT_ROWS], all = ((ulong)2 << (b.right - b.left)) - 1;
    int high = b.bottom - b.top + 1, middle = p.n / 2;
    GLOBAL word *out = k->arena + at;
    for (int i = 0; i < high; i++) rows[i] = all;
    for (int n = 0; n < middle; n++) { /* neighbours are mostly of one row, and would have to wait for each other */
        clear_place(rows, b, p.at[n]);
        clear_place(rows, b, p.at[n + middle]);
    }
    if (p.n & 1) clear_place(rows, b, p.at[p.n - 1]);
    for (int i = 0; i < high; i++) out = write_bits(out, rows[i], loc_word(b.top + i, b.left));
    return made_list(k, at, (int)(out - (k->arena + at)));
}
#endif

LANE word delta_write(lane *k, list p, uint at) {
    if (p.n == 0) return 0;
    bounds b = team_box(k, p);
    int width = b.right - b.left + 1, area = (int)box_area(b);
    GLOBAL word *out = k->arena + at;
    GLOBAL uchar *mark = (GLOBAL uchar *)(out + delta_room(p, b));
    if (raster_order(p) && area == p.n) return 0;
#ifndef MANY_ITEMS
    if (fits_delta_bits(b)) return delta_by_bits(k, p, b, at);
#endif
    TEAM_FOR(n, area) mark[n] = 1;
    team_meet();
    TEAM_FOR(n, p.n) mark[(loc_i(p.at[n]) - b.top) * width + loc_j(p.at[n]) - b.left] = 0;
#ifdef ARCL_TEAM
    uint left = 0, all;
    team_meet();
    SHARE_FOR(n, area) left += mark[n];
    uint next = team_scan(k, left, &all);
    int first = MEMBER * team_share(area), i = first / width, j = first - i * width;
    SHARE_FOR(n, area) {
        if (mark[n]) out[next++] = loc_word(b.top + i, b.left + j);
        j = j + 1 < width ? j + 1 : 0;
        i += j == 0;
    }
    return made_list(k, at, (int)all);
#else
    int m = 0;
    for (int i = b.top; i <= b.bottom; i++) {
        word row = loc_word(i, b.left);
        for (int j = 0; j < width; j++) {
            out[m] = row + j;
            m += mark[j];
        }
        mark += width;
    }
    return made_list(k, at, m);
#endif
}
TEAM_COUNTED_ALLOC1(delta, PATCH)

/* A patch's box grown by `by` on all sides. One too small to shrink turns inside out: its sides cross over. */
LANE bounds grown_box(lane *k, list p, int by) {
    bounds b = team_box(k, p);
    int top = b.top - by, bottom = b.bottom + by, left = b.left - by, right = b.right + by;
    bounds grown = {top < bottom ? top : bottom, left < right ? left : right, top < bottom ? bottom : top,
                    left < right ? right : left};
    return grown;
}

LANE uint outline_extent(lane *k, list p, int by) {
    k->work += (uint)p.n;
    bounds b = grown_box(k, p, by);
    if (!coord_fits(b.top) || !coord_fits(b.left) || !coord_fits(b.bottom) || !coord_fits(b.right))
        return (uint)fail(k, LANE_LIMIT);
    uint high = (uint)(b.bottom - b.top), wide = (uint)(b.right - b.left);
    return high && wide ? 2 * (high + wide) : high + wide + 1;
}
LANE word outline_write(lane *k, list p, int by, uint at) {
    bounds b = grown_box(k, p, by);
    GLOBAL word *out = k->arena + at;
#ifdef ARCL_TEAM
    int width = b.right - b.left + 1, high = b.bottom - b.top, all = high ? 2 * width : width;
    all += high > 1 ? (high - 1) * (width > 1 ? 2 : 1) : 0;
    TEAM_FOR(m, all) {
        int between = m - width, pair = width > 1, below = m - (all - width);
        word side = loc_word(b.top + 1 + (between >> pair), between & pair ? b.right : b.left);
        out[m] = between < 0 ? loc_word(b.top, b.left + m) : below >= 0 ? loc_word(b.bottom, b.left + below) : side;
    }
    return made_list(k, at, all);
#else
    int m = 0;
    for (int j = b.left; j <= b.right; j++) out[m++] = loc_word(b.top, j);
    for (int i = b.top + 1; i < b.bottom; i++) {
        out[m++] = loc_word(i, b.left);
        if (b.left < b.right) out[m++] = loc_word(i, b.right);
    }
    if (b.top < b.bottom)
        for (int j = b.left; j <= b.right; j++) out[m++] = loc_word(b.bottom, j);
    return made_list(k, at, m);
#endif
}

LANE uint box_extent(lane *k, list p) { return p.n ? outline_extent(k, p, 0) : 0; }
LANE word box_write(lane *k, list p, uint at) { return p.n ? outline_write(k, p, 0, at) : 0; }
LANE uint inbox_extent(lane *k, list p) { return p.n ? outline_extent(k, p, -1) : (uint)fail_empty(k); }
LANE word inbox_write(lane *k, list p, uint at) { return outline_write(k, p, -1, at); }
LANE uint outbox_extent(lane *k, list p) { return p.n ? outline_extent(k, p, 1) : (uint)fail_empty(k); }
LANE word outbox_write(lane *k, list p, uint at) { return outline_write(k, p, 1, at); }
TEAM_COUNTED_ALLOC1(box, PATCH)
TEAM_COUNTED_ALLOC1(inbox, PATCH)
TEAM_COUNTED_ALLOC1(outbox, PATCH)

/* ---- mirrors ---- */

/* Equal for two cells of one colour and one row. */
LANE word row_key(word w) { return (word)((ulong)w + COORD_LIMIT) >> 24; }

LANE int row_end(list p, int from) {
    word row = row_key(p.at[from]);
    int end = from + 1;
    while (end < p.n && row_key(p.at[end]) == row) end++;
    return end;
}

LANE int colour_end(list p, int from) {
    int colour = loc_colour(p.at[from]), end = from + 1;
    if (colour == loc_colour(p.at[p.n - 1])) return p.n;
    while (loc_colour(p.at[end]) == colour) end++;
    return end;
}

LANE uint hmirror_patch_extent(lane *k, list p) { return p.n ? (uint)p.n : (uint)fail_empty(k); }
LANE word hmirror_patch_write(lane *k, list p, uint at) {
    bounds b = patch_box(p);
    GLOBAL word *out = k->arena + at;
    for (int first = 0; first < p.n;) { /* the rows of each colour from the last to the first */
        int end = colour_end(p, first);
        GLOBAL word *next = out + end;
        while (first < end) {
            int stop = row_end(p, first);
            word by = loc_word(b.top + b.bottom - 2 * loc_i(p.at[first]), 0);
            next -= stop - first;
            for (int n = first; n < stop; n++) next[n - first] = (word)((ulong)p.at[n] + (ulong)by);
            first = stop;
        }
    }
    return made_list(k, at, p.n);
}
ALLOC1(hmirror_patch, PATCH)

LANE uint vmirror_patch_extent(lane *k, list p) { return p.n ? (uint)p.n : (uint)fail_empty(k); }
LANE word vmirror_patch_write(lane *k, list p, uint at) {
    bounds b = patch_box(p);
    GLOBAL word *out = k->arena + at;
    for (int first = 0; first < p.n;) {
        int end = row_end(p, first), last = first + end - 1;
        for (int n = first; n < end; n++) out[last - n] = p.at[n] + (b.left + b.right - 2 * loc_j(p.at[n]));
        first = end;
    }
    return made_list(k, at, p.n);
}
ALLOC1(vmirror_patch, PATCH)

/* Transposes p, whose box is b, about its upper left corner, or if `counter` about the other diagonal. Columns become
 * rows, so a counting sort of each colour by columns restores the order; `room` has p.n words for that. */
LANE void write_transposed(list p, bounds b, int counter, GLOBAL word *out, GLOBAL word *room) {
    int width = b.right - b.left + 1, most_colours = loc_colour(p.at[p.n - 1]) - loc_colour(p.at[0]) + 1;
    int counting = width <= 2 * p.n && (word)width * most_colours <= 64 * (word)p.n;
    GLOBAL uint *start = (GLOBAL uint *)room;
    for (int first = 0, end; first < p.n; first = end) {
        uint next = (uint)first;
        end = counting ? colour_end(p, first) : p.n;
        for (int r = 0; counting && r < width; r++) start[r] = 0;
        for (int n = first; counting && n < end; n++)
            start[counter ? b.right - loc_j(p.at[n]) : loc_j(p.at[n]) - b.left]++;
        for (int r = 0; counting && r < width; r++) {
            uint count = start[r];
            start[r] = next;
            next += count;
        }
        for (int m = first; m < end; m++) {
            word cell = p.at[counter ? first + end - 1 - m : m];
            int i = loc_i(cell), j = loc_j(cell);
            int down = counter ? b.right - j : j - b.left, across = counter ? b.bottom - i : i - b.top;
            out[counting ? start[down]++ : (uint)m] = loc_moved(cell, b.top + down - i, b.left + across - j);
        }
    }
    if (!counting) sort_words(out, room, p.n);
}

#ifdef MANY_ITEMS /* there registers are scarcer than time */
LANE int transposes_bits(bounds b) { return 0; }
LANE void transpose_bits(list p, bounds b, int counter, GLOBAL word *out) {}
#else
/* A patch of at most eight rows and columns is transposed as bits of a word, colour by colour: read from the lowest on,
 * they are in order, whatever order they were set in. */
LANE int transposes_bits(bounds b) { return b.bottom - b.top < 8 && b.right - b.left < 8; }
LANE void transpose_bits(list p, bounds b, int counter, GLOBAL word *out) {
    int sign = counter ? -1 : 1, i_from = counter ? b.bottom : b.top, j_from = counter ? b.right : b.left;
    word corner = loc_word(b.top, b.left);
    for (int n = 0; n < p.n;) {
        int colour = loc_colour(p.at[n]);
        word base = corner + colour_word(colour);
        ulong bits = 0;
        do {
            int i = (loc_i(p.at[n]) - i_from) * sign, j = (loc_j(p.at[n]) - j_from) * sign;
            bits |= (ulong)1 << (i | j << 3);
        } while (++n < p.n && loc_colour(p.at[n]) == colour);
        for (; bits; bits &= bits - 1) {
            int bit = lowest_bit(bits);
            *out++ = base + loc_word(bit >> 3, bit & 7);
        }
    }
}
#endif

LANE word transposed(lane *k, list p, int counter, uint at) {
    bounds b = patch_box(p);
    if (!coord_fits((word)b.top + b.right - b.left) || !coord_fits((word)b.left + b.bottom - b.top))
        return fail(k, LANE_LIMIT);
    if (transposes_bits(b))
        transpose_bits(p, b, counter, k->arena + at);
    else
        write_transposed(p, b, counter, k->arena + at, k->arena + at + p.n);
    return made_list(k, at, p.n);
}

LANE uint dmirror_patch_extent(lane *k, list p) { return p.n ? 2 * (uint)p.n : (uint)fail_empty(k); }
LANE word dmirror_patch_write(lane *k, list p, uint at) { return transposed(k, p, 0, at); }
LANE uint cmirror_patch_extent(lane *k, list p) { return p.n ? 2 * (uint)p.n : (uint)fail_empty(k); }
LANE word cmirror_patch_write(lane *k, list p, uint at) { return transposed(k, p, 1, at); }
ALLOC1(dmirror_patch, PATCH)
ALLOC1(cmirror_patch, PATCH)

/* Mirrors by number: 0 hmirror, 1 dmirror, 2 vmirror, 3 cmirror. Other numbers, and none, leave the patch as it is, and
 * so does every mirror where it is empty. */
LANE int has_mirror(word patch, int number) { return ref_length(patch) && number >= 0 && number < 4; }
LANE uint mir_rot_patch_extent(lane *k, word patch, int number) {
    if (!has_mirror(patch, number)) return 0;
    return number & 1 ? extent_of(2 * (word)ref_length(patch)) : ref_length(patch);
}
LANE word mir_rot_patch_write(lane *k, word patch, int number, uint at) {
    list p = list_of(k, patch);
    if (!has_mirror(patch, number)) return patch;
    if (number & 1) return transposed(k, p, number == 3, at);
    return number ? vmirror_patch_write(k, p, at) : hmirror_patch_write(k, p, at);
}
ALLOC2(mir_rot_patch, PATCHREF, INT)

/* ---- scaling ---- */

LANE uint upscale_patch_extent(lane *k, list p, int factor) {
    if (p.n == 0) return 0;
    if (factor == NONE) return (uint)fail(k, LANE_TYPE);
    if (factor <= 0) return 0;
    bounds b = patch_box(p);
    word high = ((word)b.bottom - b.top + 1) * factor, wide = ((word)b.right - b.left + 1) * factor;
    if (!coord_fits(b.top + high - 1) || !coord_fits(b.left + wide - 1)) return (uint)fail(k, LANE_LIMIT);
    word square = (word)factor * factor; /* below 2^46, as the result fits */
    return square > (word)MOST_EXTENT ? MOST_EXTENT : extent_of(square * p.n);
}
LANE word upscale_patch_write(lane *k, list p, int factor, uint at) {
    if (p.n == 0 || factor <= 0) return 0;
    bounds b = patch_box(p);
    GLOBAL word *out = k->arena + at;
    for (int first = 0, end; first < p.n; first = end) {
        end = row_end(p, first);
        int down = (loc_i(p.at[first]) - b.top) * (factor - 1);
        for (int i = 0; i < factor; i++)
            for (int n = first; n < end; n++) {
                word cell = loc_moved(p.at[n], down + i, (loc_j(p.at[n]) - b.left) * (factor - 1));
                for (int j = 0; j < factor; j++) *out++ = cell + j;
            }
    }
    return made_list(k, at, p.n * factor * factor);
}
ALLOC2(upscale_patch, PATCH, INT)
