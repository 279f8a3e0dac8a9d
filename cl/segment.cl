/* What higher-order ops do with the results of their function: one lane per container, the results as a second list.
 *
 * The compiler has run the function over all elements of all containers at once; `results` is this container's share.
 */
#include "compare.h"

LANE uint sfilter_extent(lane *k, list c, list keep) { return (uint)c.n; }
LANE word sfilter_write(lane *k, list c, list keep, uint at) {
    int made = 0;
    for (int n = 0; n < c.n; n++) {
        k->arena[at + (uint)made] = c.at[n];
        made += keep.at[n] != 0;
    }
    return made_list(k, at, made);
}
ALLOC2(sfilter, LIST, LIST)

/* A condition that failed arrives as its negated status: it matters only if nothing before it holds. */
LANE word extract(lane *k, list c, list holds) {
    for (int n = 0; n < c.n; n++) {
        if (holds.at[n] < 0) return fail(k, (int)-holds.at[n]);
        if (holds.at[n]) return c.at[n];
    }
    return fail(k, LANE_EMPTY);
}
ATOM2(extract, LIST, LIST)

LANE uint order_extent(lane *k, list c, list keys) { return 4 * (uint)c.n; }
LANE word order_write(lane *k, list c, list keys, uint at) {
    GLOBAL word *values = k->arena + at;
    GLOBAL word *sorted = values + c.n;
    for (int n = 0; n < c.n; n++) {
        values[n] = c.at[n];
        sorted[n] = keys.at[n];
    }
    sort_by(k, k->imm, sorted, values, sorted + c.n, c.n);
    return made_list(k, at, c.n);
}
ALLOC2(order, LIST, LIST)

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

/* Whether key a is above key b (sign 1) or below it (sign -1). One set is above another if it has more: most pairs of
 * sets are neither above nor below. */
LANE int key_beats(lane *k, word a, word b, int sign) {
    if ((k->imm & 15) != T_SET) return sign * compare(k, k->imm, a, b) > 0;
    list large = list_of(k, sign > 0 ? a : b), small = list_of(k, sign > 0 ? b : a);
    return small.n < large.n && is_subset(k, k->imm >> 4, small, large);
}

LANE int best_position(lane *k, list keys, int sign) {
    int best = 0;
    for (int n = 1; n < keys.n; n++)
        if (key_beats(k, keys.at[n], keys.at[best], sign)) best = n;
    return best;
}
LANE word argmax(lane *k, list c, list keys) { return c.n ? c.at[best_position(k, keys, 1)] : fail(k, LANE_EMPTY); }
LANE word argmin(lane *k, list c, list keys) { return c.n ? c.at[best_position(k, keys, -1)] : fail(k, LANE_EMPTY); }
ATOM2(argmax, LIST, LIST)
ATOM2(argmin, LIST, LIST)

LANE word valmax(lane *k, list keys) { return keys.n ? keys.at[best_position(k, keys, 1)] : fail(k, LANE_EMPTY); }
LANE word valmin(lane *k, list keys) { return keys.n ? keys.at[best_position(k, keys, -1)] : fail(k, LANE_EMPTY); }
ATOM1(valmax, LIST)
ATOM1(valmin, LIST)
