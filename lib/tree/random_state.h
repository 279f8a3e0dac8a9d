/* Random numbers that are the same on every machine, from a state of 64 bits that the caller has. */
#ifndef ARCL_RANDOM_STATE_H
#define ARCL_RANDOM_STATE_H
#include <stdint.h>

/* splitmix64: any state is a good one, the next as well. */
static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* From 0 to below `count`, which is 1 to 2^31. */
static inline int random_below(uint64_t *state, int count) {
    return (int)((random_next(state) >> 32) * (uint64_t)count >> 32);
}

#endif
