/* Things by key, and which of them was used least recently. They are the caller's: this links them, and counts their
 * bytes. */
#ifndef ARCL_LRU_H
#define ARCL_LRU_H
#include "base/hash.h"

/* The first member of what is kept. */
typedef struct lru_entry {
    struct lru_entry *newer, *older, *chained;
    arcl_key key;
    size_t bytes;
} lru_entry;

typedef struct lru { /* starts out zeroed */
    lru_entry *newest, *oldest;
    lru_entry **slot;
    size_t slots, count, bytes;
} lru;

/* The entry with that key, which becomes the newest; NULL if there is none. */
lru_entry *lru_find(lru *l, arcl_key key);

/* Adds an entry, whose key no other has, as the newest. 0 when there is no memory. */
int lru_add(lru *l, lru_entry *e);
void lru_remove(lru *l, lru_entry *e);

/* The entry takes so many bytes now. */
void lru_resize(lru *l, lru_entry *e, size_t bytes);

/* When no entry is left. */
void lru_end(lru *l);

#endif
