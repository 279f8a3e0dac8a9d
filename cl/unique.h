/* From any words to a set: sorted, without repeats. The kernels that make sets spend their time here.
 *
 * Locations, cells and ints mostly come from a small range with many repeats: they are marked in a bitmap and read back
 * in order; a few are inserted, and those that are far apart are sorted. Everything else (references, and locations
 * mixed with cells) is sorted by a key that is one word, and looked into only where keys agree.
 */
#ifndef ARCL_UNIQUE_H
#define ARCL_UNIQUE_H
#include "compare.h"

/* Adding BIAS and 2^63 to a location makes its fields plain bit fields: colour:16 | i:24 | j:24, none below zero. */
#define BIAS (((word)1 << 47) + ((word)1 << 23))
#define FIELD 0xffffff

/* The range of words: of each field of locations, or of ints as the last field. Rows of a bitmap are colours and i. */
typedef struct {
    uint colour, last_colour, top, bottom;
    ulong left, right;
} word_range;

LANE ulong biased(ulong type, word w) {
    return (type & 15) >= T_IJ ? (ulong)w + (ulong)BIAS + ((ulong)1 << 63) : (ulong)w + ((ulong)1 << 32);
}

LANE word_range range_start(void) {
    word_range r = {0xffff, 0, FIELD, 0, ~(ulong)0, 0};
    return r;
}

LANE void range_add_locations(word_range *r, ulong type, GLOBAL const word *at, int n) {
    uint colour = r->colour, last = r->last_colour, top = r->top, bottom = r->bottom;
    uint left = r->left > FIELD ? FIELD : (uint)r->left, right = (uint)r->right;
    for (int m = 0; m < n; m++) {
        ulong b = biased(type, at[m]);
        uint c = (uint)(b >> 48), i = (uint)(b >> 24) & FIELD, j = (uint)b & FIELD;
        colour = c < colour ? c : colour;
        last = c > last ? c : last;
        top = i < top ? i : top;
        bottom = i > bottom ? i : bottom;
        left = j < left ? j : left;
        right = j > right ? j : right;
    }
    r->colour = colour;
    r->last_colour = last;
    r->top = top;
    r->bottom = bottom;
    r->left = left;
    r->right = right;
}

LANE void range_add(word_range *r, ulong type, GLOBAL const word *at, int n) {
    if (n == 0) return;
    if ((type & 15) >= T_IJ) {
        range_add_locations(r, type, at, n);
        return;
    }
    r->colour = r->last_colour = r->top = r->bottom = 0;
    for (int m = 0; m < n; m++) {
        ulong b = biased(type, at[m]);
        r->left = b < r->left ? b : r->left;
        r->right = b > r->right ? b : r->right;
    }
}

LANE ulong range_stride(word_range r) { return (r.right - r.left) / 64 + 1; }

/* Words that the bitmap takes. */
LANE ulong range_words(word_range r) {
    ulong rows = (ulong)(r.last_colour - r.colour + 1) * (r.bottom - r.top + 1);
    return rows > 0x7fffffff ? rows : rows * range_stride(r);
}

/* The word that has all fields at their lowest: what is added to it are rows and columns. */
LANE ulong range_base(word_range r) { return ((ulong)r.colour << 48) + ((ulong)r.top << 24) + r.left; }

/* The word of the bitmap that has the bits of locations which, but for the last 6 bits, are `high` above the base. */
LANE uint bitmap_word(word_range r, ulong high) {
    uint row = (uint)(high >> 42) * (r.bottom - r.top + 1) + ((uint)(high >> 18) & FIELD);
    return row * (uint)range_stride(r) + ((uint)high & (FIELD >> 6));
}

LANE void mark_words(word_range r, ulong type, GLOBAL ulong *bits, GLOBAL const word *at, int n) {
    ulong base = range_base(r);
    if ((type & 15) < T_IJ) {
        for (int m = 0; m < n; m++) {
            ulong column = biased(type, at[m]) - base;
            bits[column >> 6] |= (ulong)1 << (column & 63);
        }
        return;
    }
    /* Neighbours are mostly of one row: its bits are gathered, lest every word waits for the store of the last one. */
    ulong high = n ? (biased(type, at[0]) - base) >> 6 : 0, gathered = 0;
    for (int m = 0; m < n; m++) {
        ulong d = biased(type, at[m]) - base;
        if (d >> 6 != high) {
            bits[bitmap_word(r, high)] |= gathered;
            high = d >> 6;
            gathered = 0;
        }
        gathered |= (ulong)1 << (d & 63);
    }
    if (n) bits[bitmap_word(r, high)] |= gathered;
}

/* Writes the marked words in order; returns how many. */
LANE int read_marks(word_range r, ulong type, GLOBAL const ulong *bits, GLOBAL word *out) {
    uint stride = (uint)range_stride(r);
    int made = 0;
    word unbias = (word)(range_base(r) - biased(type, 0));
    for (uint c = 0; c <= r.last_colour - r.colour; c++)
        for (uint i = 0; i <= r.bottom - r.top; i++) {
            word base = unbias + colour_word((int)c) + (word)i * (1 << 24);
            for (uint s = 0; s < stride; s++, base += 64)
                for (ulong left = *bits++; left; left &= left - 1) out[made++] = base + lowest_bit(left);
        }
    return made;
}

