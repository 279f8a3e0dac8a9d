/* A bump allocator: many small things that live and die together. */
#ifndef ARCL_POOL_H
#define ARCL_POOL_H
#include <stddef.h>

typedef struct pool_block pool_block;
typedef struct pool {
    pool_block *first, *block; /* blocks are kept by pool_reset, so that a warm pool allocates nothing */
    size_t used;               /* of `block` */
    size_t held;               /* bytes of all blocks */
} pool;

/* Zeroed memory, aligned for anything; NULL when there is none. */
void *pool_get(pool *p, size_t size);

/* Gives everything back; keeps the blocks for the next use, unless they have become unusually many. */
void pool_reset(pool *p);
void pool_free(pool *p);

#endif
