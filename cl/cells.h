/* Moving the bytes of rectangular grids: eight at a time, the last eight of a row overlapping the eight before rather
 * than being done one by one. Nothing is read outside the rows themselves.
 */
#ifndef ARCL_CELLS_H
#define ARCL_CELLS_H
#include "lane.h"

/* ---- eight and sixteen cells at a time ---- */

#ifdef __OPENCL_C_VERSION__
typedef char16 cells16;
LANE ulong load8(GLOBAL const cellbyte *from) { return as_ulong(vload8(0, from)); }
LANE void store8(GLOBAL cellbyte *to, ulong v) { vstore8(as_char8(v), 0, to); }
LANE void copy4(GLOBAL cellbyte *to, GLOBAL const cellbyte *from) { vstore4(vload4(0, from), 0, to); }
LANE cells16 joined(ulong low, ulong high) { return as_char16((ulong2)(low, high)); }
LANE ulong low_of(cells16 v) { return as_ulong(v.lo); }
LANE ulong high_of(cells16 v) { return as_ulong(v.hi); }
/* Written out, because some drivers take shuffle2 element by element. */
LANE cells16 interleaved(char8 a, char8 b) {
    return (cells16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}
LANE cells16 interleave_low(cells16 a, cells16 b) { return interleaved(a.lo, b.lo); }
LANE cells16 interleave_high(cells16 a, cells16 b) { return interleaved(a.hi, b.hi); }
#else
typedef signed char cells16 __attribute__((vector_size(16)));
typedef ulong halves16 __attribute__((vector_size(16)));
LANE ulong load8(const cellbyte *from) {
    ulong v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
LANE void store8(cellbyte *to, ulong v) { __builtin_memcpy(to, &v, sizeof v); }
LANE void copy4(cellbyte *to, const cellbyte *from) { __builtin_memcpy(to, from, 4); }
LANE cells16 joined(ulong low, ulong high) { return (cells16)(halves16){low, high}; }
LANE ulong low_of(cells16 v) { return ((halves16)v)[0]; }
LANE ulong high_of(cells16 v) { return ((halves16)v)[1]; }
LANE cells16 interleave_low(cells16 a, cells16 b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
LANE cells16 interleave_high(cells16 a, cells16 b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
#endif

LANE ulong eight_times(cellbyte c) { return (uchar)c * 0x0101010101010101ul; }

LANE ulong reversed8(ulong v) {
    v = (v >> 8 & 0x00ff00ff00ff00fful) | (v & 0x00ff00ff00ff00fful) << 8;
    v = (v >> 16 & 0x0000ffff0000fffful) | (v & 0x0000ffff0000fffful) << 16;
    return v >> 32 | v << 32;
}

LANE void copy_cells(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from, word n) {
    if (n < 4) {
        for (word m = 0; m < n; m++) to[m] = from[m];
        return;
    }
    if (n < 8) {
        copy4(to, from);
        copy4(to + n - 4, from + n - 4);
        return;
    }
    word m = 0;
    for (; m + 16 <= n; m += 16) {
        ulong a = load8(from + m), b = load8(from + m + 8);
        store8(to + m, a);
        store8(to + m + 8, b);
    }
    if (m + 8 <= n) store8(to + m, load8(from + m));
    store8(to + n - 8, load8(from + n - 8));
}

LANE void reverse_cells(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from, word n) {
    if (n < 8) {
        for (word m = 0; m < n; m++) to[m] = from[n - 1 - m];
        return;
    }
    for (word m = 0; m + 8 <= n; m += 8) store8(to + m, reversed8(load8(from + n - 8 - m)));
    store8(to + n - 8, reversed8(load8(from)));
}

LANE GLOBAL const cellbyte *row_of(grid g, int i) { return g.at + (word)i * g.w; }
LANE word cell_count(grid g) { return (word)g.h * g.w; }
LANE uint same_size(grid g) { return grid_words(g.h, g.w); }

/* Where the block after the one at `v` begins, of blocks of 8 that cover n >= 8: the last one overlaps. */
LANE int next_block(int v, int n) { return v + 16 <= n || v + 8 == n ? v + 8 : n - 8; }

#endif
