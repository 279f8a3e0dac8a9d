/* Truth values, and the choice between two values of any type. */
#include "lane.h"

LANE word flip(lane *k, int a) { return !a; }
LANE word both(lane *k, int a, int b) { return a && b; }
LANE word either(lane *k, int a, int b) { return a || b; }
LANE word branch(lane *k, int condition, word a, word b) { return condition ? a : b; }
ATOM1(flip, INT)
ATOM2(both, INT, INT)
ATOM2(either, INT, INT)
ATOM3(branch, INT, ANY, ANY)

/* Python's idea of truth for what is no bool; none is false, a container is true if it has elements. */
LANE word truth_int(lane *k, int a) { return a != 0 && a != NONE; }
LANE word truth_list(lane *k, word a) { return ref_length(a) != 0; }
ATOM1(truth_int, INT)
ATOM1(truth_list, ANY)

LANE word identity(lane *k, word a) { return a; }
ATOM1(identity, ANY)

LANE word is_empty(lane *k, word a) { return ref_length(a) == 0; }
ATOM1(is_empty, ANY)

/* How often `power` applies its function: once at least. */
LANE word power_count(lane *k, int n) {
    if (n == NONE) return fail(k, LANE_TYPE);
    return n < 1 ? fail(k, LANE_LIMIT) : n - 1;
}
ATOM1(power_count, INT)

/* Containers of different element types are equal where both are empty. */
LANE word both_empty(lane *k, word a, word b) { return ref_length(a) == 0 && ref_length(b) == 0; }
ATOM2(both_empty, ANY, ANY)
