/* The cells of a grid in the order of their colours, found by a team. Cells are looked at in strips of as many as the
 * team has members. For each strip and colour there is a bit set of the members whose cells have that colour, and,
 * behind all of these, how many cells come before the strip's when they are sorted; so each member knows where its cell
 * goes without waiting for another. Only of grids whose colours are 0 to 15, which all but a few are.
 */
#ifndef ARCL_TEAM_COLOURS_H
#define ARCL_TEAM_COLOURS_H
#include "colour_counts.h"

#ifdef ARCL_TEAM

#define TEAM_HALVES (ARCL_TEAM / 32) /* uints of a set of members */

typedef struct {
    local uint *members; /* per strip and colour: a set */
    local uint *before;  /* per colour and strip: how many cells come before; one more behind the last */
    int cells, strips;
} colour_order;

/* Uints that an order of so many cells takes. */
#define ORDER_ROOM(cells) (((cells) / ARCL_TEAM + 1) * FEW_COLOURS * (TEAM_HALVES + 1) + 1)

LANE uint members_below(local const uint *set, uint member) {
    uint below = 0;
    for (uint h = 0; h < TEAM_HALVES; h++) {
        uint bits = h == member / 32 ? (1u << (member % 32)) - 1 : h < member / 32 ? ~0u : 0;
        below += popcount(set[h] & bits);
    }
    return below;
}
LANE uint members_of(local const uint *set) {
    uint all = 0;
    for (uint h = 0; h < TEAM_HALVES; h++) all += popcount(set[h]);
    return all;
}
LANE void add_member(local uint *set) { atomic_or(&set[(uint)MEMBER / 32], 1u << ((uint)MEMBER % 32)); }

/* p / by, exact where by is no more than a few thousand and p less than that squared, or so: see few_parts. */
LANE int part_of(int p, int by) { return (int)(((float)p + 0.5f) / (float)by); }

/* Finds the order. 0: the grid has other colours. */
LANE int order_by_colour(lane *k, grid g, local uint *room, colour_order *order) {
    int cells = g.h * g.w, strips = (cells + ARCL_TEAM - 1) / ARCL_TEAM, sets = strips * FEW_COLOURS;
    uint others = 0, all;
    order->cells = cells;
    order->strips = strips;
    order->members = room;
    order->before = room + sets * TEAM_HALVES;
    TEAM_FOR(s, sets * TEAM_HALVES) room[s] = 0;
    team_meet();
    for (int p = MEMBER, s = 0; p < cells; p += ARCL_TEAM, s++) {
        uint c = (uchar)g.at[p];
        if (c < FEW_COLOURS)
            add_member(room + (s * FEW_COLOURS + (int)c) * TEAM_HALVES);
        else
            others = 1;
    }
    if (team_most(k, others)) return 0;
    /* each member sums up some neighbours: colour after colour, strip after strip */
    int share = (sets + ARCL_TEAM - 1) / ARCL_TEAM, first = MEMBER * share, last = first + share;
    uint sum = 0;
    last = last < sets ? last : sets;
    for (int e = first; e < last; e++) {
        int colour = part_of(e, strips), strip = e - colour * strips;
        uint own = members_of(room + (strip * FEW_COLOURS + colour) * TEAM_HALVES);
        order->before[e] = own;
        sum += own;
    }
    uint start = team_scan(k, sum, &all);
    for (int e = first; e < last; e++) {
        uint own = order->before[e];
        order->before[e] = start;
        start += own;
    }
    if (LEADS) order->before[sets] = all;
    team_meet();
    return 1;
}

/* How many cells come before those of a colour. */
LANE uint colour_start(const colour_order *o, int colour) { return o->before[colour * o->strips]; }
LANE uint colour_size(const colour_order *o, int colour) {
    return colour_start(o, colour + 1) - colour_start(o, colour);
}

/* The most frequent colour; ties go to the smallest. */
LANE int most_frequent(lane *k, const colour_order *o) {
    uint behind = FEW_COLOURS - 1 - (uint)MEMBER;
    uint most = team_most(k, MEMBER < FEW_COLOURS ? colour_size(o, MEMBER) * FEW_COLOURS + behind : 0);
    return FEW_COLOURS - 1 - (int)(most % FEW_COLOURS);
}

/* The place in the order of this member's cell of a strip. */
LANE uint place_of(const colour_order *o, int strip, int colour) {
    return o->before[colour * o->strips + strip] +
           members_below(o->members + (strip * FEW_COLOURS + colour) * TEAM_HALVES, (uint)MEMBER);
}

#endif
#endif
