/* Values as the search has them: what some expression yields for every input of the task, train first. Two expressions
 * that yield the same everywhere are one value, the one that was there first. A value knows which pattern made it of
 * which values, so that its program can be written down. */
#ifndef ARCL_VALUE_BANK_H
#define ARCL_VALUE_BANK_H
#include "search/lane_store.h"

#define NO_VALUE UINT32_MAX
#define MAX_HOLES 4
#define MAX_COST 96 /* dearer values cost so much */
/* Patterns that are none: the input, and an int that is written in the program. */
#define PATTERN_INPUT UINT32_MAX
#define PATTERN_CONSTANT (UINT32_MAX - 1)

typedef struct bank_value {
    uint32_t pattern;
    uint32_t argument[MAX_HOLES]; /* of a constant, the number itself */
    uint16_t shelf;
    uint16_t cost;  /* bits: how surprising it would be in a program */
    uint16_t calls; /* of its expression, those that it repeats counted each time */
} bank_value;

typedef struct value_list {
    uint32_t *at;
    uint32_t count, room;
} value_list;

typedef struct value_bank {
    lane_store lanes;
    int inputs; /* lanes of every value */
    uint64_t memory;
    bank_value *value;
    uint32_t *lane; /* of value v: lane[v * inputs ..] */
    uint32_t count, room, kept;
    key_table known, tried; /* by the numbers of all lanes */
    value_list *list;       /* of shelf s and cost c, what is kept: list[s * (MAX_COST + 1) + c] */
    int list_shelves;
} value_bank;

void value_bank_free(value_bank *b);
/* With so much memory, of which half is for what is kept: the rest is for what is tried. */
ARCL_CHECKED arcl_status value_bank_create(value_bank *b, arcl_context *context, int inputs, uint64_t memory,
                                           arcl_error *error);
/* Whether nothing more should be kept. */
int value_bank_is_full(const value_bank *b);

/* The value that has this key; NO_VALUE: none has. */
uint32_t value_bank_find(const value_bank *b, uint64_t key);
static inline void value_bank_prefetch(const value_bank *b, uint64_t key) {
    key_table_prefetch(&b->known, key);
    if (b->lanes.trying) key_table_prefetch(&b->tried, key);
}
/* Puts a value in, whose lanes are there. */
ARCL_CHECKED arcl_status value_bank_add(value_bank *b, uint64_t key, const bank_value *v, const uint32_t *lanes,
                                        uint32_t *number, arcl_error *error);
/* The key of a value that has these lanes; never NO_KEY. */
#define NO_KEY 0
uint64_t value_bank_key(const value_bank *b, const uint32_t *lanes);

/* What is added from now on is forgotten later, and is in no list. */
void value_bank_try(value_bank *b);
void value_bank_forget(value_bank *b);

static inline const uint32_t *value_lanes(const value_bank *b, uint32_t value) {
    return b->lane + (size_t)value * (size_t)b->inputs;
}
/* The kept values of a shelf and cost. */
value_list value_bank_list(const value_bank *b, int shelf_number, int cost);

#endif
