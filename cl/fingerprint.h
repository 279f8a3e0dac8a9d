/* A number of 64 bits for any value, the same wherever the value lies: equal values of one type have equal
 * fingerprints, and others practically never have. docs/scoring.md defines it; what is kept of earlier runs depends on
 * it, so it must not change without need.
 *
 * A fingerprint is a fold over 64-bit words: the type code, then the value. A value without parts is its word. A
 * container is its length and its elements; a record the number of its fields and these; a grid | h:16 | w:16 | and its
 * cells, eight to a word, the first in the lowest byte, zeros behind the last. A grid of rows (cl/rows.h) has RAGGED
 * for its width, and its rows follow as tuples of ints.
 *
 * Words that follow each other in memory, such as cells, are a run. A fold waits for the product of the one before, so
 * that a long run is folded in chains, which a processor works on at the same time.
 */
#ifndef ARCL_FINGERPRINT_H
#define ARCL_FINGERPRINT_H
#include "copy.h"
#include "mask.h"

#define FINGERPRINT_FACTOR 0xd6e8feb86659fd93ul

/* Takes the next word in. A bijection of h for every w, and of w for every h, in which every bit reaches every
 * other. */
LANE ulong fingerprint_fold(ulong h, ulong w) {
    h ^= w;
    h = (h ^ h >> 32) * FINGERPRINT_FACTOR;
    h = (h ^ h >> 32) * FINGERPRINT_FACTOR;
    return h ^ h >> 32;
}

#define LONG_RUN 8 /* words */

LANE ulong fingerprint_run(ulong h, GLOBAL const word *at, uint words) {
    uint i = 0;
    if (words >= LONG_RUN) {
        ulong a = h, b = h + 1, c = h + 2, d = h + 3;
        for (; i < words / 4 * 4; i += 4) {
            a = fingerprint_fold(a, (ulong)at[i]);
            b = fingerprint_fold(b, (ulong)at[i + 1]);
            c = fingerprint_fold(c, (ulong)at[i + 2]);
            d = fingerprint_fold(d, (ulong)at[i + 3]);
        }
        h = fingerprint_fold(fingerprint_fold(fingerprint_fold(a, b), c), d);
    }
    for (; i < words; i++) h = fingerprint_fold(h, (ulong)at[i]);
    return h;
}

/* The locations of a mask as the list that they could be, and their number. */
RARE ulong fingerprint_mask(ulong h, GLOBAL const word *arena, word patch) {
    mask_walk m = mask_walk_start(arena, patch);
    uint cells = patch_length(patch), i = 0;
    h = fingerprint_fold(h, cells);
    if (cells >= LONG_RUN) {
        ulong a = h, b = h + 1, c = h + 2, d = h + 3;
        for (; i < cells / 4 * 4; i += 4) {
            a = fingerprint_fold(a, (ulong)mask_walk_next(&m));
            b = fingerprint_fold(b, (ulong)mask_walk_next(&m));
            c = fingerprint_fold(c, (ulong)mask_walk_next(&m));
            d = fingerprint_fold(d, (ulong)mask_walk_next(&m));
        }
        h = fingerprint_fold(fingerprint_fold(fingerprint_fold(a, b), c), d);
    }
    for (; i < cells; i++) h = fingerprint_fold(h, (ulong)mask_walk_next(&m));
    return h;
}

/* Cells behind the last one of a grid are whatever they are, and are left out. */
LANE ulong fingerprint_cells(ulong h, GLOBAL const word *at, uint cells) {
    uint rest = cells % 8;
    h = fingerprint_run(h, at, cells / 8);
    return rest ? fingerprint_fold(h, (ulong)at[cells / 8] & (((ulong)1 << 8 * rest) - 1)) : h;
}

/* Takes in a value without those of its parts that have parts themselves, and goes on with these. */
LANE ulong fingerprint_own(copy_stack *s, GLOBAL const word *arena, ulong type, word w, ulong h) {
    if (!has_parts(type)) return fingerprint_fold(h, (ulong)w);
    uint words, length = ref_length(w);
    type = storage_form(type, w, &words);
    uint head = (uint)(type & 15);
    if (head == T_SET && is_mask(w)) return fingerprint_mask(h, arena, w);
    h = fingerprint_fold(h, head == T_RECORD ? words : length);
    if (head == T_GRID) return fingerprint_cells(h, arena + ref_offset(w), (length >> 16) * (length & 0xffff));
    uint before = (uint)s->depth;
    copy_enter(s, type, w, 0, words);
    return (uint)s->depth == before ? fingerprint_run(h, arena + ref_offset(w), words) : h;
}

LANE ulong fingerprint_value(GLOBAL const word *arena, ulong type, word w, ulong h) {
    copy_stack s;
    s.depth = 0;
    h = fingerprint_own(&s, arena, type, w, fingerprint_fold(h, type));
    while (copy_step(&s, arena, &w, &type)) h = fingerprint_own(&s, arena, type, w, h);
    return h;
}

#endif
