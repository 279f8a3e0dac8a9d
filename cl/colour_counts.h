/* How often grids have which colours, and their cells in the order of their colours. Only of grids that are bytes:
 * cl/rows_colour.h has the others.
 */
#ifndef ARCL_COLOUR_COUNTS_H
#define ARCL_COLOUR_COUNTS_H
#include "cells.h"

#define COLOUR_COUNTS 128 /* words of scratch for a count per byte */

/* The most frequent byte of a grid with cells; ties go to the smallest. `count` has COLOUR_COUNTS words. */
LANE int grid_mostcommon(grid g, GLOBAL uint *count) {
    int cells = g.h * g.w, best = NO_CELL;
    uint most = 0;
    for (int c = 0; c < 256; c++) count[c] = 0;
    for (int n = 0; n < cells; n++) count[g.at[n] + 128]++;
    for (int c = 0; c < 256; c++)
        if (count[c] > most) {
            most = count[c];
            best = c - 128;
        }
    return best;
}

/* The colours of a grid lie in low..high, as bytes. */
typedef struct {
    int low, high;
} colours;

/* Whether there is none besides ints, so that the colours have no order. */
LANE int mixes_none(colours c) { return c.low == NO_CELL && c.high != NO_CELL; }

/* How many of n bytes are c. Blocks of less than 256 keep the count in a byte, so that it is done 16 at a time. */
LANE uint count_byte(GLOBAL const cellbyte *at, int n, cellbyte c) {
    uint total = 0;
    for (int from = 0; from < n; from += 240) {
        int to = n - from < 240 ? n : from + 240;
        uchar some = 0;
        for (int x = from; x < to; x++) some = (uchar)(some + (at[x] == c));
        total += some;
    }
    return total;
}

/* Which of the colours 0 to 15 cells have, a bit each; OTHER_COLOURS is set if they have others too, and then the bits
 * mean nothing. */
#define FEW_COLOURS 16
#define OTHER_COLOURS (1u << FEW_COLOURS)
LANE uint colours_with(uint bits, uint all) { return all < FEW_COLOURS ? bits : OTHER_COLOURS; }
LANE uint colours_of(GLOBAL const cellbyte *at, int n) {
    uint bits = 0;
    uchar all = 0; /* no smaller than any colour, unless some are negative: then above 127 */
    for (int m = 0; m < n; m++) {
        bits |= 1u << (at[m] & (FEW_COLOURS - 1));
        all = (uchar)(all | (uchar)at[m]);
    }
    return colours_with(bits, all);
}

#ifdef HAS_LOOKUP
LANE uint all_of(cells16 v) {
    ulong all = low_of(v) | high_of(v);
    all |= all >> 32;
    all |= all >> 16;
    return (uint)(all | all >> 8) & 255;
}
LANE uint colours_present(GLOBAL const cellbyte *at, int n) {
    const cells16 bit = {1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0},
                  bit_above = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128};
    cells16 low = joined(0, 0), high = low, all = low;
    if (n < 16) return colours_of(at, n);
    for (int m = 0, last = n - 16;; m += 16) { /* the last sixteen overlap those before */
        cells16 cells = load16(at + (m < last ? m : last));
        low |= looked_up(bit, cells);
        high |= looked_up(bit_above, cells);
        all |= cells;
        if (m >= last) break;
    }
    return colours_with(all_of(low) | all_of(high) << 8, all_of(all));
}
#else
LANE uint colours_present(GLOBAL const cellbyte *at, int n) { return colours_of(at, n); }
#endif

#ifdef ARCL_TEAM
/* Counts of the colours 0 to 15 on the team's desk; 0: the grid has others. */
LANE int team_counts(lane *k, grid g) {
    int cells = g.h * g.w;
    uint others = 0;
    if (MEMBER < FEW_COLOURS) k->desk->sums[1][MEMBER] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    TEAM_FOR(p, cells) {
        uint c = (uchar)g.at[p];
        if (c < FEW_COLOURS)
            atomic_inc(&k->desk->sums[1][c]);
        else
            others = 1;
    }
    return !team_most(k, others); /* which uses the other sums, and waits */
}

/* Of these the one that occurs most, or least; ties go to the smallest. */
LANE int team_extreme(lane *k, uint cells, int most) {
    uint own = MEMBER < FEW_COLOURS ? k->desk->sums[1][MEMBER] : 0, rank = FEW_COLOURS - 1 - (uint)MEMBER;
    if (!most) own = own ? cells + 1 - own : 0; /* what occurs is at least 1 then */
    uint best = team_most(k, own ? own * FEW_COLOURS + rank : 0);
    return FEW_COLOURS - 1 - (int)(best % FEW_COLOURS);
}

