/* objects() by a team, in local memory. Cells are united with their neighbours, all at once; then the cells are gone
 * through in the order of their colours, a strip of as many as the team has members at a time: what rank a cell has in
 * its object, and which object comes next, is counted as they come. That is the order of the result, whatever the
 * conditions: objects are sorted by their first cells, and a cell is first in its object if none of it came before.
 */
#ifndef ARCL_TEAM_OBJECTS_H
#define ARCL_TEAM_OBJECTS_H
#include "rows_colour.h"
#include "team_colours.h"

#ifdef ARCL_TEAM

/* Of each cell, but for `set`: by the number of a root. Where one thing is no longer needed, another has its place. */
typedef struct {
    local uint *parent; /* then, of a root: the number of its object */
    local uint *size;   /* of a root: cells of its object so far */
    local uint *set;    /* TEAM_HALVES for each: members whose cells are of that object; then sizes of objects */
    local ushort *rank, *root;
    local ushort *sorted; /* cells by colour */
    local uchar *colour;
} object_room;

LANE object_room object_room_at(local uint *room) {
    object_room r;
    r.parent = room;
    r.size = r.parent + ARCL_TEAM_CELLS;
    r.set = r.size + ARCL_TEAM_CELLS;
    r.rank = (local ushort *)(r.set + TEAM_HALVES * ARCL_TEAM_CELLS);
    r.root = r.rank + ARCL_TEAM_CELLS;
    r.sorted = r.root + ARCL_TEAM_CELLS;
    r.colour = (local uchar *)(r.sorted + ARCL_TEAM_CELLS);
    return r;
}

/* While cells are being united, and afterwards. */
LANE uint changing_root(local uint *parent, uint p) {
    for (uint q; (q = atomic_or(&parent[p], 0)) != p; p = q)
        ;
    return p;
}
LANE uint final_root(local const uint *parent, uint p) {
    while (parent[p] != p) p = parent[p];
    return p;
}

/* Roots are the first cells of what is united, whoever comes first: a root that somebody else has put elsewhere is
 * followed. */
LANE void unite_shared(local uint *parent, uint a, uint b) {
    for (;;) {
        a = changing_root(parent, a);
        b = changing_root(parent, b);
        if (a == b) return;
        uint above = a < b ? a : b, below = a < b ? b : a;
        uint old = atomic_min(&parent[below], above);
        if (old == below) return;
        a = old;
        b = above;
    }
}

typedef struct {
    int univalued, diagonal, background; /* background: -1 where there is none */
} conditions;

LANE int joins(object_room r, conditions c, int p, int q) {
    return r.colour[q] != c.background && (!c.univalued || r.colour[q] == r.colour[p]);
}

/* Which of several neighbours make a difference is as in label_runs. */
LANE void unite_neighbours(object_room r, conditions c, int p, int i, int j, int w) {
    int left = j > 0 && joins(r, c, p, p - 1), right = j + 1 < w && joins(r, c, p, p + 1);
    int above = i > 0 && joins(r, c, p, p - w);
    if (above && !(left && joins(r, c, p, p - w - 1))) unite_shared(r.parent, (uint)p, (uint)(p - w));
    if (!c.diagonal || i == 0 || above) return;
    if (j > 0 && !left && joins(r, c, p, p - w - 1)) unite_shared(r.parent, (uint)p, (uint)(p - w - 1));
    if (j + 1 < w && !right && joins(r, c, p, p - w + 1)) unite_shared(r.parent, (uint)p, (uint)(p - w + 1));
}

