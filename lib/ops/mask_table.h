/* What lib/ops/mask_kernels.def says, by kernel. */
#ifndef ARCL_MASK_TABLE_H
#define ARCL_MASK_TABLE_H
#include "ops/op_table.h"

typedef struct mask_row {
    uint16_t twin;       /* that takes or makes masks; 0: there is none */
    uint16_t stands_for; /* of such a twin: the kernel for lists; 0: it is no twin */
    uint8_t takes;       /* bit n: argument n of the twin may be a mask */
    uint8_t makes;       /* the result of the twin may be one */
    uint8_t asks;        /* bit n: nothing but the bounds of argument n matters to the kernel */
} mask_row;

extern const mask_row mask_table[KERNEL_COUNT];

#endif
