/* What higher-order ops do with the results of their function: one lane per container, the results as a second list.
 *
 * The compiler has run the function over all elements of all containers at once; `results` is this container's share.
 */
#include "colour_row.h"
#include "compare.h"

LANE uint sfilter_extent(lane *k, list c, list keep) { return (uint)c.n; }
LANE word sfilter_write(lane *k, list c, list keep, uint at) {
#ifdef ARCL_TEAM
    uint kept = 0, all;
    SHARE_FOR(n, c.n) kept += keep.at[n] != 0;
    uint next = at + team_scan(k, kept, &all);
    SHARE_FOR(m, c.n) if (keep.at[m]) k->arena[next++] = c.at[m];
    return made_list(k, at, (int)all);
#else
    int made = 0;
    for (int n = 0; n < c.n; n++) {
        k->arena[at + (uint)made] = c.at[n];
        made += keep.at[n] != 0;
    }
    return made_list(k, at, made);
#endif
}
TEAM_ALLOC2(sfilter, LIST, LIST)

/* A condition that failed arrives as its negated status: it matters only if nothing before it holds. */
LANE word extract(lane *k, list c, list holds) {
    for (int n = 0; n < c.n; n++) {
        if (holds.at[n] < 0) return fail(k, (int)-holds.at[n]);
        if (holds.at[n]) return c.at[n];
    }
    return fail(k, LANE_EMPTY);
}
ATOM2(extract, LIST, LIST)

/* None is neither above nor below anything, so it cannot be ordered; alone it need not be. */
LANE int has_no_order(lane *k, list keys) {
    int nones = 0;
    if ((k->imm & 15) != T_INT || keys.n < 2) return 0;
    TEAM_FOR(n, keys.n) nones += keys.at[n] == NONE;
    return team_most(k, nones) != 0;
}

/* Colours are counted: none is not among them. */
LANE uint order_extent(lane *k, list c, list keys) {
#ifndef MANY_ITEMS
    k->found = (k->imm & 15) == T_INT ? counted_row(keys) : 0;
    if (k->found) return 4 * (uint)c.n;
#endif
    return has_no_order(k, keys) ? (uint)fail(k, LANE_TYPE) : 4 * (uint)c.n;
}
LANE word LONE(order_write)(lane *k, list c, list keys, uint at) {
    GLOBAL word *values = k->arena + at;
    GLOBAL word *sorted = values + c.n;
#ifndef MANY_ITEMS
    if (k->found) {
        order_by_colour(values, c, keys, k->found);
        return made_list(k, at, c.n);
    }
#endif
    for (int n = 0; n < c.n; n++) values[n] = c.at[n];
    if (c.at == keys.at) { /* ordered by themselves */
        sort_by(k, k->imm, values, values, sorted, c.n);
        return made_list(k, at, c.n);
    }
    for (int n = 0; n < c.n; n++) sorted[n] = keys.at[n];
    sort_by(k, k->imm, sorted, values, sorted + c.n, c.n);
    return made_list(k, at, c.n);
}
#ifdef ARCL_TEAM        /* by words: the place of an element is how many come before it */
#define MOST_RANKED 512 /* more are sorted sooner by the leader */
LANE word order_write(lane *k, list c, list keys, uint at) {
    if (c.n > MOST_RANKED) return ALONE(k, LONE(order_write)(k, c, keys, at));
    TEAM_FOR(n, c.n) {
        word key = keys.at[n];
        uint place = at;
        for (int m = 0; m < c.n; m++) place += (keys.at[m] < key) | ((keys.at[m] == key) & (m < n));
        k->arena[place] = c.at[n];
    }
    return made_list(k, at, c.n);
}
#endif
TEAM_COUNTED_MAKER2(order, LIST, LIST)

/* From the highest key to the lowest; elements with equal keys keep their order. What is turned around before and after
 * sorting is in that order. */
LANE word order_down_write(lane *k, list c, list keys, uint at) {
    GLOBAL word *values = k->arena + at;
    GLOBAL word *sorted = values + c.n;
    int last = c.n - 1;
    for (int n = 0; n < c.n; n++) {
        values[n] = c.at[last - n];
        sorted[n] = keys.at[last - n];
    }
    sort_by(k, k->imm, sorted, values, sorted + c.n, c.n);
    for (int n = 0; n < c.n / 2; n++) {
        word swap = values[n];
        values[n] = values[last - n];
        values[last - n] = swap;
    }
    return made_list(k, at, c.n);
}
#define order_down_extent order_extent
COUNTED_MAKER2(order_down, LIST, LIST)

/* Whether every element of set a is in set b. */
LANE int is_subset(lane *k, ulong element, list a, list b) {
    int n = 0;
    for (int m = 0; n < a.n && m < b.n; m++) {
        int order = compare(k, element, b.at[m], a.at[n]);
        if (order > 0) break;
        n += order == 0;
    }
    return n == a.n;
}

/* Sets are in order if each has all that the one before has: by their sizes, then, if at all. */
LANE uint order_sets_extent(lane *k, list c, list keys) { return 3 * (uint)c.n; }
LANE word order_sets_write(lane *k, list c, list keys, uint at) {
    GLOBAL word *values = k->arena + at;
    GLOBAL word *sorted = values + c.n;
    for (int n = 0; n < c.n; n++) sorted[n] = ((word)ref_length(keys.at[n]) << 32) + n;
    sort_words(sorted, sorted + c.n, c.n);
    int chain = 1;
    for (int n = 0; n < c.n; n++) {
        int from = (int)(sorted[n] & 0x7fffffff), before = n ? (int)(sorted[n - 1] & 0x7fffffff) : from;
        values[n] = c.at[from];
        chain &= is_subset(k, k->imm >> 4, list_of(k, keys.at[before]), list_of(k, keys.at[from]));
    }
    return chain ? made_list(k, at, c.n) : fail(k, LANE_TYPE);
}
COUNTED_ALLOC2(order_sets, LIST, LIST)

