/* Numbers by keys of 64 bits that are hashes already: what the search remembers by what it does. */
#ifndef ARCL_KEY_TABLE_H
#define ARCL_KEY_TABLE_H
#include <stdint.h>

#include "arcl.h"

#define KEY_ABSENT UINT32_MAX

typedef struct key_slot {
    uint64_t key; /* 0: free */
    uint32_t number;
} key_slot;

typedef struct key_table {
    key_slot *slot;
    uint32_t room, count; /* room: a power of two, or 0 */
} key_table;

/* KEY_ABSENT if the key was never put in. */
uint32_t key_table_find(const key_table *t, uint64_t key);
/* Says that the key will be looked for soon. */
static inline void key_table_prefetch(const key_table *t, uint64_t key) {
    if (t->room) __builtin_prefetch(&t->slot[(uint32_t)(key ^ key >> 32) & (t->room - 1)]);
}
/* The key must not be there yet. */
ARCL_CHECKED arcl_status key_table_put(key_table *t, uint64_t key, uint32_t number, arcl_error *error);
void key_table_clear(key_table *t);
void key_table_free(key_table *t);

/* Takes the next word into a key. */
static inline uint64_t key_fold(uint64_t key, uint64_t next) {
    key = (key ^ next) * 0x9e3779b97f4a7c15u;
    key ^= key >> 32;
    key *= 0xd6e8feb86659fd93u;
    return key ^ key >> 29;
}
#endif
