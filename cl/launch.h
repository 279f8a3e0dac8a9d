/* The definers' meaning: each kernel becomes one function over (arena, frame, step), a loop over the lanes that are
 * this work-item's. On a device it is the kernel arcl_NAME; on the host it is the C function host_NAME, whose one
 * work-item has all lanes.
 *
 * A work-item takes words from the frame in slabs and hands them out to its lanes one after the other; only what a lane
 * really used stays, so upper bounds cost nothing where a slab serves many lanes. What is left of the last slab goes
 * back if nobody has taken more since.
 */
#ifndef ARCL_LAUNCH_H
#define ARCL_LAUNCH_H
#include "apart.h"
#include "record.h"

typedef struct {
    GLOBAL word *arena;
    GLOBAL run_frame *frame;
    GLOBAL const graph_step *step;
#ifdef MANY_ITEMS
    launch_record record; /* complete */
#endif
    lane_range lanes;
    GLOBAL word *out;
    GLOBAL uchar *status; /* per lane; lanes that have failed before are passed over and yield 0 */
    int some_failed;      /* before this launch, or that is not known, or one of its payers was refused */
    uint failures;        /* in this launch */
    GLOBAL uint *root;    /* lane -> lane of the batch, whose budget it draws on; null for the identity */
    account account;
    uint refused; /* the lane of the batch whose budget was used up by work; ~0: none */
    uint at, end; /* what is left of the slab */
    uint words;   /* that stay */
    int is_over;  /* the launch cannot go on, or need not */
} launch;

/* Of a launch that does nothing yet. */
INLINED launch launch_at(GLOBAL word *arena, uint frame, uint step) {
    launch l;
    l.arena = arena;
    l.step = step_at(arena, frame_at(arena, frame), step);
    NOT_SCALAR(frame);
    l.frame = frame_at(arena, frame);
    l.failures = 0;
    l.refused = ~0u;
    l.at = l.end = 0;
    l.words = 0;
    l.is_over = 0;
    return l;
}

/* Statuses and accounts of a graph that keeps failures apart. */
INLINED void launch_apart(launch *l, GLOBAL const scope_state *s) {
    l->status = apart_status(l->arena, s, l->step->slot);
    l->some_failed = LEADS ? apart_gather(l->arena, l->frame, l->step->scope, l->step, l->lanes, l->status) : 1;
    l->account.spent = apart_account(l->arena, l->frame, l->step->users, l->step->scope);
}

#ifdef MANY_ITEMS
INLINED launch launch_start(GLOBAL word *arena, uint frame, uint step, int args) {
    launch l = launch_at(arena, frame, step);
    launch_record r = record_read((GLOBAL const word *)l.frame, step, args);
    uint overflow = *(volatile GLOBAL const uint *)&l.frame->overflow;
    if (r.scope) record_complete(&r, arena, l.frame->states, args);
    l.record = r;
    l.account = account_start((GLOBAL uint *)(arena + r.spent), r.budget);
    l.some_failed = 1; /* whether it is so would take an atomic */
    l.out = arena + r.out.column;
    l.root = r.out.rows < ROW_MAPS ? 0 : (GLOBAL uint *)(arena + r.out.rows);
    l.status = (GLOBAL uchar *)(arena + r.status);
    l.lanes = lanes_of_item(overflow ? 0 : r.lanes);
    if (r.notes & RECORD_APART) launch_apart(&l, state_at(arena, l.frame, l.step->scope));
    return l;
}
#define LAUNCH_START(args) launch_start(arena, frame, step, args)
#define LAUNCH_COUNTS(l) ((l)->record.notes & RECORD_COUNTED)
#define LAUNCH_APART(l) ((l)->record.notes & RECORD_APART)
#define LAUNCH_IMM l.record.imm
#define LANES_VIEW(a) const view view##a = recorded_view(arena, l.record.arg[a]);
#else
INLINED launch launch_start(GLOBAL word *arena, uint frame, uint step) {
    launch l = launch_at(arena, frame, step);
    GLOBAL scope_state *s = state_at(arena, l.frame, l.step->scope);
    l.lanes = lanes_of_item(is_over(arena, l.frame, l.step->scope) ? 0 : s->count);
    l.out = column_at(arena, s, l.step->slot);
    l.root = root_map_at(arena, l.frame, l.step->scope);
    l.account =
        account_start(l.step->scope == SCOPE_SHARED ? &l.frame->shared_spent : (GLOBAL uint *)(arena + l.frame->spent),
                      l.frame->budget);
    l.status = status_at(arena, s);
    l.some_failed = s->failures != 0;
    if (l.frame->apart) launch_apart(&l, s);
    return l;
}
#define LAUNCH_START(args) launch_start(arena, frame, step)
#define LAUNCH_COUNTS(l) ((l)->frame->counters)
#define LAUNCH_APART(l) ((l)->frame->apart)
#define LAUNCH_IMM l.step->imm
#define LANES_VIEW(a) const view view##a = view_of(arena, l.frame, l.step->scope, l.step->arg[a]);
#endif

