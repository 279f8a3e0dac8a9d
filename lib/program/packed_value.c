#include "program/packed_value.h"

#include "cl/copy.h"

size_t packed_words(const word *storage, type_code type, word w) {
    return 1 + (size_t)copy_extent(storage, type, w, ANY_EXTENT);
}

word value_place(const word *storage, type_code type, word w, word *to, uint *end) {
    return copy_value(storage, type, w, to, 0, end);
}

void packed_write(const word *storage, type_code type, word w, word *to) {
    uint end = 1;
    to[0] = value_place(storage, type, w, to, &end);
}

static void clear_behind_cells(word *storage, type_code type, word w) {
    uint words = flat_words(type, w), cells = (ref_length(w) >> 16) * (ref_length(w) & 0xffff);
    if (type != T_GRID || words == HAS_DEEPER || cells % 8 == 0) return;
    word *last = &storage[ref_offset(w) + words - 1];
    *last = (word)((ulong)*last & (((ulong)1 << 8 * (cells % 8)) - 1));
}

void value_clear_padding(word *storage, type_code type, word w) {
    copy_stack s;
    uint own;
    if (!has_parts(type)) return;
    s.depth = 0;
    clear_behind_cells(storage, type, w);
    type_code form = storage_form(type, w, &own);
    copy_enter(&s, form, w, 0, own);
    while (copy_step(&s, storage, &w, &type)) {
        if (!has_parts(type)) continue;
        clear_behind_cells(storage, type, w);
        form = storage_form(type, w, &own);
        copy_enter(&s, form, w, 0, own);
    }
}

/* Whether a mask is one of locations, and has as many as its word says. */
static int sound_mask(const word *packed, type_code type, word w) {
    uint cells = 0;
    if (!type_is_container(type) || !is_mask(w)) return 1;
    for (uint n = 0; n < mask_words(ref_length(w)); n++) cells += bits_set((ulong)packed[ref_offset(w) + n]);
    return type == TYPE_IJ_SET && mask_words(ref_length(w)) <= MASK_WORDS && cells && cells == patch_length(w);
}

/* Copies lay out what is referred to in one order, without gaps. So a reference is sound if it begins where the last
 * one ended. */
static int sound_reference(copy_stack *s, const word *packed, type_code type, word w, size_t words, size_t *end) {
    uint own;
    if (!has_parts(type)) return 1;
    type_code form = storage_form(type, w, &own);
    if (own > words - *end) return 0;
    if (own && ref_offset(w) != *end) return 0;
    if (!sound_mask(packed, type, w)) return 0;
    if (type == T_GRID && form != T_GRID && !own) return 0; /* a grid of rows has one at least */
    if (type_head(form) == T_RECORD && ref_length(w) != own) return 0;
    copy_enter(s, form, w, 0, own);
    *end += own;
    return 1;
}

/* A host is nowhere inside, whatever its descriptions say: what is inside is as deep as its type is long. */
static int has_host(type_code t) {
    for (; t; t >>= 4)
        if (type_head(t) == T_HOST) return 1;
    return 0;
}

int packed_is_sound(const word *packed, size_t words, type_code type) {
    copy_stack s;
    size_t end = 1;
    s.depth = 0;
    if (words < 1 || words > 0x7fffffff || !sound_reference(&s, packed, type, packed[0], words, &end)) return 0;
    while (s.depth) {
        int d = s.depth - 1;
        if (!s.left[d]) {
            s.depth--;
            continue;
        }
        word part = packed[s.from[d]++];
        type_code of_part = copy_next(&s, part);
        if (has_host(of_part) || !sound_reference(&s, packed, of_part, part, words, &end)) return 0;
    }
    return end == words;
}
