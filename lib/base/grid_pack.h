/* Grids as they are compared, by the host and by devices. They are packed so that every variant can read them fast, and
 * cut to the largest sides of the grids on the other side, beyond which nothing can be equal:
 *
 *   row 0: | w cells .. | zeros up to a multiple of PACK_ROW bytes |
 *   row 1: ..
 */
#ifndef ARCL_GRID_PACK_H
#define ARCL_GRID_PACK_H
#include <stddef.h>
#include <stdint.h>

#define PACK_ROW 32u

typedef struct packed_grid {
    uint32_t at; /* of its cells, in PACK_ROW bytes */
    uint16_t h, w;
} packed_grid;

typedef struct grid_pack {
    unsigned char *cells; /* aligned to PACK_ROW */
    packed_grid *grids;
    uint32_t count;
    size_t rows; /* PACK_ROW bytes each */
} grid_pack;

/* A part of a matrix: counts[i * columns + j] for output i and expected grid j. */
typedef struct similarity_block {
    grid_pack outputs, expected;
    int h, w; /* the largest sides of both */
    uint32_t *counts;
    size_t columns; /* of the whole matrix */
} similarity_block;

static inline uint32_t pack_rows_of(int h, int w) { return (uint32_t)h * (((uint32_t)w + PACK_ROW - 1) / PACK_ROW); }

#endif
