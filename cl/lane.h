/* What every kernel file stands on: the word, the references, and the lane functions' calling convention.
 *
 * A kernel is one or two lane functions, written in the part of OpenCL C 1.2 that is also C11. The OpenCL driver compiles
 * them into kernels over lanes; host/ compiles the very same text; both run it in the loops of cl/launch.h. This header
 * must not know where it runs beyond the few macros below.
 *
 * Every value of a lane is one 64-bit word, and an all-zero word is the default of every type:
 *
 *   int, bool   the number itself, sign extended                            none is NONE
 *   ij          i * 2^24 + j                                                |i|, |j| < 2^23; NO_COORD is none, EMPTY_IJ stands for ()
 *   cell        colour * 2^48 + i * 2^24 + j                                |colour| < 2^15 - 1, no colour is NO_COLOUR
 *   set, tuple  | offset:32 | length:32 |   -> arena[offset .. offset+length), one word per element; sets sorted, unique
 *   record      | offset:32 | fields:32 |   -> arena[offset ..], one word per field
 *   grid        | offset:32 | h:16 | w:16 | -> h*w signed bytes from arena[offset], row by row; none is NO_CELL
 *               | offset:32 | h:16 | RAGGED | -> arena[offset .. offset+h), a tuple of ints per row; if and only if rows
 *               differ in length or a cell is no byte, so that equal grids look the same
 *
 * Offsets count words from the start of one arena, so a value is the same bits on every device, containers share storage
 * freely, and comparing two ij or two cell words as integers is comparing them in natural order. Adding the word of an
 * offset (i, j) to an ij or to a cell translates it.
 */
#ifndef ARCL_LANE_H
#define ARCL_LANE_H

#include "lane_types.h"

/* A lane's failure; 0 is success. The order is that of lib/base/status.def. */
enum lane_status { LANE_OK, LANE_TYPE, LANE_EMPTY, LANE_BOUNDS, LANE_DIVIDE, LANE_SHAPE, LANE_LIMIT, LANE_BUDGET };

#define NONE (-2147483647 - 1) /* the int that index() yields outside the grid */
#define NO_COLOUR (-32767)     /* the colour of a cell that has none */
#define NO_CELL (-128)         /* none, in a grid */
#define COORD_LIMIT (1 << 23)
#define NO_COORD (-COORD_LIMIT) /* none, in an ij: no op computes with it */
/* The corner of an empty patch: an ij that is the empty tuple. It sorts before all others. */
#define EMPTY_IJ (-((word)COORD_LIMIT << 24) - COORD_LIMIT)
#define RAGGED 0xffff /* the width of a grid that is a tuple of tuples of ints */
#define MAX_SIDE 65534

/* What a lane function may use besides its arguments. `used` is how many of the words it was given are really part of
 * its result; made_list and made_grid set it. `imm` is an immediate of the launch: for most kernels that take one, the
 * type code of the elements that they compare. */
typedef struct {
    GLOBAL word *arena;
    ulong imm;
    uint used;
    int status;
} lane;

typedef struct {
    GLOBAL const word *at;
    int n;
} list;

/* Where the grid has rows, w is the length of the first, which is what the language calls its width; cl/rows.h has what
 * goes by each row's own length, and reads the cells. */
typedef struct {
    GLOBAL const cellbyte *at;
    GLOBAL const word *rows; /* null where the cells are bytes */
    int h, w;
} grid;

typedef struct {
    int top, left, bottom, right; /* inclusive */
} bounds;

LANE word fail(lane *k, int status) {
    k->status = status;
    return 0;
}

LANE word made_ref(uint offset, uint low) { return (word)(((ulong)offset << 32) | low); }
LANE uint ref_offset(word w) { return (uint)((ulong)w >> 32); }
LANE uint ref_length(word w) { return (uint)(ulong)w; }

LANE list list_of(lane *k, word w) {
    list l;
    l.at = k->arena + ref_offset(w);
    l.n = (int)ref_length(w);
    return l;
}

LANE grid grid_of(lane *k, word w) {
    grid g;
    g.at = (GLOBAL const cellbyte *)(k->arena + ref_offset(w));
    g.rows = 0;
    g.h = (int)(ref_length(w) >> 16);
    g.w = (int)(ref_length(w) & 0xffff);
    if (g.w == RAGGED) {
        g.rows = k->arena + ref_offset(w);
        g.w = (int)ref_length(g.rows[0]);
    }
    return g;
}

