/* What came of a lane of the batch when all steps have run: its status, and its result with the type that this has, of
 * each program that the graph consists of. What packs results and what scores them read it from here, and know nothing
 * else of how a program has run.
 */
#ifndef ARCL_OUTCOME_H
#define ARCL_OUTCOME_H
#include "lane.h"

LANE GLOBAL const program_output *output_at(GLOBAL word *arena, GLOBAL const run_frame *f, uint program) {
    return (GLOBAL const program_output *)(arena + f->outputs) + program;
}

/* Which of the program's results lane n has. */
LANE uint which_result(GLOBAL word *arena, GLOBAL const run_frame *f, uint program, uint n) {
    GLOBAL const program_output *o = output_at(arena, f, program);
    return o->results > 1 ? (uint)view_at(view_of(arena, f, SCOPE_LANES, o->which), n) : 0;
}

/* The program's result in lane n and its type; of a lane that has failed, a default. */
LANE word lane_result(GLOBAL word *arena, GLOBAL const run_frame *f, uint program, uint n, int failed, ulong *type) {
    GLOBAL const program_output *o = output_at(arena, f, program);
    uint which = failed ? 0 : which_result(arena, f, program, n);
    *type = o->type[which];
    return failed ? 0 : view_at(view_of(arena, f, SCOPE_LANES, o->result[which]), n);
}

/* ---- words ---- */

/* What programs have asked for in lane n, or, with the number after the last, in scope 0. */
LANE ulong spent_by(GLOBAL word *arena, GLOBAL const run_frame *f, ulong programs, uint n) {
    GLOBAL const uint *spent = (GLOBAL const uint *)(arena + f->spent) + n;
    GLOBAL const ulong *set = (GLOBAL const ulong *)(arena + f->sets);
    ulong sum = 0;
    for (uint s = 0; s < f->set_count; s++)
        if (set[s] & programs) sum += spent[s * (f->lanes + 1)];
    return sum;
}

LANE uint words_asked(GLOBAL word *arena, GLOBAL const run_frame *f, uint program, uint n) {
    if (!f->apart) return ((GLOBAL const uint *)(arena + f->spent))[n];
    ulong sum = spent_by(arena, f, (ulong)1 << program, n);
    return sum > f->budget ? f->budget + 1 : (uint)sum;
}

/* ---- verdicts ---- */

LANE uint status_set_at(GLOBAL word *arena, GLOBAL const run_frame *f, uint step, uint n) {
    GLOBAL const graph_step *s = step_at(arena, f, step);
    if (!*apart_mark(arena, f, step)) return 0;
    return apart_status(arena, state_at(arena, f, s->scope), s->slot)[s->scope == SCOPE_SHARED ? 0 : n];
}

/* What the columns of the result have failed with. */
LANE uint result_failure(GLOBAL word *arena, GLOBAL const run_frame *f, uint program, uint n) {
    GLOBAL const program_output *o = output_at(arena, f, program);
    uint failed = o->results > 1 ? status_set_at(arena, f, o->which, n) : 0;
    return failed ? failed : status_set_at(arena, f, o->result[which_result(arena, f, program, n)], n);
}

/* The status of a program in lane n, of a graph that keeps failures apart. Of a strict program, steps have run that
 * would not have run alone, after its failure: if it was not the only one, or if a budget is used up, there is doubt.
 * Nor does it help that nothing else has failed then: a failure below the lanes may not have reached them yet, and a
 * step that is shared may run before others of the program that come first alone. A budget that was refused for the
 * sake of others is no reason to fail.
 *
 * Where a budget is used up, the run may have ended before there was a result: its columns are not looked at then. */
LANE uint apart_verdict(GLOBAL word *arena, GLOBAL const run_frame *f, uint program, uint n, int over_budget) {
    GLOBAL const uchar *failed = (GLOBAL const uchar *)(arena + f->failed);
    ulong self = (ulong)1 << program;
    uint for_all = failed[entry_of_program(f, SCOPE_SHARED, program, n)];
    uint set = for_all ? for_all : failed[entry_of_program(f, SCOPE_LANES, program, n)];
    if (over_budget && (spent_by(arena, f, self, f->lanes) > f->budget || spent_by(arena, f, self, n) > f->budget))
        return f->apart == APART_SAFE ? LANE_BUDGET : LANE_DOUBT;
    if (!for_all) set |= result_failure(arena, f, program, n);
    if (!set) return LANE_OK;
    if (set & BUDGET_BIT || (f->apart == APART_STRICT && set & (set - 1))) return LANE_DOUBT;
    return (uint)lowest_bit(set);
}

/* What failed for all lanes at once; 0: nothing. Kept apart: whether some budget may be used up in scope 0. The first
 * part of a program has all of its scope 0, and has told the lanes. */
LANE int failure_of_all(GLOBAL word *arena, GLOBAL const run_frame *f) {
    GLOBAL scope_state *shared = state_at(arena, f, SCOPE_SHARED);
    if (f->apart) return spent_by(arena, f, ~(ulong)0, f->lanes) > f->budget;
    return shared->failures && !f->carried ? status_at(arena, shared)[0] : 0;
}

/* Decides on the status of lane n, of every program. What failed for all lanes at once fails each, and none has asked
 * for anything then: how far a lane goes on after that depends on where the program was cut. Else a lane that has asked
 * for more than its budget has failed for that, whatever else happened in it, because work-items ask in no particular
 * order. It may be asked for again: then nothing changes. */
LANE void settle_status(GLOBAL word *arena, GLOBAL const run_frame *f, uint n, int for_all) {
    GLOBAL uchar *status = (GLOBAL uchar *)(arena + f->lane_status);
    GLOBAL uint *spent = (GLOBAL uint *)(arena + f->spent);
    if (f->apart) {
        int over = for_all || spent_by(arena, f, ~(ulong)0, n) > f->budget;
        GLOBAL uchar *verdict = (GLOBAL uchar *)(arena + f->verdicts);
        for (uint p = 0; p < f->programs; p++) verdict[p * f->lanes + n] = (uchar)apart_verdict(arena, f, p, n, over);
    } else if (for_all) {
        status[n] = (uchar)for_all;
        spent[n] = 0;
    } else if (spent[n] > f->budget)
        status[n] = LANE_BUDGET;
}

/* The same for all lanes of a work-item. Hardly any has asked for too much, which short loops find out. */
LANE void settle_statuses(GLOBAL word *arena, GLOBAL const run_frame *f, lane_range r, int for_all) {
    uint over = f->apart || for_all, budget = f->budget;
    if (!over) {
        GLOBAL const uint *spent = (GLOBAL const uint *)(arena + f->spent);
        for (uint n = r.first; n < r.last; n += r.stride) over |= spent[n] > budget;
    }
    for (uint n = r.first; over && n < r.last; n += r.stride) settle_status(arena, f, n, for_all);
}

/* Once it is settled. */
LANE uint final_status(GLOBAL word *arena, GLOBAL const run_frame *f, uint program, uint n) {
    if (f->apart) return ((GLOBAL const uchar *)(arena + f->verdicts))[program * f->lanes + n];
    return status_at(arena, state_at(arena, f, SCOPE_LANES))[n];
}

#endif
