/* How many elements of one container are in a set, or are not: what size makes of intersection and difference, without
 * making these. A patch that is moved about before it is looked up is not moved: as rows of bits it is laid upon those
 * of the set. Where registers are scarce, elements are looked up one after the other.
 */
#ifndef ARCL_MEMBERS_H
#define ARCL_MEMBERS_H
#include "sort.h"
#include "window.h"

/* Whether sorted words have one among them. */
LANE int is_in_order_among(list c, word value) {
    int lo = 0, hi = c.n, found = 0;
    while (hi - lo > 8) {
        int mid = (lo + hi) / 2, above = c.at[mid] > value;
        lo = above ? lo : mid;
        hi = above ? mid : hi;
    }
    while (lo < hi && !found) found = c.at[lo++] == value;
    return found;
}

/* The elements of a that are in the set when they are moved. */
LANE int count_found(lane *k, list a, word by, word set, window *seen) {
    list b = list_of(k, set);
    int found = 0;
    k->work += (uint)a.n;
    if (window_shows(seen, a, set, b)) {
        for (int n = 0; n < a.n; n++) found += window_has(seen, (word)((ulong)a.at[n] + (ulong)by));
        return found;
    }
    for (int n = 0; n < a.n && b.n; n++) found += is_in_order_among(b, (word)((ulong)a.at[n] + (ulong)by));
    return found;
}

/* The immediate is 1 where those are counted that are in the set. */
LANE word count_wanted(lane *k, int all, int found) { return k->imm ? found : all - found; }

LANE word count_members(lane *k, list a, word set, window *seen) {
    return count_wanted(k, a.n, count_found(k, a, 0, set, seen));
}

#ifdef MANY_ITEMS
typedef struct {
    word patch;
} shape;
LANE void shape_open(shape *s) { s->patch = 0; }
LANE int shape_shows(shape *s, word patch, list p) { return 0; }
LANE int shape_stays_near(const shape *s, word by) { return 0; }
LANE int shape_upon(const window *w, const shape *s, word by) { return 0; }
#else

/* A patch of one colour, as the rows of its box. */
typedef struct {
    word patch;        /* that was asked for last */
    int rows;          /* 0: it does not fit */
    word corner, last; /* the first and the last location of the box, in that colour */
    ulong row[WINDOW_SIDE];
} shape;

LANE void shape_open(shape *s) {
    s->patch = 0;
    s->rows = 0;
}

LANE int shape_fill(shape *s, list p) {
    bounds b = patch_bounds(p);
    word colour = colour_word(loc_colour(p.at[0]));
    int cells = 0;
    if (b.bottom - b.top >= WINDOW_SIDE || b.right - b.left >= WINDOW_SIDE) return 0;
    s->corner = colour + loc_word(b.top, b.left);
    s->last = colour + loc_word(b.bottom, b.right);
    for (int i = 0; i <= b.bottom - b.top; i++) s->row[i] = 0;
    for (int n = 0; n < p.n; n++) {
        ulong d = (ulong)p.at[n] - (ulong)s->corner, bit = (ulong)1 << (d & 63);
        if (d & WINDOW_MASK) return 0; /* of another colour */
        cells += (s->row[d >> 24] & bit) == 0;
        s->row[d >> 24] |= bit;
    }
    return cells == p.n ? b.bottom - b.top + 1 : 0;
}

/* Whether the shape shows a patch, which it does if it fits. */
LANE int shape_shows(shape *s, word patch, list p) {
    if (s->patch != patch) {
        s->patch = patch;
        s->rows = p.n ? shape_fill(s, p) : 0;
    }
    return s->rows;
}

/* Whether nothing of it leaves the range of locations when it is moved. */
LANE int shape_stays_near(const shape *s, word by) {
    return (((ulong)by + NEAR) & (FAR_BITS | (ulong)0xffff << 48)) == 0 &&
           ((((ulong)s->corner + NEAR) | ((ulong)s->last + NEAR)) & FAR_BITS) == 0;
}

/* How many of its cells are in the window when it is moved. */
LANE int shape_upon(const window *w, const shape *s, word by) {
    word from = (word)((ulong)s->corner + (ulong)by - w->corner);
    int i = loc_i(from), j = loc_j(from), found = 0;
    if (loc_colour(from) || j <= -WINDOW_SIDE || j >= WINDOW_SIDE) return 0;
    int first = i < 0 ? -i : 0, end = s->rows < WINDOW_SIDE - i ? s->rows : WINDOW_SIDE - i;
    for (int r = first; r < end; r++) {
        ulong there = w->row[i + r];
        found += (int)bits_set(s->row[r] & (j < 0 ? there << -j : there >> j));
    }
    return found;
}
#endif

/* The same for a patch that is moved, and fails as moving it would. */
LANE word count_moved(lane *k, word patch, word by, word set, window *seen, shape *form) {
    list p = list_of(k, patch), b = list_of(k, set);
    if (p.n == 0) return 0;
    loc_argument(k, by);
    if (k->status) return 0;
    if (shape_shows(form, patch, p) && shape_stays_near(form, by) && window_shows(seen, p, set, b)) {
        k->work += (uint)p.n;
        return count_wanted(k, p.n, shape_upon(seen, form, by));
    }
    bounds box = patch_bounds(p);
    int di = loc_i(by), dj = loc_j(by);
    if (!coord_fits((word)box.top + di) || !coord_fits((word)box.bottom + di) || !coord_fits((word)box.left + dj) ||
        !coord_fits((word)box.right + dj))
        return fail(k, LANE_LIMIT);
    return count_wanted(k, p.n, count_found(k, p, by, set, seen));
}

#endif
