/* Sets of cells of all train outputs as bits, so that what a patch covers, and whether that is right, is a matter of a
 * few words. Each output begins at a word of its own. */
#ifndef ARCL_CELL_MASKS_H
#define ARCL_CELL_MASKS_H
#include "search/search_state.h"

#define COLOURS 10

typedef uint64_t mask_word;

typedef struct mask_layout {
    int train, words;
    int first[ARCL_SEARCH_INPUTS + 1]; /* word of each output */
    arcl_grid output[ARCL_SEARCH_INPUTS];
    signed char *cells;               /* of the outputs */
    mask_word *all, *colour[COLOURS]; /* the cells that there are, and those of a colour */
} mask_layout;

ARCL_CHECKED arcl_status masks_create(const search_state *s, mask_layout *m, arcl_error *error);
void masks_free(mask_layout *m);

/* What a patch covers of the outputs, and of that, what has the colour that the patch gives it. Cells outside are
 * covered by nothing. `box`, if it is not NULL, gets the patch's corner and sides in each output's example. */
typedef struct patch_box {
    int i, j, h, w;
} patch_box;
void mask_of_patch(const search_state *s, const mask_layout *m, uint32_t value, mask_word *covered, mask_word *right,
                   patch_box *box);

/* Of a grid that has the outputs' shapes: the cells of a colour, or those that are not as expected. */
void mask_of_colour(const mask_layout *m, const arcl_grid *grids, int colour, mask_word *mask);
void mask_of_wrong(const mask_layout *m, const arcl_grid *grids, mask_word *mask);

/* How many bits are set: by sums of ever wider fields, which any processor does several at a time. */
static inline int bits_in(mask_word w) {
    w -= w >> 1 & 0x5555555555555555u;
    w = (w & 0x3333333333333333u) + (w >> 2 & 0x3333333333333333u);
    w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(w * 0x0101010101010101u >> 56);
}

int mask_count(const mask_word *a, int words);
int mask_is_empty(const mask_word *a, int words);
/* Whether all of a is in b. */
int mask_within(const mask_word *a, const mask_word *b, int words);
uint64_t mask_key(const mask_word *a, int words, uint64_t seed);

#endif
