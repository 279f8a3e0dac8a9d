/* Teams: a kernel's second shape. Usually a work-item does all of a lane, and has other lanes after it. In the shape of
 * teams, which are work-groups, the members of a team do a lane together: on a device that runs thousands of work-items
 * at once that is how a few lanes keep it busy, and how neighbours read neighbouring memory.
 *
 * One text serves both. All members call a lane function with the same arguments and get to the same results: what the
 * function returns, fails with, counts and has used is the same for all of them. What it writes they share out: the
 * passes of a TEAM_FOR are independent of each other, and what some members write others may read after team_meet.
 * What cannot be shared out is done ALONE: by the leader, who tells the others what came of it. A lane function that is
 * called so must not have any of this in it.
 *
 * For one work-item all of it is nothing: its loops are loops, its sums are the values themselves.
 */
#ifndef ARCL_TEAM_H
#define ARCL_TEAM_H
#include "lane_types.h"

#ifdef ARCL_TEAM /* the number of members: a driver is told that it builds the shape (lib/opencl/kernel_build.c) */

LANE int own_number(void) {
    int member = (int)get_local_id(0);
    NOT_SCALAR(member);
    return member;
}
#define MEMBER own_number()
#define LEADS (MEMBER == 0)
#define TEAM_FOR(n, count) for (int n = MEMBER; n < (count); n += ARCL_TEAM)

/* What members tell each other through. A family that needs room of its own there says how many uints a cell of the
 * grids at hand takes; grids of more than ARCL_TEAM_CELLS cells have none. Or it says how many it needs in any case. */
#ifndef ROOM_PER_CELL
#define ROOM_PER_CELL 0
#endif
#ifndef ROOM_IN_ANY_CASE
#define ROOM_IN_ANY_CASE 0
#endif
typedef struct {
    word result;
    uint at, used, work;
    int status, goes_on, is_over;
    uint last_lane;
    uint sums[2][ARCL_TEAM];
    int4 edges[ARCL_TEAM];
    uint room[ROOM_PER_CELL * ARCL_TEAM_CELLS + ROOM_IN_ANY_CASE + 1];
} desk;
#define DESK                                                                                                           \
    local desk *desk;                                                                                                  \
    uint near; /* what was asked for only so that it is near when it is needed */

/* What was written before is there for all members after it. */
LANE void team_meet(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

/* The sum of the values of the members before this one; *all is that of all members. */
LANE uint desk_scan(local desk *d, uint value, uint *all) {
    int from = 0;
    d->sums[0][MEMBER] = value;
    for (int leap = 1; leap < ARCL_TEAM; leap *= 2, from = 1 - from) {
        barrier(CLK_LOCAL_MEM_FENCE);
        d->sums[1 - from][MEMBER] = d->sums[from][MEMBER] + (MEMBER >= leap ? d->sums[from][MEMBER - leap] : 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = MEMBER ? d->sums[from][MEMBER - 1] : 0;
    *all = d->sums[from][ARCL_TEAM - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return before;
}

LANE uint desk_sum(local desk *d, uint value) {
    uint all;
    desk_scan(d, value, &all);
    return all;
}

/* The sum of lengths, which is below 2^63. */
LANE ulong desk_total(local desk *d, ulong value) {
    const uint low = 26; /* bits that many can add up without a carry */
    if (MEMBER < 3) d->sums[0][MEMBER] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint part = 0; part < 3 && value; part++, value >>= low)
        if ((uint)value & ((1u << low) - 1)) atomic_add(&d->sums[0][part], (uint)value & ((1u << low) - 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    value = d->sums[0][0] + ((ulong)d->sums[0][1] << low) + ((ulong)d->sums[0][2] << 2 * low);
    barrier(CLK_LOCAL_MEM_FENCE);
    return value;
}

/* What an atomic makes of 0 and all values. */
#define DESK_GATHER(name, atomic)                                                                                      \
    LANE uint name(local desk *d, uint value) {                                                                        \
        if (LEADS) d->sums[0][0] = 0;                                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (value) atomic(&d->sums[0][0], value);                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        uint all = d->sums[0][0];                                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return all;                                                                                                    \
    }
DESK_GATHER(desk_most, atomic_max) /* the greatest of the values */
DESK_GATHER(desk_or, atomic_or)    /* the bits of all values */

/* The least of the first two components and the greatest of the others. */
LANE int4 desk_edges(local desk *d, int4 value) {
    d->edges[MEMBER] = value;
    for (int leap = ARCL_TEAM / 2; leap; leap /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (MEMBER >= leap) continue;
        int4 a = d->edges[MEMBER], b = d->edges[MEMBER + leap];
        d->edges[MEMBER] = (int4)(min(a.lo, b.lo), max(a.hi, b.hi));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    value = d->edges[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return value;
}

/* The least of the first component and the greatest of the other. */
LANE long2 desk_span(local desk *d, long2 value) {
    local long2 *all = (local long2 *)d->edges;
    all[MEMBER] = value;
    for (int leap = ARCL_TEAM / 2; leap; leap /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (MEMBER >= leap) continue;
        long2 other = all[MEMBER + leap];
        all[MEMBER] = (long2)(min(all[MEMBER].x, other.x), max(all[MEMBER].y, other.y));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    value = all[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return value;
}

/* How many neighbours a member has, of n that are dealt out in one piece to each. */
LANE int team_share(int n) { return (n + ARCL_TEAM - 1) / ARCL_TEAM; }

#define team_sum(k, value) desk_sum((k)->desk, value)
#define team_scan(k, value, all) desk_scan((k)->desk, value, all)
#define team_most(k, value) desk_most((k)->desk, value)
#define ALONE(k, call) team_told(k, LEADS ? (call) : 0)

/* A function of one work-item's that a team has an own one for. */
#define LONE(function) lone_##function

#else

#define MEMBER 0
#define LEADS 1
#define TEAM_FOR(n, count) for (int n = 0; n < (count); n++)
#define DESK
#define team_meet()
#define team_sum(k, value) (value)
#define team_scan(k, value, all) (*(all) = (value), 0u)
#define team_most(k, value) (value)
#define team_share(n) (n)
#define ALONE(k, call) (call)
#define LONE(function) function

#endif

/* The same loop over neighbours: member 0 has the first ones. What is counted so can be put in order by team_scan. */
#define SHARE_FOR(n, count)                                                                                            \
    for (int n = MEMBER * team_share(count),                                                                           \
             n##_end = n + team_share(count) < (count) ? n + team_share(count) : (count);                              \
         n < n##_end; n++)

#endif
