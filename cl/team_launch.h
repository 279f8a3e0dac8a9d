/* The loops of cl/launch.h in the shape of teams: the lanes are dealt out to teams instead of work-items, and all
 * members go through the loop together. The leader alone has accounts with budgets and with the arena's memory, sets
 * statuses and writes the column. Kernels have names of their own, arcl_team_NAME.
 */
#ifndef ARCL_TEAM_LAUNCH_H
#define ARCL_TEAM_LAUNCH_H

#define KERNEL_FUNCTION(_name)                                                                                         \
    kernel __attribute__((reqd_work_group_size(ARCL_TEAM, 1, 1))) void arcl_team##_name(GLOBAL word *arena,            \
                                                                                        uint frame, uint step)

#define LANE_START(imm)                                                                                                \
    local desk table;                                                                                                  \
    lane k = {arena, imm, 0, 0, 0, &table, 0};
#define KERNEL_START(args)                                                                                             \
    launch l = LAUNCH_START(args);                                                                                     \
    NOT_SCALAR(arena);                                                                                                 \
    LANE_START(LAUNCH_IMM)

/* As launch_reserve does. Few words are asked for and taken at once, in two atomics that do not wait for each other,
 * instead of one after the other: a lane does little else that takes as long. What is too much is given back, so that
 * an account does not go beyond what says that its budget is used up; memory that goes to waste then is little. */
LANE int leader_reserve(launch *l, uint n, uint charged, uint more) {
    uint need = charged + more;
    if (need == 0) return 1;
    if (need > SMALL_CLAIM || l->record.notes & RECORD_IN_SLABS) return launch_reserve(l, n, charged, more);
    GLOBAL uint *spent = l->account.spent + launch_payer(l, n);
    uint budget = l->account.budget, limit = l->frame->limit;
    uint from = shared_add(&l->frame->cursor, need), old = shared_add(spent, charged);
    if (!charge_stands(spent, budget, old, charged)) {
        launch_fail(l, n, LANE_BUDGET);
        l->is_over = ends_with_budget(l->frame);
        return 0;
    }
    l->at = from;
    l->is_over = from > limit || need > limit - from;
    if (l->is_over) shared_set(&l->frame->overflow, 1);
    return !l->is_over;
}

/* Room for the words of a lane: where it begins, for all members. 0: the lane, or all of the launch, does not go on. */
LANE int team_reserve(launch *l, lane *k, uint n, uint charged, uint more, uint *at) {
    if (LEADS) {
        k->desk->goes_on = leader_reserve(l, n, charged, more);
        k->desk->is_over = l->is_over;
        k->desk->at = l->at;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *(volatile local uint *)&k->desk->sums[0][MEMBER] = k->near;
    *at = k->desk->at;
    l->is_over = k->desk->is_over;
    return k->desk->goes_on;
}

/* Whether there is anything to do may change while it is being asked, so all go by the leader's answer. Statuses that
 * the leader has gathered are there before anybody looks at them.
 * A lane's status and its values come from memory at the same time: it is asked for first, which a compiler would put
 * off, and looked at when both are there. */
#define LANES_BEGIN                                                                                                    \
    if (LEADS) table.last_lane = l.lanes.last;                                                                         \
    team_meet();                                                                                                       \
    l.lanes.last = table.last_lane;                                                                                    \
    for (uint n = l.lanes.first; n < l.lanes.last; n += l.lanes.stride) {                                              \
        uchar has_failed = *(volatile GLOBAL const uchar *)&l.status[n];
#define LANES_BEGIN_CHARGED LANES_BEGIN
#define LANES_PASS_OVER                                                                                                \
    if (has_failed) {                                                                                                  \
        if (LEADS) l.out[n] = 0;                                                                                       \
        k.status = 0;                                                                                                  \
        continue;                                                                                                      \
    }
#define LANES_END                                                                                                      \
    k.status = 0;                                                                                                      \
    k.work = 0;                                                                                                        \
    team_meet();                                                                                                       \
    }                                                                                                                  \
    if (LEADS) launch_end(&l, step);

/* Budgets are asked for lane by lane, so there is no account to go on with. */
#define LANES_CHARGE_MAKER LANES_CHARGE

/* All have looked at the lane's status before the leader may change it. */
#define LANES_ATOM(call, CHARGE)                                                                                       \
    LANES_PASS_OVER                                                                                                    \
    word result = call;                                                                                                \
    team_meet();                                                                                                       \
    if (LEADS) {                                                                                                       \
        CHARGE(0)                                                                                                      \
        if (k.status)                                                                                                  \
            launch_fail(&l, n, k.status);                                                                              \
        else                                                                                                           \
            l.out[n] = result;                                                                                         \
    }

#define LANES_ALLOC_MORE(extent_call, more_call, write_call, CHARGE)                                                   \
    LANES_PASS_OVER                                                                                                    \
    uint need = extent_call;                                                                                           \
    word result = 0;                                                                                                   \
    int goes_on = 1;                                                                                                   \
    if (k.status)                                                                                                      \
        team_meet();                                                                                                   \
    else {                                                                                                             \
        uint at;                                                                                                       \
        goes_on = team_reserve(&l, &k, n, need, more_call, &at);                                                       \
        k.used = 0;                                                                                                    \
        if (goes_on) result = write_call;                                                                              \
    }                                                                                                                  \
    if (l.is_over) break;                                                                                              \
    if (LEADS && goes_on) {                                                                                            \
        CHARGE(need)                                                                                                   \
        if (k.status)                                                                                                  \
            launch_fail(&l, n, k.status);                                                                              \
        else {                                                                                                         \
            l.at += k.used;                                                                                            \
            l.words += k.used;                                                                                         \
            l.out[n] = result;                                                                                         \
        }                                                                                                              \
    }

#endif