LANE void launch_fail(launch *l, uint n, int status) {
    uint instead = fails_empty(l->step->fails);
    if (instead && status == LANE_EMPTY) {
        l->out[n] = stand_in_word(instead);
        return;
    }
    uint set = status == LANE_EMPTY && l->step->fails & FAILS_KEEP_EMPTY ? EMPTY_KEPT : set_of_status(status);
    l->status[n] = (uchar)(l->frame->apart ? set : (uint)status);
    l->failures++;
    l->out[n] = 0;
}

/* Not on a GPU: its atomics order nothing else, so what was written here might arrive after the next owner's words.
 * There somebody else has nearly always taken more since, anyway. */
LANE void launch_return_slab(launch *l) {
    if (l->end && !l->frame->interleaved) shared_swap(&l->frame->cursor, l->end, l->at);
    l->at = l->end = 0;
}

LANE uint launch_payer(const launch *l, uint n) { return l->root ? l->root[n] : n; }

/* Whether lane n is to be passed over: it has failed, or what it would have to pay with is used up. */
LANE int launch_passes(launch *l, uint n) {
    if (l->status[n]) {
        l->out[n] = 0;
        return 1;
    }
    if (l->refused != ~0u && launch_payer(l, n) == l->refused) {
        launch_fail(l, n, LANE_BUDGET);
        return 1;
    }
    return 0;
}

LANE void launch_refuse(launch *l, uint payer) {
    l->refused = payer;
    l->some_failed = 1; /* so that lanes are looked at before they are run */
}

/* What a lane has counted beyond what is free is booked at once, and takes no part in the work-item's account. Beyond
 * the budget, nobody goes on: 0. */
RARE int charge_work(GLOBAL uint *spent, uint budget, uint work, uint words) {
    ulong charged = work > MOST_WORK ? (ulong)budget + 1 : (work - FREE_WORK) / WORK_PER_WORD;
    charged = charged > words ? charged - words : 0;
    for (;;) {
        uint old = shared_read(spent);
        int enough = old <= budget && charged <= budget - old;
        if (shared_swap(spent, old, enough ? old + (uint)charged : budget + 1)) return enough;
    }
}

/* Makes room for `charged` words for lane n, and for some more that it is not charged for; 0 if the lane or the launch
 * cannot go on. */
LANE int launch_reserve(launch *l, uint n, uint charged, uint more) {
    uint need = charged + more;
    if (need == 0) return 1;
    if (charged && !account_ask(&l->account, launch_payer(l, n), charged)) {
        launch_fail(l, n, LANE_BUDGET);
        l->is_over = ends_with_budget(l->frame);
        return 0;
    }
    if (need > l->end - l->at) {
        launch_return_slab(l);
        if (!frame_claim(l->frame, need, l->frame->slab, &l->at, &l->end)) {
            l->is_over = 1;
            return 0;
        }
    }
    guard_behind(l->arena, l->at, need, l->end);
    return 1;
}

