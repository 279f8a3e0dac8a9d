/* Sets made by a team, in local memory: what there is to sort is marked, all at once, in a bit set of a few colours,
 * rows and columns, and read back in order. Every word is taken for a cell: words have the order of their colours, rows
 * and columns, whatever they mean (cl/word.h), and an int is in row 0 as long as it is not very large.
 *
 * What is made of grids mostly lies in 32 rows and 32 columns, of which the first are just outside, and has a colour
 * from 0 to 9. So that is tried first; what does not fit is measured, and marked in a window of its own. What does not
 * fit then is none for a team.
 *
 * A family includes this before all else, since it says how much room teams have.
 */
#ifndef ARCL_TEAM_SETS_H
#define ARCL_TEAM_SETS_H
#define SET_BITS 32
#define SET_COLOURS 10
#define SET_WORDS (SET_COLOURS * SET_BITS)
#define ROOM_IN_ANY_CASE SET_WORDS
#include "lists.h"

#ifdef ARCL_TEAM

/* Which words are marked: how many colours and rows from which on, and in how many uints of columns, 1 << wide. */
typedef struct {
    int colour, top, left;
    int colours, rows, wide;
} set_window;

#define UNFIT 0x80000000u /* beside the colours that were marked: some words are not in the window */

/* What comes of going through words: each is marked in the window, or measured. */
typedef struct {
    set_window window;
    uint marked; /* a bit for each colour, from the window's first on */
    int measures;
    int4 edges;          /* top, left, bottom, right */
    int least, greatest; /* colours */
} set_pass;

LANE set_window usual_window(ulong type) {
    set_window w = {0, -1, -1, (type & 15) == T_CELL ? SET_COLOURS : 1, SET_BITS, 0};
    return w;
}

/* Begins marking. */
LANE set_pass set_marks(lane *k, set_window w) {
    set_pass p = {w, 0, 0, (int4)((int2)(INT_MAX), (int2)(INT_MIN)), INT_MAX, INT_MIN};
    TEAM_FOR(n, w.colours * w.rows << w.wide) k->desk->room[n] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    return p;
}

LANE void mark_place(lane *k, set_pass *p, int colour, int i, int j) {
    set_window w = p->window;
    uint c = (uint)(colour - w.colour), row = (uint)(i - w.top), column = (uint)(j - w.left);
    int fits = c < (uint)w.colours && row < (uint)w.rows && column >> w.wide < SET_BITS;
    if (fits)
        atomic_or(&k->desk->room[((c * (uint)w.rows + row) << w.wide) + column / SET_BITS], 1u << column % SET_BITS);
    p->marked |= fits ? 1u << c : UNFIT;
}

LANE void pass_word(lane *k, set_pass *p, word w) {
    int colour = loc_colour(w);
    int2 at = (int2)(loc_i(w), loc_j(w));
    if (p->measures) {
        p->edges = (int4)(min(p->edges.lo, at), max(p->edges.hi, at));
        p->least = min(p->least, colour);
        p->greatest = max(p->greatest, colour);
    } else
        mark_place(k, p, colour, at.x, at.y);
}

/* All words of lists, and of two more. */
typedef struct {
    list lists, a, b;
} set_source;

LANE void pass_list(lane *k, set_pass *p, list l) { TEAM_FOR(n, l.n) pass_word(k, p, l.at[n]); }

LANE void pass_source(lane *k, set_pass *p, set_source s) {
    for (int first = 0; first < s.lists.n; first += ARCL_TEAM) {
        int words = flat_open(k, s.lists, first), is_one = flat_is_one(k, s.lists, first);
        GLOBAL const word *from = k->arena + as_uint(k->desk->edges[0].y);
        TEAM_FOR(n, words) pass_word(k, p, is_one ? from[n] : flat_word(k, n));
        flat_close();
    }
    pass_list(k, p, s.a);
    pass_list(k, p, s.b);
}

/* Whether all have fitted. Then all know which colours there are. */
LANE int all_marked(lane *k, set_pass *p) {
    p->marked = desk_or(k->desk, p->marked);
    return !(p->marked & UNFIT);
}

/* What is marked, in order, in k->arena[at ..]: a strip of rows at a time. */
LANE word marked_set(lane *k, const set_pass *p, uint at) {
    set_window w = p->window;
    int words = w.rows << w.wide;
    uint made = 0, all;
    for (uint left = p->marked; left; left &= left - 1) {
        int c = popcount((left & (0 - left)) - 1);
        for (int first = 0; first < words; first += ARCL_TEAM) {
            int x = first + MEMBER;
            uint bits = x < words ? k->desk->room[c * words + x] : 0;
            GLOBAL word *next = k->arena + at + made + team_scan(k, popcount(bits), &all);
            word place = colour_word(w.colour + c) +
                         loc_word(w.top + (x >> w.wide), w.left + SET_BITS * (x & ((1 << w.wide) - 1)));
            for (; bits; bits &= bits - 1) *next++ = place + popcount((bits & (0 - bits)) - 1);
            made += all;
        }
    }
    return made_list(k, at, (int)made);
}

/* Makes the window the one around all that was measured; 0 if that does not fit. */
LANE int window_fits(lane *k, set_pass *p) {
    int4 edges = desk_edges(k->desk, p->edges);
    int4 colours = desk_edges(k->desk, (int4)(p->least, 0, p->greatest, 0));
    word rows = (word)edges.z - edges.x + 1, all = (word)colours.z - colours.x + 1;
    int wide = 0;
    while ((word)edges.w - edges.y >= (word)SET_BITS << wide) wide++;
    if (all > SET_COLOURS || rows > SET_WORDS || (rows * all) << wide > SET_WORDS) return 0;
    set_window w = {colours.x, edges.x, edges.y, (int)all, (int)rows, wide};
    p->window = w;
    return 1;
}

/* The set of the words of a source, in k->arena[at ..]. 0: it is none for a team. */
LANE int team_set(lane *k, ulong type, set_source s, uint at, word *result) {
    set_pass p = set_marks(k, usual_window(type));
    int is_usual = 1;
    for (;;) {
        pass_source(k, &p, s);
        if (p.measures) {
            if (!window_fits(k, &p)) return 0;
            p = set_marks(k, p.window);
        } else if (all_marked(k, &p))
            break;
        else {
            p.measures = 1;
            is_usual = 0;
        }
    }
    *result = marked_set(k, &p, at);
    if (!is_usual) { /* else there is no none in it */
        team_meet();
        *result = ordered_set(k, type, *result);
    }
    return 1;
}

#endif
#endif