/* Gives every cell its rank and every root the number of its object; returns how many objects there are. */
LANE uint rank_cells(lane *k, object_room r, int live) {
    uint objects = 0;
    local uint *first = k->desk->sums[0]; /* two sets by turns: members whose cells are the first of objects */
    if (MEMBER < 2 * TEAM_HALVES) first[MEMBER] = 0;
    team_meet();
    for (int from = 0, turn = 0; from < live; from += ARCL_TEAM, turn = TEAM_HALVES - turn) {
        int is_there = from + MEMBER < live, p = is_there ? r.sorted[from + MEMBER] : 0;
        uint root = r.root[p], before = 0, all = 0;
        if (is_there) add_member(r.set + TEAM_HALVES * root);
        team_meet();
        if (is_there) {
            before = members_below(r.set + TEAM_HALVES * root, (uint)MEMBER);
            all = members_of(r.set + TEAM_HALVES * root);
            r.rank[p] = (ushort)(r.size[root] + before);
            if (r.rank[p] == 0) add_member(first + turn);
        }
        team_meet();
        if (is_there && r.rank[p] == 0) r.parent[root] = objects + members_below(first + turn, (uint)MEMBER);
        if (is_there && before == 0) {
            r.size[root] += all;
            for (int h = 0; h < TEAM_HALVES; h++) r.set[TEAM_HALVES * root + (uint)h] = 0;
        }
        objects += members_of(first + turn);
        if (MEMBER < TEAM_HALVES) first[TEAM_HALVES - turn + MEMBER] = 0;
        team_meet();
    }
    return objects;
}

/* The references to the objects; where each begins replaces its size. */
LANE void write_references(lane *k, object_room r, uint objects, uint at) {
    uint share = (objects + ARCL_TEAM - 1) / ARCL_TEAM, x = (uint)MEMBER * share, last = x + share, sum = 0, all;
    last = last < objects ? last : objects;
    for (uint y = x; y < last; y++) sum += r.set[y];
    uint begin = team_scan(k, sum, &all);
    for (; x < last; x++) {
        uint size = r.set[x];
        k->arena[at + x] = made_ref(at + objects + begin, size);
        r.set[x] = begin;
        begin += size;
    }
    team_meet();
}

/* ---- one object a colour ---- */

/* All cells by colour, but for those of the background; -1: there is none. */
LANE word ordered_partition(lane *k, grid g, const colour_order *order, int background, uint at) {
    uint behind = background < 0 ? 0 : colour_size(order, background), objects = 0, before = 0;
    int cells = g.h * g.w;
    for (int c = 0; c < FEW_COLOURS; c++) {
        uint is_there = c != background && colour_size(order, c) > 0;
        before += c < MEMBER ? is_there : 0;
        objects += is_there;
    }
    if (MEMBER < FEW_COLOURS && MEMBER != background && colour_size(order, MEMBER) > 0) {
        uint place = colour_start(order, MEMBER) - (MEMBER > background ? behind : 0);
        k->arena[at + before] = made_ref(at + objects + place, colour_size(order, MEMBER));
    }
    cell_walk walk = walk_start(g.w);
    for (int p = MEMBER, s = 0; p < cells; p += ARCL_TEAM, s++) {
        int colour = g.at[p];
        uint place = at + objects + place_of(order, s, colour) - (colour > background ? behind : 0);
        if (colour != background) k->arena[place] = colour_word(colour) + loc_word(walk.i, walk.j);
        walk_on(&walk);
    }
    k->used = objects + (uint)cells - behind;
    return objects ? made_ref(at, objects) : 0;
}

/* ---- what is none for a team ---- */

#define NUMBERED 0x80000000u /* in place of a root's parent: the number of its object */

LANE uint numbered_root(GLOBAL const uint *parent, uint p) {
    while (!(parent[p] & NUMBERED) && parent[p] != p) p = parent[p];
    return p;
}

/* All cells of objects in order, dealt out to the objects, as objects_rows does it, of any grid: what cl/object.cl does
 * with bytes would take so many registers that few teams fit on a multiprocessor. Two words a cell are the result's,
 * and two are needed besides. */
