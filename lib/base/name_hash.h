/* The hash of a name, letter by letter, so that who looks for its end has it as well. */
#ifndef ARCL_NAME_HASH_H
#define ARCL_NAME_HASH_H
#include <stddef.h>
#include <stdint.h>

static inline uint32_t name_hash_add(uint32_t hash, char letter) { return hash * 33 + (unsigned char)letter; }

static inline uint32_t name_hash(const char *name, size_t length) {
    uint32_t hash = 0;
    for (size_t i = 0; i < length; i++) hash = name_hash_add(hash, name[i]);
    return hash;
}

/* Names are mostly a few letters: a loop compares them sooner than a call. */
static inline int name_is(const char *a, const char *b, size_t length) {
    size_t i = 0;
    while (i < length && a[i] == b[i]) i++;
    return i == length;
}

#endif
