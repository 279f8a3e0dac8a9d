/* Scores instead of results: the last launch of a run of which only these are wanted, so that a few words per lane
 * leave the device and no output does.
 */
#include "outcome.h"
#include "score.h"

KERNEL_FUNCTION(_score_lanes) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL const word *expected = arena + f->expected;
    GLOBAL lane_score *scores = (GLOBAL lane_score *)(arena + f->scores);
    lane_range r = lanes_of_item(f->overflow ? 0 : f->lanes);
    int for_all = failure_of_all(arena, f);
    for (uint n = r.first; n < r.last; n += r.stride) {
        settle_status(arena, f, n, for_all);
        for (uint p = 0; p < f->programs; p++) {
            ulong type;
            int status = (int)final_status(arena, f, p, n);
            word output = lane_result(arena, f, p, n, status, &type);
            lane_score s = score_output(arena, status, type, output, f->expected ? expected[n] : 0);
            /* Of a budget that all lanes have used up together, it depends on the chunk how much each has asked for. */
            s.words = status == LANE_BUDGET ? f->budget + 1 : words_asked(arena, f, p, n);
            scores[p * f->lanes + n] = s;
        }
    }
}
