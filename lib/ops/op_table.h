/* The op table as data: what lib/ops/ops.def says, by op and by name. */
#ifndef ARCL_OP_TABLE_H
#define ARCL_OP_TABLE_H
#include <stddef.h>
#include <stdint.h>

enum op_id {
#define OP(name, ...) OP_##name,
#include "ops/ops.def"
#undef OP
    OP_COUNT
};

enum op_family {
    FAMILY_number,
    FAMILY_logic,
    FAMILY_container,
    FAMILY_function,
    FAMILY_higher,
    FAMILY_measure,
    FAMILY_colour,
    FAMILY_patch,
    FAMILY_grid,
    FAMILY_COUNT
};

enum signature_code {
#define SIGNATURE(code, text, description) SIG_##code,
#include "ops/signature.def"
#undef SIGNATURE
    SIG_COUNT
};

enum kernel_id {
    KERNEL_none,
#define KERNEL(family, name) KERNEL_##name,
#include "ops/kernels.def"
#undef KERNEL
    KERNEL_COUNT
};

typedef struct op_row {
    const char *name;
    uint8_t family;
    uint8_t arity;
    uint8_t argument[4]; /* signature codes */
    uint8_t result;
    uint16_t kernel[2];
    const char *parameters; /* names, separated by blanks */
    const char *meaning;
} op_row;

extern const op_row op_rows[OP_COUNT];
extern const char *const op_family_names[FAMILY_COUNT];
extern const char *const kernel_names[KERNEL_COUNT];

/* How a signature code is written, and how a message calls it. */
const char *signature_text(unsigned code);
const char *signature_description(unsigned code);

/* "grid int patch -> grid" into buf. Returns buf. */
char *op_signature(const op_row *row, char *buf, size_t size);

/* Finds ops by name; built once per context. */
#define OP_INDEX_SLOTS 1024
typedef struct op_index {
    uint8_t slot[OP_INDEX_SLOTS]; /* op + 1, or 0 */
} op_index;
void op_index_build(op_index *index);

/* The op of that name, or -1. */
int op_find(const op_index *index, const char *name, size_t length);

/* The position of a parameter by its name, or -1. */
int op_parameter(const op_row *row, const char *name, size_t length);

#endif