LANE uint team_colours_present(lane *k, GLOBAL const cellbyte *at, int n) {
    uint bits = 0;
    if (LEADS) k->desk->sums[0][0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    TEAM_FOR(m, n) bits |= (uchar)at[m] < FEW_COLOURS ? 1u << at[m] : OTHER_COLOURS;
    atomic_or(&k->desk->sums[0][0], bits);
    barrier(CLK_LOCAL_MEM_FENCE);
    bits = k->desk->sums[0][0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return bits & OTHER_COLOURS ? OTHER_COLOURS : bits;
}
#else
#define team_colours_present(k, at, n) colours_present(at, n)
#endif

/* Counts of the colours that are present; the last of them has the cells that are left. */
LANE colours count_present(grid g, uint present, GLOBAL uint *count) {
    colours c = {lowest_bit(present), highest_bit(present)};
    uint left = (uint)(g.h * g.w);
    for (int v = c.low; v < c.high; v++) {
        count[v + 128] = present >> v & 1 ? count_byte(g.at, g.h * g.w, (cellbyte)v) : 0;
        left -= count[v + 128];
    }
    count[c.high + 128] = left;
    return c;
}

/* Sets count[c + 128] for low <= c <= high, of a grid with cells; leaves the other counts alone. */
LANE colours grid_counts(grid g, GLOBAL uint *count) {
    int cells = g.h * g.w;
#ifndef MANY_ITEMS /* there registers are scarcer than time */
    uint present = colours_present(g.at, cells);
    if (present != OTHER_COLOURS) return count_present(g, present, count);
#endif
    cellbyte low = g.at[0], high = g.at[0];
    for (int n = 0; n < cells; n++) {
        low = g.at[n] < low ? g.at[n] : low;
        high = g.at[n] > high ? g.at[n] : high;
    }
    colours c = {low, high};
    for (int v = c.low; v <= c.high; v++) count[v + 128] = 0;
    for (int n = 0; n < cells; n++) count[g.at[n] + 128]++;
    return c;
}

/* Turns counts into where each colour starts when the cells are sorted. */
LANE void counts_to_starts(colours c, GLOBAL uint *count) {
    uint start = 0;
    for (int v = c.low + 128; v <= c.high + 128; v++) {
        uint n = count[v];
        count[v] = start;
        start += n;
    }
}

/* ---- rows of bits: which cells have a colour ---- */

#define BIT_ROWS 64
LANE int fits_bit_rows(grid g) { return g.h <= BIT_ROWS && g.w < 64; }

/* Writes the cells of one row, of which `cell` is the first that could be there; returns where they end. Up to three
 * words behind them are written too. */
LANE GLOBAL word *write_bits(GLOBAL word *out, ulong bits, word cell) {
    while (bits) {
        int from = lowest_bit(bits), n = lowest_bit(~bits >> from);
        word first = cell + from;
        store4_from(out, first);
        for (int x = 4; x < n; x += 4) store4_from(out + x, first + x);
        out += n;
        bits &= bits + ((ulong)1 << from);
    }
    return out;
}

#if !defined(OPENCL_TEXT) && defined(__SSE2__)
#define HAS_WIDE_ROWS
/* The grid, of which as many cells can be read as the processor compares at once, even if it has fewer. */
LANE grid wide_grid(grid g, cellbyte *few) {
    if (g.h * g.w >= WIDE_CELLS) return g;
    copy_cells(few, g.at, g.h * g.w);
    g.at = few;
    return g;
}

/* The rows of one colour of such a grid; the last of them overlap those before. Returns which rows have some. */
LANE ulong rows_of_colour(ulong *rows, grid g, cellbyte colour) {
    int cells = g.h * g.w, last = cells > WIDE_CELLS ? cells - WIDE_CELLS : 0;
    ulong valid = ((ulong)1 << g.w) - 1, some = 0;
    wide_cells wanted = NO_WIDE_CELLS + colour;
    for (int m = 0; m < g.w; m += WIDE_CELLS) {
        const cellbyte *from = g.at + m, *end = g.at + last;
        for (int i = 0; i < g.h; i++, from += g.w) {
            ulong bits = from <= end ? equal_wide(from, wanted) : equal_wide(end, wanted) >> (from - end);
            bits = bits << m & valid;
            rows[i] = m ? rows[i] | bits : bits;
            some |= (ulong)(bits != 0) << i;
        }
    }
    return some;
}
#endif

/* ---- cells in the order of their colours ---- */

#ifdef HAS_WIDE_ROWS
/* The cells of the colours that are present but one. What is written behind those of a colour is the next one's. */
LANE void cells_by_bits(grid g, uint present, const uint *start, int skipped, word *out) {
    ulong rows[BIT_ROWS];
    cellbyte few[WIDE_CELLS];
    grid wide = wide_grid(g, few);
    for (; present; present &= present - 1) {
        int colour = lowest_bit(present);
        word *to = out + start[colour + 128];
        if (colour == skipped) continue;
        for (ulong some = rows_of_colour(rows, wide, (cellbyte)colour); some; some &= some - 1) {
            int i = lowest_bit(some);
            to = write_bits(to, rows[i], colour_word(colour) + loc_word(i, 0));
        }
    }
}
#endif

/* Writes the cells of a grid in order, given where each colour starts; a run of one colour at a time. Those of one
 * colour may be left out, and up to three words behind the last of each are written too. */
LANE void cells_by_colour(grid g, GLOBAL uint *start, int skipped, GLOBAL word *out) {
    GLOBAL const cellbyte *row = g.at;
#ifdef HAS_WIDE_ROWS /* with nothing left out, and short runs, it takes as long */
    int is_wanted = skipped >= NO_CELL && fits_bit_rows(g);
    uint present = is_wanted ? colours_present(g.at, g.h * g.w) : OTHER_COLOURS;
    if (present != OTHER_COLOURS) {
        cells_by_bits(g, present, start, skipped, out);
        return;
    }
#endif
    for (int i = 0; i < g.h; i++) {
        for (int j = 0; j < g.w;) {
            cellbyte c = row[j];
            uint o = start[c + 128];
            word cell = colour_word(colour_of_byte(c)) + loc_word(i, 0);
            do out[o++] = cell + j;
            while (++j < g.w && row[j] == c);
            start[c + 128] = o;
        }
        row += g.w;
    }
}

#endif
