/* The answers: programs that were run as a whole, the best first. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "search/search_state.h"

#define MAX_ANSWERS 64
/* Where so many are right, only simpler ones are tried: a task that is nearly solved by chance has them by the
 * thousand. */
#define ENOUGH_ANSWERS 1000
#define MOST_ALIKE 4 /* that agree in all outputs that are looked for */

static void answer_free(answer *a) {
    arcl_tree_free(a->tree);
    free(a->outputs);
    free(a->cells_of_outputs);
}

void answers_free(answer_set *a) {
    for (int i = 0; i < a->count; i++) answer_free(&a->at[i]);
    free(a->at);
    key_table_free(&a->known);
}

/* Whether a is believed in more than b, as far as they themselves tell. */
static int is_better(const answer *a, const answer *b) {
    if (a->examples != b->examples) return a->examples > b->examples;
    if (a->cells != b->cells && a->examples == 0) return a->cells > b->cells;
    if (a->cost != b->cost) return a->cost < b->cost;
    return a->calls < b->calls;
}

static int agree(const answer *a, const answer *b) {
    return a->examples == b->examples && a->test_fingerprint == b->test_fingerprint;
}

static void remove_at(answer_set *set, int at) {
    answer_free(&set->at[at]);
    memmove(&set->at[at], &set->at[at + 1], (size_t)(set->count - at - 1) * sizeof *set->at);
    set->count--;
}

/* Of answers that agree, a few are enough, so that there is room for others; all are counted. */
static void thin_out(answer_set *set, const answer *like) {
    int same = 0, last = -1;
    for (int i = 0; i < set->count; i++)
        if (agree(&set->at[i], like)) {
            same++;
            last = i;
        }
    if (same > MOST_ALIKE)
        remove_at(set, last);
    else if (set->count > MAX_ANSWERS)
        remove_at(set, set->count - 1);
}

static arcl_status keep(search_state *s, answer *a, arcl_error *error) {
    answer_set *set = &s->answers;
    answer like = *a;
    int at = set->count, agreeing = 1;
    if (!set->at && !(set->at = malloc((MAX_ANSWERS + 1) * sizeof *set->at))) return NO_MEMORY(error);
    for (int i = 0; i < set->count; i++)
        if (agree(&set->at[i], a)) agreeing = ++set->at[i].agreeing;
    a->agreeing = agreeing;
    while (at && is_better(a, &set->at[at - 1])) at--;
    stage_yields(s, at == 0, agreeing == 1 && a->examples == s->train);
    memmove(&set->at[at + 1], &set->at[at], (size_t)(set->count - at) * sizeof *set->at);
    set->at[at] = *a;
    set->count++;
    thin_out(set, &like);
    return ARCL_SUCCESS;
}

/* ---- running one ---- */

static arcl_status copy_outputs(const search_state *s, const arcl_result *r, answer *a, arcl_error *error) {
    size_t cells = 1;
    int h, w;
    for (int i = 0; i < s->inputs; i++)
        if (arcl_result_grid(r, (uint32_t)i, &h, &w)) cells += (size_t)h * (size_t)w;
    a->outputs = calloc((size_t)s->inputs, sizeof *a->outputs);
    signed char *to = a->cells_of_outputs = malloc(cells);
    if (!a->outputs || !to) return NO_MEMORY(error);
    for (int i = 0; i < s->inputs; i++) {
        const signed char *from = arcl_result_grid(r, (uint32_t)i, &h, &w);
        if (!from || arcl_result_status(r, (uint32_t)i) != ARCL_OK) continue;
        memcpy(to, from, (size_t)h * (size_t)w);
        a->outputs[i] = (arcl_grid){h, w, to};
        to += (size_t)h * (size_t)w;
    }
    return ARCL_SUCCESS;
}

static void score_answer(const search_state *s, const arcl_result *r, answer *a) {
    for (int i = 0; i < s->inputs; i++) {
        arcl_score score = arcl_result_score(r, (uint32_t)i);
        a->fingerprint = key_fold(a->fingerprint, score.fingerprint);
        if (i >= s->train)
            a->test_fingerprint = key_fold(a->test_fingerprint, score.fingerprint);
        else {
            arcl_grid want = lane_grid(&s->bank.lanes, s->expected[i]), have = a->outputs[i];
            uint32_t right = 0, all = (uint32_t)(want.h * want.w);
            if (have.h == want.h && have.w == want.w)
                for (uint32_t n = 0; n < all; n++) right += have.cells[n] == want.cells[n];
            a->cells += right;
            a->examples += right == all;
        }
    }
}

static arcl_status run_answer(search_state *s, answer *a, arcl_error *error) {
    arcl_compile_options options = {.grid_result = 1};
    arcl_program *program = NULL;
    arcl_result *result = NULL;
    PROPAGATE(arcl_tree_compile(s->context, a->tree, &options, &program, error));
    const arcl_program *run = program;
    const arcl_batch *batch = s->batch;
    arcl_status status = arcl_score_many(s->context, 1, &run, &batch, NULL, 1, &result, error);
    if (status == ARCL_SUCCESS) status = copy_outputs(s, result, a, error);
    if (status == ARCL_SUCCESS) {
        score_answer(s, result, a);
        a->cost += unlikeness_cost(s, a->outputs);
    }
    arcl_result_free(result);
    arcl_program_free(program);
    return status;
}

static arcl_status try_answer(search_state *s, const arcl_tree *tree, arcl_search_score *score, arcl_error *error) {
    answer a = {.stage = s->stage, .cost = tree_cost(s, tree), .calls = arcl_tree_lines(tree)};
    arcl_key key;
    if (score) *score = (arcl_search_score){.examples = -1};
    if (!score && s->solved >= ENOUGH_ANSWERS && a.cost >= s->answers.at[0].cost) return ARCL_SUCCESS;
    PROPAGATE(arcl_tree_key(s->context, tree, &key, error));
    int is_known = key_table_find(&s->answers.known, key_fold(key.high, key.low)) != KEY_ABSENT;
    if (is_known && !score) return ARCL_SUCCESS;
    if (!is_known) PROPAGATE(key_table_put(&s->answers.known, key_fold(key.high, key.low), 0, error));
    PROPAGATE(arcl_tree_copy(tree, &a.tree, error));
    arcl_status status = run_answer(s, &a, error);
    if (status == ARCL_SUCCESS && score) *score = (arcl_search_score){a.examples, a.cells, a.fingerprint};
    if (status == ARCL_SUCCESS && !is_known) {
        s->stage_answers[s->stage] += a.examples == s->train;
        s->solved += a.examples == s->train;
        status = keep(s, &a, error);
        if (status == ARCL_SUCCESS) return status;
    }
    answer_free(&a);
    /* A tree that does not compile is no answer, and no failure of the search. */
    return status == ARCL_INVALID ? error_settle(error, ARCL_SUCCESS) : status;
}

/* Whoever made the value that was lacking, the time is that of the stage that has put the program together. */
arcl_status answers_try(search_state *s, const arcl_tree *tree, arcl_search_score *score, arcl_error *error) {
    int64_t begun = clock_of_thread();
    arcl_status status = try_answer(s, tree, score, error);
    int64_t taken = clock_of_thread() - begun;
    s->stage_nanoseconds[s->timed] -= taken;
    s->stage_nanoseconds[s->stage] += taken;
    return status;
}
