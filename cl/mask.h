/* Patches as masks: a set of locations that all lie in the 32 rows and 32 columns from the origin on may be a bit for
 * each of these places instead of a word for each location (cl/word.h). Masks are united, cut and drawn a row at a
 * time, however many locations they have. A column has them only where all who read it know of them, which
 * lib/rewrite/mask_columns.c sees to; in such a column, lanes that do not fit are lists, as their words tell.
 */
#ifndef ARCL_MASK_H
#define ARCL_MASK_H
#include "lane.h"

LANE int fits_mask(grid g) { return !g.rows && g.h <= MASK_SIDE && g.w <= MASK_SIDE; }

/* The rows that a mask has, of which there is an even number. */
typedef struct {
    GLOBAL const uint *row;
    int n;
} mask;

LANE mask mask_of(lane *k, word patch) {
    mask m = {(GLOBAL const uint *)(k->arena + ref_offset(patch)), 2 * (int)mask_words(ref_length(patch))};
    return m;
}

/* What the lane has written at arena[at ..]; an empty patch is empty in one way only. */
LANE word made_mask(lane *k, uint at, uint words, uint cells) {
    k->used = cells ? words : 0;
    return cells ? made_ref(at, IS_MASK | words << 16 | cells) : 0;
}

/* ---- lists of masks ---- */

/* The locations of a mask in order, each with `add` added to it, to k->arena[at ..]. */
LANE word listed_rows(lane *k, mask m, word add, uint at) {
    GLOBAL word *next = k->arena + at;
    for (int i = 0; i < m.n; i++) {
        word place = add + loc_word(i, 0);
        for (uint left = m.row[i]; left; left &= left - 1) *next++ = place + lowest_bit(left);
    }
    return made_list(k, at, (int)(next - (k->arena + at)));
}

/* A patch as a list, which is written to k->arena[at ..] if it is a mask; and the words that takes. */
LANE uint listing_words(word patch) { return is_mask(patch) ? patch_length(patch) : 0; }
LANE word listed(lane *k, word patch, uint at) {
    return is_mask(patch) ? listed_rows(k, mask_of(k, patch), 0, at) : patch;
}

/* The same one after the other, of which the caller knows how many there are. */
typedef struct {
    GLOBAL const uint *row;
    int i;
    uint left; /* of row i */
} mask_walk;

LANE mask_walk mask_walk_start(GLOBAL const word *storage, word patch) {
    mask_walk m = {(GLOBAL const uint *)(storage + ref_offset(patch)), 0, 0};
    m.left = m.row[0];
    return m;
}
LANE word mask_walk_next(mask_walk *m) {
    while (!m->left) m->left = m->row[++m->i];
    word place = loc_word(m->i, lowest_bit(m->left));
    m->left &= m->left - 1;
    return place;
}

/* ---- masks of lists ---- */

/* The words of the mask of a set, which is put to `row`; 0 if one of the locations does not fit, or there is none. */
LANE uint mark_rows(GLOBAL uint *row, list p) {
    word inside = loc_word(MASK_SIDE - 1, MASK_SIDE - 1), outside = 0;
    if (!p.n || (p.at[p.n - 1] & ~inside)) return 0;
    uint words = (uint)(p.at[p.n - 1] >> 25) + 1;
    for (uint i = 0; i < 2 * words; i++) row[i] = 0;
    for (int n = 0; n < p.n; n++) {
        word v = p.at[n];
        outside |= v & ~inside;
        row[(v >> 24) & (MASK_SIDE - 1)] |= 1u << (v & (MASK_SIDE - 1));
    }
    return outside ? 0 : words;
}

/* A patch as a mask, which is written to k->arena[at ..] if it is a list; of no rows if it is empty or does not fit. */
LANE mask mask_of_patch(lane *k, word patch, uint at) {
    mask m = {(GLOBAL const uint *)(k->arena + at), 0};
    if (is_mask(patch)) return mask_of(k, patch);
    m.n = 2 * (int)mark_rows((GLOBAL uint *)(k->arena + at), list_of(k, patch));
    return m;
}

#endif
