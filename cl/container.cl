/* Containers of anything: the elements are words, and only equality and order look into them.
 *
 * Where a kernel compares, the launch's immediate is the type code of the container (or of the values compared).
 */
#include "team_sets.h"

#include "colour_row.h"
#include "copy.h"
#include "guest.h"
#include "lists.h"
#include "mask.h"
#include "members.h"
#include "stamp.h"
#include "window.h"

LANE word size_list(lane *k, word c) { return ref_length(c); }
ATOM1(size_list, ANY)
LANE word size_mask(lane *k, word patch) { return patch_length(patch); }
ATOM1(size_mask, ANY)

LANE word equality(lane *k, word a, word b) { return same(k, k->imm, a, b); }
/* Words that are equal, or differ in what words tell, such as lengths. */
LANE word equality_quick(lane *k, word a, word b) {
    if (a != b && alike(k->imm, a, b)) fail(k, UNSURE);
    return a == b;
}
QUICK_COUNTED_ATOM2(equality, ANY, ANY)

/* Whether words have one among them; where they are sorted, not all need to be looked at. */
LANE int has_word(lane *k, list c, int sorted, word value) {
    int lo = 0, hi = c.n, found = 0;
    while (sorted && hi - lo > 8) {
        int mid = (lo + hi) / 2, above = c.at[mid] > value;
        lo = above ? lo : mid;
        hi = above ? mid : hi;
    }
    while (lo < hi && !found) found = c.at[lo++] == value;
    k->work += sorted ? 0 : (uint)lo;
    return found;
}

LANE word contained(lane *k, word value, list c) {
    if ((k->imm >> 4 & 15) <= T_ATOM_MAX) return has_word(k, c, (k->imm & 15) == T_SET, value);
    return is_member(k, k->imm, c, value);
}
COUNTED_ATOM2(contained, ANY, LIST)

LANE word copy_words(lane *k, list from, uint at) {
    GLOBAL word *to = k->arena + at;
    for (int n = 0; n < from.n; n++) to[n] = from.at[n];
    return made_list(k, at, from.n);
}

/* Sorted, unique. */
LANE uint setify_extent(lane *k, word c) {
    ulong room = ref_length(c) > 1 ? set_room(k->imm, ref_length(c)) : 0;
    return extent_of((word)room);
}
LANE word LONE(setify_write)(lane *k, word c, uint at) {
    list from = list_of(k, c);
    int ordered = 1;
    for (int n = 1; n < from.n && ordered; n++) ordered = compare(k, k->imm, from.at[n - 1], from.at[n]) < 0;
    if (!ordered) c = made_list(k, at, make_set(k, k->imm, from.at, from.n, k->arena + at));
    return ordered_set(k, k->imm, c);
}
#ifdef ARCL_TEAM /* of words */
/* Words that are none for a team's bit set, brought together at k->arena[at ..]; there is room for as many behind. */
LANE word sorted_words(lane *k, ulong type, uint at, int n) {
    GLOBAL word *words = k->arena + at;
    sort_words(words, words + n, n);
    return made_set(k, type, at, unique_words(words, n));
}
LANE word setify_write(lane *k, word c, uint at) {
    list from = list_of(k, c);
    set_source source = {{0, 0}, from, {0, 0}};
    uint unordered = 0;
    TEAM_FOR(n, from.n - 1) unordered |= from.at[n] >= from.at[n + 1];
    if (!team_most(k, unordered)) return ordered_set(k, k->imm, c);
    if (team_set(k, k->imm, source, at, &c)) return c;
    TEAM_FOR(m, from.n) k->arena[at + (uint)m] = from.at[m];
    team_meet();
    return ALONE(k, sorted_words(k, k->imm, at, from.n));
}
#endif
TEAM_COUNTED_MAKER1(setify, ANY)

/* In place of setify where what follows needs neither order nor uniqueness: but for the empty ones, of which there may
 * be many, repeats are left. */
LANE uint drop_empties_extent(lane *k, list c) { return (uint)c.n; }
LANE word drop_empties_write(lane *k, list c, uint at) {
    int made = 0, empties = 0;
    for (int n = 0; n < c.n; n++) {
        int is_empty = ref_length(c.at[n]) == 0;
        k->arena[at + (uint)made] = c.at[n];
        made += !is_empty || empties == 0;
        empties += is_empty;
    }
    return made_list(k, at, made);
}
ALLOC1(drop_empties, LIST)

LANE uint concat_extent(lane *k, word a, word b) {
    return ref_length(a) && ref_length(b) ? ref_length(a) + ref_length(b) : 0;
}
LANE word concat_write(lane *k, word a, word b, uint at) {
    if (ref_length(b) == 0) return a;
    if (ref_length(a) == 0) return b;
    copy_words(k, list_of(k, a), at);
    copy_words(k, list_of(k, b), at + ref_length(a));
    return made_list(k, at, (int)(ref_length(a) + ref_length(b)));
}
ALLOC2(concat, ANY, ANY)

LANE word LONE(unite_write)(lane *k, word a, word b, uint at) {
    if (ref_length(b) == 0) return a;
    if (ref_length(a) == 0) return b;
    list x = list_of(k, a), y = list_of(k, b);
    GLOBAL word *out = k->arena + at;
    ulong type = k->imm >> 4;
    int n = 0, m = 0, made = 0;
    if ((type & 15) <= T_ATOM_MAX)
        while (n < x.n && m < y.n) {
            word v = x.at[n], w = y.at[m];
            out[made++] = v <= w ? v : w;
            n += v <= w;
            m += v >= w;
        }
    while (n < x.n && m < y.n) {
        int order = compare(k, type, x.at[n], y.at[m]);
        out[made++] = order <= 0 ? x.at[n] : y.at[m];
        n += order <= 0;
        m += order >= 0;
    }
    while (n < x.n) out[made++] = x.at[n++];
    while (m < y.n) out[made++] = y.at[m++];
    return made_set(k, type, at, made);
}
#ifdef ARCL_TEAM /* of words */
LANE word unite_write(lane *k, word a, word b, uint at) {
    set_source source = {{0, 0}, list_of(k, a), list_of(k, b)};
    word made;
    if (ref_length(b) == 0) return a;
    if (ref_length(a) == 0) return b;
    if (team_set(k, k->imm >> 4, source, at, &made)) return made;
    return ALONE(k, LONE(unite_write)(k, a, b, at));
}
#endif
#define unite_extent concat_extent
TEAM_COUNTED_ALLOC2(unite, ANY, ANY)

