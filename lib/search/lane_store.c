#include "search/lane_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cl/fingerprint.h"

#define WORDS_BESIDES 4 /* that a value takes besides what it refers to */

void lane_store_free(lane_store *s) {
    for (int i = 0; i < s->shelves; i++) arcl_batch_free(s->shelf[i].batch);
    free(s->shelf);
    free(s->lane);
    key_table_free(&s->known);
    key_table_free(&s->tried);
}

arcl_status lane_store_shelf(lane_store *s, type_code type, int *number, arcl_error *error) {
    for (*number = 0; *number < s->shelves; ++*number)
        if (s->shelf[*number].type == type) return ARCL_SUCCESS;
    shelf made = {.type = type};
    if (type_parse(type_text(type, made.text, sizeof made.text)) != type) {
        *number = -1;
        return ARCL_SUCCESS;
    }
    if (s->shelves == s->shelf_room) {
        int room = s->shelf_room ? 2 * s->shelf_room : 16;
        shelf *grown = realloc(s->shelf, (size_t)room * sizeof *grown);
        if (!grown) return NO_MEMORY(error);
        s->shelf = grown;
        s->shelf_room = room;
    }
    PROPAGATE(arcl_batch_create(s->context, made.text, &made.batch, error));
    s->shelf[s->shelves++] = made;
    return ARCL_SUCCESS;
}

uint32_t lane_store_find(const lane_store *s, uint64_t fingerprint) {
    uint32_t found = key_table_find(&s->known, fingerprint);
    return found == KEY_ABSENT && s->trying ? key_table_find(&s->tried, fingerprint) : found;
}

arcl_status lane_store_add(lane_store *s, uint64_t fingerprint, int shelf_number, arcl_value value, uint32_t *number,
                           arcl_error *error) {
    arcl_batch *b = s->shelf[shelf_number].batch;
    size_t before = b->data.count;
    if (s->lanes == s->room) {
        uint32_t room = s->room ? 2 * s->room : 1024;
        stored_lane *grown = realloc(s->lane, room * sizeof *grown);
        if (!grown) return NO_MEMORY(error);
        s->lane = grown;
        s->room = room;
    }
    PROPAGATE(arcl_batch_add_value(b, value, error));
    PROPAGATE(key_table_put(s->trying ? &s->tried : &s->known, fingerprint, s->lanes, error));
    s->lane[s->lanes] = (stored_lane){fingerprint, (uint32_t)shelf_number, b->lanes - 1,
                                      (uint32_t)(b->data.count - before + WORDS_BESIDES)};
    s->words += b->data.count - before + WORDS_BESIDES;
    *number = s->lanes++;
    return ARCL_SUCCESS;
}

/* As the scores of a run have it. */
static arcl_status find_or_add(lane_store *s, arcl_value v, uint32_t *number, arcl_error *error) {
    int shelf_number;
    uint64_t fingerprint = fingerprint_value(v.storage, v.type, v.word, fingerprint_fold(0, 0));
    *number = lane_store_find(s, fingerprint);
    if (*number != KEY_ABSENT) return ARCL_SUCCESS;
    PROPAGATE(lane_store_shelf(s, v.type, &shelf_number, error));
    return lane_store_add(s, fingerprint, shelf_number, v, number, error);
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
    for (int i = 0; i < s->shelves; i++) {
        s->shelf[i].kept_lanes = s->shelf[i].batch->lanes;
        s->shelf[i].kept_words = s->shelf[i].batch->data.count;
    }
}

void lane_store_forget(lane_store *s) {
    s->trying = 0;
    s->lanes = s->kept;
    key_table_clear(&s->tried);
    for (int i = 0; i < s->shelves; i++) {
        arcl_batch *b = s->shelf[i].batch;
        s->words -=
            b->data.count - s->shelf[i].kept_words + WORDS_BESIDES * (size_t)(b->lanes - s->shelf[i].kept_lanes);
        b->lanes = s->shelf[i].kept_lanes;
        b->column[0].count = s->shelf[i].kept_lanes;
        b->data.count = s->shelf[i].kept_words;
    }
}

arcl_grid lane_grid(const lane_store *s, uint32_t number) {
    word w = lane_word(s, number);
    int h = (int)(ref_length(w) >> 16), width = (int)(ref_length(w) & 0xffff);
    if (s->shelf[s->lane[number].shelf].type != T_GRID || width == RAGGED || !h) return (arcl_grid){0};
    return (arcl_grid){h, width, (const signed char *)(lane_data(s, number) + ref_offset(w))};
}
