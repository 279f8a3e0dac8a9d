/* Which of a set's locations are there, a bit each, in a window of 64 rows and 64 columns: to look one up is a matter
 * of a few instructions, and a set that many lanes look into is looked at once. Sets of cells have one if they are of
 * one colour. Where registers are scarce there is none.
 */
#ifndef ARCL_WINDOW_H
#define ARCL_WINDOW_H
#include "lane.h"

#ifdef MANY_ITEMS
typedef struct {
    word set;
} window;
LANE void window_open(window *w) { w->set = 0; }
LANE int window_has(const window *w, word value) { return 0; }
LANE int window_shows(window *w, list a, word set, list b) { return 0; }
#else

#define WINDOW_SIDE 64
#define WINDOW_LEFT 16 /* columns left of 0 */
#define FEW_LOOKED_UP 8
#define WINDOW_MASK (~(((ulong)(WINDOW_SIDE - 1) << 24) | (WINDOW_SIDE - 1)))

enum window_view { VIEW_NOT_ASKED, VIEW_TOO_SMALL, VIEW_OPEN };

typedef struct {
    word set; /* that was asked for last */
    enum window_view view;
    ulong corner;
    ulong row[WINDOW_SIDE];
} window;

LANE void window_open(window *w) {
    w->set = 0;
    w->view = VIEW_TOO_SMALL;
}

LANE ulong window_place(const window *w, word value) { return (ulong)value - w->corner; }

LANE int window_has(const window *w, word value) {
    ulong d = window_place(w, value), inside = (d & WINDOW_MASK) == 0;
    return (int)(w->row[d >> 24 & (WINDOW_SIDE - 1)] >> (d & 63) & inside);
}

/* Not 0 if the location does not fit. */
LANE ulong window_mark(window *w, word value) {
    ulong d = window_place(w, value);
    w->row[d >> 24 & (WINDOW_SIDE - 1)] |= (ulong)1 << (d & 63);
    return d & WINDOW_MASK;
}

/* 0 if the set does not fit. */
LANE int window_fill(window *w, list set) {
    ulong outside = 0;
    w->corner = (ulong)set.at[0] - (ulong)loc_j(set.at[0]) - WINDOW_LEFT;
    outside = window_place(w, set.at[set.n - 1]) & WINDOW_MASK;
    if (outside) return 0;
    for (int i = 0; i < WINDOW_SIDE; i++) w->row[i] = 0;
    /* Neighbours in a set are mostly of one row, whose bits would have to wait for each other: so the four quarters of
     * the set take turns. */
    int quarter = set.n / 4, n = 0;
    for (; n < quarter; n++) {
        outside |= window_mark(w, set.at[n]) | window_mark(w, set.at[n + quarter]);
        outside |= window_mark(w, set.at[n + 2 * quarter]) | window_mark(w, set.at[n + 3 * quarter]);
    }
    for (n = 4 * quarter; n < set.n; n++) outside |= window_mark(w, set.at[n]);
    return !outside;
}

/* Whether the window shows a set, which is worth its while if many elements are looked up or other lanes have asked for
 * the same set. */
LANE int window_shows(window *w, list looked_up, word set, list b) {
    if (w->set != set) {
        w->set = set;
        w->view = VIEW_NOT_ASKED;
        if (b.n == 0 || looked_up.n < FEW_LOOKED_UP || b.n > 2 * looked_up.n) return 0;
    }
    if (w->view == VIEW_NOT_ASKED) w->view = b.n && window_fill(w, b) ? VIEW_OPEN : VIEW_TOO_SMALL;
    return w->view == VIEW_OPEN;
}
#endif

#endif
