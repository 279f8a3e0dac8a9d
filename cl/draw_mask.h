/* Cells filled where a mask has bits, sixteen or eight at a time: the last block of a row overlaps the one before it,
 * so that nothing is written outside the row.
 */
#ifndef ARCL_DRAW_MASK_H
#define ARCL_DRAW_MASK_H
#include "cells.h"
#include "mask.h"

#define ANY_CELL 1000 /* what no byte is: cells are filled whatever they are */

/* All ones in byte n where bit n is set, of the lowest 8. */
LANE ulong spread8(uint bits) {
    ulong own = (bits & 0xff) * 0x0101010101010101ul & 0x8040201008040201ul;
    return ((own + 0x7f7f7f7f7f7f7f7ful) >> 7 & 0x0101010101010101ul) * 0xff;
}
LANE void fill8(GLOBAL cellbyte *to, GLOBAL const cellbyte *from, uint bits, cellbyte colour) {
    ulong chosen = spread8(bits);
    store8(to, (load8(from) & ~chosen) | (eight_times(colour) & chosen));
}

LANE void fill16(GLOBAL cellbyte *to, GLOBAL const cellbyte *from, uint bits, cellbyte colour) {
#ifdef HAS_LOOKUP
    const cells16 part = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const cells16 own = {1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128};
    cells16 chosen = (cells16)((looked_up(joined(bits, 0), part) & own) == own);
    store16(to, (load16(from) & ~chosen) | (chosen & colour));
#else
    fill8(to, from, bits, colour);
    fill8(to + 8, from + 8, bits >> 8, colour);
#endif
}

/* The first rows of a grid of up to 32 columns, in blocks of 32, where there is an instruction for that: what a block
 * has of the next row stays as it is, until that row comes to it. Returns how many rows there were. */
#if !defined(OPENCL_TEXT) && defined(__AVX2__)
typedef char bytes32 __attribute__((vector_size(32)));

/* Byte n has the bit that tells about cell n, in a row whose bytes have been spread by fill32. */
LANE bytes32 bit_of_cell(void) {
    const ulong bit = 0x8040201008040201ul;
    return (bytes32)(quarters32){bit, bit, bit, bit};
}
/* The same for `w` cells, and 0 beyond. */
LANE bytes32 bit_of_column(int w) {
    const bytes32 place = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                           16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    return bit_of_cell() & (bytes32)(place < (char)w);
}
LANE void fill32(cellbyte *to, const cellbyte *from, uint bits, bytes32 columns, cellbyte colour) {
    typedef uint uints32 __attribute__((vector_size(32)));
    const quarters32 spread = {0, 0x0101010101010101ul, 0x0202020202020202ul, 0x0303030303030303ul};
    const ulong filled = eight_times(colour);
    bytes32 cells, row = (bytes32)(uints32){bits, bits, bits, bits, bits, bits, bits, bits};
    bytes32 chosen = (bytes32)((__builtin_ia32_pshufb256(row, (bytes32)spread) & columns) == bit_of_cell());
    __builtin_memcpy(&cells, from, sizeof cells);
    cells = __builtin_ia32_pblendvb256(cells, (bytes32)(quarters32){filled, filled, filled, filled}, chosen);
    __builtin_memcpy(to, &cells, sizeof cells);
}
LANE int fill_blocks(cellbyte *to, grid g, mask m, int old, int colour) {
    bytes32 columns = bit_of_column(g.w);
    int i = 0, p = 0, last = g.h * g.w - 32, rows = g.h < m.n ? g.h : m.n;
    if (old == ANY_CELL)
        for (; p <= last && i < rows; i++, p += g.w) fill32(to + p, g.at + p, m.row[i], columns, (cellbyte)colour);
    else
        for (; p <= last && i < rows; i++, p += g.w) {
            uint bits = m.row[i] & equal_in_row(g.at + p, g.w, last + 32 - p, (cellbyte)old);
            fill32(to + p, g.at + p, bits, columns, (cellbyte)colour);
        }
    if (i < rows) return i;
    place_cells(to + p, g.at + p, last + 32 - p);
    return g.h;
}
#else
LANE int fill_blocks(GLOBAL cellbyte *to, grid g, mask m, int old, int colour) { return 0; }
#endif

/* A row of up to 32 cells, with so many cells from its beginning to the end of the grid. */
LANE void fill_row(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from, int w, int left, uint bits,
                   cellbyte colour) {
    if (w >= 16) {
        fill16(to, from, bits, colour);
        fill16(to + w - 16, from + w - 16, bits >> (w - 16), colour);
    } else if (w >= 8) {
        fill8(to, from, bits, colour);
        fill8(to + w - 8, from + w - 8, bits >> (w - 8), colour);
    } else if (left >= 8)
        fill8(to, from, bits & ((1u << w) - 1), colour); /* the next row comes after it */
    else
        for (int j = 0; j < w; j++) to[j] = bits >> j & 1 ? colour : from[j];
}

/* A grid with `colour` at the places of a mask, if they have the byte `old` or that is ANY_CELL. */
LANE void fill_places(GLOBAL cellbyte *to, grid g, mask m, int old, int colour) {
#ifdef ARCL_TEAM
    cell_walk c = walk_start(g.w);
    TEAM_FOR(p, g.h * g.w) {
        int is_there = c.i < m.n && c.j < MASK_SIDE && (m.row[c.i] >> c.j & 1);
        to[p] = is_there && (old == ANY_CELL || g.at[p] == old) ? (cellbyte)colour : g.at[p];
        walk_on(&c);
    }
#elif defined(MANY_ITEMS) /* there registers are scarcer than time */
    for (int i = 0; i < g.h; i++) {
        uint bits = i < m.n ? m.row[i] : 0;
        for (int j = 0; j < g.w; j++, bits >>= 1) {
            int here = i * g.w + j, is_there = (bits & 1) && (old == ANY_CELL || g.at[here] == old);
            to[here] = is_there ? (cellbyte)colour : g.at[here];
        }
    }
#else
    int w = g.w < MASK_SIDE ? g.w : MASK_SIDE, done = fits_mask(g) ? fill_blocks(to, g, m, old, colour) : 0;
    to += done * g.w;
    for (int i = done; i < g.h; i++, to += g.w) {
        GLOBAL const cellbyte *from = row_of(g, i);
        uint bits = i < m.n ? m.row[i] : 0;
        if (old != ANY_CELL) bits &= (uint)equal_cells(from, w, (cellbyte)old);
        fill_row(to, from, w, (g.h - i) * g.w, bits, (cellbyte)colour);
        if (g.w > w) copy_cells(to + w, from + w, g.w - w);
    }
#endif
}

#endif
