/* Random numbers that are the same everywhere. */
#ifndef ARCL_RANDOMNESS_H
#define ARCL_RANDOMNESS_H
#include <stdint.h>

typedef struct randomness {
    uint64_t state;
} randomness;

static inline uint32_t random_below(randomness *r, uint32_t limit) {
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((r->state >> 33) % limit);
}

#endif
