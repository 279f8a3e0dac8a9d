/* The hash of a name, from its length, its first and its last four letters: that takes as long for any name, and tells
 * apart nearly all that programs use. */
#ifndef ARCL_NAME_HASH_H
#define ARCL_NAME_HASH_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t name_hash(const char *name, size_t length) {
    uint32_t first = 0, last = 0;
    if (length >= sizeof first) {
        memcpy(&first, name, sizeof first);
        memcpy(&last, name + length - sizeof last, sizeof last);
    } else
        for (size_t i = 0; i < length; i++) last = last << 8 | (unsigned char)name[i];
    uint64_t mixed = ((uint64_t)last << 32 | (first ^ (uint32_t)length)) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed >> 32);
}

/* Whether two names of that length are the same. They are mostly a few letters: that takes less here than a call
 * does. */
static inline int name_is(const char *a, const char *b, size_t length) {
    size_t i = 0;
    for (; i + 4 <= length; i += 4)
        if (memcmp(a + i, b + i, 4) != 0) return 0;
    while (i < length && a[i] == b[i]) i++;
    return i == length;
}

#endif
