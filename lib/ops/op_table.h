/* The op table as data: what lib/ops/ops.def says, by op and by name. */
#ifndef ARCL_OP_TABLE_H
#define ARCL_OP_TABLE_H
#include <stddef.h>
#include <stdint.h>

enum op_id {
#define OP(name, ...) OP_##name,
#include "ops/ops.def"
    OP_LANGUAGE_COUNT, /* those of the language; the others are a dialect's */
    OP_LAST_OF_LANGUAGE = OP_LANGUAGE_COUNT - 1,
#include "ops/tokpidjin_ops.def"
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
#define KERNEL(family, name, traits) KERNEL_##name,
#include "ops/kernels.def"
#undef KERNEL
    KERNEL_COUNT
};

/* What is true of a kernel, whatever step it is launched for. */
enum kernel_trait {
    PLAIN = 0,
    FOLDS = 1 << 0,       /* only ints, bools and ij in and out: the compiler runs it where all arguments are known */
    CHEAP = 1 << 1,       /* less work than to fetch a result that is there already, as all that fold are */
    SILENT = 1 << 2,      /* stands for something that never fails in the language, whatever the kernel itself may do */
    FREE = 1 << 3,        /* no part of the language, so that lanes are not charged for it */
    HOST_ONLY = 1 << 4,   /* devices have no launches of it */
    COMMUTES = 1 << 5,    /* its two arguments may change places */
    MAKES_A_SET = 1 << 6, /* neither order nor repeats among the elements that it reads mean anything */
    EQUIVARIANT = 1 << 7, /* makes for a location, its first argument, what it makes for the origin, moved there */
    PACKS = 1 << 8,       /* puts its arguments together, and fails only where one of them has */
    PAIRS_UP = 1 << 9, /* pairs of elements of two containers; does no more than pack them where imm is PAIR_RECORD */
    NEVER_EMPTY = 1 << 10, /* the container that it makes has an element */
    WHOLE_IJ =
        1 << 11, /* the ij that it makes, or each in the patch, has both coordinates; the corner of nothing is () */
    KNOWS_DIALECT =
        1 << 12,        /* an immediate tells that it is tokpidjin's, where it takes otherwise what has none in it */
    TEAM = 1 << 13,     /* on a device, a team of work-items may do a lane of it (cl/team.h) */
    ROOMY = 1 << 14,    /* such a team needs room for the cells of its grid */
    MEASURES = 1 << 15, /* makes ints or locations of its own: no colour that is in an argument is in its result */
    TEAM_OF_WORDS = 1 << 16, /* of TEAM: only where the container whose type the immediate is is a set of words */
    TEAM_OF_ATOMS = 1 << 17, /* of TEAM: only where what is of the type that the immediate is is a word */
    READS_A_PART = 1 << 18   /* of the grid only as much as it makes, and takes no longer if there is more of it */
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
extern const uint32_t kernel_traits[KERNEL_COUNT];

/* Whether the kernel has at least one of these traits. */
static inline int kernel_has(unsigned kernel, unsigned traits) { return (kernel_traits[kernel] & traits) != 0; }

/* How a signature code is written, and how a message calls it. */
const char *signature_text(unsigned code);
const char *signature_description(unsigned code);

/* "grid int patch -> grid" into buf. Returns buf. */
char *op_signature(const op_row *row, char *buf, size_t size);

/* The position of a parameter by its name, or -1. */
int op_parameter(const op_row *row, const char *name, size_t length);

#endif
