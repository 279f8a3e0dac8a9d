#include "keep/result_set.h"

#include <stdlib.h>
#include <string.h>

/* ---- entries ---- */

static kept_result entry_at(const word *at) {
    ulong head = (ulong)at[0];
    kept_result r = {.lane = {(uint64_t)at[3], (uint64_t)at[4]},
                     .status = (unsigned)(head & 255),
                     .which = (unsigned)(head >> 8 & 255),
                     .nanoseconds = (uint64_t)at[1],
                     .asked = (uint32_t)at[2],
                     .words = (size_t)(head >> 32)};
    r.value = r.words ? at + ENTRY_HEAD : NULL;
    return r;
}

static void write_head(word *to, const kept_result *r) {
    to[0] = (word)((ulong)r->words << 32 | (ulong)r->which << 8 | r->status);
    to[1] = (word)r->nanoseconds;
    to[2] = (word)r->asked;
    to[3] = (word)r->lane.high;
    to[4] = (word)r->lane.low;
}

/* The slot of a fingerprint, or the free one where it goes. */
static uint32_t *slot_of(const result_set *s, arcl_key key) {
    for (uint64_t h = key.low;; h++) {
        uint32_t *slot = &s->slot[h & (s->slots - 1)];
        if (!*slot || same_key(entry_at(s->data + *slot - 1).lane, key)) return slot;
    }
}

static int grow_slots(result_set *s, uint32_t entries) {
    uint32_t slots = s->slots ? 2 * s->slots : 16;
    while (slots / 2 < entries) slots *= 2;
    uint32_t *grown = calloc(slots, sizeof *grown);
    kept_result r;
    if (!grown) return 0;
    free(s->slot);
    s->slot = grown;
    s->slots = slots;
    for (size_t at = 0, here = 0; result_set_next(s, &at, &r); here = at) *slot_of(s, r.lane) = (uint32_t)(here + 1);
    return 1;
}

/* Room for so many words more, which are so many entries. */
static int reserve(result_set *s, size_t words, uint32_t entries) {
    if (s->count + words > 0xfffffffe) return 0;
    if (s->count + words > s->room) {
        size_t room = s->room ? 2 * s->room : 256;
        if (room < s->count + words || words > s->room) room = s->count + words;
        word *grown = realloc(s->data, room * sizeof *grown);
        if (!grown) return 0;
        s->data = grown;
        s->room = room;
    }
    return s->entries + entries <= s->slots / 2 || grow_slots(s, s->entries + entries);
}

/* What reserve has made room for is an entry now. */
static void take_in(result_set *s, const kept_result *r) {
    *slot_of(s, r->lane) = (uint32_t)(s->count + 1);
    write_head(s->data + s->count, r);
    s->count += ENTRY_HEAD + r->words;
    s->entries++;
}

/* ---- the set ---- */

uint32_t result_set_find(const result_set *s, arcl_key key) { return s->slots ? *slot_of(s, key) : 0; }

kept_result result_set_get(const result_set *s, uint32_t place) { return entry_at(s->data + place - 1); }

int result_set_add(result_set *s, kept_result r, const word *storage, type_code type, word w) {
    if (result_set_find(s, r.lane)) return 1;
    r.words = r.status ? 0 : packed_words(storage, type, w);
    if (!reserve(s, ENTRY_HEAD + r.words, 1)) return 0;
    if (r.words) packed_write(storage, type, w, s->data + s->count + ENTRY_HEAD);
    take_in(s, &r);
    return 1;
}

int result_set_next(const result_set *s, size_t *at, kept_result *found) {
    if (*at >= s->count) return 0;
    *found = entry_at(s->data + *at);
    *at += ENTRY_HEAD + found->words;
    return 1;
}

/* How many entries these are; -1 if they are not sound. */
static int64_t count_sound(const word *data, size_t count, const type_code *types, int type_count) {
    int64_t entries = 0;
    for (; count; entries++) {
        if (count < ENTRY_HEAD) return -1;
        kept_result r = entry_at(data);
        if (r.words > count - ENTRY_HEAD || r.status >= ARCL_LANE_STATUSES || (r.status != ARCL_OK) != (r.words == 0))
            return -1;
        if (r.words && ((int)r.which >= type_count || !packed_is_sound(r.value, r.words, types[r.which]))) return -1;
        data += ENTRY_HEAD + r.words;
        count -= ENTRY_HEAD + r.words;
    }
    return entries;
}

int result_set_merge(result_set *s, const word *data, size_t count, const type_code *types, int type_count) {
    int64_t entries = count_sound(data, count, types, type_count);
    if (entries < 0) return 0;
    if (entries > 0x3fffffff || !reserve(s, count, (uint32_t)entries)) return -1;
    for (const word *end = data + count; data < end;) {
        kept_result r = entry_at(data);
        if (!result_set_find(s, r.lane)) {
            memcpy(s->data + s->count, data, (ENTRY_HEAD + r.words) * sizeof *data);
            take_in(s, &r);
        }
        data += ENTRY_HEAD + r.words;
    }
    return 1;
}

size_t result_set_bytes(const result_set *s) { return s->room * sizeof *s->data + s->slots * sizeof *s->slot; }

void result_set_free(result_set *s) {
    free(s->data);
    free(s->slot);
    *s = (result_set){0};
}
