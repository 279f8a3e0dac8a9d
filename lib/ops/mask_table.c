#include "ops/mask_table.h"

#define MASKS(kernel, with_masks, taken, made)                                                                         \
    [KERNEL_##kernel] = {.twin = KERNEL_##with_masks, .takes = taken, .makes = made},                                  \
    [KERNEL_##with_masks] = {.stands_for = KERNEL_##kernel},
#define BOUNDED(kernel, asked) [KERNEL_##kernel] = {.asks = asked},
const mask_row mask_table[KERNEL_COUNT] = {
#include "ops/mask_kernels.def"
};
