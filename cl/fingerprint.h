/* A number of 64 bits for any value, the same wherever the value lies: equal values of one type have equal
 * fingerprints, and others practically never have. docs/scoring.md defines it; what is kept of earlier runs depends on
 * it, so it must not change without need.
 *
 * A fingerprint is a fold over 64-bit words: the type code, then the value. A value without parts is its word. A
 * container is its length and its elements; a record the number of its fields and these; a grid | h:16 | w:16 | and its
 * cells, eight to a word, the first in the lowest byte, zeros behind the last. A grid of rows (cl/rows.h) has RAGGED
 * for its width, and its rows follow as tuples of ints.
 */
#ifndef ARCL_FINGERPRINT_H
#define ARCL_FINGERPRINT_H
#include "copy.h"

#define FINGERPRINT_FACTOR 0xd6e8feb86659fd93ul

/* Takes the next word in. A bijection of h for every w, and of w for every h, in which every bit reaches every
 * other. */
LANE ulong fingerprint_fold(ulong h, ulong w) {
    h ^= w;
    h = (h ^ h >> 32) * FINGERPRINT_FACTOR;
    h = (h ^ h >> 32) * FINGERPRINT_FACTOR;
    return h ^ h >> 32;
}

/* Cells behind the last one of a grid are whatever they are, and are left out. */
LANE ulong fingerprint_cells(ulong h, GLOBAL const word *at, uint cells) {
    for (uint i = 0; i < cells / 8; i++) h = fingerprint_fold(h, (ulong)at[i]);
    uint rest = cells % 8;
    return rest ? fingerprint_fold(h, (ulong)at[cells / 8] & (((ulong)1 << 8 * rest) - 1)) : h;
}

/* Takes in a value without those of its parts that have parts themselves, and goes on with these. */
LANE ulong fingerprint_own(copy_stack *s, GLOBAL const word *arena, ulong type, word w, ulong h) {
    if (!has_parts(type)) return fingerprint_fold(h, (ulong)w);
    uint words, length = ref_length(w);
    type = storage_form(type, w, &words);
    uint head = (uint)(type & 15);
    h = fingerprint_fold(h, head == T_RECORD ? words : length);
    if (head == T_GRID) return fingerprint_cells(h, arena + ref_offset(w), (length >> 16) * (length & 0xffff));
    uint before = (uint)s->depth;
    copy_enter(s, type, w, 0, words);
    if ((uint)s->depth == before)
        for (uint i = 0; i < words; i++) h = fingerprint_fold(h, (ulong)arena[ref_offset(w) + i]);
    return h;
}

LANE ulong fingerprint_value(GLOBAL const word *arena, ulong type, word w, ulong h) {
    copy_stack s;
    s.depth = 0;
    h = fingerprint_own(&s, arena, type, w, fingerprint_fold(h, type));
    while (copy_step(&s, arena, &w, &type)) h = fingerprint_own(&s, arena, type, w, h);
    return h;
}

#endif
