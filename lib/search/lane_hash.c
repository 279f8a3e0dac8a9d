#include "search/lane_hash.h"

#include "base/hash.h"
#include "cl/copy.h"

#define FACTOR_A 0x9e3779b97f4a7c15u
#define FACTOR_B 0xd6e8feb86659fd93u

/* Both halves of a product of 128 bits. */
static inline uint64_t mixed(uint64_t a, uint64_t b) {
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t fold(uint64_t h, uint64_t w) { return mixed(h ^ w, FACTOR_A) ^ (w + FACTOR_B); }

static uint64_t fold_words(uint64_t h, const word *at, uint count) {
    if (count == 1) return fold(h, (uint64_t)at[0]);
    return count ? fold(h, hash_short(at, count * sizeof *at)) : h;
}

/* Cells behind the last one of a grid are whatever they are. */
static uint64_t fold_cells(uint64_t h, const word *at, uint cells) {
    uint rest = cells % 8;
    h = fold_words(h, at, cells / 8);
    return rest ? fold(h, (uint64_t)at[cells / 8] & (((uint64_t)1 << 8 * rest) - 1)) : h;
}

/* A value without those of its parts that have parts themselves: these come next. */
static uint64_t fold_own(copy_stack *s, const word *storage, type_code type, word w, uint64_t h) {
    if (!has_parts(type)) return fold(h, (uint64_t)w);
    uint words, length = ref_length(w);
    type_code form = storage_form(type, w, &words);
    h = fold(h, type_head(form) == T_RECORD ? words : length);
    if (type_head(form) == T_GRID) return fold_cells(h, storage + ref_offset(w), (length >> 16) * (length & 0xffff));
    int before = s->depth;
    copy_enter(s, form, w, 0, words);
    return s->depth == before ? fold_words(h, storage + ref_offset(w), words) : h;
}

uint64_t lane_hash(const word *storage, type_code type, word w) {
    copy_stack s;
    s.depth = 0;
    uint64_t h = fold_own(&s, storage, type, w, fold(FACTOR_B, type));
    for (ulong part_type; copy_step(&s, storage, &w, &part_type);) h = fold_own(&s, storage, part_type, w, h);
    return mixed(h, FACTOR_B);
}
