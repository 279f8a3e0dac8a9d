/* Similarity on the host: the tiles of a block, shared by the context's threads. */
#include <string.h>

#include "host/host.h"
#include "host/match_cells.h"
#include "similarity/similarity.h"

/* Grids of a side of a tile: the packed grids of both sides stay in a processor's own cache. */
#define TILE 64u

static uint32_t tiles_of(const grid_pack *pack) { return (pack->count + TILE - 1) / TILE; }

static uint32_t end_of(const grid_pack *pack, uint32_t first) {
    return pack->count - first < TILE ? pack->count : first + TILE;
}

static match_tile_cells *best_for_this_processor(void) {
#ifdef ARCL_HAVE_V3
    if (strcmp(host_build_name(0), "avx2") == 0) return host_v3_match_tile;
#endif
    return host_match_tile;
}

typedef struct tiles {
    const similarity_block *block;
    match_tile_cells *match;
} tiles;

static void match_one(void *arg, uint32_t index) {
    const tiles *all = arg;
    const similarity_block *b = all->block;
    uint32_t across = tiles_of(&b->expected);
    match_tile t = {b, index / across * TILE, 0, index % across * TILE, 0};
    t.end_output = end_of(&b->outputs, t.first_output);
    t.end_expected = end_of(&b->expected, t.first_expected);
    all->match(&t);
}

arcl_status similarity_on_host(arcl_context *c, struct similarity_place *place, const similarity_block *block,
                               arcl_error *error) {
    tiles all = {block, best_for_this_processor()};
    (void)place, (void)error;
    arcl_parallel(c, tiles_of(&block->outputs) * tiles_of(&block->expected), match_one, &all);
    return ARCL_SUCCESS;
}
