/* The search for users: what comes first, and which stage has the next turn. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "search/search_state.h"

const char *arcl_search_stage_name(arcl_search_stage stage) {
    static const char *const names[] = {
#define X(upper, lower, meaning) #lower,
        ARCL_SEARCH_STAGES(X)
#undef X
    };
    return (unsigned)stage < ARCL_SEARCH_STAGE_COUNT ? names[stage] : "";
}

const char *arcl_search_stage_meaning(arcl_search_stage stage) {
    static const char *const meanings[] = {
#define X(upper, lower, meaning) meaning,
        ARCL_SEARCH_STAGES(X)
#undef X
    };
    return (unsigned)stage < ARCL_SEARCH_STAGE_COUNT ? meanings[stage] : "";
}

/* ---- beginning ---- */

static arcl_status add_grids(search_state *s, const arcl_search_task *task, arcl_error *error) {
    uint32_t lanes[ARCL_SEARCH_INPUTS];
    PROPAGATE(arcl_batch_create(s->context, "grid", &s->batch, error));
    for (int i = 0; i < s->inputs; i++) {
        arcl_grid g = task->inputs[i];
        PROPAGATE(lane_store_grid(&s->bank.lanes, g, &lanes[i], error));
        PROPAGATE(arcl_batch_add_grid(s->batch, g.h, g.w, g.cells, error));
    }
    s->expected = calloc((size_t)s->train, sizeof *s->expected);
    if (!s->expected) return NO_MEMORY(error);
    for (int i = 0; i < s->train; i++)
        PROPAGATE(lane_store_grid(&s->bank.lanes, task->outputs[i], &s->expected[i], error));
    bank_value v = {.pattern = PATTERN_INPUT, .shelf = (uint16_t)s->bank.lanes.lane[lanes[0]].shelf, .cost = 1};
    return value_bank_add(&s->bank, value_bank_key(&s->bank, lanes), &v, lanes, &s->input, error);
}

static void note_colours(search_state *s) {
    for (int i = 0; i < s->inputs + s->train; i++) {
        uint32_t lane_number = i < s->inputs ? value_lanes(&s->bank, s->input)[i] : s->expected[i - s->inputs];
        arcl_grid g = lane_grid(&s->bank.lanes, lane_number);
        for (int n = 0; n < g.h * g.w; n++)
            if (g.cells[n] >= 0 && g.cells[n] < 10) s->is_colour[g.cells[n]] = 1;
    }
}

/* Ints that programs write. */
static arcl_status add_constants(search_state *s, arcl_error *error) {
    uint32_t value;
    for (int n = -2; n <= 10; n++) PROPAGATE(apply_constant(s, n, int_cost(s, n), &value, error));
    return ARCL_SUCCESS;
}

/* Everything that programs have taught, from donors or a library. */
static arcl_status learn(search_state *s, const arcl_search_options *o, const arcl_library *library,
                         arcl_error *error) {
    PROPAGATE(library_costs_of_words(s, library, error));
    PROPAGATE(add_constants(s, error));
    PROPAGATE(goals_create(s, error));
    PROPAGATE(patterns_learn(s, o->donors, o->donor_count, error));
    return library_costs_of_patterns(s, library, error);
}

static arcl_status begin(search_state *s, const arcl_search_task *task, const arcl_search_options *o,
                         arcl_error *error) {
    arcl_library *learned = NULL;
    uint64_t memory = o->memory ? o->memory : ARCL_SEARCH_MEMORY;
    PROPAGATE(value_bank_create(&s->bank, s->context, s->inputs, memory, error));
    PROPAGATE(rows_create(&s->bank.lanes, &s->rows, error));
    if (!(s->row_of = malloc(MOST_ROWS * sizeof *s->row_of))) return NO_MEMORY(error);
    PROPAGATE(add_grids(s, task, error));
    note_colours(s);
    if (!o->library && o->donor_count)
        PROPAGATE(arcl_library_learn(s->context, o->donors, o->donor_count, &learned, error));
    arcl_status status = learn(s, o, o->library ? o->library : learned, error);
    arcl_library_free(learned);
    PROPAGATE(status);
    s->stage = ARCL_SEARCH_DONORS;
    return goals_check(s, s->input, error);
}

static arcl_status check_task(const arcl_search_task *t, arcl_error *error) {
    if (t->train < 1 || t->test < 1 || t->train > ARCL_SEARCH_INPUTS || t->test > ARCL_SEARCH_INPUTS ||
        t->train + t->test > ARCL_SEARCH_INPUTS)
        return error_set(error, ARCL_INVALID, "a task of %d examples and %d inputs to solve", t->train, t->test);
    NEED(t->inputs);
    NEED(t->outputs);
    for (int i = 0; i < t->train + t->test; i++) NEED(t->inputs[i].cells);
    for (int i = 0; i < t->train; i++) NEED(t->outputs[i].cells);
    return ARCL_SUCCESS;
}

