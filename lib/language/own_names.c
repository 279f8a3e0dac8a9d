#include "language/own_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/name_hash.h"

static uint32_t *slot_of(const own_names *names, const char *name, uint32_t length) {
    for (uint64_t h = hash_bytes(name, length).low;; h++) { /* of all letters: texts of others have such names */
        uint32_t *slot = &names->slot[h & (names->slots - 1)];
        const definition *d = *slot ? names->entry[*slot - 1] : NULL;
        if (!d || (d->name_length == length && name_is(d->name, name, length))) return slot;
    }
}

int own_names_make(own_names *names, definition *const *definitions, int count) {
    *names = (own_names){.slots = 64};
    while (names->slots < 2 * (uint32_t)count) names->slots *= 2;
    names->entry = malloc((size_t)(count + 1) * sizeof *names->entry);
    names->earlier = calloc((size_t)count + 1, sizeof *names->earlier);
    names->slot = calloc(names->slots, sizeof *names->slot);
    if (!names->entry || !names->earlier || !names->slot) return 0;
    for (int i = 0; i < count; i++) {
        definition *d = definitions[i];
        if (d->of_battery || !d->name) continue;
        uint32_t *slot = slot_of(names, d->name, d->name_length);
        names->earlier[names->count] = *slot;
        names->entry[names->count++] = d;
        *slot = (uint32_t)names->count;
    }
    return 1;
}

void own_names_free(own_names *names) {
    free(names->entry);
    free(names->earlier);
    free(names->slot);
    *names = (own_names){0};
}

/* Without what follows it, up to the next one. */
static size_t own_length(const definition *d, const char *text) {
    size_t n = d->end - d->at;
    while (n && strchr(" \t\r\n", text[d->at + n - 1])) n--;
    return n;
}

static int is_same_text(const definition *a, const definition *b, const char *text) {
    size_t n = own_length(a, text);
    return n == own_length(b, text) && memcmp(text + a->at, text + b->at, n) == 0;
}

void own_names_share_use(own_names *names, const char *text) {
    for (int i = names->count; i-- > 0;) {
        definition *earlier = names->earlier[i] ? names->entry[names->earlier[i] - 1] : NULL;
        if (earlier && names->entry[i]->is_used && is_same_text(earlier, names->entry[i], text)) earlier->is_used = 1;
    }
}

definition *own_names_find(const own_names *names, const char *name, uint32_t length, uint32_t before) {
    uint32_t at = *slot_of(names, name, length);
    while (at && names->entry[at - 1]->at >= before) at = names->earlier[at - 1];
    return at ? names->entry[at - 1] : NULL;
}
