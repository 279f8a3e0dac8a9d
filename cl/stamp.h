/* Many copies of one patch, taken together: what mapply(lbind(shift, patch), offsets) is. No copy is made. The patch
 * becomes a few stretches of bits, at most 64 columns of a row each, and every offset sets these in a bitmap; or the
 * offsets become bits, and every cell of the patch sets those.
 */
#ifndef ARCL_STAMP_H
#define ARCL_STAMP_H
#include "team_sets.h"

#include "cells.h"
#include "unique.h"

/* A patch, where it goes, and how much that takes. */
typedef struct {
    word_range patch, copies;
    int top, left; /* the least of the offsets */
    ulong total;   /* cells of all copies, with repeats */
    ulong most;    /* of them can be different */
    ulong bitmap;  /* words; 0: sorting is better */
    ulong spread;  /* words of a bitmap of the offsets; 0: they are gone through one by one */
} stamping;

LANE ulong offset_stride(bounds by) { return (ulong)(by.right - by.left) / 64 + 1; }

#ifdef ARCL_TEAM
LANE bounds moves_of_all(lane *k, list offsets) {
    uint unfit = 0;
    TEAM_FOR(n, offsets.n) unfit |= loc_i(offsets.at[n]) == NO_COORD || loc_j(offsets.at[n]) == NO_COORD;
    return team_most(k, unfit) ? moves_of(k, offsets) : team_bounds(k, offsets);
}
/* The patch is in order, so that its ends tell the colours. */
LANE void range_of_all(lane *k, word_range *r, list patch) {
    bounds b = team_bounds(k, patch);
    range_add(r, k->imm, patch.at, 1);
    range_add(r, k->imm, patch.at + patch.n - 1, 1);
    r->top = (uint)(b.top + COORD_LIMIT);
    r->bottom = (uint)(b.bottom + COORD_LIMIT);
    r->left = (ulong)(b.left + COORD_LIMIT);
    r->right = (ulong)(b.right + COORD_LIMIT);
}
#else
#define moves_of_all(k, offsets) moves_of(k, offsets)
#define range_of_all(k, r, patch) range_add(r, (k)->imm, (patch).at, (patch).n)
#endif

LANE stamping stamping_of(lane *k, list patch, list offsets) {
    stamping s = {range_start(), range_start(), 0, 0, 0, 0, 0, 0};
    if (patch.n == 0 || offsets.n == 0) return s;
    bounds by = moves_of_all(k, offsets);
    s.top = by.top;
    s.left = by.left;
    range_of_all(k, &s.patch, patch);
    word_range p = s.patch;
    if (!coord_fits((word)p.top - COORD_LIMIT + s.top) || !coord_fits((word)p.bottom - COORD_LIMIT + by.bottom) ||
        !coord_fits((word)p.left - COORD_LIMIT + s.left) || !coord_fits((word)p.right - COORD_LIMIT + by.right))
        fail(k, LANE_LIMIT);
    if (k->status) return s;
    s.copies = p;
    s.copies.top = (uint)((int)p.top + s.top);
    s.copies.bottom = (uint)((int)p.bottom + by.bottom);
    s.copies.left = (ulong)((word)p.left + s.left);
    s.copies.right = (ulong)((word)p.right + by.right);
    s.total = (ulong)patch.n * (ulong)offsets.n;
    s.bitmap = range_words(s.copies);
    s.most = s.bitmap < s.total / 64 ? 64 * s.bitmap : s.total;
    if (s.total <= SHORT_SET || s.bitmap > s.total + BITMAP_SLACK) s.bitmap = 0;
    ulong rows = (ulong)(by.bottom - by.top + 1), spread = rows * offset_stride(by);
    int pays = (ulong)patch.n * spread < (ulong)offsets.n * (p.bottom - p.top + 1);
    s.spread = s.bitmap && pays ? spread : 0;
    return s;
}

/* The stretches of the patch: of each the word of the bitmap where its first column is in a copy that is not moved,
 * counted from the corner, and its bits. Returns how many. */
