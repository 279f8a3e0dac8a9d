#include "base/lru.h"

#include <stdlib.h>

static lru_entry **slot_of(const lru *l, arcl_key key) { return &l->slot[key.low & (l->slots - 1)]; }

static void link_newest(lru *l, lru_entry *e) {
    e->newer = NULL;
    e->older = l->newest;
    if (l->newest)
        l->newest->newer = e;
    else
        l->oldest = e;
    l->newest = e;
}

static void unlink_entry(lru *l, lru_entry *e) {
    if (e->newer)
        e->newer->older = e->older;
    else
        l->newest = e->older;
    if (e->older)
        e->older->newer = e->newer;
    else
        l->oldest = e->newer;
}

lru_entry *lru_find(lru *l, arcl_key key) {
    lru_entry *e = l->slots ? *slot_of(l, key) : NULL;
    while (e && !same_key(e->key, key)) e = e->chained;
    if (!e || e == l->newest) return e;
    unlink_entry(l, e);
    link_newest(l, e);
    return e;
}

static int grow(lru *l) {
    size_t slots = l->slots ? 2 * l->slots : 64;
    lru_entry **slot = calloc(slots, sizeof *slot);
    if (!slot) return 0;
    free(l->slot);
    l->slot = slot;
    l->slots = slots;
    for (lru_entry *e = l->newest; e; e = e->older) {
        lru_entry **at = slot_of(l, e->key);
        e->chained = *at;
        *at = e;
    }
    return 1;
}

int lru_add(lru *l, lru_entry *e) {
    if (l->count == l->slots && !grow(l)) return 0;
    lru_entry **at = slot_of(l, e->key);
    e->chained = *at;
    *at = e;
    link_newest(l, e);
    l->count++;
    l->bytes += e->bytes;
    return 1;
}

void lru_remove(lru *l, lru_entry *e) {
    lru_entry **at = slot_of(l, e->key);
    while (*at != e) at = &(*at)->chained;
    *at = e->chained;
    unlink_entry(l, e);
    l->count--;
    l->bytes -= e->bytes;
}

void lru_resize(lru *l, lru_entry *e, size_t bytes) {
    l->bytes += bytes - e->bytes;
    e->bytes = bytes;
}

void lru_end(lru *l) {
    free(l->slot);
    *l = (lru){0};
}
