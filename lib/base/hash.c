#define XXH_INLINE_ALL /* compiled in here: nothing to link with */
#include "base/hash.h"

#include <xxhash.h>

arcl_key hash_bytes(const void *at, size_t n) {
    XXH128_hash_t h = XXH3_128bits(at, n);
    return (arcl_key){h.high64, h.low64};
}

uint64_t hash_short(const void *at, size_t n) { return XXH3_64bits(at, n); }