INLINED void launch_end(launch *l, uint step) {
    launch_return_slab(l);
    account_book(&l->account);
#ifdef MANY_ITEMS
    NOT_SCALAR(l->record.notes);
#endif
    if (!LAUNCH_APART(l)) {
        if (l->failures) shared_add(&state_at(l->arena, l->frame, l->step->scope)->failures, l->failures);
    } else if (l->failures || l->some_failed)
        apart_note(l->arena, l->frame, step, l->lanes, l->status);
    if (!LAUNCH_COUNTS(l)) return;
    uint lanes = l->lanes.first < l->lanes.last ? (l->lanes.last - l->lanes.first - 1) / l->lanes.stride + 1 : 0;
    frame_count(l->arena, l->frame, step, lanes, l->words + lanes, l->failures);
}

/* Names arrive with a leading underscore: drivers define some of them as macros, and pasting keeps these from
 * expanding. */
#if defined(ARCL_TEAM)
#include "team_launch.h"
#elif defined(OPENCL_TEXT)
#define KERNEL_FUNCTION(_name) kernel void arcl##_name(GLOBAL word *arena, uint frame, uint step)
#elif defined(LIKE_HOST)
#define KERNEL_FUNCTION(_name)                                                                                         \
    INLINED void lanes##_name(word *arena, uint frame, uint step);                                                     \
    kernel void arcl##_name(global word *memory, uint frame, uint step) {                                              \
        lanes##_name((word *)(size_t)memory, frame, step);                                                             \
    }                                                                                                                  \
    INLINED void lanes##_name(word *arena, uint frame, uint step)
#else
#if defined(ARCL_KERNELS_V3) /* the same text is compiled more than once, for different processors */
#define HOST_KERNEL(_name) host_v3##_name
#else
#define HOST_KERNEL(_name) host##_name
#endif
#define KERNEL_FUNCTION(_name)                                                                                         \
    void HOST_KERNEL(_name)(word * arena, uint frame, uint step);                                                      \
    void HOST_KERNEL(_name)(word * arena, uint frame, uint step)
#endif

#if !defined(ARCL_TEAM) && defined(MANY_ITEMS)
/* A lane's status and its values come from memory at the same time: the status is looked at when both are there. */
#define LANES_BEGIN                                                                                                    \
    for (uint n = l.lanes.first; n < l.lanes.last; n += l.lanes.stride) {                                              \
        uchar has_failed = *(volatile GLOBAL const uchar *)&l.status[n];
#define LANES_BEGIN_CHARGED LANES_BEGIN
#define LANES_PASS_OVER                                                                                                \
    if (has_failed) {                                                                                                  \
        l.out[n] = 0;                                                                                                  \
        k.status = 0;                                                                                                  \
        continue;                                                                                                      \
    }
#define LANES_END                                                                                                      \
    }                                                                                                                  \
    launch_end(&l, step);
#elif !defined(ARCL_TEAM)
#define LANES_PASS_OVER
/* Lanes whose payer was refused are looked for only where lanes are charged for work: the others, of which many do next
 * to nothing per lane, are passed over as they are written here, from which gcc makes the shorter loops. */
