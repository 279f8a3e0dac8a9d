/* How often grids have which colours, and their cells in the order of their colours. Only of grids that are bytes:
 * cl/rows_colour.h has the others.
 */
#ifndef ARCL_COLOUR_COUNTS_H
#define ARCL_COLOUR_COUNTS_H
#include "lane.h"

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

/* Sets count[c + 128] for low <= c <= high, of a grid with cells; leaves the other counts alone. */
LANE colours grid_counts(grid g, GLOBAL uint *count) {
    int cells = g.h * g.w;
    cellbyte low = g.at[0], high = g.at[0];
    for (int n = 0; n < cells; n++) {
        low = g.at[n] < low ? g.at[n] : low;
        high = g.at[n] > high ? g.at[n] : high;
    }
    colours c = {low, high};
    if (c.high - c.low < 16) {
        for (int v = c.low; v <= c.high; v++) count[v + 128] = count_byte(g.at, cells, (cellbyte)v);
        return c;
    }
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

/* Writes the cells of a grid in order, given where each colour starts; a run of one colour at a time. */
LANE void cells_by_colour(grid g, GLOBAL uint *start, GLOBAL word *out) {
    GLOBAL const cellbyte *row = g.at;
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