/* The first position from m on that is not below v, in leaps that grow: one list is often much longer than the
 * other. */
LANE int skip_below(list b, int m, word v) {
    int leap = 1;
    while (m + leap <= b.n && b.at[m + leap - 1] < v) {
        m += leap;
        leap *= 2;
    }
    for (leap /= 2; leap; leap /= 2)
        if (m + leap <= b.n && b.at[m + leap - 1] < v) m += leap;
    return m;
}

/* A tuple is looked through for every element of a, unless that takes too long: then it is worth sorting a copy. */
#define MANY_PAIRS 4096
LANE uint sorted_copy_words(lane *k, list a, list b) {
    return (k->imm & 15) != T_SET && (ulong)a.n * (ulong)b.n > MANY_PAIRS ? 2 * (uint)b.n : 0;
}
LANE list sorted_copy(lane *k, list from, uint at) {
    list copy = {k->arena + at, from.n};
    GLOBAL word *words = k->arena + at;
    for (int n = 0; n < from.n; n++) words[n] = from.at[n];
    sort_by(k, fresh_imm(k) >> 4, words, words, words + from.n, from.n);
    return copy;
}

/* The elements of a that are (or are not) in b; b's type is the immediate, a's order is kept. There is room for `most`
 * elements, and for a copy of b behind them. Teams have sets of words only. */
#ifdef ARCL_TEAM
/* Whether a word is among those of a set. */
LANE int set_has(list b, word value) {
    int first = 0, end = b.n;
    while (first < end) {
        int middle = (first + end) / 2;
        if (b.at[middle] == value) return 1;
        if (b.at[middle] < value)
            first = middle + 1;
        else
            end = middle;
    }
    return 0;
}
LANE word keep_members(lane *k, list a, word set, int wanted, uint most, window *seen, uint at) {
    list b = list_of(k, set);
    uint kept = 0, all;
    k->work += most ? (uint)a.n : 0;
    SHARE_FOR(n, a.n) kept += set_has(b, a.at[n]) == wanted;
    uint next = at + team_scan(k, kept, &all);
    SHARE_FOR(n, a.n) if (set_has(b, a.at[n]) == wanted) k->arena[next++] = a.at[n];
    return made_list(k, at, (int)all);
}
#else
LANE word keep_members(lane *k, list a, word set, int wanted, uint most, window *seen, uint at) {
    list b = list_of(k, set);
    k->work += most ? (uint)a.n : 0;
    int made = 0, in_order = (k->imm & 15) == T_SET;
    ulong type = fresh_imm(k) >> 4;
    GLOBAL word *out = k->arena + at;
    if (in_order && (type & 15) <= T_ATOM_MAX && window_shows(seen, a, set, b)) {
        for (int n = 0; n < a.n && made < (int)most; n++) {
            out[made] = a.at[n];
            made += window_has(seen, a.at[n]) == wanted;
        }
        return made_list(k, at, made);
    }
    if (sorted_copy_words(k, a, b)) {
        b = sorted_copy(k, b, at + most);
        in_order = 1;
    }
    if (in_order && (type & 15) <= T_ATOM_MAX) {
        int m = 0;
        for (int n = 0; n < a.n; n++) {
            word v = a.at[n];
            if (m > 0 && b.at[m - 1] >= v) m = 0; /* a is a tuple: start over where it steps back */
            m = skip_below(b, m, v);
            if ((m < b.n && b.at[m] == v) == wanted) out[made++] = v;
        }
        return made_list(k, at, made);
    }
    for (int n = 0; n < a.n; n++)
        if (is_among(k, type, b, in_order, a.at[n]) == wanted) out[made++] = a.at[n];
    return made_list(k, at, made);
}
#endif
LANE uint most_common(list a, word b) { return (uint)a.n < ref_length(b) ? (uint)a.n : ref_length(b); }
LANE uint intersection_extent(lane *k, list a, word b) {
    return most_common(a, b) + sorted_copy_words(k, a, list_of(k, b));
}
LANE word intersection_write(lane *k, list a, word b, window *seen, uint at) {
    return keep_members(k, a, b, 1, most_common(a, b), seen, at);
}
LANE uint difference_extent(lane *k, list a, word b) { return (uint)a.n + sorted_copy_words(k, a, list_of(k, b)); }
LANE word difference_write(lane *k, list a, word b, window *seen, uint at) {
    return keep_members(k, a, b, 0, (uint)a.n, seen, at);
}

/* A window goes from lane to lane. */
/* clang-format off */
#define TEAM_MEMBERS(name) KERNEL_FUNCTION(_##name) { \
    KERNEL_START_DEEP(2) LANES_VIEW(0) LANES_VIEW(1) \
    window seen; \
    window_open(&seen); \
    LANES_BEGIN LANES_ARG(0, LIST) LANES_ARG(1, ANY) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1), name##_write(&k, arg0, arg1, &seen, at), LANES_CHARGE_MAKER) LANES_END }
/* clang-format on */
TEAM_MEMBERS(intersection)
TEAM_MEMBERS(difference)