#define LANES_BEGIN                                                                                                    \
    for (uint n = l.lanes.first; n < l.lanes.last; n += l.lanes.stride) {                                              \
        if (l.some_failed && l.status[n]) {                                                                            \
            l.out[n] = 0;                                                                                              \
            continue;                                                                                                  \
        }
#define LANES_BEGIN_CHARGED                                                                                            \
    for (uint n = l.lanes.first; n < l.lanes.last; n += l.lanes.stride) {                                              \
        if (l.some_failed && launch_passes(&l, n)) continue;
#define LANES_END                                                                                                      \
    }                                                                                                                  \
    launch_end(&l, step);
#endif

/* After a lane function that counts its work, and after one that does not. Who has been refused is passed over from
 * then on. */
#define LANES_FREE(words)
#ifdef MANY_ITEMS /* there registers are scarcer than time */
#define LANES_REFUSED(payer)
#else
#define LANES_REFUSED(payer) launch_refuse(&l, payer);
#endif
#define LANES_CHARGE(words)                                                                                            \
    if (k.work > FREE_WORK) {                                                                                          \
        uint payer = launch_payer(&l, n);                                                                              \
        if (!charge_work(l.account.spent + payer, l.account.budget, k.work, words)) {                                  \
            k.status = LANE_BUDGET;                                                                                    \
            LANES_REFUSED(payer)                                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    k.work = 0;

#ifndef ARCL_TEAM
/* The same after a lane that has asked for words, so that it is its payer's turn. */
#ifdef MANY_ITEMS /* that takes fewer registers */
#define LANES_CHARGE_MAKER(words)                                                                                      \
    if (k.work > FREE_WORK) {                                                                                          \
        ulong charged = (k.work - FREE_WORK) / WORK_PER_WORD, more = charged > (words) ? charged - (words) : 0;        \
        int enough = !gives_up(&k) && l.account.asked <= l.account.room && more <= l.account.room - l.account.asked;   \
        l.account.asked = enough ? l.account.asked + (uint)more : l.account.budget + 1;                                \
        k.status = enough ? k.status : LANE_BUDGET;                                                                    \
    }                                                                                                                  \
    k.work = 0;
#else
#define LANES_CHARGE_MAKER(words)                                                                                      \
    if (k.work > FREE_WORK && !charge_work(l.account.spent + launch_payer(&l, n), l.account.budget, k.work, words))    \
        k.status = LANE_BUDGET;                                                                                        \
    k.work = 0;
#endif

#define LANES_ATOM(call, CHARGE)                                                                                       \
    LANES_PASS_OVER                                                                                                    \
    word result = call;                                                                                                \
    CHARGE(0)                                                                                                          \
    if (k.status) {                                                                                                    \
        launch_fail(&l, n, k.status);                                                                                  \
        k.status = 0;                                                                                                  \
    } else                                                                                                             \
        l.out[n] = result;

#define LANES_ALLOC_MORE(extent_call, more_call, write_call, CHARGE)                                                   \
    LANES_PASS_OVER                                                                                                    \
    uint need = extent_call;                                                                                           \
    word result = 0;                                                                                                   \
    if (!k.status) {                                                                                                   \
        if (!launch_reserve(&l, n, need, more_call)) {                                                                 \
            if (l.is_over) break;                                                                                      \
            continue;                                                                                                  \
        }                                                                                                              \
        uint at = l.at;                                                                                                \
        k.used = 0;                                                                                                    \
        result = write_call;                                                                                           \
    }                                                                                                                  \
    CHARGE(need)                                                                                                       \
    if (k.status) {                                                                                                    \
        launch_fail(&l, n, k.status);                                                                                  \
        k.status = 0;                                                                                                  \
    } else {                                                                                                           \
        l.at += k.used;                                                                                                \
        l.words += k.used;                                                                                             \
        l.out[n] = result;                                                                                             \
    }
#endif

#define LANES_ALLOC(extent_call, write_call, CHARGE) LANES_ALLOC_MORE(extent_call, 0, write_call, CHARGE)

#define LANES_ARG(a, A) TYPE_##A arg##a = FROM_##A(&k, view_at(view##a, n));

#ifndef ARCL_TEAM
#define LANE_START(immediate) lane k = {.arena = arena, .imm = immediate};
#define KERNEL_START(args)                                                                                             \
    launch l = LAUNCH_START(args);                                                                                     \
    LANE_START(LAUNCH_IMM)
#endif
/* The same for those whose loops are the deepest and need all scalar registers. */
#define KERNEL_START_DEEP(args)                                                                                        \
    NOT_SCALAR(arena);                                                                                                 \
    NOT_SCALAR(step);                                                                                                  \
    KERNEL_START(args)

/* clang-format off */
#define TEAM_ATOM1(name, A) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(1) LANES_VIEW(0) \
    LANES_BEGIN LANES_ARG(0, A) \
    LANES_ATOM(name(&k, arg0), LANES_FREE) LANES_END }
#define TEAM_ATOM2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(2) LANES_VIEW(0) LANES_VIEW(1) \
    LANES_BEGIN LANES_ARG(0, A) LANES_ARG(1, B) \
    LANES_ATOM(name(&k, arg0, arg1), LANES_FREE) LANES_END }
#define TEAM_ATOM3(name, A, B, C) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(3) LANES_VIEW(0) LANES_VIEW(1) LANES_VIEW(2) \
    LANES_BEGIN LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) \
    LANES_ATOM(name(&k, arg0, arg1, arg2), LANES_FREE) LANES_END }
