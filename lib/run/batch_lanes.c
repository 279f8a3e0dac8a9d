#include "run/batch_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "program/packed_value.h"

static size_t lane_words(const arcl_batch *b, uint32_t number) {
    size_t words = 0;
    for (int i = 0; i < b->arguments; i++) words += packed_words(b->data.at, b->type[i], b->column[i].at[number]);
    return words;
}

/* Arguments one after the other, each standing on its own: what was written before does not matter. */
static void write_lane(const arcl_batch *b, uint32_t number, word *to) {
    for (int i = 0; i < b->arguments; i++) {
        word w = b->column[i].at[number];
        packed_write(b->data.at, b->type[i], w, to);
        to += packed_words(b->data.at, b->type[i], w);
    }
}

const arcl_key *batch_lane_keys(arcl_batch *b) {
    size_t room = 0;
    word *words = NULL;
    if (b->lane_key && b->lane_keys == b->lanes) return b->lane_key; /* others may hold them */
    arcl_key *grown = realloc(b->lane_key, (b->lanes ? b->lanes : 1) * sizeof *grown);
    if (!grown) return NULL;
    b->lane_key = grown;
    for (; b->lane_keys < b->lanes; b->lane_keys++) {
        size_t count = lane_words(b, b->lane_keys);
        if (count > room) {
            free(words);
            room = 2 * count;
            if (!(words = malloc(room * sizeof *words))) return NULL;
        }
        write_lane(b, b->lane_keys, words);
        b->lane_key[b->lane_keys] = hash_bytes(words, count * sizeof *words);
    }
    free(words);
    return b->lane_key;
}

/* ---- some lanes ---- */

static arcl_status make_room(word_vector *v, size_t count, arcl_error *error) {
    v->at = malloc((count ? count : 1) * sizeof *v->at);
    v->room = count ? count : 1;
    return v->at ? ARCL_SUCCESS : NO_MEMORY(error);
}

static arcl_status copy_lanes(const arcl_batch *b, const uint32_t *lanes, uint32_t count, arcl_batch *made,
                              arcl_error *error) {
    size_t words = 0;
    uint end = 0;
    for (uint32_t n = 0; n < count; n++) words += lane_words(b, lanes[n]);
    PROPAGATE(make_room(&made->data, words, error));
    for (int i = 0; i < b->arguments; i++) {
        PROPAGATE(make_room(&made->column[i], count, error));
        made->column[i].count = count;
        for (uint32_t n = 0; n < count; n++)
            made->column[i].at[n] = value_place(b->data.at, b->type[i], b->column[i].at[lanes[n]], made->data.at, &end);
    }
    made->data.count = end;
    made->lanes = count;
    return ARCL_SUCCESS;
}

arcl_status batch_select(const arcl_batch *b, const uint32_t *lanes, uint32_t count, arcl_batch **made,
                         arcl_error *error) {
    PROPAGATE(batch_create_like(b->context, b, made, error));
    arcl_status status = copy_lanes(b, lanes, count, *made, error);
    if (status == ARCL_SUCCESS) return status;
    arcl_batch_free(*made);
    *made = NULL;
    return status;
}

void batch_keep_arguments(arcl_batch *b, int count, const int *argument) {
    word_vector column[4];
    type_code type[4];
    memcpy(column, b->column, sizeof column);
    memcpy(type, b->type, sizeof type);
    memset(b->column, 0, sizeof b->column);
    for (int i = 0; i < count; i++) {
        b->column[i] = column[argument[i]];
        b->type[i] = type[argument[i]];
        column[argument[i]].at = NULL;
    }
    b->arguments = count;
    for (int i = 0; i < 4; i++) free(column[i].at); /* of those that are left out */
}

int batch_find_argument(const type_code *types, int count, type_code type, int place) {
    if (place < count && types[place] == type) return place;
    for (int i = 0; i < count; i++)
        if (types[i] == type) return i;
    return -1;
}