/* ---- sets of locations that may be masks ----
 *
 * The immediate is that of the kernel for lists, beside which it says whether the result has to be a list. */
enum mask_set { MASK_UNITE, MASK_INTERSECTION, MASK_DIFFERENCE };

LANE uint as_list(lane *k) { return k->imm & RESULT_AS_LIST ? 1 : 0; }

/* Room for the result; if that may be a list, or an argument is one, so many words again for lists of both, or for
 * masks of both and of the result. */
LANE uint result_room(lane *k, word a, word b) {
    return as_list(k) || !(is_mask(a) & is_mask(b)) ? MASK_WORDS + patch_length(a) + patch_length(b) : MASK_WORDS;
}
LANE uint mask_set_more(lane *k, word a, word b) {
    uint room = result_room(k, a, b);
    return room == MASK_WORDS ? room : 2 * room + 2 * MASK_WORDS;
}

/* The same of lists, for what does not fit: both are sets, so that one goes along with the other. */
LANE word listed_set(lane *k, int wanted, word a, word b, uint at) {
    uint room = at + result_room(k, a, b);
    list x = list_of(k, listed(k, a, room)), y = list_of(k, listed(k, b, room + listing_words(a)));
    int n = 0, m = 0, made = 0;
    while (n < x.n || m < y.n) {
        int in_x = n < x.n && (m == y.n || x.at[n] <= y.at[m]), in_y = m < y.n && (n == x.n || y.at[m] <= x.at[n]);
        k->arena[at + (uint)made] = in_x ? x.at[n] : y.at[m];
        made += wanted == MASK_UNITE ? 1 : wanted == MASK_INTERSECTION ? in_x & in_y : in_x & !in_y;
        n += in_x;
        m += in_y;
    }
    return wanted == MASK_UNITE && x.n && y.n ? made_set(k, T_IJ, at, made) : made_list(k, at, made);
}

/* Words of the result, and what is in one of them; a mask has nothing behind its own. */
LANE uint mask_set_words(int wanted, mask a, mask b) {
    uint x = (uint)a.n / 2, y = (uint)b.n / 2;
    return wanted == MASK_DIFFERENCE ? x : (wanted == MASK_UNITE) == (x > y) ? x : y;
}
LANE ulong mask_set_word(int wanted, mask a, mask b, uint n) {
    ulong x = n < (uint)a.n / 2 ? ((GLOBAL const ulong *)a.row)[n] : 0;
    ulong y = n < (uint)b.n / 2 ? ((GLOBAL const ulong *)b.row)[n] : 0;
    return wanted == MASK_UNITE ? x | y : wanted == MASK_INTERSECTION ? x & y : x & ~y;
}

/* Both as masks, whatever they are, and a list of what comes out if that is wanted. */
LANE word mixed_set(lane *k, int wanted, word a, word b, uint at) {
    uint scratch = at + result_room(k, a, b), cells = 0;
    mask x = mask_of_patch(k, a, scratch + MASK_WORDS), y = mask_of_patch(k, b, scratch + 2 * MASK_WORDS);
    if ((a && !x.n) || (b && !y.n)) return listed_set(k, wanted, a, b, at);
    GLOBAL ulong *out = (GLOBAL ulong *)(k->arena + (as_list(k) ? scratch : at));
    uint words = mask_set_words(wanted, x, y);
    for (uint n = 0; n < words; n++) {
        out[n] = mask_set_word(wanted, x, y, n);
        cells += bits_set(out[n]);
    }
    mask made = {(GLOBAL const uint *)out, 2 * (int)words};
    return as_list(k) ? listed_rows(k, made, 0, at) : made_mask(k, at, words, cells);
}

LANE word mask_set_write(lane *k, int wanted, word a, word b, uint at) {
    if (as_list(k) || !(is_mask(a) & is_mask(b))) return ALONE(k, mixed_set(k, wanted, a, b, at));
    mask x = mask_of(k, a), y = mask_of(k, b);
    uint cells = 0, words = mask_set_words(wanted, x, y);
    GLOBAL ulong *out = (GLOBAL ulong *)(k->arena + at);
    TEAM_FOR(n, (int)words) {
        ulong made = mask_set_word(wanted, x, y, (uint)n);
        out[n] = made;
        cells += bits_set(made);
    }
    return made_mask(k, at, words, team_sum(k, cells));
}

LANE uint unite_mask_extent(lane *k, word a, word b) { return a && b ? patch_length(a) + patch_length(b) : 0; }
LANE uint intersection_mask_extent(lane *k, word a, word b) {
    uint most = patch_length(a) < patch_length(b) ? patch_length(a) : patch_length(b);
    k->work += most ? patch_length(a) : 0;
    return most;
}
LANE uint difference_mask_extent(lane *k, word a, word b) {
    k->work += patch_length(a);
    return patch_length(a);
}

#define MASK_SET(name, wanted)                                                                                         \
    LANE uint name##_more(lane *k, word a, word b) { return mask_set_more(k, a, b); }                                  \
    LANE word name##_write(lane *k, word a, word b, uint at) { return mask_set_write(k, wanted, a, b, at); }           \
    TEAM_MASKED_ALLOC2(name, ANY, ANY)
MASK_SET(unite_mask, MASK_UNITE)
MASK_SET(intersection_mask, MASK_INTERSECTION)
MASK_SET(difference_mask, MASK_DIFFERENCE)

