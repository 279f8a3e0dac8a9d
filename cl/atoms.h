/* Kernels of one work-item that make a word per lane and nothing else: in blocks of lanes. How a column is seen is
 * asked once per block and not in every lane, and all lanes are computed as if none could fail: loops that compilers
 * make wide. Where one does fail, or had failed before, the block is done again, lane by lane; the layout sees to it
 * that no step writes over what it reads.
 *
 * QUICK_ATOMn(name, ..) is ATOMn for a function that has the usual case by itself: name_quick takes the same arguments
 * and fails, with any status, where it is another one. There, name_status has the status, or UNSURE: then name decides.
 * Of a QUICK_COUNTED_ATOMn, name_quick is only ever UNSURE.
 */
#ifndef ARCL_ATOMS_H
#define ARCL_ATOMS_H
#include "launch.h"

#define UNSURE 0xff /* a lane's status that the slow function finds */

#ifdef MANY_ITEMS
#define QUICK_ATOM2 ATOM2
#define QUICK_COUNTED_ATOM2 COUNTED_ATOM2
#else

#define BLOCK_LANES 64u

/* The words of lanes from `first` on: those of a column that is seen as it is need no copy, where a pointer may point
 * to either. */
LANE void fetch_block(word *room, view v, uint first, uint count) {
    GLOBAL const uint *map = v.map + first;
    GLOBAL const word *from = v.column + first;
    if (v.map)
        for (uint m = 0; m < count; m++) room[m] = v.column[map[m]];
    else if (v.mask)
        for (uint m = 0; m < count; m++) room[m] = from[m];
    else if (first == 0) /* the same in all blocks, of which the first is the longest */
        for (uint m = 0; m < count; m++) room[m] = v.column[0];
}
LANE const word *block_of(word *room, view v, uint first, uint count) {
#ifndef OPENCL_TEXT
    if (!v.map && v.mask) return v.column + first;
#endif
    fetch_block(room, v, first, count);
    return room;
}

#define BLOCK_ROOM(a)                                                                                                  \
    LANES_VIEW(a)                                                                                                      \
    word room##a[BLOCK_LANES];
#define BLOCK_FETCH(a) const word *block##a = block_of(room##a, view##a, first, count);
#define BLOCK_ARG(a, A) TYPE_##A arg##a = FROM_##A(&k, block##a[m]);

/* Whether one of the lanes has failed before. */
LANE int block_failed(GLOBAL const uchar *status, uint count) {
    uint some = 0;
    for (uint m = 0; m < count; m++) some |= status[m];
    return some != 0;
}

/* Lanes that fail take as long as others: a program that is wrong may have millions of them. 0: one is unsure. */
LANE int block_settled(launch *l, uint first, uint count, const int *why) {
    GLOBAL word *out = l->out + first;
    GLOBAL uchar *status = l->status + first;
    uint failed = 0, unsure = 0;
    for (uint m = 0; m < count; m++) {
        unsure |= why[m] == UNSURE;
        failed += why[m] != 0;
    }
    if (unsure) return 0;
    for (uint m = 0; m < count; m++) out[m] = why[m] ? 0 : out[m];
    for (uint m = 0; m < count; m++) status[m] = (uchar)why[m];
    l->failures += failed;
    return 1;
}

#define BLOCKS_BEGIN                                                                                                   \
    const int is_plain = !LAUNCH_APART(&l) && !l.step->fails;                                                          \
    for (uint first = 0; first < l.lanes.last; first += BLOCK_LANES) {                                                 \
        uint left = l.lanes.last - first, count = left < BLOCK_LANES ? left : BLOCK_LANES;                             \
        int careful = l.some_failed && (l.refused != ~0u || block_failed(l.status + first, count));

/* Why lanes fail is written down and looked at later: a sum of it in the same loop keeps that from being made wide. */
#define BLOCKS_END(args, quick_call, call, CHARGE, settle)                                                             \
    GLOBAL word *restrict out = l.out + first;                                                                         \
    int why[BLOCK_LANES];                                                                                              \
    for (uint m = 0; m < count && !careful; m++) {                                                                     \
        k.status = 0;                                                                                                  \
        args out[m] = quick_call;                                                                                      \
        why[m] = k.status;                                                                                             \
    }                                                                                                                  \
    int failed = careful;                                                                                              \
    for (uint m = 0; m < count && !careful; m++) failed |= why[m];                                                     \
    if (failed && !careful && is_plain && l.refused == ~0u) {                                                          \
        settle if (block_settled(&l, first, count, why)) continue;                                                     \
    }                                                                                                                  \
    for (uint m = 0; m < count && failed; m++) {                                                                       \
        uint n = first + m;                                                                                            \
        if ((careful || l.refused != ~0u) && launch_passes(&l, n)) continue;                                           \
        if (!careful && !why[m]) continue;                                                                             \
        k.status = 0;                                                                                                  \
        args word result = call;                                                                                       \
        CHARGE(0)                                                                                                      \
        if (k.status)                                                                                                  \
            launch_fail(&l, n, k.status);                                                                              \
        else                                                                                                           \
            out[m] = result;                                                                                           \
    }                                                                                                                  \
    }                                                                                                                  \
    launch_end(&l, step);

/* clang-format off */
#define BLOCK_ATOM1(name, A) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(0) BLOCK_ROOM(0) \
    BLOCKS_BEGIN BLOCK_FETCH(0) \
    BLOCKS_END(BLOCK_ARG(0, A), name(&k, arg0), name(&k, arg0), LANES_FREE, ) }
#define BLOCK_ATOM2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(0) BLOCK_ROOM(0) BLOCK_ROOM(1) \
    BLOCKS_BEGIN BLOCK_FETCH(0) BLOCK_FETCH(1) \
    BLOCKS_END(BLOCK_ARG(0, A) BLOCK_ARG(1, B), name(&k, arg0, arg1), name(&k, arg0, arg1), LANES_FREE, ) }
#define QUICK_ATOM2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(0) BLOCK_ROOM(0) BLOCK_ROOM(1) \
    BLOCKS_BEGIN BLOCK_FETCH(0) BLOCK_FETCH(1) \
    BLOCKS_END(BLOCK_ARG(0, A) BLOCK_ARG(1, B), name##_quick(&k, arg0, arg1), name(&k, arg0, arg1), LANES_FREE, \
               for (uint m = 0; m < count; m++) { \
                   BLOCK_ARG(0, A) BLOCK_ARG(1, B) why[m] = name##_status(arg0, arg1); }) }
#define QUICK_COUNTED_ATOM2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(0) BLOCK_ROOM(0) BLOCK_ROOM(1) \
    BLOCKS_BEGIN BLOCK_FETCH(0) BLOCK_FETCH(1) \
    BLOCKS_END(BLOCK_ARG(0, A) BLOCK_ARG(1, B), name##_quick(&k, arg0, arg1), name(&k, arg0, arg1), LANES_CHARGE, ) }
#define BLOCK_ATOM3(name, A, B, C) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(0) BLOCK_ROOM(0) BLOCK_ROOM(1) BLOCK_ROOM(2) \
    BLOCKS_BEGIN BLOCK_FETCH(0) BLOCK_FETCH(1) BLOCK_FETCH(2) \
    BLOCKS_END(BLOCK_ARG(0, A) BLOCK_ARG(1, B) BLOCK_ARG(2, C), name(&k, arg0, arg1, arg2), \
               name(&k, arg0, arg1, arg2), LANES_FREE, ) }
/* clang-format on */

#endif
#endif
