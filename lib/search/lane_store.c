#include "search/lane_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/growth.h"
#include "program/packed_value.h"
#include "search/lane_hash.h"

/* Larger values of a lane are not kept: grids of tasks have at most 900 cells, of which a patch takes a word each. What
 * is larger takes long, and is seldom on the way to an output. */
#define MAX_VALUE_WORDS 1000
#define MAX_GRID_WORDS 230

arcl_status lane_store_create(lane_store *s, arcl_context *context, uint64_t bytes, arcl_error *error) {
    uint64_t words = bytes / sizeof(word) + MAX_VALUE_WORDS;
    *s = (lane_store){.context = context};
    s->region = words < UINT32_MAX ? context_region_take(context, (uint)words) : NULL;
    if (!s->region)
        return error_set(error, ARCL_NO_MEMORY, "a search of %llu bytes, which are not to be had",
                         (unsigned long long)bytes);
    s->end = s->region->begin;
    return ARCL_SUCCESS;
}

void lane_store_free(lane_store *s) {
    if (s->region) context_region_give(s->context, s->region);
    free(s->shelf);
    free(s->lane);
    key_table_free(&s->known);
    key_table_free(&s->tried);
}

size_t lane_store_bytes(const lane_store *s) {
    return (s->end - s->region->begin) * sizeof(word) + s->lanes * (2 * sizeof(stored_lane) + 4 * sizeof(key_slot));
}

arcl_status lane_store_shelf(lane_store *s, type_code type, int *number, arcl_error *error) {
    for (*number = 0; *number < s->shelves; ++*number)
        if (s->shelf[*number].type == type) return ARCL_SUCCESS;
    shelf made = {.type = type};
    if (type_parse(type_text(type, made.text, sizeof made.text)) != type) {
        *number = -1;
        return ARCL_SUCCESS;
    }
    if (!ARRAY_HAS_ROOM(s->shelf, (uint32_t)s->shelves, s->shelf_room, 16)) return NO_MEMORY(error);
    s->shelf[s->shelves++] = made;
    return ARCL_SUCCESS;
}

uint32_t lane_store_find(const lane_store *s, uint64_t fingerprint) {
    uint32_t found = key_table_find(&s->known, fingerprint);
    return found == KEY_ABSENT && s->trying ? key_table_find(&s->tried, fingerprint) : found;
}

/* KEY_ABSENT if it takes more than `most` words, or more than there are. */
static arcl_status put(lane_store *s, uint64_t fingerprint, int shelf_number, arcl_value value, size_t most,
                       uint32_t *number, arcl_error *error) {
    type_code type = s->shelf[shelf_number].type;
    size_t words = packed_words(value.storage, type, value.word) - 1;
    *number = KEY_ABSENT;
    if (words > most || words > s->region->end - s->end) return ARCL_SUCCESS;
    if (!ARRAY_HAS_ROOM(s->lane, s->lanes, s->room, 1024)) return NO_MEMORY(error);
    PROPAGATE(key_table_put(s->trying ? &s->tried : &s->known, fingerprint, s->lanes, error));
    word *arena = s->context->arena;
    word placed = value_place(value.storage, type, value.word, arena, &s->end);
    value_clear_padding(arena, type, placed);
    s->lane[s->lanes] = (stored_lane){fingerprint, placed, (uint32_t)shelf_number, (uint32_t)words};
    *number = s->lanes++;
    return ARCL_SUCCESS;
}

arcl_status lane_store_add(lane_store *s, uint64_t fingerprint, int shelf_number, arcl_value value, uint32_t *number,
                           arcl_error *error) {
    size_t most = s->shelf[shelf_number].type == T_GRID ? MAX_GRID_WORDS : MAX_VALUE_WORDS;
    return put(s, fingerprint, shelf_number, value, most, number, error);
}

/* What the task has is kept in any case. */
static arcl_status find_or_add(lane_store *s, arcl_value v, uint32_t *number, arcl_error *error) {
    int shelf_number;
    uint64_t fingerprint = lane_hash(v.storage, v.type, v.word);
    *number = lane_store_find(s, fingerprint);
    if (*number != KEY_ABSENT) return ARCL_SUCCESS;
    PROPAGATE(lane_store_shelf(s, v.type, &shelf_number, error));
    PROPAGATE(put(s, fingerprint, shelf_number, v, SIZE_MAX, number, error));
    return *number == KEY_ABSENT ? NO_MEMORY(error) : ARCL_SUCCESS;
}

arcl_status lane_store_grid(lane_store *s, arcl_grid g, uint32_t *number, arcl_error *error) {
    word packed[ARCL_SEARCH_SIDE * ARCL_SEARCH_SIDE / 8 + 1] = {0};
    if (g.h < 1 || g.w < 1 || g.h > ARCL_SEARCH_SIDE || g.w > ARCL_SEARCH_SIDE)
        return error_set(error, ARCL_INVALID, "a grid of %d by %d is none of a task", g.h, g.w);
    memcpy(packed, g.cells, (size_t)g.h * (size_t)g.w);
    return find_or_add(s, (arcl_value){packed, T_GRID, made_ref(0, (uint)g.h << 16 | (uint)g.w), -1}, number, error);
}

arcl_status lane_store_int(lane_store *s, int n, uint32_t *number, arcl_error *error) {
    return find_or_add(s, (arcl_value){NULL, T_INT, n, -1}, number, error);
}

void lane_store_try(lane_store *s) {
    s->trying = 1;
    s->kept = s->lanes;
    s->kept_end = s->end;
}

void lane_store_forget(lane_store *s) {
    s->trying = 0;
    s->lanes = s->kept;
    s->end = s->kept_end;
    key_table_clear(&s->tried);
}

arcl_grid lane_grid(const lane_store *s, uint32_t number) {
    arcl_value v = lane_value(s, number);
    int h = (int)(ref_length(v.word) >> 16), width = (int)(ref_length(v.word) & 0xffff);
    if (v.type != T_GRID || width == RAGGED || !h) return (arcl_grid){0};
    return (arcl_grid){h, width, (const signed char *)(v.storage + ref_offset(v.word))};
}
