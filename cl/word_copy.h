/* Words from one place to another where most pieces are short: four at a time, the last of a piece overlapping those
 * before rather than being done one by one.
 */
#ifndef ARCL_WORD_COPY_H
#define ARCL_WORD_COPY_H
#include "word.h"

#ifdef OPENCL_TEXT
LANE void copy_four(GLOBAL word *to, GLOBAL const word *from) { vstore4(vload4(0, from), 0, to); }
LANE void copy_two(GLOBAL word *to, GLOBAL const word *from) { vstore2(vload2(0, from), 0, to); }
LANE void put_four(GLOBAL uint *to, uint v) { vstore4((uint4)(v), 0, to); }
#else
LANE void copy_four(word *to, const word *from) {
    word four[4];
    __builtin_memcpy(four, from, sizeof four);
    __builtin_memcpy(to, four, sizeof four);
}
LANE void copy_two(word *to, const word *from) {
    word two[2];
    __builtin_memcpy(two, from, sizeof two);
    __builtin_memcpy(to, two, sizeof two);
}
LANE void put_four(uint *to, uint v) {
    uint four[4] = {v, v, v, v};
    __builtin_memcpy(to, four, sizeof four);
}
#endif

LANE void copy_piece(GLOBAL word *restrict to, GLOBAL const word *restrict from, uint n) {
    if (n >= 4) {
        for (uint m = 0; m + 4 < n; m += 4) copy_four(to + m, from + m);
        copy_four(to + n - 4, from + n - 4);
        return;
    }
    if (n & 2) copy_two(to, from);
    if (n & 1) to[n - 1] = from[n - 1];
}

/* to[n .. end) = v. Up to three beyond `end` are written too, but none from `limit` on. */
LANE void put_piece(GLOBAL uint *to, uint n, uint end, uint limit, uint v) {
    for (; n < end && n + 4 <= limit; n += 4) put_four(to + n, v);
    for (; n < end; n++) to[n] = v;
}

#endif