LANE word leader_objects(lane *k, grid g, int univalued, int diagonal, int without_bg, uint at) {
    uint most = (uint)g.h * (uint)g.w, objects = 0;
    int background = NONE, n = 0, last = (int)total_cells(g) - 1;
    GLOBAL word *out = k->arena + at, *cells = out + 2 * most;
    GLOBAL uint *parent = (GLOBAL uint *)(cells + most), *next = parent + most;
    if (most == 0) return 0;
    if (without_bg) background = extreme_colour(k, g, 1, at);
    if (without_bg && !g.rows && !k->imm && out[0] == NONE && out[last] != NONE) return fail(k, LANE_TYPE);
    join_cells(k, g, univalued, diagonal, background, parent);
    for (uint p = 0; p < most; p++) {
        int i = (int)(p / (uint)g.w), j = (int)(p % (uint)g.w), c = cell_at(k, g, i, j);
        if (c != background) cells[n++] = colour_word(colour_of_int(k, c)) + loc_word(i, j);
    }
    sort_words(cells, out, n);
    for (int m = 0; m < n; m++) {
        uint root = numbered_root(parent, (uint)loc_i(cells[m]) * (uint)g.w + (uint)loc_j(cells[m]));
        if (!(parent[root] & NUMBERED)) {
            parent[root] = NUMBERED | objects;
            next[objects++] = 0;
        }
        next[parent[root] & ~NUMBERED]++;
    }
    uint place = at + objects;
    for (uint o = 0; o < objects; o++) {
        uint size = next[o];
        out[o] = made_ref(place, size);
        next[o] = place;
        place += size;
    }
    for (int m = 0; m < n; m++) {
        uint root = numbered_root(parent, (uint)loc_i(cells[m]) * (uint)g.w + (uint)loc_j(cells[m]));
        k->arena[next[parent[root] & ~NUMBERED]++] = cells[m];
    }
    k->used = objects + (uint)n;
    return objects ? made_ref(at, objects) : 0;
}

/* ---- together ---- */

LANE word team_objects(lane *k, grid g, int univalued, int diagonal, int without_bg, uint at) {
    object_room r = object_room_at(k->desk->room);
    colour_order order;
    int cells = g.h * g.w;
    if (g.rows || cells == 0 || cells > ARCL_TEAM_CELLS || !order_by_colour(k, g, r.parent, &order))
        return ALONE(k, leader_objects(k, g, univalued, diagonal, without_bg, at));
    conditions c = {univalued, diagonal, without_bg ? most_frequent(k, &order) : -1};
    uint behind = without_bg ? colour_size(&order, c.background) : 0;
    for (int p = MEMBER, s = 0; p < cells; p += ARCL_TEAM, s++) {
        int colour = g.at[p];
        r.colour[p] = (uchar)colour;
        if (colour == c.background) continue;
        r.sorted[place_of(&order, s, colour) - (colour > c.background ? behind : 0)] = (ushort)p;
    }
    team_meet(); /* and nobody needs the order any more */
    TEAM_FOR(p, cells) {
        int j = p - part_of(p, g.w) * g.w;
        r.parent[p] = (uint)(j > 0 && r.colour[p] != c.background && joins(r, c, p, p - 1) ? p - 1 : p);
        r.size[p] = 0;
        for (int h = 0; h < TEAM_HALVES; h++) r.set[TEAM_HALVES * p + h] = 0;
    }
    team_meet();
    TEAM_FOR(p, cells) {
        int i = part_of(p, g.w);
        if (r.colour[p] != c.background) unite_neighbours(r, c, p, i, p - i * g.w, g.w);
    }
    team_meet();
    TEAM_FOR(p, cells) r.root[p] = (ushort)final_root(r.parent, (uint)p);
    team_meet();
    int live = cells - (int)behind;
    uint objects = rank_cells(k, r, live);
    TEAM_FOR(p, cells) if (r.root[p] == p && r.colour[p] != c.background) r.set[r.parent[p]] = r.size[p];
    team_meet();
    write_references(k, r, objects, at);
    TEAM_FOR(p, cells) {
        if (r.colour[p] == c.background) continue;
        int i = part_of(p, g.w);
        uint place = at + objects + r.set[r.parent[r.root[p]]] + r.rank[p];
        k->arena[place] = colour_word(r.colour[p]) + loc_word(i, p - i * g.w);
    }
    k->used = objects + (uint)live;
    return objects ? made_ref(at, objects) : 0;
}

#endif
#endif
