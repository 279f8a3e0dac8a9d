/* Hashes that are the same on every machine, for keys and checksums. The one place that knows which function it is. */
#ifndef ARCL_HASH_H
#define ARCL_HASH_H
#include <stddef.h>

#include "arcl.h"

arcl_key hash_bytes(const void *at, size_t n);
/* Half as long, for tables in memory. */
uint64_t hash_short(const void *at, size_t n);

static inline int same_key(arcl_key a, arcl_key b) { return a.high == b.high && a.low == b.low; }

#endif
