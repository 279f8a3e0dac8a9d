#include "ops/constant_table.h"

const constant_row constant_rows[] = {
#define CONSTANT_INT(name, value) {#name, CONSTANT_KIND_INT, value, 0},
#define CONSTANT_BOOL(name, value) {#name, CONSTANT_KIND_BOOL, value, 0},
#define CONSTANT_PAIR(name, i, j) {#name, CONSTANT_KIND_PAIR, i, j},
#include "ops/constants.def"
#include "ops/tokpidjin_constants.def"
};

#undef CONSTANT_INT
#undef CONSTANT_BOOL
#undef CONSTANT_PAIR
enum {
#define CONSTANT_INT(...) +1
#define CONSTANT_BOOL(...) +1
#define CONSTANT_PAIR(...) +1
    LANGUAGE_CONSTANTS = 0
#include "ops/constants.def"
};

int dialect_constants(arcl_dialect dialect) {
    return dialect == ARCL_TOKPIDJIN ? (int)(sizeof constant_rows / sizeof *constant_rows) : LANGUAGE_CONSTANTS;
}
