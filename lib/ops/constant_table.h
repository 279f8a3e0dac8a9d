/* The constants of dialects as data: what lib/ops/constants.def and lib/ops/tokpidjin_constants.def say. */
#ifndef ARCL_CONSTANT_TABLE_H
#define ARCL_CONSTANT_TABLE_H
#include <stdint.h>

#include "arcl.h"

enum constant_kind { CONSTANT_KIND_INT, CONSTANT_KIND_BOOL, CONSTANT_KIND_PAIR };

typedef struct constant_row {
    const char *name;
    uint8_t kind;
    int16_t number, second; /* a pair has both */
} constant_row;

/* Those of the language come first; tokpidjin knows the others, too. */
extern const constant_row constant_rows[];

/* How many of them a dialect knows. */
int dialect_constants(arcl_dialect dialect);

#endif