#define BITMAP_SLACK 64 /* a bitmap may be so much larger than what it sorts */
#define SHORT_SET 12    /* up to here insertion is faster */

/* The words of a list into out, by bitmap; -1 if that takes more than the `room` words that are free at `bits`: it does
 * not pay then. */
LANE int set_by_bitmap(ulong type, GLOBAL const word *at, int n, GLOBAL word *out, GLOBAL ulong *bits, int room) {
    word_range r = range_start();
    range_add(&r, type, at, n);
    ulong need = range_words(r);
    if (need > (ulong)room) return -1;
    for (int m = 0; m < (int)need; m++) bits[m] = 0;
    mark_words(r, type, bits, at, n);
    return read_marks(r, type, bits, out);
}

LANE int insert_sorted(GLOBAL const word *at, int n, GLOBAL word *out) {
    int made = 0;
    for (int m = 0; m < n; m++) {
        word v = at[m];
        int place = made;
        while (place > 0 && out[place - 1] > v) place--;
        if (place > 0 && out[place - 1] == v) continue;
        for (int b = made++; b > place; b--) out[b] = out[b - 1];
        out[place] = v;
    }
    return made;
}

/* One word that orders references as their values are ordered, as far as it goes: the first element of a set or tuple
 * of words. Empty comes first. Other types have none. */
LANE word key_of(lane *k, ulong type, word ref) {
    if ((uint)(type & 15) - T_SET > T_TUPLE - T_SET || (type >> 4 & 15) > T_ATOM_MAX) return 0;
    return ref_length(ref) ? k->arena[ref_offset(ref)] : -((word)1 << 62);
}

LANE int ref_order(lane *k, ulong type, word key_a, word key_b, word a, word b) {
    if (key_a != key_b) return key_a < key_b ? -1 : 1;
    return compare(k, type, a, b);
}

/* References in natural order without repeats: values[0..n) with their keys, room for 2n words at tmp. */
LANE int sort_references(lane *k, ulong type, GLOBAL word *values, GLOBAL word *keys, GLOBAL word *tmp, int n) {
    int width = 6, m = 0;
    for (int a = 1; a < n; a++) {
        word v = values[a], key = keys[a];
        int b = a, lo = a - a % width;
        for (; b > lo && ref_order(k, type, keys[b - 1], key, values[b - 1], v) > 0; b--) {
            values[b] = values[b - 1];
            keys[b] = keys[b - 1];
        }
        values[b] = v;
        keys[b] = key;
    }
    GLOBAL word *from = values;
    GLOBAL word *from_keys = keys;
    GLOBAL word *to = tmp;
    GLOBAL word *to_keys = tmp + n;
    for (; width < n; width *= 2) {
        int a = 0, b = 0, mid = 0, hi = 0;
        for (int o = 0; o < n; o++) {
            if (o == hi) { /* the next two runs */
                a = o;
                b = mid = o + width < n ? o + width : n;
                hi = mid + width < n ? mid + width : n;
            }
            int order = a >= mid ? 1 : b >= hi ? -1 : order_of(from_keys[a], from_keys[b]);
            if (order == 0) order = compare(k, type, from[a], from[b]);
            int take = order <= 0 ? a++ : b++;
            to[o] = from[take];
            to_keys[o] = from_keys[take];
        }
        GLOBAL word *swap = from;
        from = to;
        to = swap;
        swap = from_keys;
        from_keys = to_keys;
        to_keys = swap;
    }
    /* `from` is values or tmp: writing to values never overtakes reading. */
    for (int a = 0; a < n; a++) {
        if (m > 0 && from_keys[a] == from_keys[a - 1] && compare(k, type, values[m - 1], from[a]) == 0) continue;
        values[m++] = from[a];
    }
    return m;
}

/* Words that make_set needs for n words, result and scratch. */
LANE ulong set_room(ulong type, ulong n) { return (type & 15) <= T_ATOM_MAX ? 2 * n + BITMAP_SLACK : 4 * n; }

/* Makes from[0..n) a set at out; out has set_room words, and from is no part of it but may be its beginning. */
LANE int make_set(lane *k, ulong type, GLOBAL const word *from, int n, GLOBAL word *out) {
    if ((type & 15) <= T_ATOM_MAX) {
        if (n <= SHORT_SET && from != out) return insert_sorted(from, n, out);
        int made = n > SHORT_SET ? set_by_bitmap(type, from, n, out, (GLOBAL ulong *)(out + n), n + BITMAP_SLACK) : -1;
        if (made >= 0) return made;
        if (from != out)
            for (int m = 0; m < n; m++) out[m] = from[m];
        sort_words(out, out + n, n);
        return unique_words(out, n);
    }
    GLOBAL word *keys = out + n;
    int kept = 0, empties = 0;
    for (int m = 0; m < n; m++) { /* most repeats are of the empty container */
        word v = from[m];
        int empty = (uint)(type & 15) - T_GRID <= T_TUPLE - T_GRID && ref_length(v) == 0; /* others are no lengths */
        if (empty && empties++) continue;
        out[kept] = v;
        keys[kept++] = key_of(k, type, v);
    }
    return sort_references(k, type, out, keys, out + 2 * n, kept);
}

#endif
