/* The cells that two packed grids have in common, by vectors of 32 bytes: a comparison yields 255 where cells are
 * equal, and subtracting that counts one. A counter belongs to a column, so the columns that only one of the grids has
 * are left out in the end. Compiled once for every x86-64 and once for those with AVX2; no other file may be. */
#include "host/match_cells.h"

#include <string.h>

#define MOST_ROWS 255 /* that a counter of one byte can take */

typedef uint8_t bytes32 __attribute__((vector_size(32)));
typedef uint64_t words4 __attribute__((vector_size(32)));

_Static_assert(sizeof(bytes32) == PACK_ROW, "a vector is a packed row");

/* 255 in the first n bytes from column_mask + 32 - n on. */
static const uint8_t column_mask[64] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
};

/* The sum of the first `columns` counters: by twos, then by vectors, then by a multiplication. No sum exceeds 16
 * bits. */
static inline uint32_t sum(const bytes32 *counters, int columns) {
    const words4 even = {0x00ff00ff00ff00ff, 0x00ff00ff00ff00ff, 0x00ff00ff00ff00ff, 0x00ff00ff00ff00ff};
    bytes32 mask;
    memcpy(&mask, column_mask + 32 - columns, sizeof mask);
    words4 by_eight = (words4)(*counters & mask);
    words4 by_twos = (by_eight & even) + (by_eight >> 8 & even);
    uint64_t all = by_twos[0] + by_twos[1] + by_twos[2] + by_twos[3];
    return (uint32_t)(all * 0x0001000100010001 >> 48);
}

/* Up to MOST_ROWS rows of up to 32 columns; the rows are `a_step` and `b_step` vectors apart. */
static inline uint32_t match_rows(const bytes32 *a, size_t a_step, const bytes32 *b, size_t b_step, int rows,
                                  int columns) {
    bytes32 counters = {0};
    for (int i = 0; i < rows; i++, a += a_step, b += b_step) counters -= (bytes32)(*a == *b);
    return sum(&counters, columns);
}

static uint32_t match_large(const bytes32 *a, size_t a_step, const bytes32 *b, size_t b_step, int h, int w) {
    uint32_t count = 0;
    for (int column = 0; column < w; column += 32, a++, b++)
        for (int row = 0; row < h; row += MOST_ROWS)
            count += match_rows(a + (size_t)row * a_step, a_step, b + (size_t)row * b_step, b_step,
                                h - row < MOST_ROWS ? h - row : MOST_ROWS, w - column < 32 ? w - column : 32);
    return count;
}

static inline uint32_t match_pair(const bytes32 *a, packed_grid x, const bytes32 *b, packed_grid y) {
    int h = x.h < y.h ? x.h : y.h, w = x.w < y.w ? x.w : y.w;
    if (x.w <= 32 && y.w <= 32 && h <= MOST_ROWS) return match_rows(a, 1, b, 1, h, w);
    return match_large(a, pack_rows_of(1, x.w), b, pack_rows_of(1, y.w), h, w);
}

#ifdef ARCL_KERNELS_V3
#define match_tile_here host_v3_match_tile
#else
#define match_tile_here host_match_tile
#endif

void match_tile_here(const match_tile *t) {
    const grid_pack *outputs = &t->block->outputs, *expected = &t->block->expected;
    const bytes32 *a = (const bytes32 *)outputs->cells, *b = (const bytes32 *)expected->cells;
    for (uint32_t i = t->first_output; i < t->end_output; i++) {
        packed_grid x = outputs->grids[i];
        uint32_t *counts = t->block->counts + (size_t)i * t->block->columns;
        for (uint32_t j = t->first_expected; j < t->end_expected; j++) {
            packed_grid y = expected->grids[j];
            counts[j] = match_pair(a + x.at, x, b + y.at, y);
        }
    }
}
