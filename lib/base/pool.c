#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

struct pool_block {
    pool_block *next;
    size_t size;
    _Alignas(max_align_t) unsigned char data[];
};

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

void *pool_get(pool *p, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (!p->block || p->block->size - p->used < size) {
        pool_block *b = block_for(p, size);
        if (!b) return NULL;
        p->block = b;
        p->used = 0;
    }
    void *at = p->block->data + p->used;
    p->used += size;
    return memset(at, 0, size);
}

void pool_reset(pool *p) {
    if (p->held > MOST_KEPT) pool_free(p);
    p->block = p->first;
    p->used = 0;
}

void pool_free(pool *p) {
    for (pool_block *b = p->first; b;) {
        pool_block *next = b->next;
        free(b);
        b = next;
    }
    *p = (pool){0};
}
