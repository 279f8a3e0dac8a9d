/* Scores instead of results: the last launch of a run of which only these are wanted, so that a few words per lane leave
 * the device and no output does.
 */
#include "outcome.h"
#include "score.h"

KERNEL_FUNCTION(_score_lanes) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL uchar *status = status_at(arena, state_at(arena, f, SCOPE_LANES));
    GLOBAL const uint *spent = (GLOBAL const uint *)(arena + f->spent);
    GLOBAL const word *expected = arena + f->expected;
    GLOBAL lane_score *scores = (GLOBAL lane_score *)(arena + f->scores);
    lane_range r = lanes_of_item(f, f->overflow ? 0 : f->lanes);
    int for_all = failure_of_all(arena, f);
    for (uint n = r.first; n < r.last; n += r.stride) {
        ulong type;
        status[n] = settled_status(f, spent[n], status[n], for_all);
        word output = lane_result(arena, f, n, status[n], &type);
        lane_score s = score_output(arena, status[n], type, output, f->expected ? expected[n] : 0);
        s.words = spent[n];
        scores[n] = s;
    }
}
