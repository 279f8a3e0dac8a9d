/* Sums over work-items: every work-item of one launch leaves a partial sum, one work-group scans them, and the
 * work-items of a later launch of the same size find where theirs begin. The device needs no answer from the host in
 * between.
 */
#ifndef ARCL_SCAN_H
#define ARCL_SCAN_H
#include "lane.h"

LANE GLOBAL uint *partials_at(GLOBAL word *arena, GLOBAL const run_frame *f) {
    return (GLOBAL uint *)(arena + f->partial);
}

LANE void scan_partial(GLOBAL word *arena, GLOBAL run_frame *f, uint sum) {
    if (ITEM == 0) f->items = ITEMS;
    partials_at(arena, f)[ITEM] = sum;
}

/* Where this work-item's share begins. */
LANE uint scan_base(GLOBAL word *arena, GLOBAL const run_frame *f) { return partials_at(arena, f)[ITEM]; }
/* Where the share of the work-item begins that had lane n, if lanes are dealt out otherwise now. */
LANE uint scan_base_of(GLOBAL word *arena, GLOBAL const run_frame *f, uint n) {
    return partials_at(arena, f)[n % f->items];
}

/* Turns partial sums [first, last) into where each begins, starting from `sum`; returns the sum of all. */
LANE ulong scan_share(GLOBAL uint *partial, uint first, uint last, ulong sum) {
    for (uint i = first; i < last; i++) {
        uint n = partial[i];
        partial[i] = (uint)sum;
        sum += n;
    }
    return sum;
}

/* scan_partials(arena, frame SCAN_PASS): the total, for the leader; called by all work-items of a group. A total beyond
 * 32 bits is reported as it is, and the beginnings are of no use then. */
#ifdef MANY_ITEMS
#define SCAN_GROUP 64 /* work-items at most */
#define FEW_PARTIALS 4
#define SCAN_WORKSPACE local ulong scan_sums[SCAN_GROUP];
#define SCAN_PASS , scan_sums
#define SCAN_LEADER (get_local_id(0) == 0)
LANE ulong scan_partials(GLOBAL word *arena, GLOBAL const run_frame *f, local ulong *sums) {
    GLOBAL uint *partial = partials_at(arena, f);
    uint me = (uint)get_local_id(0), group = (uint)get_local_size(0), share = f->items / group + 1;
    uint first = me * share < f->items ? me * share : f->items;
    uint last = share < f->items - first ? first + share : f->items;
    ulong sum = 0, total;
    uint few[FEW_PARTIALS];
    if (share <= FEW_PARTIALS) { /* all of them asked for at once */
        for (uint i = 0; i < FEW_PARTIALS; i++) few[i] = first + i < last ? soon(&partial[first + i]) : 0;
        for (uint i = 0; i < FEW_PARTIALS; i++) sum += few[i];
    } else
        for (uint i = first; i < last; i++) sum += partial[i];
    sums[me] = sum;
    for (uint leap = 1; leap < group; leap *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        ulong before = me >= leap ? sums[me - leap] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] += before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    total = sums[group - 1];
    sum = sums[me] - sum;
    if (share > FEW_PARTIALS)
        scan_share(partial, first, last, sum);
    else
        for (uint i = 0; i < FEW_PARTIALS; i++) {
            if (first + i < last) partial[first + i] = (uint)sum;
            sum += few[i];
        }
    return total;
}
#else
#define SCAN_WORKSPACE
#define SCAN_PASS
#define SCAN_LEADER 1
LANE ulong scan_partials(GLOBAL word *arena, GLOBAL const run_frame *f) {
    return scan_share(partials_at(arena, f), 0, f->items, 0);
}
#endif

#endif