/* No ops, but what size makes of these; a shape goes from lane to lane as well. */
#ifndef ARCL_TEAM
/* clang-format off */
KERNEL_FUNCTION(_count_members) {
    KERNEL_START(2) LANES_VIEW(0) LANES_VIEW(1)
    window seen;
    window_open(&seen);
    LANES_BEGIN_CHARGED LANES_ARG(0, LIST) LANES_ARG(1, ANY)
    LANES_ATOM(count_members(&k, arg0, arg1, &seen), LANES_CHARGE) LANES_END
}
KERNEL_FUNCTION(_count_moved) {
    KERNEL_START(3) LANES_VIEW(0) LANES_VIEW(1) LANES_VIEW(2)
    window seen;
    shape form;
    window_open(&seen);
    shape_open(&form);
    LANES_BEGIN_CHARGED LANES_ARG(0, PATCHREF) LANES_ARG(1, ANY) LANES_ARG(2, ANY)
    LANES_ATOM(count_moved(&k, arg0, arg1, arg2, &seen, &form), LANES_CHARGE) LANES_END
}
/* clang-format on */
#endif

#define FEW_FIRSTS 32

/* Whether two short lists of words are the same. There is no way out of the loop, which is made wide. */
LANE int same_row(lane *k, word a, word b) {
    GLOBAL const word *x = k->arena + ref_offset(a);
    GLOBAL const word *y = k->arena + ref_offset(b);
    int n = (int)ref_length(a);
    word differ = 0;
    for (int m = 0; m < n; m++) differ |= x[m] ^ y[m];
    k->work += (uint)n;
    return differ == 0;
}
#define LONGEST_ROW 64
LANE int same_first(lane *k, int rows, word a, word b) {
    if (a == b || ref_length(a) != ref_length(b) || !rows || ref_length(a) > LONGEST_ROW) return same(k, k->imm, a, b);
    return same_row(k, a, b);
}

/* The words that are none of 0 to 31 end it: returns how many were looked at. */
LANE int dedupe_colours(list c, GLOBAL word *restrict out, int *made) {
    uint seen = 0;
    int firsts = 0, n = 0;
    for (; n < c.n && (ulong)c.at[n] < FEW_FIRSTS; n++) {
        uint bit = (uint)c.at[n];
        out[firsts] = c.at[n];
        firsts += (int)(~seen >> bit & 1);
        seen |= 1u << bit;
    }
    *made = firsts;
    return n;
}

/* Every element against the firsts before it: the fastest way as long as there are few. The last ones come first, since
 * neighbours are often equal. -1 if there are too many. */
LANE int dedupe_few(lane *k, list c, GLOBAL word *out) {
    uint type = (uint)(k->imm & 15);
    int made = 0, words = type <= T_MIX, rows = type == T_TUPLE && (k->imm >> 4 & 15) <= T_ATOM_MAX;
    for (int n = words ? dedupe_colours(c, out, &made) : 0; n < c.n; n++) {
        word v = c.at[n];
        int m = made;
        if (words)
            while (m > 0 && out[m - 1] != v) m--;
        else
            while (m > 0 && !same_first(k, rows, out[m - 1], v)) m--;
        if (m > 0) continue;
        if (made == FEW_FIRSTS) return -1;
        out[made++] = v;
    }
    return made;
}

