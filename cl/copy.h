/* Deep copies of values of any type, with a small stack instead of recursion: how results leave an arena and inputs
 * enter one. A copy refers to itself by offsets of the caller's choice.
 */
#ifndef ARCL_COPY_H
#define ARCL_COPY_H
#include "compare.h"
#include "guest.h"
#include "word_copy.h"

#define ANY_EXTENT (~(ulong)0)
#define COPY_DEPTH 16 /* a type has as many nibbles */

/* Containers on the way to the value that is copied now. */
typedef struct {
    ulong type[COPY_DEPTH]; /* of the elements; of a record, its remaining fields; of a host, its next word */
    uint from[COPY_DEPTH], to[COPY_DEPTH], left[COPY_DEPTH];
    uchar head[COPY_DEPTH];
    int depth;
} copy_stack;

#define ROWS_CODE ((ulong)T_INT << 8 | T_TUPLE << 4 | T_TUPLE)

LANE int has_parts(ulong type) { return (type & 15) > T_MIX; }

/* How a value is stored: the words that it itself refers to, not counting those of its parts, and the type to take them
 * for. A grid that is rows is the tuple of tuples that it looks like. */
LANE ulong storage_form(ulong type, word w, uint *words) {
    uint head = (uint)(type & 15), length = ref_length(w);
    *words = head == T_RECORD ? (uint)(type >> 4 & 15) : stored_words(length);
    if (head != T_GRID) return type;
    if ((length & 0xffff) == RAGGED) {
        *words = length >> 16;
        return ROWS_CODE;
    }
    *words = grid_words((int)(length >> 16), (int)(length & 0xffff));
    return type;
}

#define HAS_DEEPER (~0u)

/* The words that a value refers to, if none of them refers to more; HAS_DEEPER if some may. */
LANE uint flat_words(ulong type, word w) {
    uint head = (uint)(type & 15), length = ref_length(w);
    if (!has_parts(type)) return 0;
    if (head == T_GRID)
        return (length & 0xffff) == RAGGED ? HAS_DEEPER : grid_words((int)(length >> 16), (int)(length & 0xffff));
    return head >= T_RECORD || has_parts(type >> 4) ? HAS_DEEPER : stored_words(length);
}

LANE void copy_storage(GLOBAL word *restrict to, GLOBAL const word *restrict from, uint words) {
    for (uint i = 0; i < words; i++) to[i] = from[i];
}

/* Goes on with the parts of a value, if they refer to anything. */
LANE void copy_enter(copy_stack *s, ulong type, word w, uint to, uint words) {
    uint head = (uint)(type & 15);
    if (head == T_GRID || !words || (head < T_RECORD && !has_parts(type >> 4))) return;
    int d = s->depth++;
    s->head[d] = (uchar)head;
    s->type[d] = head == T_RECORD ? type >> 8 : type >> 4;
    s->from[d] = ref_offset(w);
    s->to[d] = to;
    s->left[d] = words;
}

/* The type of the next element of the innermost container, which is passed. A host is followed by pairs, of which the
 * first tells the type of the second. */
LANE ulong copy_next(copy_stack *s, word part) {
    int d = s->depth - 1;
    ulong type = s->type[d];
    s->left[d]--;
    if (s->head[d] == T_RECORD && s->left[d]) s->type[d] = type_rest(type);
    if (s->head[d] == T_HOST) s->type[d] = s->left[d] & 1 ? guest_type((ulong)part) : T_INT;
    return type;
}

/* Goes on to the next part of what is on the stack, innermost first; 0: there are no more. */
LANE int copy_step(copy_stack *s, GLOBAL const word *arena, word *part, ulong *type) {
    while (s->depth && !s->left[s->depth - 1]) s->depth--;
    if (!s->depth) return 0;
    *part = arena[s->from[s->depth - 1]++];
    *type = copy_next(s, *part);
    return 1;
}

#ifndef MANY_ITEMS
/* Whether values of the type are containers of containers of words, such as rows of ints or objects: most of those that
 * refer to more than words. Two loops serve them without a stack. */
LANE int is_two_deep(ulong type) {
    uint head = (uint)(type & 15), inner = (uint)(type >> 4 & 15);
    return head > T_GRID && head < T_RECORD && inner > T_GRID && inner < T_RECORD && !has_parts(type >> 8);
}

LANE ulong extent_two_deep(GLOBAL const word *arena, word w) {
    uint n = ref_length(w);
    GLOBAL const word *from = arena + ref_offset(w);
    ulong total = n;
    for (uint m = 0; m < n; m++) total += stored_words(ref_length(from[m]));
    return total;
}

LANE word copy_two_deep(GLOBAL const word *arena, word w, GLOBAL word *restrict to, uint base, uint *end) {
    uint n = ref_length(w), at = *end, next = at + n;
    GLOBAL const word *from = arena + ref_offset(w);
    for (uint m = 0; m < n; m++) {
        uint length = ref_length(from[m]), words = stored_words(length);
        to[at + m] = length ? made_ref(base + next, length) : 0;
        if (words) copy_piece(to + next, arena + ref_offset(from[m]), words);
        next += words;
    }
    *end = next;
    return n ? made_ref(base + at, n) : 0;
}
#endif

/* Words that the value refers to, deeply; or some number above `most`, if there are more: parts that are shared make a
 * value larger than what it is made of, without bound. */
LANE ulong copy_extent(GLOBAL const word *arena, ulong type, word w, ulong most) {
    copy_stack s;
    uint words;
    if (!has_parts(type)) return 0;
#ifndef MANY_ITEMS
    if (is_two_deep(type)) return extent_two_deep(arena, w);
#endif
    type = storage_form(type, w, &words);
    ulong total = words;
    s.depth = 0;
    copy_enter(&s, type, w, 0, words);
    while (total <= most && copy_step(&s, arena, &w, &type)) {
        if (!has_parts(type)) continue;
        type = storage_form(type, w, &words);
        total += words;
        copy_enter(&s, type, w, 0, words);
    }
    return total;
}

/* Copies what w itself refers to to to[*end ..]; returns the word that refers to the copy. */
LANE word copy_own(copy_stack *s, GLOBAL const word *arena, ulong type, word w, GLOBAL word *to, uint base, uint *end) {
    if (!has_parts(type)) return w;
    uint at = *end, words;
    type = storage_form(type, w, &words);
    if (words) copy_storage(to + at, arena + ref_offset(w), words); /* else there may be no memory to point into */
    *end += words;
    copy_enter(s, type, w, at, words);
    if ((type & 15) == T_RECORD) return made_ref(base + at, words);
    return ref_length(w) ? made_ref(base + at, ref_length(w)) : 0;
}

/* Copies the value, deeply, to to[*end ..], which is called base + *end in the references of the copy. Returns the word
 * that refers to it. */
LANE word copy_value(GLOBAL const word *arena, ulong type, word w, GLOBAL word *to, uint base, uint *end) {
    copy_stack s;
#ifndef MANY_ITEMS
    if (is_two_deep(type)) return copy_two_deep(arena, w, to, base, end);
#endif
    s.depth = 0;
    word copy = copy_own(&s, arena, type, w, to, base, end);
    while (copy_step(&s, arena, &w, &type)) {
        uint at = s.to[s.depth - 1]++;
        to[at] = copy_own(&s, arena, type, w, to, base, end);
    }
    return copy;
}

#endif
