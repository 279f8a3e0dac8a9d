/* A few small ints, such as the colours of a row, counted in one word: ten fields of six bits, one for each colour.
 * Counts in memory would have to wait for each other, and what compares has branches that nobody can foresee.
 */
#ifndef ARCL_COLOUR_ROW_H
#define ARCL_COLOUR_ROW_H
#include "lane.h"

#define ROW_COLOURS 10
#define LONGEST_COLOUR_ROW 63 /* so that no field overflows */
#define COLOUR_FIELDS 0x0041041041041041ul
#define COLOUR_SHIFT(v) (6 * ((uint)(v)&15))

LANE uint field_of(ulong fields, uint shift) { return (uint)(fields >> shift) & 63; }

/* 0 if there are too many, or none, or some is no colour. */
LANE ulong counted_row(list c) {
    ulong sum = 0, others = 0;
    if (c.n > LONGEST_COLOUR_ROW) return 0;
    for (int n = 0; n < c.n; n++) {
        ulong v = (ulong)c.at[n];
        others |= v | (ROW_COLOURS - 1 - v); /* of which one has its highest bit */
        sum += (ulong)1 << (COLOUR_SHIFT(v) & 63);
    }
    return others >> 63 ? 0 : sum;
}

/* The colour that there is most, or least, of; the smallest of several. */
LANE word common_colour(ulong counts, int most) {
    uint best = most ? 0 : 64;
    word result = 0;
    for (int v = 0; v < ROW_COLOURS; v++) {
        uint count = field_of(counts, COLOUR_SHIFT(v));
        int wins = most ? count > best : (count < best) & (count != 0);
        best = wins ? count : best;
        result = wins ? v : result;
    }
    return result;
}

/* Elements in the order of their keys, which have been counted: each goes where those of its colour begin. */
LANE void order_by_colour(GLOBAL word *restrict out, list c, list keys, ulong counts) {
    ulong next = (counts * COLOUR_FIELDS) << 6;
    for (int n = 0; n < c.n; n++) {
        uint shift = COLOUR_SHIFT(keys.at[n]);
        out[field_of(next, shift)] = c.at[n];
        next += (ulong)1 << shift;
    }
}

#endif
