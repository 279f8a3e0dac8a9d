/* Numbers and pairs of numbers. Arithmetic is done in 64 bits and must fit the result's range; none has no
 * arithmetic. */
#include "lane.h"

#define ARITHMETIC(name, expression)                                                                                   \
    LANE word name##_int(lane *k, int a, int b) {                                                                      \
        word x = a, y = b;                                                                                             \
        if ((a == NONE) | (b == NONE)) return fail(k, LANE_TYPE);                                                      \
        return int_result(k, expression);                                                                              \
    }                                                                                                                  \
    LANE word name##_axis(word x, word y) { return expression; }                                                       \
    LANE word name##_axes(lane *k, word a, word b) {                                                                   \
        return loc_result(k, name##_axis(loc_i(a), loc_i(b)), name##_axis(loc_j(a), loc_j(b)));                        \
    }                                                                                                                  \
    ATOM2(name##_int, INT, INT)

ARITHMETIC(add, x + y)
ARITHMETIC(subtract, x - y)
ARITHMETIC(multiply, x *y)

#define multiply_ij multiply_axes
ATOM2(multiply_ij, LOC, LOC)

/* Sums of locations that are near are those of their words. */
LANE word add_ij(lane *k, word a, word b) {
    if (are_near((ulong)a, (ulong)b)) return a + b;
    a = loc_argument(k, a);
    b = loc_argument(k, b);
    return add_axes(k, a, b);
}
LANE word subtract_ij(lane *k, word a, word b) {
    if (are_near((ulong)a, (ulong)b)) return a - b;
    a = loc_argument(k, a);
    b = loc_argument(k, b);
    return subtract_axes(k, a, b);
}
LANE word add_ij_quick(lane *k, word a, word b) {
    k->status = !are_near((ulong)a, (ulong)b);
    return a + b;
}
LANE word subtract_ij_quick(lane *k, word a, word b) {
    k->status = !are_near((ulong)a, (ulong)b);
    return a - b;
}
/* Where all locations that there are, are near. */
LANE int near_status(word a, word b) {
    ulong x = a == EMPTY_IJ ? 0 : (ulong)a, y = b == EMPTY_IJ ? 0 : (ulong)b;
    int some_missing = (a == EMPTY_IJ) | (b == EMPTY_IJ), status = some_missing ? LANE_EMPTY : 0;
    return are_near(x, y) ? status : UNSURE;
}
#define add_ij_status near_status
#define subtract_ij_status near_status
QUICK_ATOM2(add_ij, ANY, ANY)
QUICK_ATOM2(subtract_ij, ANY, ANY)

LANE word divide_int(lane *k, int a, int b) {
    if (a == NONE || b == NONE) return fail(k, LANE_TYPE);
    if (b == 0) return fail(k, LANE_DIVIDE);
    return floor_div(a, b);
}
LANE word divide_ij(lane *k, word a, word b) {
    if (loc_i(b) == 0 || loc_j(b) == 0) return fail(k, LANE_DIVIDE);
    return loc_word(floor_div(loc_i(a), loc_i(b)), floor_div(loc_j(a), loc_j(b)));
}
ATOM2(divide_int, INT, INT)
ATOM2(divide_ij, LOC, LOC)

#define UNARY(name, expression)                                                                                        \
    LANE word name##_int(lane *k, int a) {                                                                             \
        word x = a;                                                                                                    \
        if (a == NONE) return fail(k, LANE_TYPE);                                                                      \
        return int_result(k, expression);                                                                              \
    }                                                                                                                  \
    LANE word name##_axis(word x) { return expression; }                                                               \
    LANE word name##_ij(lane *k, word a) { return loc_result(k, name##_axis(loc_i(a)), name##_axis(loc_j(a))); }       \
    ATOM1(name##_int, INT)                                                                                             \
    ATOM1(name##_ij, LOC)

UNARY(invert, -x)
UNARY(double, x * 2)
UNARY(halve, floor_div(x, 2))
UNARY(increment, x + 1)
UNARY(decrement, x - 1)
UNARY(sign, (x > 0) - (x < 0))
UNARY(crement, x + (x > 0) - (x < 0))
UNARY(absolute, x < 0 ? -x : x) /* no op: what multiply(sign(x), x) is */

LANE word even(lane *k, int a) {
    if (a == NONE) return fail(k, LANE_TYPE);
    return (a & 1) == 0;
}
LANE word positive(lane *k, int a) {
    if (a == NONE) return fail(k, LANE_TYPE);
    return a > 0;
}
LANE word greater(lane *k, int a, int b) {
    if ((a == NONE) | (b == NONE)) return fail(k, LANE_TYPE);
    return a > b;
}
LANE word toivec(lane *k, int a) { return pair_of_ints(k, a, 0); }
LANE word tojvec(lane *k, int a) { return pair_of_ints(k, 0, a); }
ATOM1(even, INT)
ATOM1(positive, INT)
ATOM2(greater, INT, INT)
ATOM1(toivec, INT)
ATOM1(tojvec, INT)

LANE uint interval_extent(lane *k, int start, int stop, int step) {
    if (start == NONE || stop == NONE || step == NONE) return (uint)fail(k, LANE_TYPE);
    if (step == 0) return (uint)fail(k, LANE_DIVIDE);
    word span = step > 0 ? (word)stop - start : (word)start - stop;
    word stride = step > 0 ? step : -(word)step;
    return span > 0 ? (uint)((span + stride - 1) / stride) : 0;
}
LANE word interval_write(lane *k, int start, int stop, int step, uint at) {
    int n = (int)interval_extent(k, start, stop, step);
    for (int m = 0; m < n; m++) k->arena[at + (uint)m] = start + (word)m * step;
    return made_list(k, at, n);
}
ALLOC3(interval, INT, INT, INT)
