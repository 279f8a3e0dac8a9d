#include "base/storage.h"

#include <stdlib.h>

typedef struct storage_block {
    struct storage_block *next;
    size_t class; /* its size is SMALLEST << class; STORAGE_CLASSES: larger, and never kept */
    _Alignas(max_align_t) unsigned char data[];
} storage_block;

#define SMALLEST ((size_t)1 << 10)
#define MOST_KEPT ((size_t)64 << 20)

void storage_start(block_store *s) {
    *s = (block_store){.kept = 0};
    pthread_mutex_init(&s->lock, NULL);
}

void storage_end(block_store *s) {
    for (size_t i = 0; i < STORAGE_CLASSES; i++)
        while (s->free_blocks[i]) {
            storage_block *next = s->free_blocks[i]->next;
            free(s->free_blocks[i]);
            s->free_blocks[i] = next;
        }
    pthread_mutex_destroy(&s->lock);
}

void *storage_get(block_store *s, size_t size) {
    size_t class = 0;
    while (class < STORAGE_CLASSES && SMALLEST << class < size) class ++;
    storage_block *b = NULL;
    if (class < STORAGE_CLASSES) {
        pthread_mutex_lock(&s->lock);
        b = s->free_blocks[class];
        if (b) {
            s->free_blocks[class] = b->next;
            s->kept -= SMALLEST << class;
        }
        pthread_mutex_unlock(&s->lock);
        size = SMALLEST << class;
    }
    if (!b) b = malloc(sizeof *b + size);
    if (!b) return NULL;
    b->class = class;
    return b->data;
}

void storage_give(block_store *s, void *memory) {
    if (!memory) return;
    storage_block *b = (storage_block *)((unsigned char *)memory - offsetof(storage_block, data));
    size_t size = SMALLEST << b->class;
    int keep = 0;
    if (b->class < STORAGE_CLASSES) {
        pthread_mutex_lock(&s->lock);
        keep = s->kept + size <= MOST_KEPT;
        if (keep) {
            b->next = s->free_blocks[b->class];
            s->free_blocks[b->class] = b;
            s->kept += size;
        }
        pthread_mutex_unlock(&s->lock);
    }
    if (!keep) free(b);
}
