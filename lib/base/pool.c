#include "base/pool.h"

#include <stdlib.h>

#define BLOCK_SIZE 65536
#define MOST_KEPT ((size_t)8 << 20)

static pool_block *block_for(pool *p, size_t size) {
    pool_block *next = p->block ? p->block->next : p->first;
    if (next && next->size >= size) return next;
    size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    pool_block *b = malloc(sizeof *b + room);
    if (!b) return NULL;
    b->size = room;
    p->held += room;
    b->next = next;
    if (p->block)
        p->block->next = b;
    else
        p->first = b;
    return b;
}

void *pool_take_elsewhere(pool *p, size_t size) {
    pool_block *b = block_for(p, size);
    if (!b) return NULL;
    p->block = b;
    p->at = b->data + size;
    p->left = b->size - size;
    return b->data;
}

/* Its blocks come before those that p is using, so that they are as full as any that p has left behind. */
void pool_adopt(pool *p, pool *from) {
    pool_block *last = from->first;
    if (!p->block) {
        pool empty = *p;
        *p = *from;
        *from = empty;
        return;
    }
    while (last && last->next) last = last->next;
    if (last) {
        last->next = p->first;
        p->first = from->first;
        p->held += from->held;
    }
    *from = (pool){0};
}

void pool_reset(pool *p) {
    if (p->held > MOST_KEPT) pool_free(p);
    p->block = p->first;
    p->at = p->first ? p->first->data : NULL;
    p->left = p->first ? p->first->size : 0;
}

void pool_free(pool *p) {
    for (pool_block *b = p->first; b;) {
        pool_block *next = b->next;
        free(b);
        b = next;
    }
    *p = (pool){0};
}