LANE int make_stretches(lane *k, list patch, stamping s, GLOBAL word *out) {
    ulong base = range_base(s.patch);
    uint rows = s.copies.bottom - s.copies.top + 1, stride = (uint)range_stride(s.copies);
    int made = 0;
    for (int n = 0; n < patch.n;) {
        ulong d = biased(k->imm, patch.at[n]) - base, high = d >> 6, bits = 0;
        for (; d >> 6 == high && n < patch.n; n++) {
            bits |= (ulong)1 << (d & 63);
            d = n + 1 < patch.n ? biased(k->imm, patch.at[n + 1]) - base : d;
        }
        uint row = (uint)(high >> 42) * rows + ((uint)(high >> 18) & FIELD);
        out[2 * made] = (word)(row * stride + ((uint)high & (FIELD >> 6)));
        out[2 * made++ + 1] = (word)bits;
    }
    return made;
}

/* Sets the bits of `some` in the bitmap, from a word and a bit of it on. */
LANE void set_bits(GLOBAL ulong *to, ulong some, uint by) {
    ulong beyond = (some >> 1) >> (63 - by);
    to[0] |= some << by;
    if (beyond) to[1] |= beyond;
}

/* Many offsets that are close together: as bits themselves, they are moved to each cell of the patch. */
LANE word stamp_by_spreading(lane *k, list patch, list offsets, stamping s, uint at) {
    GLOBAL ulong *bits = (GLOBAL ulong *)(k->arena + at + s.most);
    GLOBAL ulong *places = bits + s.bitmap;
    uint rows = s.copies.bottom - s.copies.top + 1, stride = (uint)range_stride(s.copies);
    uint high = rows - (s.patch.bottom - s.patch.top), wide = (uint)(s.spread / high);
    ulong base = range_base(s.patch);
    if (!count_work(k, (ulong)patch.n * s.spread + (ulong)offsets.n)) return 0;
    for (int n = 0; n < (int)(s.bitmap + s.spread); n++) bits[n] = 0;
    for (int n = 0; n < offsets.n; n++) {
        uint column = (uint)(loc_j(offsets.at[n]) - s.left);
        places[(uint)(loc_i(offsets.at[n]) - s.top) * wide + (column >> 6)] |= (ulong)1 << (column & 63);
    }
    for (int n = 0; n < patch.n; n++) {
        ulong d = biased(k->imm, patch.at[n]) - base;
        uint column = (uint)d & FIELD, row = (uint)(d >> 48) * rows + ((uint)(d >> 24) & FIELD);
        GLOBAL ulong *to = bits + row * stride + (column >> 6);
        for (uint i = 0; i < high; i++)
            for (uint x = 0; x < wide; x++) set_bits(to + i * stride + x, places[i * wide + x], column & 63);
    }
    return made_list(k, at, read_marks(s.copies, k->imm, bits, k->arena + at));
}

LANE word stamp_by_bitmap(lane *k, list patch, list offsets, stamping s, uint at) {
    GLOBAL ulong *bits = (GLOBAL ulong *)(k->arena + at + s.most);
    GLOBAL word *stretch = k->arena + at + s.most + s.bitmap;
    uint stride = (uint)range_stride(s.copies);
    int count = make_stretches(k, patch, s, stretch);
    if (!count_work(k, (ulong)offsets.n * (ulong)count)) return 0;
    for (int n = 0; n < (int)s.bitmap; n++) bits[n] = 0;
    for (int n = 0; n < offsets.n; n++) {
        uint column = (uint)(loc_j(offsets.at[n]) - s.left), by = column & 63;
        GLOBAL ulong *corner = bits + (uint)(loc_i(offsets.at[n]) - s.top) * stride + (column >> 6);
        for (int m = 0; m < count; m++) set_bits(corner + stretch[2 * m], (ulong)stretch[2 * m + 1], by);
    }
    return made_list(k, at, read_marks(s.copies, k->imm, bits, k->arena + at));
}

