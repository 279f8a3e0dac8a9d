/* What every kernel file stands on: what a lane function is given, makes and fails with, and how it becomes a kernel.
 *
 * A kernel is one or two lane functions, written in the part of OpenCL C 1.2 that is also C11. The OpenCL driver
 * compiles them into kernels over lanes; host/ compiles the very same text; both run it in the loops of cl/launch.h.
 * This header must not know where it runs beyond the few macros of cl/lane_types.h. Values are words, which cl/word.h
 * explains.
 */
#ifndef ARCL_LANE_H
#define ARCL_LANE_H
#include "team.h"
#include "type_codes.h"
#include "word.h"

/* What a lane function may use besides its arguments. `used` is how many of the words it was given are really part of
 * its result; made_list and made_grid set it. `imm` is an immediate of the launch: for most kernels that take one, the
 * type code of the elements that they compare. */
typedef struct {
    GLOBAL word *arena;
    ulong imm;
    uint used;
    int status;
    uint work;     /* that the lane function has counted; only those with a COUNTED definer do */
#ifndef MANY_ITEMS /* there registers are scarcer than time */
    ulong found;   /* what name_extent leaves for name_write of the same lane */
#endif
    DESK /* of the team that does the lane */
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

/* Where a patch is empty. If it is so because it could not be read as one, that is the reason, which counts. */
LANE word fail_empty(lane *k) {
    k->status = k->status ? k->status : LANE_EMPTY;
    return 0;
}

/* ---- work ----
 *
 * Words bound what a lane makes, and mostly what it does. Where a lane function does much more than its words tell,
 * because it only reads, or reads the same again and again, it counts what it does, in steps of about a nanosecond. A
 * call is charged its words or, if that is more, a word for every WORK_PER_WORD steps beyond FREE_WORK (cl/launch.h).
 * What is counted depends on the values alone.
 */
#define FREE_WORK 4096u      /* of each call, so that small values cost what they always did */
#define WORK_PER_WORD 64u    /* the budget of a lane should be used up within seconds */
#define MOST_WORK (1u << 28) /* of one call: beyond that it gives up, whatever the budget */

LANE int gives_up(lane *k) { return k->work > MOST_WORK; }

/* Before the work is done, or between parts of it that are not long. 0: it is too much, and the lane has failed. */
LANE int count_work(lane *k, ulong work) {
    ulong all = k->work + work;
    k->work = all > MOST_WORK ? MOST_WORK + 1 : (uint)all;
    if (gives_up(k)) fail(k, LANE_BUDGET);
    return !gives_up(k);
}

/* The immediate, where it is asked about in the midst of deep loops. */
LANE ulong fresh_imm(lane *k) {
    ulong imm = k->imm;
    NOT_SCALAR(imm);
    return imm;
}

/* ---- teams ---- */

#ifdef ARCL_TEAM
/* What the leader has got to, for all members. */
LANE word team_told(lane *k, word result) {
    if (LEADS) {
        k->desk->result = result;
        k->desk->used = k->used;
        k->desk->work = k->work;
        k->desk->status = k->status;
    }
    team_meet();
    result = k->desk->result;
    k->used = k->desk->used;
    k->work = k->desk->work;
    k->status = k->desk->status;
    team_meet();
    return result;
}
#endif

/* ---- values in the arena ---- */

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

#ifdef ARCL_TEAM
/* The same, whose cells are on their way while the leader asks for the result's memory: a member asks for a piece. */
LANE grid near_grid_of(lane *k, word w) {
    grid g = grid_of(k, w);
    uint piece = 32 * (uint)MEMBER, cells = (uint)g.h * (uint)g.w;
    if (!g.rows && piece < cells) k->near = (uchar)g.at[piece];
    return g;
}
#endif

/* Results that the lane has written at arena[at ..]. */
LANE word made_list(lane *k, uint at, int n) {
    k->used = (uint)n;
    return n ? made_ref(at, (uint)n) : 0;
}

LANE word made_grid(lane *k, uint at, int h, int w) {
    k->used = grid_words(h, w);
    return h ? made_ref(at, ((uint)h << 16) | (uint)w) : 0;
}

LANE GLOBAL cellbyte *cells_at(lane *k, uint at) { return (GLOBAL cellbyte *)(k->arena + at); }

/* ---- extents ---- */

#define MOST_EXTENT 0x7fffffffu /* no budget grants so many words */

/* The extent of a result that needs so many words, which may be more than an extent can say. So
 * is a number below zero: a product of lengths that went beyond a word. */
LANE uint extent_of(word need) { return (ulong)need < MOST_EXTENT ? (uint)need : MOST_EXTENT; }

/* The words that an h by w grid needs. Fails the lane where a side cannot be represented. */
LANE uint grid_extent(lane *k, word h, word w) {
    if (h > MAX_SIDE || w > MAX_SIDE) return (uint)fail(k, LANE_LIMIT);
    return grid_words((int)h, (int)w);
}

/* ---- ints, locations and cells ---- */

LANE word int_result(lane *k, word v) {
    if ((v > 2147483647) | (v <= NONE)) return fail(k, LANE_LIMIT);
    return v;
}

LANE word loc_result(lane *k, word i, word j) {
    if (!(coord_fits(i) & coord_fits(j))) return fail(k, LANE_LIMIT);
    return loc_word((int)i, (int)j);
}

/* A pair of ints, of which either may be none. */
LANE word pair_of_ints(lane *k, int i, int j) {
    if (coord_fits(i) && coord_fits(j)) return loc_word(i, j);
    if (i == NONE && j == NONE) return fail(k, LANE_TYPE); /* that would look like EMPTY_IJ */
    return loc_word(i == NONE ? NO_COORD : (int)loc_result(k, 0, i), j == NONE ? NO_COORD : (int)loc_result(k, 0, j));
}

/* An ij or a cell to compute with. */
LANE word loc_argument(lane *k, word w) {
    int no_row = loc_i(w) == NO_COORD, no_column = loc_j(w) == NO_COORD;
    if (no_row | no_column) return fail(k, w == EMPTY_IJ ? LANE_EMPTY : LANE_TYPE);
    return w;
}

/* Words of that type that are, or begin with, none are below this; no others are. */
LANE word none_limit(ulong type) {
    uint t = (uint)(type & 15);
    if (t == T_INT) return NONE + 1;
    return t == T_CELL || t == T_MIX ? colour_word(NO_COLOUR) + ((word)1 << 47) : colour_word(-32768);
}

/* The set, if it has not both none and ints in one place. None is neither above nor below an int, so such a set has no
 * order to go by; none comes first where there is one. What an empty list would begin with is read, and means nothing:
 * a branch would take registers that some kernels have not got. */
LANE word ordered_set(lane *k, ulong type, word set) {
    list l = list_of(k, set);
    word limit = none_limit(type);
    k->status = ((l.at[0] < limit) & (l.at[l.n - (l.n > 0)] >= limit)) ? LANE_TYPE : k->status;
    return set;
}

/* made_list of a set of values of that type. */
LANE word made_set(lane *k, ulong type, uint at, int n) { return ordered_set(k, type, made_list(k, at, n)); }

/* A patch to compute with: a set of locations in which none, or the corner of an empty patch, would come first. */
LANE word patch_argument(lane *k, word w) {
    if (ref_length(w) && loc_i(k->arena[ref_offset(w)]) == NO_COORD) return fail(k, LANE_TYPE);
    return w;
}

/* An int as the colour of a cell. */
LANE int colour_of_int(lane *k, int v) {
    if (v == NONE) return NO_COLOUR;
    if (v > 32766 || v < -32766) return (int)fail(k, LANE_LIMIT);
    return v;
}

LANE int floor_div(word a, word b) { /* b is not zero */
    word q = a / b;
    return (int)((a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q);
}

/* A rank as a position among n: 0 is the first, -1 the last. Where there is none the lane fails and the answer is 0. */
LANE int position_of(lane *k, int n, int rank) {
    word place = rank < 0 ? (word)rank + n : rank;
    if (rank == NONE) return (int)fail(k, LANE_TYPE);
    return place < 0 || place >= n ? (int)fail(k, LANE_EMPTY) : (int)place;
}

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

#ifdef ARCL_TEAM
LANE bounds team_bounds(lane *k, list p) {
    int4 edges = (int4)((int2)(0x7fffffff), (int2)(-0x7fffffff - 1));
    TEAM_FOR(n, p.n) {
        int2 at = (int2)(loc_i(p.at[n]), loc_j(p.at[n]));
        edges = (int4)(min(edges.lo, at), max(edges.hi, at));
    }
    edges = desk_edges(k->desk, edges);
    bounds b = {edges.x, edges.y, edges.z, edges.w};
    return b;
}
#else
#define team_bounds(k, p) patch_bounds(p)
#endif

/* ---- definers: one line per kernel, after its functions ----
 *
 * ATOMn(name, A, B, ..): `word name(lane *k, a, b, ..)` makes the whole result.
 * ALLOCn(name, A, B, ..): `uint name_extent(lane *k, a, b, ..)` says how many words of the arena the lane may need for
 * result and scratch (an upper bound), `word name_write(lane *k, a, b, .., uint at)` gets them at arena[at], writes the
 * result at their beginning and returns its reference. Either function may fail the lane.
 * COUNTED_ATOMn, COUNTED_ALLOCn: the same for functions that count their work; COUNTED_MAKERn for those that have words
 * wherever they have work.
 * TEAM_ATOMn, TEAM_ALLOCn, ..: the same for functions that a team can share out (cl/team.h), whose kernels have the
 * trait TEAM in lib/ops/kernels.def. The others have no such shape.
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
#ifdef ARCL_TEAM
#define FROM_GRID(k, w) near_grid_of(k, w)
#else
#define FROM_GRID(k, w) grid_of(k, w)
#endif

#include "atoms.h"
#endif
