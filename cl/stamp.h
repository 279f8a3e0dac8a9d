/* Many copies of one patch, taken together: what mapply(lbind(shift, patch), offsets) is. No copy is made. The patch
 * becomes a few stretches of bits, at most 64 columns of a row each, and every offset sets these in a bitmap.
 */
#ifndef ARCL_STAMP_H
#define ARCL_STAMP_H
#include "lists.h"
#include "unique.h"

/* A patch, where it goes, and how much that takes. */
typedef struct {
    word_range patch, copies;
    int top, left; /* the least of the offsets */
    ulong total;   /* cells of all copies, with repeats */
    ulong most;    /* of them can be different */
    ulong bitmap;  /* words; 0: sorting is better */
} stamping;

LANE stamping stamping_of(lane *k, list patch, list offsets) {
    stamping s = {range_start(), range_start(), 0, 0, 0, 0, 0};
    if (patch.n == 0 || offsets.n == 0) return s;
    bounds by = moves_of(k, offsets);
    s.top = by.top;
    s.left = by.left;
    range_add(&s.patch, k->imm, patch.at, patch.n);
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
        for (int m = 0; m < count; m++) {
            ulong some = (ulong)stretch[2 * m + 1], beyond = (some >> 1) >> (63 - by);
            GLOBAL ulong *to = corner + stretch[2 * m];
            to[0] |= some << by;
            if (beyond) to[1] |= beyond;
        }
    }
    return made_list(k, at, read_marks(s.copies, k->imm, bits, k->arena + at));
}

LANE word stamp_by_sorting(lane *k, list patch, list offsets, uint at) {
    GLOBAL word *out = k->arena + at;
    int made = 0;
    for (int n = 0; n < offsets.n; n++)
        for (int m = 0; m < patch.n; m++) out[made++] = (word)((ulong)patch.at[m] + (ulong)offsets.at[n]);
    sort_words(out, out + made, made);
    return made_list(k, at, unique_words(out, made));
}

LANE uint stamp_extent(lane *k, word patch, list offsets) {
    stamping s = stamping_of(k, list_of(k, patch), offsets);
    ulong room = s.bitmap ? s.most + s.bitmap + 2 * ref_length(patch) : 2 * s.total;
    if (s.total == 0) return 0;
    return extent_of((word)room);
}
LANE word stamp_write(lane *k, word patch, list offsets, uint at) {
    stamping s = stamping_of(k, list_of(k, patch), offsets);
    if (s.total == 0) return 0;
    if (s.bitmap) return stamp_by_bitmap(k, list_of(k, patch), offsets, s, at);
    return stamp_by_sorting(k, list_of(k, patch), offsets, at);
}

#endif
