/* Words in order: sets of locations, cells and ints. What may have many words with many repeats is better served by
 * cl/unique.h, which is made of this.
 */
#ifndef ARCL_SORT_H
#define ARCL_SORT_H
#include "lane.h"

/* Bottom-up merge sort of at[0..n), with room for n words at tmp. Words that are in order already cost one comparison
 * each, which is the common case. */
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

#endif
