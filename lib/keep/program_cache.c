#include "keep/program_cache.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20) /* few programs are large, but one may have hundreds of thousands of steps */

typedef struct kept_program {
    lru_entry entry;
    arcl_program *program;
    uint64_t nanoseconds; /* that compiling it took */
    size_t length;
    char text[];
} kept_program;

static void drop(program_cache *c, kept_program *k) {
    lru_remove(&c->programs, &k->entry);
    arcl_program_free(k->program);
    free(k);
}

void program_cache_start(program_cache *c, size_t most) {
    *c = (program_cache){.most = most};
    pthread_mutex_init(&c->lock, NULL);
}

void program_cache_end(program_cache *c) {
    while (c->programs.oldest) drop(c, (kept_program *)c->programs.oldest);
    lru_end(&c->programs);
    pthread_mutex_destroy(&c->lock);
}

/* The key finds it, the text decides. */
static kept_program *find(program_cache *c, arcl_key key, const char *text, size_t length) {
    kept_program *k = (kept_program *)lru_find(&c->programs, key);
    return k && k->length == length && memcmp(k->text, text, length) == 0 ? k : NULL;
}

arcl_program *program_cache_find(program_cache *c, const char *text, size_t length) {
    arcl_key key = hash_bytes(text, length);
    pthread_mutex_lock(&c->lock);
    const kept_program *k = find(c, key, text, length);
    arcl_program *made = k ? program_copy(k->program) : NULL;
    c->hits += made != NULL;
    c->misses += made == NULL;
    if (made) c->nanoseconds_saved += k->nanoseconds;
    pthread_mutex_unlock(&c->lock);
    return made;
}

void program_cache_add(program_cache *c, const char *text, size_t length, const arcl_program *p, uint64_t nanoseconds) {
    kept_program *k = malloc(sizeof *k + length);
    arcl_program *copy = k ? program_copy(p) : NULL;
    if (!copy) {
        free(k);
        return;
    }
    *k = (kept_program){
        .entry = {.key = hash_bytes(text, length)}, .program = copy, .nanoseconds = nanoseconds, .length = length};
    memcpy(k->text, text, length);
    pthread_mutex_lock(&c->lock);
    int added = !lru_find(&c->programs, k->entry.key) && lru_add(&c->programs, &k->entry); /* another thread may have */
    while (added && (c->programs.count > c->most || c->programs.bytes > MOST_BYTES))
        drop(c, (kept_program *)c->programs.oldest);
    pthread_mutex_unlock(&c->lock);
    if (added) return;
    arcl_program_free(copy);
    free(k);
}