/* Positions sorted by value tell repeats from firsts; the firsts then go out in the tuple's own order. */
LANE uint dedupe_extent(lane *k, list c) { return 5 * (uint)c.n; }
LANE word LONE(dedupe_write)(lane *k, list c, uint at) {
    GLOBAL word *out = k->arena + at;
    int few = dedupe_few(k, c, out);
    if (few >= 0) return made_list(k, at, few);
    GLOBAL word *keys = out + c.n;
    GLOBAL word *positions = keys + c.n;
    int made = 0;
    for (int n = 0; n < c.n; n++) {
        keys[n] = c.at[n];
        positions[n] = n;
    }
    sort_by(k, k->imm, keys, positions, positions + c.n, c.n);
    for (int n = 0; n < c.n; n++) out[n] = 0;
    for (int n = 0; n < c.n; n++)
        if (n == 0 || !same(k, k->imm, keys[n - 1], keys[n])) out[positions[n]] = 1;
    for (int n = 0; n < c.n; n++)
        if (out[n]) out[made++] = c.at[n];
    return made_list(k, at, made);
}
#ifdef ARCL_TEAM
/* Of teams, which have words only. Where all of them are small numbers, there is room for what is known of each. */
LANE int are_small(lane *k, list c) {
    uint others = 0;
    TEAM_FOR(n, c.n) others |= (ulong)c.at[n] >= SET_WORDS;
    return !team_most(k, others);
}
LANE void open_room(lane *k, uint value) {
    TEAM_FOR(n, SET_WORDS) k->desk->room[n] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Many words that are not small: they are looked up in a sorted copy, where the first ones leave a mark. */
LANE word first_words(lane *k, list c, uint at) {
    GLOBAL word *out = k->arena + at;
    GLOBAL word *sorted = out + c.n;
    GLOBAL word *seen = sorted + c.n;
    int made = 0;
    for (int n = 0; n < c.n; n++) sorted[n] = c.at[n];
    sort_words(sorted, seen, c.n);
    list distinct = {sorted, unique_words(sorted, c.n)};
    for (int n = 0; n < distinct.n; n++) seen[n] = 0;
    for (int n = 0; n < c.n; n++) {
        int place = skip_below(distinct, 0, c.at[n]);
        if (!seen[place]) out[made++] = c.at[n];
        seen[place] = 1;
    }
    return made_list(k, at, made);
}

#define MOST_LOOKED_AT 256 /* other words are compared with each other, unless there are more */
LANE word dedupe_write(lane *k, list c, uint at) {
    int small = are_small(k, c);
    if (small || c.n <= MOST_LOOKED_AT) {
        uint firsts = 0, all;
        open_room(k, UINT_MAX);
        TEAM_FOR(n, small ? c.n : 0) atomic_min(&k->desk->room[c.at[n]], (uint)n);
        barrier(CLK_LOCAL_MEM_FENCE);
        GLOBAL word *is_first = k->arena + at + c.n;
        TEAM_FOR(n, c.n) {
            int m = small ? (int)k->desk->room[c.at[n]] : 0;
            while (!small && m < n && c.at[m] != c.at[n]) m++;
            is_first[n] = m == n;
        }
        team_meet();
        SHARE_FOR(x, c.n) firsts += (uint)is_first[x];
        uint next = at + team_scan(k, firsts, &all);
        SHARE_FOR(y, c.n) if (is_first[y]) k->arena[next++] = c.at[y];
        return made_list(k, at, (int)all);
    }
    return ALONE(k, first_words(k, c, at));
}
#endif
TEAM_COUNTED_MAKER1(dedupe, LIST)

LANE uint repeat_extent(lane *k, word value, int n) {
    if (n == NONE) return (uint)fail(k, LANE_TYPE);
    return n > 0 ? (uint)n : 0;
}
LANE word repeat_write(lane *k, word value, int n, uint at) {
    for (int m = 0; m < n; m++) k->arena[at + (uint)m] = value;
    return made_list(k, at, n > 0 ? n : 0);
}
ALLOC2(repeat, ANY, INT)

LANE uint merge_tuple_extent(lane *k, list lists) { return lists.n == 1 ? 0 : team_total_length(k, lists); }
#ifdef ARCL_TEAM
/* Copies what lists have; returns how many words that are. */
LANE uint joined_words(lane *k, list lists, uint at) {
    uint made = 0;
    for (int first = 0; first < lists.n; first += ARCL_TEAM) {
        int words = flat_open(k, lists, first);
        TEAM_FOR(n, words) k->arena[at + made + (uint)n] = flat_word(k, n);
        made += (uint)words;
        flat_close();
    }
    return made;
}
LANE word merge_tuple_write(lane *k, list lists, uint at) {
    return lists.n == 1 ? lists.at[0] : made_list(k, at, (int)joined_words(k, lists, at));
}
#else
LANE word merge_tuple_write(lane *k, list lists, uint at) {
    uint made = 0;
    if (lists.n == 1) return lists.at[0];
    for (int n = 0; n < lists.n; n++) {
        copy_words(k, list_of(k, lists.at[n]), at + made);
        made += ref_length(lists.at[n]);
    }
    return made_list(k, at, (int)made);
}
#endif
TEAM_ALLOC1(merge_tuple, LIST)

/* The immediate is the element's type; the inner containers need not be sets. */
LANE uint merge_set_extent(lane *k, list lists) {
    ulong room = set_room(k->imm, team_total_length(k, lists));
    return extent_of((word)room);
}
/* Straight from the lists into a bitmap, without bringing them together first; -1 if that does not pay. */
LANE int merge_by_bitmap(lane *k, list lists, uint total, uint at) {
    word_range r = range_start();
    GLOBAL ulong *bits = (GLOBAL ulong *)(k->arena + at + total);
    for (int n = 0; n < lists.n;) {
        list l = joined_lists(k, lists, &n);
        range_add(&r, k->imm, l.at, l.n);
    }
    ulong need = range_words(r);
    if (need > (ulong)total + BITMAP_SLACK) return -1;
    for (int m = 0; m < (int)need; m++) bits[m] = 0;
    for (int n = 0; n < lists.n;) {
        list l = joined_lists(k, lists, &n);
        mark_words(r, k->imm, bits, l.at, l.n);
    }
    return read_marks(r, k->imm, bits, k->arena + at);
}
/* Lists of words that are in order one behind the other, as objects of different colours are: -1 if these are not. */
LANE int merge_in_order(lane *k, list lists, uint at) {
    GLOBAL word *out = k->arena + at;
    int made = 0, in_order = 1;
    word last = -((word)1 << 62);
    for (int n = 0; n < lists.n; n++) {
        list l = list_of(k, lists.at[n]);
        if (l.n == 0) continue;
        if (l.at[0] <= last) return -1;
        last = l.at[l.n - 1];
    }
    for (int n = 0; n < lists.n;) {
        list l = joined_lists(k, lists, &n);
        for (int m = 0; m < l.n; m++) out[m + made] = l.at[m];
        made += l.n;
    }
    for (int m = 1; m < made; m++) in_order &= out[m - 1] < out[m];
    return in_order ? made : -1;
}
LANE word LONE(merge_set_write)(lane *k, list lists, uint at) {
    uint made = 0, total = total_length(lists);
    int atoms = (k->imm & 15) <= T_ATOM_MAX && total > SHORT_SET;
    int merged = atoms ? merge_in_order(k, lists, at) : -1;
    if (merged < 0 && atoms) merged = merge_by_bitmap(k, lists, total, at);
    for (int n = 0; n < lists.n && merged < 0; n++) {
        copy_words(k, list_of(k, lists.at[n]), at + made);
        made += ref_length(lists.at[n]);
    }
    if (merged < 0) merged = make_set(k, k->imm, k->arena + at, (int)made, k->arena + at);
    return made_set(k, k->imm, at, merged);
}
#ifdef ARCL_TEAM /* of words */
LANE word merge_set_write(lane *k, list lists, uint at) {
    set_source source = {lists, {0, 0}, {0, 0}};
    word made;
    if (team_set(k, k->imm, source, at, &made)) return made;
    int words = (int)joined_words(k, lists, at);
    team_meet();
    return ALONE(k, sorted_words(k, k->imm, at, words));
}
#endif
TEAM_COUNTED_MAKER1(merge_set, LIST)

/* The immediate is the type of the patch's elements. */
TEAM_COUNTED_ALLOC2(stamp, PATCHREF, LIST)

LANE word extreme_int(lane *k, list c, int sign) {
    word best = c.n ? c.at[0] : 0;
    k->work += (uint)c.n;
    for (int n = 0; n < c.n; n++) {
        if (c.at[n] == NONE && c.n > 1) return fail(k, LANE_TYPE);
        if (sign * c.at[n] > sign * best) best = c.at[n];
    }
    return best;
}
LANE word maximum(lane *k, list c) { return extreme_int(k, c, 1); }
LANE word minimum(lane *k, list c) { return extreme_int(k, c, -1); }
COUNTED_ATOM1(maximum, LIST)
COUNTED_ATOM1(minimum, LIST)

/* Ints that are near to each other are counted, in as many words of scratch as there are ints from the least to the
 * greatest; 0 if there is no room for that. Ties go to the smallest. */
LANE int common_int(list c, int most, GLOBAL word *count, int room, word *result) {
    word low = c.at[0], high = c.at[0], best = 0;
    for (int n = 1; n < c.n; n++) {
        low = c.at[n] < low ? c.at[n] : low;
        high = c.at[n] > high ? c.at[n] : high;
    }
    if (high - low >= room) return 0;
    int range = (int)(high - low) + 1;
    for (int v = 0; v < range; v++) count[v] = 0;
    for (int n = 0; n < c.n; n++) count[c.at[n] - low]++;
    for (int v = 0; v < range; v++)
        if (count[v] && (best == 0 || (most ? count[v] > best : count[v] < best))) {
            best = count[v];
            *result = low + v;
        }
    return 1;
}

/* Sorts a copy and counts runs; the first run that is longer (shorter) than all before wins, so ties go to the
 * smallest. */
LANE word LONE(common_element)(lane *k, list c, int most, uint at) {
    GLOBAL word *sorted = k->arena + at;
    int best = 0, start = 0;
    word result = 0;
    k->used = 0;
#ifndef MANY_ITEMS /* there it takes registers that are not there */
    ulong counts = (k->imm & 15) == T_INT ? counted_row(c) : 0;
    if (counts) return common_colour(counts, most);
    if ((k->imm & 15) == T_INT && common_int(c, most, sorted, 2 * c.n, &result)) return result;
#endif
    copy_words(k, c, at);
    if ((k->imm & 15) <= T_ATOM_MAX)
        sort_words(sorted, sorted + c.n, c.n);
    else
        sort_by(k, k->imm, sorted, sorted, sorted + c.n, c.n);
    for (int n = 1; n <= c.n; n++) {
        if (n < c.n && same(k, k->imm, sorted[n], sorted[start])) continue;
        int count = n - start;
        if (best == 0 || (most ? count > best : count < best)) {
            best = count;
            result = sorted[start];
        }
        start = n;
    }
    k->used = 0;
    return result;
}
LANE uint mostcommon_extent(lane *k, list c) { return c.n ? 2 * (uint)c.n : (uint)fail(k, LANE_EMPTY); }
#ifdef ARCL_TEAM /* of words */
LANE word common_element(lane *k, list c, int most, uint at) {
    int small = are_small(k, c);
    if (small || c.n <= MOST_LOOKED_AT) {
        uint best = 0;
        word least = LONG_MAX; /* of those that there are as many of */
        open_room(k, 0);
        TEAM_FOR(n, small ? c.n : 0) atomic_add(&k->desk->room[c.at[n]], 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        TEAM_FOR(n, small ? SET_WORDS : c.n) {
            word v = small ? n : c.at[n];
            uint count = small ? k->desk->room[n] : 0;
            for (int m = 0; !small && m < c.n; m++) count += c.at[m] == v;
            if (!count) continue;
            count = most ? count : UINT_MAX - count;
            least = count > best || (count == best && v < least) ? v : least;
            best = max(best, count);
        }
        uint all = team_most(k, best);
        return desk_span(k->desk, (long2)(best == all ? least : LONG_MAX, 0)).x;
    }
    return ALONE(k, LONE(common_element)(k, c, most, at));
}
#endif
LANE word mostcommon_write(lane *k, list c, uint at) { return common_element(k, c, 1, at); }
LANE word leastcommon_write(lane *k, list c, uint at) { return common_element(k, c, 0, at); }
#define leastcommon_extent mostcommon_extent
TEAM_COUNTED_MAKER1(mostcommon, LIST)
TEAM_COUNTED_MAKER1(leastcommon, LIST)

/* Distinct elements by count, then by value. Sorting brings equal elements together in runs; how many runs there are of
 * each length then tells the length of the run at a rank. */
LANE uint common_rank_extent(lane *k, list c, int rank) {
    if (rank == NONE) return (uint)fail(k, LANE_TYPE);
    return c.n ? extent_of(3 * (word)c.n + 1) : (uint)fail(k, LANE_EMPTY);
}
LANE word common_rank_write(lane *k, list c, int rank, uint at) {
    GLOBAL word *sorted = k->arena + at;
    GLOBAL word *end = sorted + c.n; /* of each run */
    GLOBAL word *runs = end + c.n;   /* of each length */
    int distinct = 0, length = 1, run = 0;
    copy_words(k, c, at);
    sort_by(k, k->imm, sorted, sorted, end, c.n);
    for (int n = 0; n <= c.n; n++) runs[n] = 0;
    for (int n = 1; n < c.n; n++) {
        end[distinct] = n;
        distinct += compare(k, k->imm, sorted[n - 1], sorted[n]) != 0;
    }
    end[distinct++] = c.n;
    for (int r = 0; r < distinct; r++) runs[end[r] - (r ? end[r - 1] : 0)]++;
    k->used = 0;
    word left = position_of(k, distinct, rank);
    while (left >= runs[length]) left -= runs[length++];
    for (left++; left; run++) left -= end[run] - (run ? end[run - 1] : 0) == length;
    return sorted[end[run - 1] - 1];
}
COUNTED_MAKER2(common_rank, LIST, INT)

LANE uint initset_extent(lane *k, word value) { return 1; }
LANE word initset_write(lane *k, word value, uint at) {
    k->arena[at] = value;
    return made_list(k, at, 1);
}
ALLOC1(initset, ANY)

LANE uint insert_extent(lane *k, word value, word set) { return ref_length(set) + 1; }
LANE word insert_write(lane *k, word value, word set, uint at) {
    list c = list_of(k, set);
    ulong type = k->imm >> 4;
    int place = lower_bound(k, type, c, value);
    if (place < c.n && same(k, type, c.at[place], value)) return set;
    for (int n = 0; n < place; n++) k->arena[at + (uint)n] = c.at[n];
    k->arena[at + (uint)place] = value;
    for (int n = place; n < c.n; n++) k->arena[at + (uint)n + 1] = c.at[n];
    return made_set(k, type, at, c.n + 1);
}
COUNTED_ALLOC2(insert, ANY, ANY)

LANE uint remove_extent(lane *k, word value, list c) { return (uint)c.n; }
LANE word remove_write(lane *k, word value, list c, uint at) {
    int made = 0, words = (k->imm >> 4 & 15) <= T_MIX;
    for (int n = 0; n < c.n && words; n++)
        if (c.at[n] != value) k->arena[at + (uint)made++] = c.at[n];
    for (int n = 0; n < c.n && !words; n++)
        if (!same(k, k->imm >> 4, c.at[n], value)) k->arena[at + (uint)made++] = c.at[n];
    return made_list(k, at, made);
}
COUNTED_ALLOC2(remove, ANY, LIST)

LANE word other(lane *k, list c, word value) {
    int n = 0;
    while (n < c.n && same(k, k->imm >> 4, c.at[n], value)) n++;
    k->work += (uint)n;
    return n < c.n ? c.at[n] : fail(k, LANE_EMPTY);
}
COUNTED_ATOM2(other, LIST, ANY)

/* For every element its place in a set that has it, counted from a number on (cl/guest.h); of what is empty, none.
 * The immediate describes it: the element's type and the number. */
LANE uint numbers_in_extent(lane *k, list c, list all) {
    if (all.n > GUEST_LIST_ROOM) return (uint)fail(k, LANE_LIMIT);
    return (uint)c.n;
}
LANE word numbers_in_write(lane *k, list c, list all, uint at) {
    ulong type = guest_type(k->imm);
    int may_be_empty = (type & 15) >= T_GRID && (type & 15) <= T_TUPLE;
    for (int n = 0; n < c.n; n++) {
        int low = 0, high = all.n - 1;
        while (low < high) {
            int middle = (low + high) / 2, above = compare(k, type, c.at[n], all.at[middle]) > 0;
            low = above ? middle + 1 : low;
            high = above ? high : middle;
        }
        k->arena[at + (uint)n] = may_be_empty && !ref_length(c.at[n]) ? NONE : guest_number(k->imm) + low;
    }
    return made_list(k, at, c.n);
}
COUNTED_ALLOC2(numbers_in, LIST, LIST)

/* Whether an int, a colour, or as the immediate says a coordinate, is a guest's number. */
LANE int is_guest(uint head, word w) {
    int number = head == T_INT ? (int)w : head == T_CELL || head == T_MIX ? loc_colour(w) : 0;
    if (head == T_IJ) return is_guest_number(loc_i(w)) | is_guest_number(loc_j(w));
    return is_guest_number(number);
}

/* The value, which fails if such a number is anywhere in it. The immediate is its type. */
LANE word unguested(lane *k, word value) {
    copy_stack s;
    ulong type = k->imm;
    word w = value;
    s.depth = 0;
    do {
        uint words = 0;
        if (!has_parts(type)) {
            if (is_guest((uint)(type & 15), w)) return fail(k, LANE_LIMIT);
            continue;
        }
        type = storage_form(type, w, &words);
        for (uint n = 0; n < words && (type & 15) != T_GRID && (type & 15) < T_RECORD && !has_parts(type >> 4); n++)
            if (is_guest((uint)(type >> 4 & 15), k->arena[ref_offset(w) + n])) return fail(k, LANE_LIMIT);
        k->work += words;
        copy_enter(&s, type, w, 0, words);
    } while (copy_step(&s, k->arena, &w, &type));
    return value;
}
COUNTED_ATOM1(unguested, ANY)

/* How long the first element is, 0 if there is none; the immediate is 1 for grids. */
LANE word first_length(lane *k, list c) { return c.n ? ref_length(c.at[0]) >> (k->imm ? 16 : 0) : 0; }
ATOM1(first_length, LIST)

LANE uint reverse_extent(lane *k, list c) { return (uint)c.n; }
LANE word reverse_write(lane *k, list c, uint at) {
    for (int n = 0; n < c.n; n++) k->arena[at + (uint)n] = c.at[c.n - 1 - n];
    return made_list(k, at, c.n);
}
ALLOC1(reverse, LIST)

LANE word first_list(lane *k, list c) { return c.n ? c.at[0] : fail(k, LANE_EMPTY); }
LANE word last_list(lane *k, list c) { return c.n ? c.at[c.n - 1] : fail(k, LANE_EMPTY); }
ATOM1(first_list, LIST)
ATOM1(last_list, LIST)

/* With an immediate, a list that has no elements at all is another failure than one that has too few. */
LANE word nth(lane *k, list c, int rank) {
    if (c.n == 0 && k->imm) return fail(k, LANE_BOUNDS);
    int place = position_of(k, c.n, rank);
    return k->status ? 0 : c.at[place];
}
ATOM2(nth, LIST, INT)

/* ---- pairs of elements: as ij, as cell, or as record ---- */

LANE word pack_pair(lane *k, word a, word b, GLOBAL word *box, uint box_at) {
    if (k->imm == PAIR_IJ) return pair_of_ints(k, (int)a, (int)b);
    if (k->imm == PAIR_CELL) return colour_word(colour_of_int(k, (int)a)) + b;
    box[0] = a;
    box[1] = b;
    return made_ref(box_at, 2);
}

/* With an immediate, both may be none. */
LANE word pack_ij(lane *k, int a, int b) {
    return k->imm && a == NONE && b == NONE ? TWO_NONES : pair_of_ints(k, a, b);
}
LANE word pack_cell(lane *k, int colour, word at) { return colour_word(colour_of_int(k, colour)) + at; }
ATOM2(pack_ij, INT, INT)
ATOM2(pack_cell, INT, ANY)

LANE uint pack_two_extent(lane *k, word a, word b) { return 2; }
LANE word pack_two_write(lane *k, word a, word b, uint at) {
    k->arena[at] = a;
    k->arena[at + 1] = b;
    return made_list(k, at, 2);
}
ALLOC2(pack_two, ANY, ANY)

LANE uint append_extent(lane *k, list c, word value) { return (uint)c.n + 1; }
LANE word append_write(lane *k, list c, word value, uint at) {
    copy_words(k, c, at);
    k->arena[at + (uint)c.n] = value;
    return made_list(k, at, c.n + 1);
}
ALLOC2(append, LIST, ANY)

LANE uint pairs_extent(lane *k, ulong n) { return extent_of((word)(n * (k->imm == PAIR_RECORD ? 3 : 1))); }
LANE word made_pairs(lane *k, uint at, int n) {
    word result = made_list(k, at, n);
    if (k->imm == PAIR_RECORD) k->used = 3 * (uint)n;
    return result;
}

/* Both containers are sets, so the pairs come out in natural order. What kind of pair it is is asked once, since there
 * may be many of them. */
LANE uint product_extent(lane *k, list a, list b) { return pairs_extent(k, (ulong)a.n * (ulong)b.n); }
LANE void product_of_ints(lane *k, list a, list b, GLOBAL word *out) {
    for (int n = 0; n < a.n; n++)
        for (int m = 0; m < b.n; m++) *out++ = pair_of_ints(k, (int)a.at[n], (int)b.at[m]);
}
LANE word product_write(lane *k, list a, list b, uint at) {
    uint total = (uint)a.n * (uint)b.n, made = 0;
    if (k->imm == PAIR_IJ) {
        product_of_ints(k, a, b, k->arena + at);
        return made_list(k, at, (int)total);
    }
    for (int n = 0; n < a.n; n++)
        for (int m = 0; m < b.n; m++, made++) {
            uint box = at + total + 2 * made;
            k->arena[at + made] = pack_pair(k, a.at[n], b.at[m], k->arena + box, box);
        }
    return made_pairs(k, at, (int)total);
}
ALLOC2(product, LIST, LIST)

LANE uint pair_extent(lane *k, list a, list b) { return pairs_extent(k, (ulong)(a.n < b.n ? a.n : b.n)); }
LANE word pair_write(lane *k, list a, list b, uint at) {
    int n = a.n < b.n ? a.n : b.n;
    for (int m = 0; m < n; m++) {
        uint box = at + (uint)n + 2 * (uint)m;
        k->arena[at + (uint)m] = pack_pair(k, a.at[m], b.at[m], k->arena + box, box);
    }
    return made_pairs(k, at, n);
}
ALLOC2(pair, LIST, LIST)

/* The larger int of each pair, or with the immediate 0 the smaller: no op, but what maximum makes of each element of
 * pair(a, b), which fails in the same ways. */
LANE uint pair_extreme_extent(lane *k, list a, list b) { return (uint)(a.n < b.n ? a.n : b.n); }
LANE word pair_extreme_write(lane *k, list a, list b, uint at) {
    int n = a.n < b.n ? a.n : b.n, unfit = 0;
    GLOBAL word *out = k->arena + at;
    for (int m = 0; m < n; m++) {
        word x = a.at[m], y = b.at[m];
        unfit |= !(coord_fits(x) & coord_fits(y));
        out[m] = (k->imm != 0) == (x > y) ? x : y;
    }
    for (int m = 0; m < n && unfit; m++) pair_of_ints(k, (int)a.at[m], (int)b.at[m]);
    if (unfit && !k->status) return fail(k, LANE_TYPE); /* none makes pairs, but is neither above nor below an int */
    return made_list(k, at, n);
}
ALLOC2(pair_extreme, LIST, LIST)

/* The rows of a grid as a list of locations or cells: which rows are, the immediate says (enum row_places). Where some
 * are none, the lane fails, or has the origin instead. */
LANE uint rows_patch_extent(lane *k, grid g) { return (uint)g.h; }
LANE word rows_patch_write(lane *k, grid g, uint at) {
    for (int i = 0; i < g.h && !k->status; i++) {
        int w = row_length(g, i);
        int alike =
            w == row_length(g, 0) && ((w == 2 && (k->imm & ROWS_OF_TWO)) || (w == 3 && (k->imm & ROWS_OF_THREE)));
        if (!alike && (w < 2 || !(k->imm & ROWS_OF_MORE))) {
            if (!(k->imm & ROWS_OR_ORIGIN)) return fail(k, LANE_TYPE);
            k->arena[at] = 0;
            return made_list(k, at, 1);
        }
        word place = loc_result(k, cell_at(k, g, i, 0), cell_at(k, g, i, 1));
        if (k->imm & ROWS_AS_CELLS) place += colour_word(colour_of_int(k, cell_at(k, g, i, 2)));
        k->arena[at + (uint)i] = place;
    }
    return made_list(k, at, g.h);
}
ALLOC1(rows_patch, GRID)
