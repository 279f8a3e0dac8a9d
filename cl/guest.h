/* Guests: values of other types among ints, where each is one of these numbers (lib/compile/guests.c). They fit the
 * colour of a cell, and are in the order of their kinds: tuples, sets, functions.
 *
 * A value of T_HOST refers to the value itself, and for every guest to two words: a description, which is an int, and
 * the guest, or the tuple of as many guests as there are numbers from the described one on. */
#ifndef ARCL_GUEST_H
#define ARCL_GUEST_H
#include "lane_types.h"

#define GUEST_FIRST 24576
#define GUEST_SINGLES 16 /* of a kind, then GUEST_LISTS times GUEST_LIST_ROOM */
#define GUEST_LISTS 4
#define GUEST_LIST_ROOM 1000 /* a grid of 30 by 30 has 900 cells */
#define GUEST_KIND_ROOM (GUEST_SINGLES + GUEST_LISTS * GUEST_LIST_ROOM)
#define GUEST_END (GUEST_FIRST + 2 * GUEST_KIND_ROOM + GUEST_SINGLES)
#define GUEST_IS_OF_LIST(number) (((number)-GUEST_FIRST) % GUEST_KIND_ROOM >= GUEST_SINGLES)
LANE int is_guest_number(int v) { return (v >= GUEST_FIRST) & (v < GUEST_END); }

#define GUEST_TYPE_BITS 48 /* of a description: the type, then the number, and whether it is the last one */

LANE ulong guest_description(int number, ulong type, int is_last) {
    return (ulong)is_last << 63 | (ulong)number << GUEST_TYPE_BITS | type;
}
LANE ulong guest_type(ulong description) { return description & (((ulong)1 << GUEST_TYPE_BITS) - 1); }
LANE int guest_number(ulong description) { return (int)(description >> GUEST_TYPE_BITS & 0x7fff); }
LANE int guest_is_last(ulong description) { return (int)(description >> 63); }

#endif
