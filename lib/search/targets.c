#include "search/targets.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "search/lane_hash.h"

#define MAX_DEPTH 2
#define MAX_TARGETS 200

/* Ways from a grid to the next, and how they are undone: what that yields is a target if the way leads back. */
static const struct {
    const char *way, *undone;
} ways[] = {
    {"hmirror(a)", "hmirror(a)"},
    {"vmirror(a)", "vmirror(a)"},
    {"dmirror(a)", "dmirror(a)"},
    {"cmirror(a)", "cmirror(a)"},
    {"rot90(a)", "rot270(a)"},
    {"rot180(a)", "rot180(a)"},
    {"rot270(a)", "rot90(a)"},
    {"upscale(a, 2)", "downscale(a, 2)"},
    {"upscale(a, 3)", "downscale(a, 3)"},
    {"upscale(a, 4)", "downscale(a, 4)"},
    {"upscale(a, 5)", "downscale(a, 5)"},
    {"downscale(a, 2)", "upscale(a, 2)"},
    {"downscale(a, 3)", "upscale(a, 3)"},
    {"downscale(a, 4)", "upscale(a, 4)"},
    {"hconcat(a, a)", "lefthalf(a)"},
    {"vconcat(a, a)", "tophalf(a)"},
    {"hconcat(a, vmirror(a))", "lefthalf(a)"},
    {"hconcat(vmirror(a), a)", "righthalf(a)"},
    {"vconcat(a, hmirror(a))", "tophalf(a)"},
    {"vconcat(hmirror(a), a)", "bottomhalf(a)"},
    {"hconcat(hconcat(a, a), a)", "first(hsplit(a, 3))"},
    {"vconcat(vconcat(a, a), a)", "first(vsplit(a, 3))"},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* The programs of the ways and of undoing them, and the grids that were reached. */
typedef struct undoing {
    search_state *search;
    arcl_program *way[WAYS], *undone[WAYS];
    arcl_batch **grids; /* of each target, its train lanes */
} undoing;

static arcl_status parse_way(search_state *s, const char *body, arcl_tree **tree, arcl_program **program,
                             arcl_error *error) {
    static const char *const grid_type[] = {"grid"};
    arcl_compile_options options = {.types = grid_type, .type_count = 1};
    char text[512];
    arcl_source *source;
    int n = snprintf(text, sizeof text, "def f(a):\n    return %s\n", body);
    PROPAGATE(arcl_source_parse_dialect(s->context, text, (size_t)n, "way", ARCL_ARC_DSL, &source, error));
    arcl_status status = arcl_tree_from_source(s->context, source, 0, tree, error);
    arcl_source_free(source);
    return status == ARCL_SUCCESS ? arcl_tree_compile(s->context, *tree, &options, program, error) : status;
}

static arcl_status parse_ways(search_state *s, target_set *t, undoing *u, arcl_error *error) {
    t->finish = calloc(WAYS, sizeof *t->finish);
    if (!t->finish) return NO_MEMORY(error);
    t->finishes = WAYS;
    for (int i = 0; i < WAYS; i++) {
        arcl_tree *undone = NULL;
        arcl_status status = parse_way(s, ways[i].way, &t->finish[i], &u->way[i], error);
        if (status == ARCL_SUCCESS) status = parse_way(s, ways[i].undone, &undone, &u->undone[i], error);
        arcl_tree_free(undone);
        PROPAGATE(status);
    }
    return ARCL_SUCCESS;
}

/* Runs a program over train lanes: its key; 0 if one has failed or is no grid that tasks have. */
static arcl_status run_lanes(search_state *s, const arcl_program *program, const arcl_batch *grids, uint64_t *key,
                             arcl_result **result, arcl_error *error) {
    PROPAGATE(arcl_run(s->context, program, grids, result, error));
    *key = 0;
    for (int i = 0; i < s->train; i++) {
        if (arcl_result_status(*result, (uint32_t)i) != ARCL_OK ||
            !arcl_result_grid(*result, (uint32_t)i, NULL, NULL)) {
            *key = 0;
            return ARCL_SUCCESS;
        }
        arcl_value v = arcl_result_value(*result, (uint32_t)i);
        *key = key_fold(*key, lane_hash(v.storage, v.type, v.word));
    }
    return ARCL_SUCCESS;
}

static arcl_status add_target(undoing *u, target_set *t, goal_grid made, arcl_batch *grids, arcl_error *error) {
    u->grids[t->count] = grids;
    t->at[t->count] = made;
    return key_table_put(&t->known, made.key, t->count++, error);
}

/* Undoes one way from a target, and takes it if the way leads back. */
static arcl_status undo(undoing *u, target_set *t, uint32_t from, int way, arcl_error *error) {
    search_state *s = u->search;
    arcl_result *undone = NULL, *back = NULL;
    arcl_batch *grids = NULL;
    uint32_t lanes[ARCL_SEARCH_INPUTS];
    uint64_t key, key_back = 0;
    for (uint32_t i = 0; i < ARCL_SEARCH_INPUTS; i++) lanes[i] = i;
    arcl_status status = run_lanes(s, u->undone[way], u->grids[from], &key, &undone, error);
    int is_new = status == ARCL_SUCCESS && key && key_table_find(&t->known, key) == KEY_ABSENT;
    arcl_column column = {.result = undone, .lanes = lanes};
    if (is_new) status = arcl_batch_gather(s->context, &column, 1, (uint32_t)s->train, &grids, error);
    if (grids) status = run_lanes(s, u->way[way], grids, &key_back, &back, error);
    arcl_result_free(undone);
    arcl_result_free(back);
    if (status == ARCL_SUCCESS && grids && key_back == t->at[from].key)
        return add_target(u, t, (goal_grid){key, way, from, t->at[from].depth + 1}, grids, error);
    arcl_batch_free(grids);
    return status;
}

static arcl_status find_targets(undoing *u, target_set *t, arcl_error *error) {
    search_state *s = u->search;
    uint64_t key = 0;
    arcl_batch *grids;
    PROPAGATE(arcl_batch_create(s->context, "grid", &grids, error));
    u->grids[0] = grids;
    for (int i = 0; i < s->train; i++) {
        PROPAGATE(arcl_batch_add_value(grids, lane_value(&s->bank.lanes, s->expected[i]), error));
        key = key_fold(key, s->bank.lanes.lane[s->expected[i]].fingerprint);
    }
    PROPAGATE(add_target(u, t, (goal_grid){key, -1, 0, 0}, grids, error));
    if (s->dialect != ARCL_ARC_DSL || !stage_is_wanted(s, ARCL_SEARCH_GOALS)) return ARCL_SUCCESS;
    PROPAGATE(parse_ways(s, t, u, error));
    for (uint32_t n = 0; n < t->count && t->at[n].depth < MAX_DEPTH; n++)
        for (int way = 0; way < WAYS && t->count < MAX_TARGETS; way++) PROPAGATE(undo(u, t, n, way, error));
    return ARCL_SUCCESS;
}

arcl_status targets_create(search_state *s, target_set *t, arcl_error *error) {
    undoing u = {.search = s, .grids = calloc(MAX_TARGETS, sizeof *u.grids)};
    t->at = calloc(MAX_TARGETS, sizeof *t->at);
    arcl_status status = u.grids && t->at ? find_targets(&u, t, error) : NO_MEMORY(error);
    for (uint32_t i = 0; u.grids && i < MAX_TARGETS; i++) arcl_batch_free(u.grids[i]);
    free(u.grids);
    for (int i = 0; i < WAYS; i++) {
        arcl_program_free(u.way[i]);
        arcl_program_free(u.undone[i]);
    }
    return status;
}

void targets_free(target_set *t) {
    for (int i = 0; i < t->finishes; i++) arcl_tree_free(t->finish[i]);
    free(t->finish);
    free(t->at);
    key_table_free(&t->known);
}

arcl_status targets_finish(const target_set *t, uint32_t number, arcl_tree *tree, arcl_operand *operand,
                           arcl_error *error) {
    for (; t->at[number].finish >= 0; number = t->at[number].before)
        PROPAGATE(tree_add_pattern(tree, t->finish[t->at[number].finish], operand, operand, error));
    return ARCL_SUCCESS;
}
