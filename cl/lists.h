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

#ifdef ARCL_TEAM
/* What lists have among them, gone through by all members of a team as if it were one list: as many lists at a time as
 * there are members. Of each the desk has where it begins among all, and its place. */
LANE int flat_open(lane *k, list lists, int first) {
    int own = first + MEMBER;
    word l = own < lists.n ? lists.at[own] : 0;
    uint all, before = team_scan(k, ref_length(l), &all);
    k->desk->edges[MEMBER].lo = as_int2((uint2)(before, ref_offset(l)));
    barrier(CLK_LOCAL_MEM_FENCE);
    return (int)all;
}
LANE word flat_word(lane *k, int x) {
    int m = 0;
    for (int leap = ARCL_TEAM / 2; leap; leap /= 2) m += k->desk->edges[m + leap].x <= x ? leap : 0;
    uint2 at = as_uint2(k->desk->edges[m].lo);
    return k->arena[at.y + (uint)x - at.x];
}
/* Whether all that is open lies in one piece, which begins where the first list does: as lists do that were made one
 * after the other. */
LANE int flat_is_one(lane *k, list lists, int first) {
    int own = first + MEMBER;
    uint2 at = as_uint2(k->desk->edges[MEMBER].lo);
    uint apart = own < lists.n && ref_length(lists.at[own]) && at.y - at.x != as_uint2(k->desk->edges[0].lo).y;
    return !team_most(k, apart);
}
/* After which the next lists may be opened. */
LANE void flat_close(void) { barrier(CLK_LOCAL_MEM_FENCE); }

LANE uint team_total_length(lane *k, list lists) {
    ulong total = 0;
    TEAM_FOR(n, lists.n) total += ref_length(lists.at[n]);
    return extent_of((word)desk_total(k->desk, total));
}
#else
#define team_total_length(k, lists) total_length(lists)
#endif

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