/* One after the other; in order, unless nobody needs that. */
LANE word stamp_by_sorting(lane *k, list patch, list offsets, uint at) {
    GLOBAL word *out = k->arena + at;
    int made = 0;
    for (int n = 0; n < offsets.n; n++)
        for (int m = 0; m < patch.n; m++) out[made++] = (word)((ulong)patch.at[m] + (ulong)offsets.at[n]);
    if (k->imm & STAMP_LOOSE) return made_list(k, at, made);
    sort_words(out, out + made, made);
    return made_list(k, at, unique_words(out, made));
}

LANE uint stamp_extent(lane *k, word patch, list offsets) {
    stamping s = stamping_of(k, list_of(k, patch), offsets);
    ulong scratch = s.spread ? s.spread : 2 * ref_length(patch);
    ulong room = s.bitmap ? s.most + s.bitmap + scratch : 2 * s.total;
    if (s.total == 0) return 0;
    return extent_of((word)room);
}
#ifdef ARCL_TEAM
LANE word stamp_alone(lane *k, word patch, list offsets, stamping s, uint at) {
#else
LANE word stamp_write(lane *k, word patch, list offsets, uint at) {
    stamping s = stamping_of(k, list_of(k, patch), offsets);
#endif
    if (s.total == 0) return 0;
    if (s.spread) return stamp_by_spreading(k, list_of(k, patch), offsets, s, at);
    if (s.bitmap) return stamp_by_bitmap(k, list_of(k, patch), offsets, s, at);
    return stamp_by_sorting(k, list_of(k, patch), offsets, at);
}

#ifdef ARCL_TEAM
/* How many stretches one work-item would make, which counts them. */
LANE uint stretches_of_all(lane *k, list patch, stamping s) {
    ulong base = range_base(s.patch);
    uint begins = MEMBER == 0;
    TEAM_FOR(n, patch.n - 1) {
        ulong d = biased(k->imm, patch.at[n]) - base, next = biased(k->imm, patch.at[n + 1]) - base;
        begins += d >> 6 != next >> 6;
    }
    return team_sum(k, begins);
}

/* The window that all copies are in. 0: there is none. */
LANE int window_of_copies(stamping s, set_window *w) {
    word_range c = s.copies;
    ulong colours = c.last_colour - c.colour + 1, rows = c.bottom - c.top + 1;
    set_window made = {(int)c.colour - (BARE + 1), (int)c.top - COORD_LIMIT, (int)c.left - COORD_LIMIT, 0, 0, 0};
    while (c.right - c.left >= (ulong)SET_BITS << made.wide) made.wide++;
    if (colours > SET_COLOURS || rows > SET_WORDS || (colours * rows) << made.wide > SET_WORDS) return 0;
    made.colours = (int)colours;
    made.rows = (int)rows;
    *w = made;
    return 1;
}

/* Every member has cells of copies, unless the leader takes less for moving stretches or bits. */
LANE word stamp_write(lane *k, word patch, list offsets, uint at) {
    list cells = list_of(k, patch);
    stamping s = stamping_of(k, cells, offsets);
    set_window w;
    if (s.total == 0) return 0;
    uint stretches = s.spread ? 0 : stretches_of_all(k, cells, s);
    ulong work = s.spread ? (ulong)cells.n * s.spread + (ulong)offsets.n : (ulong)offsets.n * stretches;
    if (!s.bitmap || s.total > ARCL_TEAM * work || !window_of_copies(s, &w))
        return ALONE(k, stamp_alone(k, patch, offsets, s, at));
    if (!count_work(k, work)) return 0;
    set_pass marks = set_marks(k, w);
    cell_walk walk = walk_start(cells.n);
    TEAM_FOR(n, (int)s.total) {
        word cell = (word)((ulong)cells.at[walk.j] + (ulong)offsets.at[walk.i]);
        mark_place(k, &marks, loc_colour(cell), loc_i(cell), loc_j(cell));
        walk_on(&walk);
    }
    marks.marked = desk_or(k->desk, marks.marked);
    return marked_set(k, &marks, at);
}
#endif

#endif
