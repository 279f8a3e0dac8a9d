#include "ops/word_table.h"

#include <string.h>

#include "base/name_hash.h"
#include "ops/constant_table.h"

const word_row word_rows[WORD_COUNT] = {
#define WORD(name, op, answer, empty, manner) {#name, OP_##op, ANSWER_##answer, ANSWER_##empty, MANNER_##manner},
#include "ops/tokpidjin.def"
#undef WORD
};

enum word_answer word_miscounted(const word_row *w) {
    switch (w - word_rows) {
#define MISCOUNT(name, answer)                                                                                         \
    case WORD_##name:                                                                                                  \
        return ANSWER_##answer;
#include "ops/word_miscounts.def"
#undef MISCOUNT
    default: return (enum word_answer)w->answer;
    }
}

const struct word_manner_row word_manners[MANNER_COUNT] = {
#define MANNER(name, position, meaning) {position, meaning},
#include "ops/word_manners.def"
#undef MANNER
};

int dialect_first(arcl_dialect dialect) { return dialect == ARCL_TOKPIDJIN ? OP_COUNT : 0; }
int dialect_count(arcl_dialect dialect) { return dialect == ARCL_TOKPIDJIN ? WORD_COUNT : OP_LANGUAGE_COUNT; }

/* ---- by name ---- */

static const char *meaning_name(int meaning) {
    return meaning < CALLABLE_COUNT ? callable_name(meaning) : constant_rows[meaning - CALLABLE_COUNT].name;
}

static void index_meaning(op_index *index, int which, int meaning) {
    const char *name = meaning_name(meaning);
    size_t length = strlen(name);
    uint32_t hash = name_hash(name, length), at = hash;
    while (index->slot[which][at % OP_INDEX_SLOTS]) at++;
    index->slot[which][at % OP_INDEX_SLOTS] = (uint16_t)(meaning + 1);
    index->hash[which][at % OP_INDEX_SLOTS] = hash;
    index->length[which][at % OP_INDEX_SLOTS] = (uint8_t)length;
}

static void index_dialect(op_index *index, arcl_dialect dialect) {
    int which = dialect == ARCL_TOKPIDJIN;
    for (int i = 0; i < dialect_count(dialect); i++) index_meaning(index, which, dialect_first(dialect) + i);
    for (int i = 0; i < dialect_constants(dialect); i++) index_meaning(index, which, CALLABLE_COUNT + i);
}

void op_index_fill(op_index *index) {
    index_dialect(index, ARCL_ARC_DSL);
    index_dialect(index, ARCL_TOKPIDJIN);
}

int meaning_find(const op_index *index, arcl_dialect dialect, uint32_t hash, const char *name, size_t length) {
    int which = dialect == ARCL_TOKPIDJIN;
    const uint16_t *slot = index->slot[which];
    for (uint32_t at = hash;; at++) {
        int meaning = slot[at % OP_INDEX_SLOTS] - 1;
        if (meaning < 0) return -1;
        if (index->hash[which][at % OP_INDEX_SLOTS] != hash || index->length[which][at % OP_INDEX_SLOTS] != length)
            continue;
        if (name_is(meaning_name(meaning), name, length)) return meaning;
    }
}

int op_find(const op_index *index, arcl_dialect dialect, const char *name, size_t length) {
    int meaning = meaning_find(index, dialect, name_hash(name, length), name, length);
    return meaning < CALLABLE_COUNT ? meaning : -1;
}
