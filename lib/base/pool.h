/* A bump allocator: many small things that live and die together. */
#ifndef ARCL_POOL_H
#define ARCL_POOL_H
#include <stddef.h>
#include <string.h>

typedef struct pool_block {
    struct pool_block *next;
    size_t size;
    _Alignas(max_align_t) unsigned char data[];
} pool_block;

typedef struct pool {
    pool_block *first, *block; /* blocks are kept by pool_reset, so that a warm pool allocates nothing */
    unsigned char *at;         /* what is free of `block` */
    size_t left;               /* how much that is */
    size_t held;               /* bytes of all blocks */
} pool;

/* Memory that is not cleared, from a block that is yet to be begun. */
void *pool_take_elsewhere(pool *p, size_t size);

/* Memory that is not cleared, for what is written as a whole; aligned for anything. NULL when there is none. */
static inline void *pool_take(pool *p, size_t size) {
    size = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (p->left < size || !p->at) return pool_take_elsewhere(p, size);
    void *at = p->at;
    p->at += size;
    p->left -= size;
    return at;
}

/* Zeroed memory, likewise. */
static inline void *pool_get(pool *p, size_t size) {
    void *at = pool_take(p, size);
    return at ? memset(at, 0, size) : NULL;
}

/* Everything that `from` has given out belongs to p from now on, and `from` is empty. */
void pool_adopt(pool *p, pool *from);

/* Gives everything back; keeps the blocks for the next use, unless they have become unusually many. */
void pool_reset(pool *p);
void pool_free(pool *p);

#endif