/* Results that the lane has written at arena[at ..]. */
LANE word made_list(lane *k, uint at, int n) {
    k->used = (uint)n;
    return n ? made_ref(at, (uint)n) : 0;
}

LANE uint grid_words(int h, int w) { return ((uint)h * (uint)w + 7u) / 8u; }

LANE word made_grid(lane *k, uint at, int h, int w) {
    k->used = grid_words(h, w);
    return h ? made_ref(at, ((uint)h << 16) | (uint)w) : 0;
}

#define MOST_EXTENT 0x7fffffffu /* no budget grants so many words */

/* The extent of a result that needs so many words, which may be more than an extent can say. So
 * is a number below zero: a product of lengths that went beyond a word. */
LANE uint extent_of(word need) { return (ulong)need < MOST_EXTENT ? (uint)need : MOST_EXTENT; }

/* The words that an h by w grid needs. Fails the lane where a side cannot be represented. */
LANE uint grid_extent(lane *k, word h, word w) {
    if (h > MAX_SIDE || w > MAX_SIDE) return (uint)fail(k, LANE_LIMIT);
    return grid_words((int)h, (int)w);
}

LANE GLOBAL cellbyte *cells_at(lane *k, uint at) { return (GLOBAL cellbyte *)(k->arena + at); }

/* ---- ints ---- */

LANE word int_result(lane *k, word v) {
    if (v > 2147483647 || v <= NONE) return fail(k, LANE_LIMIT);
    return v;
}

/* ---- locations and cells ---- */

LANE word sign_extend24(word v) { return (word)((ulong)v << 40) >> 40; }
LANE int loc_j(word w) { return (int)sign_extend24(w); }
LANE int loc_i(word w) { return (int)sign_extend24((w + COORD_LIMIT) >> 24); }
LANE int loc_colour(word w) { return (int)((((w + COORD_LIMIT) >> 24) + COORD_LIMIT) >> 24); }

/* The word of offset (i, j) without a check; also what to add to a location to move it by (i, j). */
LANE word loc_word(int i, int j) { return (word)i * (1 << 24) + j; }
LANE word colour_word(int colour) { return (word)colour * ((word)1 << 48); }
LANE int coord_fits(word v) { return v < COORD_LIMIT && v > -COORD_LIMIT; }

LANE word loc_result(lane *k, word i, word j) {
    if (!coord_fits(i) || !coord_fits(j)) return fail(k, LANE_LIMIT);
    return loc_word((int)i, (int)j);
}

/* A pair of ints, of which each may be none. */
LANE word pair_of_ints(lane *k, int i, int j) {
    return loc_word(i == NONE ? NO_COORD : (int)loc_result(k, 0, i), j == NONE ? NO_COORD : (int)loc_result(k, 0, j));
}
LANE int int_of_coord(int v) { return v == NO_COORD ? NONE : v; }

/* An ij or a cell to compute with. */
LANE word loc_argument(lane *k, word w) {
    if (loc_i(w) == NO_COORD || loc_j(w) == NO_COORD) return fail(k, w == EMPTY_IJ ? LANE_EMPTY : LANE_TYPE);
    return w;
}

/* A patch to compute with: a set of locations in which none, or the corner of an empty patch, would come first. */
LANE word patch_argument(lane *k, word w) {
    if (ref_length(w) && loc_i(k->arena[ref_offset(w)]) == NO_COORD) return fail(k, LANE_TYPE);
    return w;
}

/* Of a patch that mixes locations and cells, a location is no cell to paint, wherever it lies. The colour that says so
 * is at the rim of its range, where a negative coordinate makes the word wrap around: hence no loc_colour here. */
LANE int is_coloured_cell(word cell) {
    ulong rounded = (ulong)cell + ((ulong)COORD_LIMIT << 24) + COORD_LIMIT;
    return (rounded >> 48) != ((ulong)NO_COLOUR & 0xffff);
}

/* An int as the colour of a cell. */
LANE int colour_of_int(lane *k, int v) {
    if (v == NONE) return NO_COLOUR;
    if (v > 32766 || v < -32766) return (int)fail(k, LANE_LIMIT);
    return v;
}

