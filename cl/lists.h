/* Lists of lists, and lists of offsets, as they are gone through by what takes them together.
 */
#ifndef ARCL_LISTS_H
#define ARCL_LISTS_H
#include "lane.h"

LANE uint total_length(list lists) {
    ulong total = 0;
    for (int n = 0; n < lists.n; n++) total += ref_length(lists.at[n]);
    return extent_of((word)total);
}
/* The words of list n and of those behind it that lie right behind each other, as lists do that were made one after the
 * other; n becomes the first list that does not. Most are short, so that much of the time would go into going on. */
LANE list joined_lists(lane *k, list lists, int *n) {
    list joined = list_of(k, lists.at[(*n)++]);
    for (; *n < lists.n; (*n)++) {
        word next = lists.at[*n];
        if (ref_length(next) && joined.n && k->arena + ref_offset(next) != joined.at + joined.n) break;
        if (!joined.n)
            joined = list_of(k, next);
        else
            joined.n += (int)ref_length(next);
    }
    return joined;
}

/* How far offsets go, of which there are some. Those that are none fail the lane. */
LANE bounds moves_of(lane *k, list offsets) {
    bounds b = {COORD_LIMIT, COORD_LIMIT, -COORD_LIMIT, -COORD_LIMIT};
    for (int n = 0; n < offsets.n; n++) {
        word by = loc_argument(k, offsets.at[n]);
        int i = loc_i(by), j = loc_j(by);
        b.top = i < b.top ? i : b.top;
        b.bottom = i > b.bottom ? i : b.bottom;
        b.left = j < b.left ? j : b.left;
        b.right = j > b.right ? j : b.right;
    }
    return b;
}

#endif