#define TEAM_ALLOC1(name, A) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(1) LANES_VIEW(0) \
    LANES_BEGIN LANES_ARG(0, A) \
    LANES_ALLOC(name##_extent(&k, arg0), name##_write(&k, arg0, at), LANES_FREE) LANES_END }
#define TEAM_ALLOC2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(2) LANES_VIEW(0) LANES_VIEW(1) \
    LANES_BEGIN LANES_ARG(0, A) LANES_ARG(1, B) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1), name##_write(&k, arg0, arg1, at), LANES_FREE) LANES_END }
#define TEAM_ALLOC3(name, A, B, C) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(3) LANES_VIEW(0) LANES_VIEW(1) LANES_VIEW(2) \
    LANES_BEGIN LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1, arg2), name##_write(&k, arg0, arg1, arg2, at), LANES_FREE) LANES_END }
#define TEAM_ALLOC4(name, A, B, C, D) KERNEL_FUNCTION(_##name) { \
    KERNEL_START_DEEP(4) LANES_VIEW(0) LANES_VIEW(1) LANES_VIEW(2) LANES_VIEW(3) \
    LANES_BEGIN LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) LANES_ARG(3, D) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1, arg2, arg3), name##_write(&k, arg0, arg1, arg2, arg3, at), LANES_FREE) \
    LANES_END }
#define TEAM_COUNTED_ATOM1(name, A) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(1) LANES_VIEW(0) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) \
    LANES_ATOM(name(&k, arg0), LANES_CHARGE) LANES_END }
#define TEAM_COUNTED_ATOM2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(2) LANES_VIEW(0) LANES_VIEW(1) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) LANES_ARG(1, B) \
    LANES_ATOM(name(&k, arg0, arg1), LANES_CHARGE) LANES_END }
#define TEAM_COUNTED_ALLOC1(name, A) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(1) LANES_VIEW(0) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) \
    LANES_ALLOC(name##_extent(&k, arg0), name##_write(&k, arg0, at), LANES_CHARGE) LANES_END }
#define TEAM_COUNTED_MAKER1(name, A) KERNEL_FUNCTION(_##name) { \
    KERNEL_START_DEEP(1) LANES_VIEW(0) \
    LANES_BEGIN LANES_ARG(0, A) \
    LANES_ALLOC(name##_extent(&k, arg0), name##_write(&k, arg0, at), LANES_CHARGE_MAKER) LANES_END }
#define TEAM_COUNTED_MAKER2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START_DEEP(2) LANES_VIEW(0) LANES_VIEW(1) \
    LANES_BEGIN LANES_ARG(0, A) LANES_ARG(1, B) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1), name##_write(&k, arg0, arg1, at), LANES_CHARGE_MAKER) LANES_END }
#define TEAM_COUNTED_ALLOC2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(2) LANES_VIEW(0) LANES_VIEW(1) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) LANES_ARG(1, B) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1), name##_write(&k, arg0, arg1, at), LANES_CHARGE) LANES_END }
#define TEAM_COUNTED_ALLOC3(name, A, B, C) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(3) LANES_VIEW(0) LANES_VIEW(1) LANES_VIEW(2) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1, arg2), name##_write(&k, arg0, arg1, arg2, at), LANES_CHARGE) LANES_END }
#define TEAM_COUNTED_ALLOC4(name, A, B, C, D) KERNEL_FUNCTION(_##name) { \
    KERNEL_START_DEEP(4) LANES_VIEW(0) LANES_VIEW(1) LANES_VIEW(2) LANES_VIEW(3) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) LANES_ARG(3, D) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1, arg2, arg3), name##_write(&k, arg0, arg1, arg2, arg3, at), LANES_CHARGE) \
    LANES_END }