/* Downward, where keys are sets, as Python sorts short lists: most pairs of sets have no order, so that the way to sort
 * decides. That is upward between two reversals: a run at the beginning, then each of the others at the place that is
 * found for it by halving. Long lists are sorted otherwise, unless they are one run. Positions are sorted, in words
 * behind the values. */
#define SHORT_FOR_PYTHON 64
LANE int is_below(lane *k, list keys, word a, word b) {
    list x = list_of(k, keys.at[a]), y = list_of(k, keys.at[b]);
    k->work += (uint)(x.n + y.n);
    return x.n < y.n && is_subset(k, k->imm >> 4, x, y);
}
LANE int first_run(lane *k, list keys, GLOBAL word *at, int n) {
    int run = n < 2 ? n : 2, down = n > 1 && is_below(k, keys, at[1], at[0]);
    while (run < n && is_below(k, keys, at[run], at[run - 1]) == down) run++;
    for (int m = 0; down && m < run / 2; m++) {
        word swap = at[m];
        at[m] = at[run - 1 - m];
        at[run - 1 - m] = swap;
    }
    return run;
}
LANE void insert_by_halving(lane *k, list keys, GLOBAL word *at, int from) {
    word pivot = at[from];
    int low = 0, high = from;
    while (low < high) {
        int middle = (low + high) / 2, below = is_below(k, keys, pivot, at[middle]);
        high = below ? middle : high;
        low = below ? low : middle + 1;
    }
    for (int m = from; m > low; m--) at[m] = at[m - 1];
    at[low] = pivot;
}
LANE uint order_down_sets_extent(lane *k, list c, list keys) { return 2 * (uint)c.n; }
LANE word order_down_sets_write(lane *k, list c, list keys, uint at) {
    GLOBAL word *positions = k->arena + at + c.n;
    for (int n = 0; n < c.n; n++) positions[n] = c.n - 1 - n;
    int run = first_run(k, keys, positions, c.n);
    if (run < c.n && c.n >= SHORT_FOR_PYTHON) return fail(k, LANE_TYPE);
    for (int n = run; n < c.n; n++) insert_by_halving(k, keys, positions, n);
    for (int n = 0; n < c.n; n++) k->arena[at + (uint)n] = c.at[positions[c.n - 1 - n]];
    return made_list(k, at, c.n);
}
COUNTED_ALLOC2(order_down_sets, LIST, LIST)

/* Whether key a is above key b (sign 1) or below it (sign -1). One set is above another if it has more: most pairs of
 * sets are neither above nor below. */
LANE int key_beats(lane *k, word a, word b, int sign) {
    ulong type = fresh_imm(k);
    if ((type & 15) != T_SET) return sign * compare(k, type, a, b) > 0;
    list large = list_of(k, sign > 0 ? a : b), small = list_of(k, sign > 0 ? b : a);
    return small.n < large.n && is_subset(k, type >> 4, small, large);
}

/* The element of c whose key is the best: the first of those. */
#ifdef ARCL_TEAM   /* where keys are words (TEAM_OF_ATOMS) */
#define FEW_KEYS 8 /* each member looks at all of so few: telling the others takes longer */
INLINED word best_element(lane *k, list c, list keys, int sign) {
    long2 span = (long2)(LONG_MAX, LONG_MIN);
    int4 first = (int4)(INT_MAX);
    int few = keys.n <= FEW_KEYS, own = few ? 0 : MEMBER, others = few ? 1 : ARCL_TEAM;
    if (!c.n) return fail(k, LANE_EMPTY);
    for (int n = own; n < keys.n; n += others) span = (long2)(min(span.x, keys.at[n]), max(span.y, keys.at[n]));
    if (!few) span = desk_span(k->desk, span);
    if ((k->imm & 15) == T_INT && keys.n > 1 && span.x == NONE)
        return fail(k, LANE_TYPE); /* there is no int below it */
    word best = sign > 0 ? span.y : span.x;
    for (int n = own; n < keys.n; n += others) first.x = keys.at[n] == best ? min(first.x, n) : first.x;
    return c.at[few ? first.x : desk_edges(k->desk, first).x];
}
#else
INLINED word best_element(lane *k, list c, list keys, int sign) {
    int best = 0;
    if (!c.n) return fail(k, LANE_EMPTY);
    if (has_no_order(k, keys)) return fail(k, LANE_TYPE);
    for (int n = 1; n < keys.n; n++)
        if (key_beats(k, keys.at[n], keys.at[best], sign)) best = n;
    return c.at[best];
}
#endif
LANE word argmax(lane *k, list c, list keys) { return best_element(k, c, keys, 1); }
LANE word argmin(lane *k, list c, list keys) { return best_element(k, c, keys, -1); }
TEAM_COUNTED_ATOM2(argmax, LIST, LIST)
TEAM_COUNTED_ATOM2(argmin, LIST, LIST)

LANE word valmax(lane *k, list keys) { return best_element(k, keys, keys, 1); }
LANE word valmin(lane *k, list keys) { return best_element(k, keys, keys, -1); }
TEAM_COUNTED_ATOM1(valmax, LIST)
TEAM_COUNTED_ATOM1(valmin, LIST)
