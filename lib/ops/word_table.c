#include "ops/word_table.h"

#include <string.h>

const word_row word_rows[WORD_COUNT] = {
#define WORD(name, op, answer, empty, manner) {#name, OP_##op, ANSWER_##answer, ANSWER_##empty, MANNER_##manner},
#include "ops/tokpidjin.def"
#undef WORD
};

const struct word_manner_row word_manners[MANNER_COUNT] = {
#define MANNER(name, position, meaning) {position, meaning},
#include "ops/word_manners.def"
#undef MANNER
};

int dialect_first(arcl_dialect dialect) { return dialect == ARCL_TOKPIDJIN ? OP_COUNT : 0; }
int dialect_count(arcl_dialect dialect) { return dialect == ARCL_TOKPIDJIN ? WORD_COUNT : OP_LANGUAGE_COUNT; }

/* ---- by name ---- */

static unsigned hash_name(const char *name, size_t length) {
    unsigned h = (unsigned)length;
    for (size_t i = 0; i < length; i++) h = h * 31 + (unsigned char)name[i];
    return h ^ h >> 9;
}

static uint16_t *slots_of(op_index *index, arcl_dialect dialect) { return index->slot[dialect == ARCL_TOKPIDJIN]; }

static void index_dialect(op_index *index, arcl_dialect dialect) {
    uint16_t *slot = slots_of(index, dialect);
    for (int i = 0; i < dialect_count(dialect); i++) {
        int callable = dialect_first(dialect) + i;
        unsigned h = hash_name(callable_name(callable), strlen(callable_name(callable)));
        while (slot[h % OP_INDEX_SLOTS]) h++;
        slot[h % OP_INDEX_SLOTS] = (uint16_t)(callable + 1);
    }
}

void op_index_build(op_index *index) {
    memset(index, 0, sizeof *index);
    index_dialect(index, ARCL_ARC_DSL);
    index_dialect(index, ARCL_TOKPIDJIN);
}

int op_find(const op_index *index, arcl_dialect dialect, const char *name, size_t length) {
    const uint16_t *slot = index->slot[dialect == ARCL_TOKPIDJIN];
    for (unsigned h = hash_name(name, length);; h++) {
        int callable = slot[h % OP_INDEX_SLOTS] - 1;
        if (callable < 0) return -1;
        const char *candidate = callable_name(callable);
        if (strncmp(candidate, name, length) == 0 && candidate[length] == 0) return callable;
    }
}
