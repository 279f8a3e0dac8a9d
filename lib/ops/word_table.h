/* The words of dialects: which names stand for which op, in which dialect, and how a dialect has an op differ.
 *
 * A *callable* is what a program can name and call: an op of the language, by its number, or a word of the tokpidjin
 * dialect, whose numbers follow those of the ops. */
#ifndef ARCL_WORD_TABLE_H
#define ARCL_WORD_TABLE_H
#include "arcl.h"
#include "ops/op_table.h"

/* What stands in for the result of a call. */
enum word_answer {
    ANSWER_FAILS,
    ANSWER_MISSING,
    ANSWER_SET,
    ANSWER_TUPLE,
    ANSWER_NONE,
    ANSWER_TRUE_NONE,
    ANSWER_NAN,
    ANSWER_LOW,
    ANSWER_ZERO,
    ANSWER_FUNCTION
};

/* How a word takes its arguments. */
enum word_manner {
#define MANNER(name, position, meaning) MANNER_##name,
#include "ops/word_manners.def"
#undef MANNER
    MANNER_COUNT
};

/* Which argument that is about, -1 for all, and what it says to users. */
extern const struct word_manner_row {
    int8_t position;
    const char *meaning;
} word_manners[MANNER_COUNT];

typedef struct word_row {
    char name[22]; /* no pointer: a program that starts would have to adjust each */
    uint16_t op;
    uint8_t answer; /* to a failure, under the safe policy */
    uint8_t empty;  /* to a failure because something is empty */
    uint8_t manner;
} word_row;

/* Rows, by name. */
enum {
#define WORD(name, ...) WORD_##name,
#include "ops/tokpidjin.def"
#undef WORD
    WORD_COUNT
};

extern const word_row word_rows[WORD_COUNT];

/* The answer to a call with a wrong number of arguments. */
enum word_answer word_miscounted(const word_row *w);

/* What kind of piece a word is for, by its name's suffix. */
enum word_kind { WORD_OF_ANY, WORD_OF_GRID, WORD_OF_PATCH, WORD_OF_INDICES, WORD_OF_OBJECT };
enum word_kind word_kind(const word_row *w);

/* The argument that this is about. */
static inline int word_position(const word_row *w) {
    return word_manners[w->manner].position > 0 ? word_manners[w->manner].position : 0;
}

/* The op that a word is a name of; rows of a grid are counted like elements, but who says height_t means height. */
static inline int word_meant_op(const word_row *w) {
    return w->op == OP_size && word_kind(w) == WORD_OF_GRID ? (int)OP_height : w->op;
}

/* The row of that op, with the signature that it has for this word. */
op_row word_signature(const word_row *w);

static inline int callable_is_word(int callable) { return callable >= OP_COUNT; }
static inline const word_row *callable_word(int callable) { return &word_rows[callable - OP_COUNT]; }
static inline int callable_op(int callable) {
    return callable_is_word(callable) ? callable_word(callable)->op : callable;
}
static inline const char *callable_name(int callable) {
    return callable_is_word(callable) ? callable_word(callable)->name : op_rows[callable].name;
}

/* The callables of a dialect: the first and how many. */
int dialect_first(arcl_dialect dialect);
int dialect_count(arcl_dialect dialect);

/* Finds callables and constants by name; built once per context, so it is small. */
#define OP_INDEX_SLOTS 1024
typedef struct op_index {
    uint32_t hash[2][OP_INDEX_SLOTS]; /* of each dialect: of the name in that slot (base/name_hash.h) */
    uint16_t slot[2][OP_INDEX_SLOTS]; /* its meaning + 1, or 0 */
    uint8_t length[2][OP_INDEX_SLOTS];
} op_index;
void op_index_fill(op_index *index); /* which is all zero before */

/* What a name means in a dialect is a callable, or CALLABLE_COUNT and the row of a constant, or -1: nothing. */
enum { CALLABLE_COUNT = (int)OP_COUNT + (int)WORD_COUNT };
int meaning_find(const op_index *index, arcl_dialect dialect, uint32_t hash, const char *name, size_t length);

/* The callable of that name in a dialect, or -1. */
int op_find(const op_index *index, arcl_dialect dialect, const char *name, size_t length);

#endif
