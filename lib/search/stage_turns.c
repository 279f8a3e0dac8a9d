/* Which stage has the next turn: each gets candidates by what its turns have yielded so far. Yields are counted, and
 * time is not asked for, so that a search does the same everywhere. */
#include "search/search_state.h"

/* In the time of a mutant, some values are made: with these weights, stages that yield as much take as long. */
#define EDITS_WEIGHT 1
#define VALUES_WEIGHT 5
#define FIRST_YIELD 8 /* what each is taken to have yielded before it began */
#define BEST_YIELD 4  /* of an answer that is the best so far; others are worth 1 */
#define MOST_YIELD 24 /* above it, all are halved: what came long ago says less */

void stage_yields(search_state *s, int is_best, int is_other) {
    uint64_t *yield = &s->stage_yield[s->turn];
    *yield += (uint64_t)(is_best ? BEST_YIELD : is_other);
    if (*yield > MOST_YIELD)
        for (int i = 0; i < ARCL_SEARCH_STAGE_COUNT; i++) s->stage_yield[i] /= 2;
}

arcl_search_stage stage_next(const search_state *s) {
    int values = stage_is_wanted(s, ARCL_SEARCH_VALUES) && s->values_left;
    int edits = stage_is_wanted(s, ARCL_SEARCH_EDITS) && s->patterns.donor_count > 0;
    uint64_t by_values = VALUES_WEIGHT * (FIRST_YIELD + s->stage_yield[ARCL_SEARCH_VALUES]);
    uint64_t by_edits = EDITS_WEIGHT * (FIRST_YIELD + s->stage_yield[ARCL_SEARCH_EDITS]);
    if (values && edits)
        return s->stage_candidates[ARCL_SEARCH_VALUES] * by_edits <= s->stage_candidates[ARCL_SEARCH_EDITS] * by_values
                   ? ARCL_SEARCH_VALUES
                   : ARCL_SEARCH_EDITS;
    return values ? ARCL_SEARCH_VALUES : edits ? ARCL_SEARCH_EDITS : ARCL_SEARCH_STAGE_COUNT;
}
