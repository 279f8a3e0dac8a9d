/* Compiled programs by normal form and compile options, the most recently used of them. Safe from any thread. What is
 * handed out is a copy: what becomes of it is the caller's business. */
#ifndef ARCL_PROGRAM_CACHE_H
#define ARCL_PROGRAM_CACHE_H
#include <pthread.h>

#include "base/lru.h"
#include "program/compiled.h"

typedef struct program_cache {
    pthread_mutex_t lock;
    lru programs;
    size_t most; /* of them that are kept; fewer, if they are large */
    uint64_t hits, misses, nanoseconds_saved;
} program_cache;

void program_cache_start(program_cache *c, size_t most);
void program_cache_end(program_cache *c);

/* A copy of the program that was compiled from such a text, or NULL; both are counted. */
arcl_program *program_cache_find(program_cache *c, const char *text, size_t length);

/* Keeps a copy of the program, which took so long to compile. Without memory it keeps nothing. */
void program_cache_add(program_cache *c, const char *text, size_t length, const arcl_program *p, uint64_t nanoseconds);

#endif