/* Of kernels that know of masks (cl/mask.h): name_extent says what the kernel for lists would, so that a lane is
 * charged the same, and name_more how many words it takes beside these. */
#define TEAM_MASKED_ALLOC1(name, A) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(1) LANES_VIEW(0) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) \
    LANES_ALLOC_MORE(name##_extent(&k, arg0), name##_more(&k, arg0), name##_write(&k, arg0, at), LANES_CHARGE) \
    LANES_END }
#define TEAM_MASKED_ALLOC2(name, A, B) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(2) LANES_VIEW(0) LANES_VIEW(1) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) LANES_ARG(1, B) \
    LANES_ALLOC_MORE(name##_extent(&k, arg0, arg1), name##_more(&k, arg0, arg1), name##_write(&k, arg0, arg1, at), \
                     LANES_CHARGE) LANES_END }
#define TEAM_MASKED_ALLOC3(name, A, B, C) KERNEL_FUNCTION(_##name) { \
    KERNEL_START(3) LANES_VIEW(0) LANES_VIEW(1) LANES_VIEW(2) \
    LANES_BEGIN_CHARGED LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) \
    LANES_ALLOC_MORE(name##_extent(&k, arg0, arg1, arg2), name##_more(&k, arg0, arg1, arg2), \
                     name##_write(&k, arg0, arg1, arg2, at), LANES_CHARGE) LANES_END }
/* Kernels of one shape are left out where the other one is built. */
#ifdef ARCL_TEAM
#define ATOM1(name, A)
#define ATOM2(name, A, B)
#define ATOM3(name, A, B, C)
#define ALLOC1(name, A)
#define ALLOC2(name, A, B)
#define ALLOC3(name, A, B, C)
#define ALLOC4(name, A, B, C, D)
#define COUNTED_ATOM1(name, A)
#define COUNTED_ATOM2(name, A, B)
#define COUNTED_ALLOC1(name, A)
#define COUNTED_MAKER1(name, A)
#define COUNTED_MAKER2(name, A, B)
#define COUNTED_ALLOC2(name, A, B)
#define COUNTED_ALLOC3(name, A, B, C)
#define COUNTED_ALLOC4(name, A, B, C, D)
#define MASKED_ALLOC1(name, A)
#define MASKED_ALLOC2(name, A, B)
#else
#ifdef MANY_ITEMS
#define ATOM1 TEAM_ATOM1
#define ATOM2 TEAM_ATOM2
#define ATOM3 TEAM_ATOM3
#else /* cl/atoms.h */
#define ATOM1 BLOCK_ATOM1
#define ATOM2 BLOCK_ATOM2
#define ATOM3 BLOCK_ATOM3
#endif
#define ALLOC1 TEAM_ALLOC1
#define ALLOC2 TEAM_ALLOC2
#define ALLOC3 TEAM_ALLOC3
#define ALLOC4 TEAM_ALLOC4
#define COUNTED_ATOM1 TEAM_COUNTED_ATOM1
#define COUNTED_ATOM2 TEAM_COUNTED_ATOM2
#define COUNTED_ALLOC1 TEAM_COUNTED_ALLOC1
#define COUNTED_MAKER1 TEAM_COUNTED_MAKER1
#define COUNTED_MAKER2 TEAM_COUNTED_MAKER2
#define COUNTED_ALLOC2 TEAM_COUNTED_ALLOC2
#define COUNTED_ALLOC3 TEAM_COUNTED_ALLOC3
#define COUNTED_ALLOC4 TEAM_COUNTED_ALLOC4
#define MASKED_ALLOC1 TEAM_MASKED_ALLOC1
#define MASKED_ALLOC2 TEAM_MASKED_ALLOC2
#endif
/* clang-format on */

#endif
