/* Dialects and their words for users: what `arcl ops` says of them. All of it follows from the rows of the tables. */
#include <stdio.h>
#include <string.h>

#include "ops/word_table.h"

static const char *const dialect_names[] = {"auto", "arc-dsl", "tokpidjin"};

const char *arcl_dialect_name(arcl_dialect dialect) {
    return dialect == ARCL_ARC_DSL || dialect == ARCL_TOKPIDJIN ? dialect_names[dialect] : dialect_names[0];
}

int arcl_dialect_find(const char *name) {
    for (int i = 0; name && i < 3; i++)
        if (strcmp(name, dialect_names[i]) == 0) return i;
    return -1;
}

int arcl_dialect_op_count(arcl_dialect dialect) { return dialect_count(dialect); }

/* ---- the signature of a word ---- */

enum word_kind word_kind(const word_row *w) {
    switch (w->manner) {
    case MANNER_GRID:
    case MANNER_ROWS: return WORD_OF_GRID;
    case MANNER_PATCH:
    case MANNER_BOX: return WORD_OF_PATCH;
    case MANNER_INDICES:
    case MANNER_INDICES_1:
    case MANNER_FALSY_I:
    case MANNER_LINE_I:
    case MANNER_BOX_I: return WORD_OF_INDICES;
    case MANNER_OBJECT:
    case MANNER_OBJECT_1:
    case MANNER_FALSY_O:
    case MANNER_LINE_O:
    case MANNER_BOX_O: return WORD_OF_OBJECT;
    default: return strcmp(w->name, "height_t") == 0 ? WORD_OF_GRID : WORD_OF_ANY;
    }
}

/* What a code of the op's signature is for a word of that kind. */
static unsigned code_of_kind(unsigned code, enum word_kind kind) {
    static const uint8_t codes[] = {SIG_NO, SIG_GRID, SIG_PATCH, SIG_INDICES, SIG_OBJECT};
    int is_open = code == SIG_PIECE || code == SIG_ELEMENT || (code == SIG_PATCH && kind > WORD_OF_PATCH);
    return is_open && kind ? codes[kind] : code;
}

static unsigned code_of_container(unsigned code, unsigned manner) {
    if (code != SIG_C_A) return code;
    return manner == MANNER_ONLY_TUPLE ? SIG_TUPLE_A : manner == MANNER_ONLY_SET ? SIG_SET_A : code;
}

/* What is made a tuple or a set may be either before. */
static unsigned argument_code(const word_row *w, int position) {
    unsigned code = op_rows[word_meant_op(w)].argument[position];
    if (w->manner == MANNER_TUPLE_0 && position == 0 && code == SIG_TUPLE_A) return SIG_C_A;
    if (position == word_position(w)) code = code_of_kind(code, word_kind(w));
    return code_of_container(code, w->manner);
}

static unsigned result_code(const word_row *w) {
    unsigned code = op_rows[word_meant_op(w)].result;
    if (w->manner == MANNER_TUPLE_0 || w->manner == MANNER_TUPLE_1)
        return code == SIG_C_A ? SIG_TUPLE_A : code == SIG_C_B ? SIG_TUPLE_B : code;
    if (w->manner == MANNER_SET_0) return code == SIG_C_A ? SIG_SET_A : code;
    return code_of_container(code_of_kind(code, word_kind(w)), w->manner);
}

op_row word_signature(const word_row *w) {
    op_row row = op_rows[word_meant_op(w)];
    for (int i = 0; i < row.arity; i++) row.argument[i] = (uint8_t)argument_code(w, i);
    row.result = (uint8_t)result_code(w);
    return row;
}

/* ---- what is said of a word ---- */

/* An op that programs can name is worth naming; what the dialect makes of an op of the language goes by the same name.
 * */
static const char *name_of_op(const word_row *w) {
    int op = word_meant_op(w), named = op < OP_LANGUAGE_COUNT;
    for (int i = 0; i < WORD_COUNT && !named; i++) named = strcmp(word_rows[i].name, op_rows[op].name) == 0;
    return named && strcmp(w->name, op_rows[op].name) != 0 ? op_rows[op].name : "";
}

static const char *manner_text(const word_row *w, unsigned result) {
    static const char *const of_kind[] = {"", "of a grid", "of a patch", "of locations", "of an object"};
    switch (w->manner) {
    case MANNER_TUPLE_0:
    case MANNER_TUPLE_1: return result == SIG_A ? "of any container, as a tuple" : "into a tuple";
    case MANNER_SET_0: return "into a set";
    case MANNER_ONLY_TUPLE: return "of tuples only";
    case MANNER_ONLY_SET: return "of sets only";
    case MANNER_PAIR_0:
    case MANNER_PAIR_1: return word_manners[w->manner].meaning;
    default: return *name_of_op(w) ? of_kind[word_kind(w)] : "";
    }
}

static const char *missing_text(unsigned result) {
    switch (result) {
    case SIG_BOOL: return "F";
    case SIG_INT: return "none";
    case SIG_IJ: return "the empty pair";
    case SIG_A:
    case SIG_K:
    case SIG_NUM:
    case SIG_CELL:
    case SIG_FN_BOUND: return "a missing value";
    case SIG_GRID: return "the empty grid";
    default: return "an empty container";
    }
}

static const char *answer_text(unsigned answer, unsigned result) {
    switch (answer) {
    case ANSWER_MISSING:
    case ANSWER_SET:
    case ANSWER_TUPLE:
    case ANSWER_NAN:
    case ANSWER_LOW:
    case ANSWER_NONE:
    case ANSWER_TRUE_NONE: return missing_text(result);
    case ANSWER_ZERO: return result == SIG_BOOL ? "F" : "0";
    case ANSWER_FUNCTION: return "a function that yields missing";
    default: return "";
    }
}

static void describe_word(const word_row *w, arcl_op_info *info) {
    op_row row = word_signature(w);
    info->op = name_of_op(w);
    info->manner = manner_text(w, row.result);
    info->missing = answer_text(w->empty, row.result);
    info->fallback = answer_text(w->answer, row.result);
    op_signature(&row, info->signature, sizeof info->signature);
}

arcl_op_info arcl_dialect_op_get(arcl_dialect dialect, int index) {
    arcl_op_info info = {.name = "",
                         .family = "",
                         .parameters = "",
                         .meaning = "",
                         .op = "",
                         .manner = "",
                         .missing = "",
                         .fallback = ""};
    if (index < 0 || index >= dialect_count(dialect)) return info;
    int callable = dialect_first(dialect) + index;
    int is_word = callable_is_word(callable);
    const op_row *row = &op_rows[is_word ? word_meant_op(callable_word(callable)) : callable];
    info.name = callable_name(callable);
    info.family = op_family_names[row->family];
    info.parameters = row->parameters;
    info.meaning = row->meaning;
    info.arity = row->arity;
    op_signature(row, info.signature, sizeof info.signature);
    if (is_word) describe_word(callable_word(callable), &info);
    return info;
}

int arcl_op_count(void) { return arcl_dialect_op_count(ARCL_ARC_DSL); }
arcl_op_info arcl_op_get(int index) { return arcl_dialect_op_get(ARCL_ARC_DSL, index); }
