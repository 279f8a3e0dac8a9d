/* Similarity from the inside: the variants that compare packed grids (base/grid_pack.h), and where each of them could
 * run. A matrix is made block by block, so that the memory for packed grids is bounded however many there are. */
#ifndef ARCL_SIMILARITY_H
#define ARCL_SIMILARITY_H
#include "base/grid_pack.h"
#include "base/similarity_variants.h"
#include "run/context.h"
#include "similarity/similarity_costs.h"

/* The largest block that a place can take: grids of a side, and bytes of a side's packed grids. */
typedef struct similarity_limits {
    uint32_t grids;
    size_t bytes;
} similarity_limits;

/* ---- variants ---- */

struct similarity_place; /* an OpenCL device that is open for comparing; NULL stands for the host */
typedef arcl_status similarity_compare(arcl_context *c, struct similarity_place *place, const similarity_block *block,
                                       arcl_error *error);
#define VARIANT(name, on_host, compare) similarity_compare compare;
#include "base/similarity.def"
#undef VARIANT

/* A variant on a device: what a profile measures and a selector chooses from. Candidates have numbers from 0 on, the
 * host's come first. Returns 0 if there are no more. Opens nothing: a device may still turn out not to work. */
typedef struct similarity_candidate {
    similarity_variant variant;
    int device;       /* as in arcl_device_get */
    char id[16];      /* of the device */
    char reason[256]; /* "", or why it cannot be had in this context */
} similarity_candidate;
int similarity_candidate_get(arcl_context *c, int number, similarity_candidate *candidate);

/* The time of one comparison of made-up grids of that size, in nanoseconds: for profiles, which repeat it and take
 * medians. The first time on a device includes opening it and compiling. */
ARCL_CHECKED arcl_status similarity_measure(arcl_context *c, const similarity_candidate *candidate,
                                            const similarity_size *size, double *nanoseconds, arcl_error *error);

/* Costs to choose by: nanoseconds, or less than 0 where nothing was measured. Without any (NULL) those of the context's
 * profile are taken (similarity_costs.h). Where no candidate was measured, the first one runs, and the report says
 * so. */
typedef double similarity_cost(void *arg, const similarity_candidate *candidate, const similarity_size *size);
ARCL_CHECKED arcl_status similarity_use_costs(arcl_context *c, similarity_cost *cost, void *arg, arcl_error *error);

void similarity_free(arcl_context *c);

/* ---- OpenCL devices: lib/similarity/similarity_device.c ---- */

ARCL_CHECKED arcl_status similarity_place_open(arcl_context *c, int device, struct similarity_place **place,
                                               arcl_error *error);
void similarity_place_close(struct similarity_place *place);
similarity_limits similarity_place_limits(const struct similarity_place *place, similarity_variant variant, int h,
                                          int w);
uint64_t similarity_place_bytes(const struct similarity_place *place); /* moved, both ways, since it was opened */

/* Whether CLBlast is installed; *why says what is wrong. Loads it. */
int similarity_clblast_found(char *why, size_t room);

/* ---- packing: similarity_pack.c ---- */

/* Packs grids[0..count), cut to h rows and w columns, on the context's threads. Free it in any case. */
ARCL_CHECKED arcl_status grid_pack_make(arcl_context *c, const arcl_grid *grids, uint32_t count, int h, int w,
                                        grid_pack *pack, arcl_error *error);
void grid_pack_free(grid_pack *pack);

/* How many of the grids fit the limits together; at least one. */
uint32_t grid_pack_fit(const arcl_grid *grids, uint32_t count, int h, int w, similarity_limits limits);

#endif
