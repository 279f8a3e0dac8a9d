/* Moving the bytes of rectangular grids: eight or sixteen at a time, the last of a row overlapping those before rather
 * than being done one by one. Nothing is read outside the grids themselves.
 */
#ifndef ARCL_CELLS_H
#define ARCL_CELLS_H
#include "lane.h"

/* ---- eight and sixteen cells at a time ---- */

#ifdef OPENCL_TEXT
typedef char16 cells16;
LANE ulong load8(GLOBAL const cellbyte *from) { return as_ulong(vload8(0, from)); }
LANE void store8(GLOBAL cellbyte *to, ulong v) { vstore8(as_char8(v), 0, to); }
LANE void copy2(GLOBAL cellbyte *to, GLOBAL const cellbyte *from) { vstore2(vload2(0, from), 0, to); }
LANE void copy4(GLOBAL cellbyte *to, GLOBAL const cellbyte *from) { vstore4(vload4(0, from), 0, to); }
LANE cells16 joined(ulong low, ulong high) { return as_char16((ulong2)(low, high)); }
LANE ulong low_of(cells16 v) { return as_ulong(v.lo); }
LANE ulong high_of(cells16 v) { return as_ulong(v.hi); }
LANE cells16 load16(GLOBAL const cellbyte *from) { return vload16(0, from); }
LANE void store16(GLOBAL cellbyte *to, cells16 v) { vstore16(v, 0, to); }
LANE cells16 reversed16(cells16 v) { return v.sfedcba9876543210; }
/* Written out, because some drivers take shuffle2 element by element. */
LANE cells16 interleaved(char8 a, char8 b) {
    return (cells16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}
LANE cells16 interleave_low(cells16 a, cells16 b) { return interleaved(a.lo, b.lo); }
LANE cells16 larger16(cells16 a, cells16 b) { return max(a, b); }
LANE cells16 interleave_high(cells16 a, cells16 b) { return interleaved(a.hi, b.hi); }
/* Four words that follow each other. */
LANE void store4_from(GLOBAL word *to, word first) { vstore4(first + (long4)(0, 1, 2, 3), 0, to); }
#else
typedef signed char cells16 __attribute__((vector_size(16)));
typedef ulong halves16 __attribute__((vector_size(16)));
LANE ulong load8(const cellbyte *from) {
    ulong v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
LANE void store8(cellbyte *to, ulong v) { __builtin_memcpy(to, &v, sizeof v); }
LANE void copy2(cellbyte *to, const cellbyte *from) { __builtin_memcpy(to, from, 2); }
LANE void copy4(cellbyte *to, const cellbyte *from) { __builtin_memcpy(to, from, 4); }
LANE cells16 load16(const cellbyte *from) {
    cells16 v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
LANE void store16(cellbyte *to, cells16 v) { __builtin_memcpy(to, &v, sizeof v); }
LANE cells16 reversed16(cells16 v) {
    return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}
LANE cells16 joined(ulong low, ulong high) { return (cells16)(halves16){low, high}; }
LANE cells16 larger16(cells16 a, cells16 b) { return b ^ ((a ^ b) & (cells16)(a > b)); }
/* As many cells as a processor moves and compares at once. */
#ifdef __AVX2__
#define WIDE_CELLS 32
#else
#define WIDE_CELLS 16
#endif
typedef signed char wide_cells __attribute__((vector_size(WIDE_CELLS)));
LANE void copy_wide(cellbyte *to, const cellbyte *from) {
    wide_cells v;
    __builtin_memcpy(&v, from, sizeof v);
    __builtin_memcpy(to, &v, sizeof v);
}
LANE ulong low_of(cells16 v) { return ((halves16)v)[0]; }
LANE ulong high_of(cells16 v) { return ((halves16)v)[1]; }
LANE void store4_from(word *to, word first) {
    typedef word words4 __attribute__((vector_size(32)));
    words4 v = first + (words4){0, 1, 2, 3};
    __builtin_memcpy(to, &v, sizeof v);
}
LANE cells16 interleave_low(cells16 a, cells16 b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
LANE cells16 interleave_high(cells16 a, cells16 b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
#endif

/* What x86 processors have in one instruction and others have not: a table of sixteen cells looked up at sixteen
 * places, each below sixteen. */
#if !defined(OPENCL_TEXT) && defined(__SSSE3__)
#define HAS_LOOKUP
typedef char table16 __attribute__((vector_size(16)));
LANE cells16 looked_up(cells16 table, cells16 places) {
    return (cells16)__builtin_ia32_pshufb128((table16)table, (table16)places);
}
#endif

/* And four cells as ints. */
#if !defined(OPENCL_TEXT) && defined(__AVX2__)
#define HAS_WIDENING
LANE void store4_ints(word *to, const cellbyte *from) {
    typedef word words4 __attribute__((vector_size(32)));
#ifdef __clang__
    typedef cellbyte cells4 __attribute__((vector_size(4)));
    cells4 cells;
    __builtin_memcpy(&cells, from, sizeof cells);
    words4 ints = __builtin_convertvector(cells, words4);
#else /* which would convert one after the other */
    uint cells;
    __builtin_memcpy(&cells, from, sizeof cells);
    words4 ints = (words4)__builtin_ia32_pmovsxbq256((table16)joined(cells, 0));
#endif
    ints ^= (ints ^ NONE) & (ints == NO_CELL);
    __builtin_memcpy(to, &ints, sizeof ints);
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

#ifdef ARCL_TEAM
/* n / by, for n no larger than a team: dividing floats takes a fraction of the time, and is exact there. */
LANE int few_parts(int n, int by) { return (int)(((float)n + 0.5f) / (float)(by + !by)); }

/* Row and column of the cells that are a member's in a TEAM_FOR over the cells of a grid. */
typedef struct {
    int i, j, more_i, more_j, w;
} cell_walk;

LANE cell_walk walk_start(int w) {
    cell_walk c = {few_parts(MEMBER, w), 0, few_parts(ARCL_TEAM, w), 0, w};
    c.j = MEMBER - c.i * w;
    c.more_j = ARCL_TEAM - c.more_i * w;
    return c;
}
LANE void walk_on(cell_walk *c) {
    c->j += c->more_j;
    c->i += c->more_i + (c->j >= c->w);
    c->j -= c->j >= c->w ? c->w : 0;
}

/* Cell (i, j) of a window of h by w cells at `to`, whose rows are `stride` apart, from from[i * down + j * across], all
 * cells by all members of a team. */
LANE void team_place(GLOBAL cellbyte *to, int stride, int h, int w, GLOBAL const cellbyte *from, int down, int across) {
    int cells = h * w;
    cell_walk c = walk_start(w);
    TEAM_FOR(p, cells) {
        to[c.i * stride + c.j] = from[c.i * down + c.j * across];
        walk_on(&c);
    }
}

/* The same of a whole grid. */
LANE void team_copy(GLOBAL cellbyte *to, int h, int w, GLOBAL const cellbyte *from, int down, int across) {
    team_place(to, w, h, w, from, down, across);
}
#endif

LANE void reverse_cells(GLOBAL cellbyte *restrict to, GLOBAL const cellbyte *restrict from, word n) {
    if (n < 8) {
        for (word m = 0; m < n; m++) to[m] = from[n - 1 - m];
        return;
    }
    if (n < 16) {
        store8(to, reversed8(load8(from + n - 8)));
        store8(to + n - 8, reversed8(load8(from)));
        return;
    }
    for (word m = 0; m + 16 <= n; m += 16) store16(to + m, reversed16(load16(from + n - 16 - m)));
    store16(to + n - 16, reversed16(load16(from)));
}

/* ---- rows of cells ----
 *
 * `down` and `across` are how far rows are apart where they go and where they come from. Most rows are short: how a row
 * of that length is moved is asked once for all of them, and in a function of its own, because of a loop for longer
 * ones a compiler prepares more than moving a few short ones takes. */
#ifdef MANY_ITEMS
LANE void place_rows(GLOBAL cellbyte *to, word down, GLOBAL const cellbyte *from, word across, int h, word w) {
    for (int i = 0; i < h; i++, to += down, from += across) copy_cells(to, from, w);
}
LANE void place_reversed(GLOBAL cellbyte *to, word down, GLOBAL const cellbyte *from, word across, int h, word w) {
    for (int i = 0; i < h; i++, to += down, from += across) reverse_cells(to, from, w);
}
#else
/* Rows of at least so many cells, and of no more than twice as many, each in two pieces that overlap. */
#define ROWS_IN_TWO(least, first, last)                                                                                \
    if (w >= (least)) {                                                                                                \
        for (int i = 0; i < h; i++, to += down, from += across) {                                                      \
            first;                                                                                                     \
            last;                                                                                                      \
        }                                                                                                              \
        return;                                                                                                        \
    }
APART void place_rows(cellbyte *restrict to, word down, const cellbyte *restrict from, word across, int h, word w) {
    if (w > 32) {
        for (int i = 0; i < h; i++, to += down, from += across) {
            for (word m = 0; m + WIDE_CELLS < w; m += WIDE_CELLS) copy_wide(to + m, from + m);
            copy_wide(to + w - WIDE_CELLS, from + w - WIDE_CELLS);
        }
        return;
    }
    ROWS_IN_TWO(16, store16(to, load16(from)), store16(to + w - 16, load16(from + w - 16)))
    ROWS_IN_TWO(8, store8(to, load8(from)), store8(to + w - 8, load8(from + w - 8)))
    ROWS_IN_TWO(4, copy4(to, from), copy4(to + w - 4, from + w - 4))
    ROWS_IN_TWO(2, copy2(to, from), copy2(to + w - 2, from + w - 2))
    ROWS_IN_TWO(1, to[0] = from[0], )
}
APART void place_reversed(cellbyte *restrict to, word down, const cellbyte *restrict from, word across, int h, word w) {
    if (w > 32) {
        for (int i = 0; i < h; i++, to += down, from += across) reverse_cells(to, from, w);
        return;
    }
    ROWS_IN_TWO(16, store16(to, reversed16(load16(from + w - 16))), store16(to + w - 16, reversed16(load16(from))))
    ROWS_IN_TWO(8, store8(to, reversed8(load8(from + w - 8))), store8(to + w - 8, reversed8(load8(from))))
    for (int i = 0; i < h; i++, to += down, from += across)
        for (int j = 0; j < w; j++) to[j] = from[w - 1 - j];
}
#endif

/* Cells that follow each other, as many as a whole grid has. */
LANE void place_cells(GLOBAL cellbyte *to, GLOBAL const cellbyte *from, word n) { place_rows(to, 0, from, 0, 1, n); }

/* ---- which cells are equal: a bit each ---- */

/* Bit n tells whether byte n is 0. */
LANE ulong zero_bytes(ulong v) {
    ulong low = 0x7f7f7f7f7f7f7f7ful, some = ((v & low) + low) | v; /* its high bits: not 0 */
    return (((~some & ~low) >> 7) * 0x0102040810204080ul) >> 56;
}

/* Bit n tells whether a[n] is b[n], of up to 64; and whether at[n] is that colour. */
#if !defined(OPENCL_TEXT) && defined(__SSE2__)
typedef char bytes16 __attribute__((vector_size(16)));
LANE ulong zero_bytes16(cells16 v) { return (ulong)__builtin_ia32_pmovmskb128((bytes16)(v == joined(0, 0))); }

#ifdef __AVX2__
#define NO_WIDE_CELLS ((wide_cells)(quarters32){0, 0, 0, 0})
typedef char wide_bytes __attribute__((vector_size(32)));
typedef ulong quarters32 __attribute__((vector_size(32)));
#define WIDE_BITS(v) ((uint)__builtin_ia32_pmovmskb256((wide_bytes)(v)))
#else
#define NO_WIDE_CELLS joined(0, 0)
typedef bytes16 wide_bytes;
#define WIDE_BITS(v) ((uint)__builtin_ia32_pmovmskb128((wide_bytes)(v)))
#endif
LANE ulong equal_wide(const cellbyte *at, wide_cells wanted) {
    wide_cells cells;
    __builtin_memcpy(&cells, at, sizeof cells);
    return WIDE_BITS(cells == wanted);
}

/* The last block overlaps the one before it. */
LANE ulong same_cells(const cellbyte *a, const cellbyte *b, int n) {
    ulong bits = 0;
    int m = 0, last = n - 16;
    for (; m + 16 <= n; m += 16) bits |= zero_bytes16(load16(a + m) ^ load16(b + m)) << m;
    if (m == n) return bits;
    if (n >= 16) return bits | zero_bytes16(load16(a + last) ^ load16(b + last)) << last;
    if (n >= 8) return zero_bytes(load8(a) ^ load8(b)) | zero_bytes(load8(a + n - 8) ^ load8(b + n - 8)) << (n - 8);
    for (; m < n; m++) bits |= (ulong)(a[m] == b[m]) << m;
    return bits;
}
LANE ulong equal_cells(const cellbyte *at, int n, cellbyte wanted) {
    ulong bits = 0, v = eight_times(wanted);
    int m = 0, last = n - 16;
    for (; m + 16 <= n; m += 16) bits |= zero_bytes16(load16(at + m) ^ wanted) << m;
    if (m == n) return bits;
    if (n >= 16) return bits | zero_bytes16(load16(at + last) ^ wanted) << last;
    if (n >= 8) return zero_bytes(load8(at) ^ v) | zero_bytes(load8(at + n - 8) ^ v) << (n - 8);
    for (; m < n; m++) bits |= (ulong)(at[m] == wanted) << m;
    return bits;
}
#else
#ifdef MANY_ITEMS /* there registers are scarcer than time */
#define EIGHT_AT_A_TIME 0
#else
#define EIGHT_AT_A_TIME 1
#endif
LANE ulong same_cells(GLOBAL const cellbyte *a, GLOBAL const cellbyte *b, int n) {
    ulong bits = 0;
    int m = 0;
    for (; m + 8 <= n && EIGHT_AT_A_TIME; m += 8) bits |= zero_bytes(load8(a + m) ^ load8(b + m)) << m;
    for (; m < n; m++) bits |= (ulong)(a[m] == b[m]) << m;
    return bits;
}
LANE ulong equal_cells(GLOBAL const cellbyte *at, int n, cellbyte wanted) {
    ulong bits = 0, v = eight_times(wanted);
    int m = 0;
    for (; m + 8 <= n && EIGHT_AT_A_TIME; m += 8) bits |= zero_bytes(load8(at + m) ^ v) << m;
    for (; m < n; m++) bits |= (ulong)(at[m] == wanted) << m;
    return bits;
}
#endif

/* The same for a row of up to 32 cells, with so many from its beginning to the end of the grid: more than its own
 * may be looked at. */
LANE uint equal_in_row(GLOBAL const cellbyte *at, int w, int left, cellbyte wanted) {
#if !defined(OPENCL_TEXT) && defined(__SSE2__)
    if (w <= 16 && left >= 16) return (uint)zero_bytes16(load16(at) ^ wanted) & ((1u << w) - 1);
    if (left >= 32) {
        ulong bits = zero_bytes16(load16(at) ^ wanted) | zero_bytes16(load16(at + 16) ^ wanted) << 16;
        return (uint)(bits & (((ulong)1 << w) - 1));
    }
#endif
    return (uint)equal_cells(at, w, wanted);
}

LANE GLOBAL const cellbyte *row_of(grid g, int i) { return g.at + (word)i * g.w; }
LANE word cell_count(grid g) { return (word)g.h * g.w; }
LANE uint same_size(grid g) { return grid_words(g.h, g.w); }

/* Where the block after the one at `v` begins, of blocks of 8 that cover n >= 8: the last one overlaps. */
LANE int next_block(int v, int n) { return v + 16 <= n || v + 8 == n ? v + 8 : n - 8; }

#endif
