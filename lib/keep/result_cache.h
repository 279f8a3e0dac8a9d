/* Results that are kept: a set per program, the most recently used of them in memory, and all of them in a directory,
 * if there is one. Not safe from several threads: running is one thread's business. */
#ifndef ARCL_RESULT_CACHE_H
#define ARCL_RESULT_CACHE_H
#include "base/lru.h"
#include "keep/result_store.h"
#include "program/compiled.h"

typedef struct result_cache {
    lru sets;
    size_t most_bytes;
    result_store store;
} result_cache;

typedef struct kept_set {
    lru_entry entry;
    result_set results;
    size_t stored; /* words of the results' data that the store has */
    type_code types[MAX_RESULTS];
    int type_count;
    program_identity *identity;
} kept_set;

/* The set of a program's results; NULL when there is no memory. It stays valid until the next trim. */
kept_set *result_cache_set(result_cache *c, const arcl_program *p);

/* To be called when results were added to a set. */
void result_cache_resized(result_cache *c, kept_set *k);

/* Drops the sets that were used least recently, until the rest fits. What is new is stored first. */
void result_cache_trim(result_cache *c);

/* Stores what is new. 0 if that failed; the store's notice says why. */
int result_cache_flush(result_cache *c);
void result_cache_end(result_cache *c);

#endif
