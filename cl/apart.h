/* Failures kept apart. A graph in which one failure must not stop everything else of its lane, because the lane goes on
 * with a default or because several programs share the graph, has statuses per column, not per lane: a status array
 * beside each column of a scope. A step is run in the lanes in which none of its arguments has failed; in the others,
 * its column has failed as they have. So failures follow the data, and reach exactly what depends on them.
 *
 *   scope state:  | columns, slot by slot | statuses, slot by slot, a byte per lane | maps |
 *
 * A status here is the set of all statuses that may be the reason, bit n for status n: steps of one program may run in
 * another order than alone, so which failure comes first is not known. Where a set has one member, it is certain.
 *
 * A lane without lanes below has the reason beside the column of ranges.
 */
#ifndef ARCL_APART_H
#define ARCL_APART_H
#include "frame.h"
#include "word.h"

/* The status of a lane, in a graph of several programs, that only running its program alone can tell. */
#define LANE_DOUBT 255

#define BUDGET_BIT (1u << LANE_BUDGET)
/* What a kernel fails with that only knows a set: `extract`, whose condition's statuses arrive as data. */
#define STATUS_OF_SET(set) ((int)(set) << 4)
LANE uint set_of_status(int status) { return status < 16 ? 1u << status : (uint)status >> 4; }

LANE GLOBAL uchar *apart_status(GLOBAL word *arena, GLOBAL const scope_state *s, uint slot) {
    return (GLOBAL uchar *)(arena + s->status + slot * status_words(s->count));
}

LANE GLOBAL uint *apart_mark(GLOBAL word *arena, GLOBAL const run_frame *f, uint step) {
    return (GLOBAL uint *)(arena + f->marks) + step;
}

/* Where the lanes above a scope have their reason for having no lanes there. */
LANE GLOBAL uchar *apart_range_status(GLOBAL word *arena, GLOBAL const run_frame *f, GLOBAL const graph_scope *scope) {
    GLOBAL const graph_step *opener = step_at(arena, f, scope->opener);
    uint slot = opener->kind == STEP_LOOP ? step_at(arena, f, (uint)opener->imm)->slot : scope->ranges;
    return apart_status(arena, state_at(arena, f, scope->parent), slot);
}

/* Adds the statuses of a step's column, as the lanes of `scope` see it, to theirs. Returns whether there are any. */
LANE int apart_add(GLOBAL word *arena, GLOBAL const run_frame *f, uint scope, uint step, lane_range r,
                   GLOBAL uchar *status) {
    GLOBAL const graph_step *s = step_at(arena, f, step);
    if (!*apart_mark(arena, f, step)) return 0;
    GLOBAL const uchar *from = apart_status(arena, state_at(arena, f, s->scope), s->slot);
    view v = view_of(arena, f, scope, step);
    uint any = 0;
    for (uint n = r.first; n < r.last; n += r.stride) {
        uint set = from[v.map ? v.map[n] : n & v.mask];
        status[n] |= (uchar)(set + (set & EMPTY_KEPT)); /* to a reader it is a value of a wrong type */
        any |= status[n];
    }
    return any != 0;
}

LANE void clear_statuses(lane_range r, GLOBAL uchar *status) {
    if (r.stride == 1)
        for (uint n = r.first; n < r.last; n++) status[n] = 0;
    else
        for (uint n = r.first; n < r.last; n += r.stride) status[n] = 0;
}

/* The statuses that lanes of `scope` have from the arguments of a step. Returns whether there are any. */
APART int apart_gather(GLOBAL word *arena, GLOBAL const run_frame *f, uint scope, GLOBAL const graph_step *s,
                       lane_range r, GLOBAL uchar *status) {
    int any = 0;
    clear_statuses(r, status);
    for (uint a = 0; a < s->args; a++) any |= apart_add(arena, f, scope, s->arg[a], r, status);
    return any;
}

LANE ulong apart_users(GLOBAL word *arena, GLOBAL const run_frame *f, GLOBAL const graph_step *s) {
    return ((GLOBAL const ulong *)(arena + f->sets))[s->users];
}

/* What belongs to a program in lane n of the batch, or in scope 0 to all of its lanes, among entries per program and
 * lane that are followed by one per program. */
LANE uint entry_of_program(GLOBAL const run_frame *f, uint scope, uint program, uint n) {
    return scope == SCOPE_SHARED ? f->programs * f->lanes + program : program * f->lanes + n;
}

/* After a step whose column has statuses: notes that, and what it means for the programs. A budget that is used up does
 * not come back, so that is a failure of the lane whatever the step. Below the lanes of the batch nothing is counted:
 * how often a function is called there is nobody's business. */
APART void apart_note(GLOBAL word *arena, GLOBAL const run_frame *f, uint step, lane_range r, GLOBAL uchar *status) {
    GLOBAL const graph_step *s = step_at(arena, f, step);
    GLOBAL uchar *failed = (GLOBAL uchar *)(arena + f->failed);
    GLOBAL uint *mishaps = (GLOBAL uint *)(arena + f->mishaps);
    uint left_over = 0, meaning = fails_meaning(s->fails), counts = s->scope <= SCOPE_LANES;
    GLOBAL word *out = column_at(arena, state_at(arena, f, s->scope), s->slot);
    for (uint n = r.first; n < r.last; n += r.stride) {
        uint set = status[n], is_kept = set == EMPTY_KEPT && s->fails & FAILS_KEEP_EMPTY;
        uint is_mishap = meaning == FAILS_NOBODY && !(set & BUDGET_BIT) && !is_kept;
        if (!set) continue;
        if (meaning != FAILS_READERS && counts)
            for (ulong left = apart_users(arena, f, s); left; left &= left - 1) {
                uint at = entry_of_program(f, s->scope, (uint)lowest_bit(left), n);
                if (is_mishap)
                    mishaps[at]++;
                else if (!is_kept)
                    failed[at] |= (uchar)set;
            }
        if (is_mishap) {
            status[n] = 0;
            out[n] = stand_in_word(fails_default(s->fails));
        } else
            left_over = 1;
    }
    if (left_over) shared_set(apart_mark(arena, f, step), 1);
}

/* ---- budgets ---- */

/* Each set of programs has an account of its own, and each of the programs pays for the sets that it is in. */
LANE GLOBAL uint *apart_account(GLOBAL word *arena, GLOBAL const run_frame *f, uint set, uint scope) {
    return (GLOBAL uint *)(arena + f->spent) + set * (f->lanes + 1) + (scope == SCOPE_SHARED ? f->lanes : 0);
}

#endif
