/* Memory for results, recycled: results come and go by the million, and fresh pages cost more than what is written to
 * them. Blocks are powers of two; a bounded amount of free ones is kept. Safe from any thread. */
#ifndef ARCL_STORAGE_H
#define ARCL_STORAGE_H
#include <pthread.h>
#include <stddef.h>

#define STORAGE_CLASSES 16
typedef struct storage {
    pthread_mutex_t lock;
    struct storage_block *free_blocks[STORAGE_CLASSES];
    size_t kept; /* bytes in them */
} block_store;

void storage_start(block_store *s);
void storage_end(block_store *s);

/* Memory that is not cleared, aligned for words; NULL when there is none. */
void *storage_get(block_store *s, size_t size);
void storage_give(block_store *s, void *memory);

#endif
