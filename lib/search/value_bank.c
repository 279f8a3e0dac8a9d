#include "search/value_bank.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/growth.h"

void value_bank_free(value_bank *b) {
    for (int i = 0; i < b->list_shelves * (MAX_COST + 1); i++) free(b->list[i].at);
    free(b->list);
    free(b->value);
    free(b->lane);
    key_table_free(&b->known);
    key_table_free(&b->tried);
    lane_store_free(&b->lanes);
}

arcl_status value_bank_create(value_bank *b, arcl_context *context, int inputs, uint64_t memory, arcl_error *error) {
    *b = (value_bank){.inputs = inputs, .memory = memory};
    return lane_store_create(&b->lanes, context, memory / 8 * 5, error);
}

int value_bank_is_full(const value_bank *b) {
    /* Arrays that grow have room for twice as much as is in them, tables for four times. */
    size_t per_value = 2 * (sizeof(bank_value) + (size_t)b->inputs * sizeof(uint32_t)) + 4 * sizeof(key_slot);
    return lane_store_bytes(&b->lanes) + b->count * per_value >= b->memory / 2;
}

uint32_t value_bank_find(const value_bank *b, uint64_t key) {
    uint32_t found = key_table_find(&b->known, key);
    if (found == KEY_ABSENT && b->lanes.trying) found = key_table_find(&b->tried, key);
    return found == KEY_ABSENT ? NO_VALUE : found;
}

uint64_t value_bank_key(const value_bank *b, const uint32_t *lanes) {
    uint64_t key = 0;
    for (int i = 0; i < b->inputs; i++) key = key_fold(key, lanes[i] + 1u);
    return key ? key : 1;
}

static arcl_status reserve_value(value_bank *b, arcl_error *error) {
    uint32_t room = b->room;
    if (b->count < room) return ARCL_SUCCESS;
    if (!array_double(&b->lane, (size_t)b->inputs * sizeof *b->lane, &room, 1024)) return NO_MEMORY(error);
    return array_double(&b->value, sizeof *b->value, &b->room, 1024) ? ARCL_SUCCESS : NO_MEMORY(error);
}

static arcl_status enlist(value_bank *b, uint32_t number, arcl_error *error) {
    const bank_value *v = &b->value[number];
    if (v->shelf >= b->list_shelves) {
        int shelves = v->shelf + 8, before = b->list_shelves * (MAX_COST + 1);
        value_list *grown = realloc(b->list, (size_t)shelves * (MAX_COST + 1) * sizeof *grown);
        if (!grown) return NO_MEMORY(error);
        b->list = grown;
        b->list_shelves = shelves;
        memset(grown + before, 0, ((size_t)shelves * (MAX_COST + 1) - (size_t)before) * sizeof *grown);
    }
    value_list *l = &b->list[v->shelf * (MAX_COST + 1) + v->cost];
    if (!ARRAY_HAS_ROOM(l->at, l->count, l->room, 8)) return NO_MEMORY(error);
    l->at[l->count++] = number;
    return ARCL_SUCCESS;
}

arcl_status value_bank_add(value_bank *b, uint64_t key, const bank_value *v, const uint32_t *lanes, uint32_t *number,
                           arcl_error *error) {
    PROPAGATE(reserve_value(b, error));
    *number = b->count;
    b->value[b->count] = *v;
    memcpy(b->lane + (size_t)b->count * (size_t)b->inputs, lanes, (size_t)b->inputs * sizeof *lanes);
    if (!b->lanes.trying) PROPAGATE(enlist(b, b->count, error));
    PROPAGATE(key_table_put(b->lanes.trying ? &b->tried : &b->known, key, b->count, error));
    b->count++;
    return ARCL_SUCCESS;
}

void value_bank_try(value_bank *b) {
    b->kept = b->count;
    lane_store_try(&b->lanes);
}

void value_bank_forget(value_bank *b) {
    b->count = b->kept;
    key_table_clear(&b->tried);
    lane_store_forget(&b->lanes);
}

value_list value_bank_list(const value_bank *b, int shelf_number, int cost) {
    if (shelf_number < 0 || shelf_number >= b->list_shelves || cost < 0 || cost > MAX_COST) return (value_list){0};
    return b->list[shelf_number * (MAX_COST + 1) + cost];
}
