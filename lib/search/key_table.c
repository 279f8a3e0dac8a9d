#define _GNU_SOURCE
#include "search/key_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"

#define FIRST_ROOM 256u

static uint64_t real_key(uint64_t key) { return key ? key : 1; }

static key_slot *slot_of(const key_table *t, uint64_t key) {
    uint32_t at = (uint32_t)(key ^ key >> 32) & (t->room - 1);
    while (t->slot[at].key && t->slot[at].key != key) at = (at + 1) & (t->room - 1);
    return &t->slot[at];
}

uint32_t key_table_find(const key_table *t, uint64_t key) {
    if (!t->count) return KEY_ABSENT;
    const key_slot *s = slot_of(t, real_key(key));
    return s->key ? s->number : KEY_ABSENT;
}

#define LARGE_PAGE ((size_t)2 << 20)

/* Free slots. A large table is asked for anywhere in it, so that with small pages most questions would have to find
 * theirs first. */
static key_slot *new_slots(uint32_t room) {
    size_t bytes = room * sizeof(key_slot);
    if (bytes < LARGE_PAGE) return calloc(room, sizeof(key_slot));
    key_slot *slot = aligned_alloc(LARGE_PAGE, bytes); /* both are powers of two */
    if (!slot) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(slot, bytes, MADV_HUGEPAGE); /* it may refuse */
#endif
    return memset(slot, 0, bytes);
}

static arcl_status grow(key_table *t, arcl_error *error) {
    key_table larger = {.room = t->room ? 2 * t->room : FIRST_ROOM, .count = t->count};
    larger.slot = larger.room ? new_slots(larger.room) : NULL;
    if (!larger.slot) return NO_MEMORY(error);
    for (uint32_t i = 0; i < t->room; i++)
        if (t->slot[i].key) *slot_of(&larger, t->slot[i].key) = t->slot[i];
    free(t->slot);
    *t = larger;
    return ARCL_SUCCESS;
}

arcl_status key_table_put(key_table *t, uint64_t key, uint32_t number, arcl_error *error) {
    if (2 * (uint64_t)t->count >= t->room) PROPAGATE(grow(t, error));
    *slot_of(t, real_key(key)) = (key_slot){real_key(key), number};
    t->count++;
    return ARCL_SUCCESS;
}

void key_table_clear(key_table *t) {
    if (t->count) memset(t->slot, 0, t->room * sizeof *t->slot);
    t->count = 0;
}

void key_table_free(key_table *t) {
    free(t->slot);
    *t = (key_table){0};
}
