#include "keep/result_cache.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets ---- */

static void free_set(kept_set *k) {
    result_set_free(&k->results);
    free(k->identity);
    free(k);
}

static size_t set_bytes(const kept_set *k) {
    return sizeof *k + sizeof *k->identity + k->identity->length + result_set_bytes(&k->results);
}

static kept_set *make_set(const arcl_program *p) {
    kept_set *k = calloc(1, sizeof *k);
    if (!k || !(k->identity = program_identity_copy(p->identity))) {
        free(k);
        return NULL;
    }
    k->entry.key = p->identity->key;
    k->type_count = p->graph->results;
    memcpy(k->types, p->graph->result_type, sizeof k->types);
    return k;
}

/* The key finds it. Should another program have the same one, its results are not taken for this one's. */
static int is_for(const kept_set *k, const program_identity *i) {
    return k->identity->length == i->length && memcmp(k->identity->text, i->text, i->length) == 0;
}

kept_set *result_cache_set(result_cache *c, const arcl_program *p) {
    kept_set *k = (kept_set *)lru_find(&c->sets, p->identity->key);
    if (k) return is_for(k, p->identity) ? k : NULL;
    if (!(k = make_set(p))) return NULL;
    result_owner owner = {k->identity, k->types, k->type_count};
    result_store_read(&c->store, &owner, c->most_bytes, &k->results);
    k->stored = k->results.count;
    k->entry.bytes = set_bytes(k);
    if (lru_add(&c->sets, &k->entry)) return k;
    free_set(k);
    return NULL;
}

void result_cache_resized(result_cache *c, kept_set *k) { lru_resize(&c->sets, &k->entry, set_bytes(k)); }

/* ---- storing ---- */

static int is_new(const kept_set *k) { return k->results.count > k->stored; }

static kept_set *next_new(lru_entry *e) {
    while (e && !is_new((kept_set *)e)) e = e->newer;
    return (kept_set *)e;
}

int result_cache_flush(result_cache *c) {
    result_writer w;
    kept_set *first = next_new(c->sets.oldest);
    if (!c->store.directory || !first) return 1;
    if (c->store.unwritable) return 0;
    int begun = result_store_write_begin(&c->store, &w);
    for (kept_set *k = first; begun && k; k = next_new(k->entry.newer))
        result_writer_add(&w, k->identity, k->results.data + k->stored, k->results.count - k->stored);
    if (!result_store_write_end(&c->store, &w)) return 0;
    for (kept_set *k = first; k; k = next_new(k->entry.newer)) k->stored = k->results.count;
    result_store_tidy(&c->store);
    return 1;
}

/* ---- keeping within bounds ---- */

static void drop(result_cache *c, kept_set *k) {
    lru_remove(&c->sets, &k->entry);
    free_set(k);
}

void result_cache_trim(result_cache *c) {
    if (c->sets.bytes <= c->most_bytes) return;
    result_cache_flush(c);
    while (c->sets.bytes > c->most_bytes && c->sets.oldest) drop(c, (kept_set *)c->sets.oldest);
}

void result_cache_end(result_cache *c) {
    while (c->sets.oldest) drop(c, (kept_set *)c->sets.oldest);
    lru_end(&c->sets);
    result_store_end(&c->store);
}
