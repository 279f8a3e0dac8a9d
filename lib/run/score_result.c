#include "run/score_result.h"

#include "cl/score.h"

/* As score_output with something expected, for a grid that lies in other memory than the output. */
static lane_score score_lane(const segment *s, uint32_t at, type_code type, const word *storage, word expected) {
    lane here = {.arena = s->value}, there = {.arena = (word *)storage}; /* which is only read */
    lane_score score = score_output(s->value, s->status[at], type, s->value[at], 0);
    score.compared = expected != 0;
    if (expected && score.status == ARCL_OK && type == T_GRID)
        score_against(&here, &score, grid_of(&here, s->value[at]), grid_of(&there, expected));
    return score;
}

void score_result(arcl_result *r, const arcl_batch *expected) {
    for (uint32_t n = 0; n < r->lanes; n++) {
        const segment *s = r->of_lane[n];
        uint32_t at = n - s->first, words = s->score[at].words;
        s->score[at] = score_lane(s, at, r->type[s->which[at]], expected ? expected->data.at : NULL,
                                  expected ? expected->column[0].at[n] : 0);
        s->score[at].words = words;
    }
}