arcl_status arcl_search_create(arcl_context *context, const arcl_search_task *task, const arcl_search_options *options,
                               arcl_search **search, arcl_error *error) {
    static const arcl_search_options none = {0};
    const arcl_search_options *o = options ? options : &none;
    error_clear(error);
    NEED(context);
    NEED(task);
    NEED(search);
    *search = NULL;
    PROPAGATE(check_task(task, error));
    if (o->donor_count < 0) return error_set(error, ARCL_INVALID, "%d donors", o->donor_count);
    if (o->donor_count) NEED(o->donors);
    for (int i = 0; i < o->donor_count; i++) NEED(o->donors[i]);
    if (o->library && o->donor_count && arcl_library_dialect(o->library) != arcl_tree_dialect(o->donors[0]))
        return error_set(error, ARCL_INVALID, "the library is of another dialect than the donors");
    search_state *s = calloc(1, sizeof *s);
    if (!s) return NO_MEMORY(error);
    *s = (search_state){.context = context,
                        .dialect = o->donor_count ? arcl_tree_dialect(o->donors[0])
                                   : o->library   ? arcl_library_dialect(o->library)
                                                  : ARCL_ARC_DSL,
                        .train = task->train,
                        .test = task->test,
                        .inputs = task->train + task->test,
                        .stages = o->stages ? o->stages : ~0u,
                        .random = key_fold(1, o->seed),
                        .values_left = 1};
    arcl_status status = begin(s, task, o, error);
    if (status == ARCL_SUCCESS)
        *search = s;
    else
        arcl_search_free(s);
    return error_settle(error, status);
}

void arcl_search_free(arcl_search *s) {
    if (!s) return;
    goals_free(s);
    enumeration_free(s);
    edits_free(s);
    key_table_free(&s->done_kept);
    key_table_free(&s->done_tried);
    patterns_free(&s->patterns);
    answers_free(&s->answers);
    rows_free(s->rows);
    free(s->row_of);
    value_bank_free(&s->bank);
    arcl_batch_free(s->batch);
    free(s->expected);
    free(s->op_cost);
    free(s);
}

/* ---- going on ---- */

static void count_candidates(search_state *s, uint64_t before) {
    s->stage_candidates[s->stage] += s->candidates - before;
}

static arcl_status run_donors(search_state *s, arcl_error *error) {
    uint64_t before = s->candidates;
    PROPAGATE(programs_run(s, s->patterns.donors, s->patterns.donor_count, error));
    count_candidates(s, before);
    return ARCL_SUCCESS;
}

static arcl_status run_stage(search_state *s, arcl_error *error) {
    switch (s->stage) {
    case ARCL_SEARCH_DONORS: return s->donors_done ? ARCL_SUCCESS : run_donors(s, error);
    case ARCL_SEARCH_VALUES: return enumeration_go_on(s, &s->values_left, error);
    case ARCL_SEARCH_EDITS: return edits_go_on(s, error);
    case ARCL_SEARCH_STACKS: return stacks_go_on(s, error);
    default: return ARCL_SUCCESS;
    }
}

/* What time a stage takes is for those who look on, and decides nothing. */
static arcl_status run_timed(search_state *s, arcl_search_stage stage, arcl_error *error) {
    int64_t begun = clock_of_thread();
    s->stage = s->timed = stage;
    arcl_status status = stage_is_wanted(s, stage) ? run_stage(s, error) : ARCL_SUCCESS;
    s->stage_nanoseconds[stage] += clock_of_thread() - begun;
    return status;
}

static arcl_status take_turn(search_state *s, arcl_error *error) {
    arcl_search_stage stage = s->donors_done ? stage_next(s) : ARCL_SEARCH_DONORS;
    if (stage < ARCL_SEARCH_STAGE_COUNT) {
        s->turn = stage;
        PROPAGATE(run_timed(s, stage, error));
    }
    s->donors_done = 1;
    PROPAGATE(run_timed(s, ARCL_SEARCH_STACKS, error));
    s->is_over = stage == ARCL_SEARCH_STAGE_COUNT;
    return ARCL_SUCCESS;
}

arcl_status arcl_search_run(arcl_search *s, uint64_t candidates, arcl_error *error) {
    error_clear(error);
    NEED(s);
    while (s->candidates < candidates && !s->is_over) PROPAGATE(take_turn(s, error));
    return error_settle(error, ARCL_SUCCESS);
}

arcl_status arcl_search_propose(arcl_search *s, const arcl_tree *const *trees, int count, arcl_search_score *scores,
                                arcl_error *error) {
    error_clear(error);
    NEED(s);
    if (count > 0) NEED(trees);
    s->stage = s->turn = ARCL_SEARCH_PROPOSALS;
    for (int i = 0; i < count; i++) {
        NEED(trees[i]);
        PROPAGATE(answers_try(s, trees[i], scores ? &scores[i] : NULL, error));
        s->candidates++;
        s->stage_candidates[s->stage]++;
    }
    return ARCL_SUCCESS;
}

/* ---- what it has found ---- */

arcl_search_progress arcl_search_progress_get(const arcl_search *s) {
    arcl_search_progress p = {0};
    for (int i = 0; i < ARCL_SEARCH_STAGE_COUNT; i++) p.stage[i].name = arcl_search_stage_name((arcl_search_stage)i);
    if (!s) return p;
    p.candidates = s->candidates;
    p.distinct = s->distinct;
    p.is_over = s->is_over;
    for (int i = 0; i < ARCL_SEARCH_STAGE_COUNT; i++) {
        p.stage[i].candidates = s->stage_candidates[i];
        p.stage[i].answers = s->stage_answers[i];
        p.stage[i].seconds = 1e-9 * (double)s->stage_nanoseconds[i];
    }
    p.solved = s->solved;
    if (s->answers.count) {
        p.examples = s->answers.at[0].examples;
        p.cells = s->answers.at[0].cells;
    }
    return p;
}

int arcl_search_answers(const arcl_search *s) { return s ? s->answers.count : 0; }

arcl_search_answer arcl_search_answer_get(const arcl_search *s, int index) {
    if (!s || index < 0 || index >= s->answers.count) return (arcl_search_answer){0};
    const answer *a = &s->answers.at[index];
    return (arcl_search_answer){.tree = a->tree,
                                .examples = a->examples,
                                .cells = a->cells,
                                .calls = a->calls,
                                .agreeing = a->agreeing,
                                .stage = a->stage,
                                .outputs = a->outputs};
}