/* An int as a grid's byte, if it fits. */
LANE int fits_byte(int v) { return v == NONE || (v >= -127 && v <= 127); }
LANE int byte_of_int(int v) { return v == NONE ? NO_CELL : v; }

LANE int int_of_byte(int b) { return b == NO_CELL ? NONE : b; }
LANE int int_of_colour(int c) { return c == NO_COLOUR ? NONE : c; }
LANE int colour_of_byte(int b) { return b == NO_CELL ? NO_COLOUR : b; }

/* ---- patches ---- */

/* The bounding box; call only with n > 0. */
LANE bounds patch_bounds(list p) {
    bounds b;
    b.top = b.bottom = loc_i(p.at[0]);
    b.left = b.right = loc_j(p.at[0]);
    for (int n = 1; n < p.n; n++) {
        int i = loc_i(p.at[n]), j = loc_j(p.at[n]);
        b.top = i < b.top ? i : b.top;
        b.bottom = i > b.bottom ? i : b.bottom;
        b.left = j < b.left ? j : b.left;
        b.right = j > b.right ? j : b.right;
    }
    return b;
}

LANE int floor_div(word a, word b) { /* b is not zero */
    word q = a / b;
    return (int)((a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q);
}

/* ---- sorting words in place: sets of locations, cells and ints ---- */

/* Bottom-up merge sort of at[0..n), with room for n words at tmp. Runs that are in order already cost one comparison per
 * element, which is the common case. */
LANE void sort_words(GLOBAL word *at, GLOBAL word *tmp, int n) {
    int sorted = 1;
    for (int i = 1; i < n; i++)
        if (at[i - 1] > at[i]) {
            sorted = 0;
            break;
        }
    if (sorted) return;
    for (int i = 0; i < n; i += 8) { /* insertion sort of short runs */
        int end = i + 8 < n ? i + 8 : n;
        for (int a = i + 1; a < end; a++) {
            word v = at[a];
            int b = a;
            while (b > i && at[b - 1] > v) {
                at[b] = at[b - 1];
                b--;
            }
            at[b] = v;
        }
    }
    GLOBAL word *from = at;
    GLOBAL word *to = tmp;
    for (int width = 8; width < n; width *= 2) {
        for (int lo = 0; lo < n; lo += 2 * width) {
            int mid = lo + width < n ? lo + width : n;
            int hi = mid + width < n ? mid + width : n;
            int a = lo, b = mid;
            for (int o = lo; o < hi; o++) to[o] = (a < mid && (b >= hi || from[a] <= from[b])) ? from[a++] : from[b++];
        }
        GLOBAL word *swap = from;
        from = to;
        to = swap;
    }
    if (from != at)
        for (int i = 0; i < n; i++) at[i] = from[i];
}

/* Drops repeats from sorted words; returns how many are left. */
LANE int unique_words(GLOBAL word *at, int n) {
    int m = 0;
    for (int i = 0; i < n; i++)
        if (m == 0 || at[m - 1] != at[i]) at[m++] = at[i];
    return m;
}

/* ---- locations of a patch ---- */

/* Whether all of a non-empty patch has one colour: then it is sorted by location and no location occurs twice. */
LANE int one_colour(list p) { return loc_colour(p.at[0]) == loc_colour(p.at[p.n - 1]); }

/* Writes the distinct locations of a patch to out[0..p.n), in order and without colours; returns how many there are.
 * A patch of several colours needs room for p.n words at tmp. */
LANE int patch_locations(list p, GLOBAL word *out, GLOBAL word *tmp) {
    if (p.n == 0) return 0;
    if (one_colour(p)) {
        ulong colour = (ulong)colour_word(loc_colour(p.at[0]));
        for (int n = 0; n < p.n; n++) out[n] = (word)((ulong)p.at[n] - colour);
        return p.n;
    }
    for (int n = 0; n < p.n; n++) out[n] = (word)((ulong)p.at[n] - (ulong)colour_word(loc_colour(p.at[n])));
    sort_words(out, tmp, p.n);
    return unique_words(out, p.n);
}

/* ---- colours of a grid ---- */

/* The most frequent byte of a grid with cells; ties go to the smallest. `count` has room for 128 words. */
LANE int grid_mostcommon(grid g, GLOBAL uint *count) {
    int cells = g.h * g.w, best = NO_CELL;
    uint most = 0;
    for (int c = 0; c < 256; c++) count[c] = 0;
    for (int n = 0; n < cells; n++) count[g.at[n] + 128]++;
    for (int c = 0; c < 256; c++)
        if (count[c] > most) {
            most = count[c];
            best = c - 128;
        }
    return best;
}
#define COLOUR_COUNTS 128 /* words of scratch that grid_mostcommon needs */

/* ---- cells by colour ---- */

/* The colours of a grid lie in low..high, as bytes. */
typedef struct {
    int low, high;
} colours;

/* How many of n bytes are c. Blocks of less than 256 keep the count in a byte, so that it is done 16 at a time. */
LANE uint count_byte(GLOBAL const cellbyte *at, int n, cellbyte c) {
    uint total = 0;
    for (int from = 0; from < n; from += 240) {
        int to = n - from < 240 ? n : from + 240;
        uchar some = 0;
        for (int x = from; x < to; x++) some = (uchar)(some + (at[x] == c));
        total += some;
    }
    return total;
}

/* Sets count[c + 128] for low <= c <= high, of a grid with cells; leaves the other counts alone. */
LANE colours grid_counts(grid g, GLOBAL uint *count) {
    int cells = g.h * g.w;
    cellbyte low = g.at[0], high = g.at[0];
    for (int n = 0; n < cells; n++) {
        low = g.at[n] < low ? g.at[n] : low;
        high = g.at[n] > high ? g.at[n] : high;
    }
    colours c = {low, high};
    if (c.high - c.low < 16) {
        for (int v = c.low; v <= c.high; v++) count[v + 128] = count_byte(g.at, cells, (cellbyte)v);
        return c;
    }
    for (int v = c.low; v <= c.high; v++) count[v + 128] = 0;
    for (int n = 0; n < cells; n++) count[g.at[n] + 128]++;
    return c;
}

/* Turns counts into where each colour starts when the cells are sorted. */
LANE void counts_to_starts(colours c, GLOBAL uint *count) {
    uint start = 0;
    for (int v = c.low + 128; v <= c.high + 128; v++) {
        uint n = count[v];
        count[v] = start;
        start += n;
    }
}

/* Writes the cells of a grid in order, given where each colour starts; a run of one colour at a time. */
LANE void cells_by_colour(grid g, GLOBAL uint *start, GLOBAL word *out) {
    GLOBAL const cellbyte *row = g.at;
    for (int i = 0; i < g.h; i++) {
        for (int j = 0; j < g.w;) {
            cellbyte c = row[j];
            uint o = start[c + 128];
            word cell = colour_word(colour_of_byte(c)) + loc_word(i, 0);
            do out[o++] = cell + j;
            while (++j < g.w && row[j] == c);
            start[c + 128] = o;
        }
        row += g.w;
    }
}

/* ---- definers: one line per kernel, after its functions ----
 *
 * ATOMn(name, A, B, ..): `word name(lane *k, a, b, ..)` makes the whole result.
 * ALLOCn(name, A, B, ..): `uint name_extent(lane *k, a, b, ..)` says how many words of the arena the lane may need for
 * result and scratch (an upper bound), `word name_write(lane *k, a, b, .., uint at)` gets them at arena[at], writes the
 * result at their beginning and returns its reference. Either function may fail the lane.
 * A, B, .. say how an argument arrives: INT (int, bool) as int, LOC (ij, cell) and ANY as word, LIST (a container or a
 * patch) as list, PATCH (locations to compute with) as list and PATCHREF as word, GRID as grid, which may have rows.
 */
#define TYPE_INT int
#define TYPE_LOC word
#define TYPE_ANY word
#define TYPE_LIST list
#define TYPE_GRID grid
#define FROM_INT(k, w) ((int)(w))
#define FROM_LOC(k, w) loc_argument(k, w)
#define FROM_ANY(k, w) (w)
#define FROM_LIST(k, w) list_of(k, w)
#define TYPE_PATCH list
#define FROM_PATCH(k, w) list_of(k, patch_argument(k, w))
#define TYPE_PATCHREF word
#define FROM_PATCHREF(k, w) patch_argument(k, w)
#define FROM_GRID(k, w) grid_of(k, w)

#include "launch.h"
#endif
