#include "data/md5.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, LENGTH_BYTES = 8 };

/* The whole part of 2^32 |sin n| for n from 1. */
static const uint32_t sines[ROUNDS] = {
    /* clang-format off */
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee,
    0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
    0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa,
    0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
    0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039,
    0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
    0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
    /* clang-format on */
};

static const int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t turned(uint32_t word, int by) { return word << by | word >> (32 - by); }

/* The function of a round, and which word of the block it takes. */
static uint32_t mixed(int round, uint32_t b, uint32_t c, uint32_t d, int *word) {
    switch (round / 16) {
    case 0: *word = round % 16; return (b & c) | (~b & d);
    case 1: *word = (5 * round + 1) % 16; return (d & b) | (~d & c);
    case 2: *word = (3 * round + 5) % 16; return b ^ c ^ d;
    default: *word = 7 * round % 16; return c ^ (b | ~d);
    }
}

static void add_block(uint32_t state[4], const unsigned char *bytes) {
    uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                   (uint32_t)bytes[4 * i + 3] << 24;
    for (int round = 0; round < ROUNDS; round++) {
        int word;
        uint32_t sum = a + mixed(round, b, c, d, &word);
        sum += sines[round] + words[word];
        a = d;
        d = c;
        c = b;
        b += turned(sum, turns[round / 16][round % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void md5_text(const char *text, size_t length, char digits[MD5_DIGITS + 1]) {
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    unsigned char tail[2 * BLOCK] = {0};
    size_t whole = length / BLOCK * BLOCK, left = length - whole;
    size_t end = left + 1 + LENGTH_BYTES <= BLOCK ? BLOCK : 2 * BLOCK;
    for (size_t at = 0; at < whole; at += BLOCK) add_block(state, (const unsigned char *)text + at);
    memcpy(tail, text + whole, left);
    tail[left] = 0x80;
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        tail[end - LENGTH_BYTES + i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += BLOCK) add_block(state, tail + at);
    for (int i = 0; i < 16; i++) snprintf(digits + 2 * i, 3, "%02x", (unsigned)(state[i / 4] >> 8 * (i % 4)) & 255);
}
