/* What came of a lane of the batch when all steps have run: its status, and its result with the type that this has. What
 * packs results and what scores them read it from here, and know nothing else of how a program has run.
 */
#ifndef ARCL_OUTCOME_H
#define ARCL_OUTCOME_H
#include "lane.h"

/* What failed for all lanes at once; 0: nothing. */
LANE int failure_of_all(GLOBAL word *arena, GLOBAL const run_frame *f) {
    GLOBAL scope_state *shared = state_at(arena, f, SCOPE_SHARED);
    return shared->failures ? status_at(arena, shared)[0] : 0;
}

/* The status of a lane in the end. What failed for all lanes at once fails each; a lane that has asked for more than its
 * budget has failed for that, whatever else happened in it, because work-items ask in no particular order. */
LANE uchar settled_status(GLOBAL const run_frame *f, uint spent, uchar status, int for_all) {
    return spent > f->budget ? (uchar)LANE_BUDGET : status ? status : (uchar)for_all;
}

/* Which of the results lane n has. */
LANE uint which_result(GLOBAL word *arena, GLOBAL const run_frame *f, uint n) {
    return f->results > 1 ? (uint)view_at(view_of(arena, f, SCOPE_LANES, f->which), n) : 0;
}

LANE ulong result_type(GLOBAL word *arena, GLOBAL const run_frame *f, uint which) {
    return ((GLOBAL const ulong *)(arena + f->result_types))[which];
}

/* The result of lane n and its type; of a lane that has failed, a default. */
LANE word lane_result(GLOBAL word *arena, GLOBAL const run_frame *f, uint n, int failed, ulong *type) {
    uint which = failed ? 0 : which_result(arena, f, n);
    *type = result_type(arena, f, which);
    return failed ? 0 : view_at(view_of(arena, f, SCOPE_LANES, f->result[which]), n);
}

#endif
