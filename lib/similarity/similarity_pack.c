/* Packs grids for comparing: rows begin at multiples of PACK_ROW bytes, so that a row is one vector, or a few. Knows
 * nothing of what compares them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "similarity/similarity.h"

#define GRIDS_PER_TURN 64u

typedef struct packing {
    const arcl_grid *grids;
    grid_pack *pack;
} packing;

static void pack_one(const arcl_grid *from, const grid_pack *pack, packed_grid to) {
    size_t stride = (size_t)pack_rows_of(1, to.w) * PACK_ROW;
    unsigned char *row = pack->cells + (size_t)to.at * PACK_ROW;
    for (int i = 0; i < to.h; i++, row += stride) {
        memcpy(row, from->cells + (size_t)i * (size_t)from->w, to.w);
        memset(row + to.w, 0, stride - to.w);
    }
}

static void pack_some(void *arg, uint32_t turn) {
    const packing *p = arg;
    uint32_t end = (turn + 1) * GRIDS_PER_TURN;
    if (end > p->pack->count) end = p->pack->count;
    for (uint32_t n = turn * GRIDS_PER_TURN; n < end; n++)
        if (p->grids[n].cells) pack_one(&p->grids[n], p->pack, p->pack->grids[n]);
}

static int least(int a, int b) { return a < b ? a : b; }

static packed_grid cut(const arcl_grid *g, int h, int w) {
    packed_grid to = {.h = (uint16_t)least(g->h, h), .w = (uint16_t)least(g->w, w)};
    if (!g->cells || !to.h || !to.w) to.h = to.w = 0;
    return to;
}

uint32_t grid_pack_fit(const arcl_grid *grids, uint32_t count, int h, int w, similarity_limits limits) {
    size_t bytes = 0;
    uint32_t n = 0;
    for (; n < count && n < limits.grids; n++) {
        packed_grid g = cut(&grids[n], h, w);
        bytes += (size_t)pack_rows_of(g.h, g.w) * PACK_ROW;
        if (n && bytes > limits.bytes) break;
    }
    return n;
}

arcl_status grid_pack_make(arcl_context *c, const arcl_grid *grids, uint32_t count, int h, int w, grid_pack *pack,
                           arcl_error *error) {
    packing p = {grids, pack};
    *pack = (grid_pack){.count = count, .grids = malloc((count ? count : 1) * sizeof *pack->grids)};
    if (!pack->grids) return NO_MEMORY(error);
    for (uint32_t n = 0; n < count; n++) {
        pack->grids[n] = cut(&grids[n], h, w);
        pack->grids[n].at = (uint32_t)pack->rows;
        pack->rows += pack_rows_of(pack->grids[n].h, pack->grids[n].w);
    }
    if (pack->rows > UINT32_MAX) return NO_MEMORY(error);
    pack->cells = aligned_alloc(PACK_ROW, (pack->rows + 1) * PACK_ROW);
    if (!pack->cells) return NO_MEMORY(error);
    arcl_parallel(c, (count + GRIDS_PER_TURN - 1) / GRIDS_PER_TURN, pack_some, &p);
    return ARCL_SUCCESS;
}

void grid_pack_free(grid_pack *pack) {
    free(pack->cells);
    free(pack->grids);
    *pack = (grid_pack){0};
}
