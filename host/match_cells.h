/* Counting equal cells, tuned for the host. match_cells.c is compiled once per kind of processor, like the kernels. */
#ifndef ARCL_MATCH_CELLS_H
#define ARCL_MATCH_CELLS_H
#include "base/grid_pack.h"

/* A tile of a block: its outputs first_output .. end_output with its expected grids likewise. */
typedef struct match_tile {
    const similarity_block *block;
    uint32_t first_output, end_output, first_expected, end_expected;
} match_tile;

typedef void match_tile_cells(const match_tile *tile);
match_tile_cells host_match_tile, host_v3_match_tile;

#endif
