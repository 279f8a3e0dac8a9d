/* Every public function with what it is not meant for: indices out of range, NULL for objects, texts and places, and
 * NULL for all that is optional. By the rules at the head of arcl.h: a function that returns a status refuses, the
 * others give an empty answer. */
#include <greatest.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "support/synthetic_profile.h"

static const int wrong[] = {-1, 1000, INT_MAX, INT_MIN};
enum { WRONG = sizeof wrong / sizeof *wrong };

static const char text[] = "def a(I):\n    return rot90(I)\ndef b(I):\n    return objects(I, T, F, F)\n"
                           "def c(I):\n    return nothing(I)\n";
static const signed char cells[] = {1, 2, 3, 4, 5, 6};

static struct {
    arcl_context *context;
    arcl_source *source;
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
    arcl_profile *profile;
    arcl_plan *plan;
} have;

/* Refused with a sentence; and the same without a place for it. */
#define REFUSES(call)                                                                                                  \
    do {                                                                                                               \
        arcl_error why = {{0}}, *error = &why;                                                                         \
        ASSERT_EQm(#call, ARCL_INVALID, call);                                                                         \
        ASSERTm(#call, *why.message);                                                                                  \
        error = NULL;                                                                                                  \
        ASSERT_EQm(#call, ARCL_INVALID, call);                                                                         \
    } while (0)

#define ACCEPTS(call) ASSERT_EQm(#call, ARCL_SUCCESS, call)

TEST general(void) {
    ASSERT_STR_EQ("?", arcl_lane_status_name((arcl_lane_status)99));
    ASSERT_STR_EQ("?", arcl_lane_status_meaning((arcl_lane_status)-1));
    for (int i = 0; i < WRONG; i++) {
        arcl_op_info op = arcl_op_get(wrong[i]);
        ASSERT_STR_EQ("", op.name);
        ASSERT_STR_EQ("", op.meaning);
    }
    ASSERT_STR_EQ("", arcl_op_get(arcl_op_count()).family);
    ASSERT(arcl_name_distance(NULL, "a") > 0 && arcl_name_distance("a", NULL) > 0);
    ASSERT_FALSE(arcl_name_is_near(NULL, "a") || arcl_name_is_near("a", NULL));
    PASS();
}

TEST contexts_and_devices(void) {
    arcl_device_info info;
    arcl_context *none = NULL;
    REFUSES(arcl_context_create(NULL, NULL, error));
    for (int i = 0; i < WRONG; i++)
        if (wrong[i] < 0 || wrong[i] > ARCL_MAX_THREADS)
            REFUSES(arcl_context_create(&(arcl_options){.threads = wrong[i]}, &none, error));
    arcl_context_free(NULL);
    ASSERT_EQ(0, arcl_context_threads(NULL));
    arcl_parallel(NULL, 3, NULL, NULL);
    arcl_parallel(have.context, 3, NULL, NULL);
    ASSERT_EQ(0, arcl_device_count(NULL));
    REFUSES(arcl_device_get(NULL, 0, &info, error));
    REFUSES(arcl_device_get(have.context, 0, NULL, error));
    for (int i = 0; i < WRONG; i++) REFUSES(arcl_device_get(have.context, wrong[i], &info, error));
    PASS();
}

TEST sources(void) {
    arcl_source *source = NULL;
    char buf[8] = "x", *made = NULL;
    arcl_key key;
    REFUSES(arcl_source_parse(NULL, text, 3, "t", &source, error));
    REFUSES(arcl_source_parse(have.context, NULL, 3, "t", &source, error));
    REFUSES(arcl_source_parse(have.context, text, 3, "t", NULL, error));
    ACCEPTS(arcl_source_parse(have.context, NULL, 0, NULL, &source, NULL));
    ASSERT_EQ(0, arcl_source_count(source));
    arcl_source_free(source);
    arcl_source_free(NULL);
    ASSERT_EQ(0, arcl_source_count(NULL));
    ASSERT_STR_EQ("", arcl_source_name(NULL, 0, buf, sizeof buf));
    ASSERT_FALSE(arcl_source_is_battery(NULL, 0));
    ASSERT_STR_EQ("", arcl_source_describe(NULL, 0).id);
    ASSERT_EQ(ARCL_SOLVER, arcl_source_describe(have.source, 0).kind);
    ASSERT_STR_EQ("", arcl_source_describe(have.source, 0).differ);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_STR_EQ("", arcl_source_name(have.source, wrong[i], buf, sizeof buf));
        ASSERT_FALSE(arcl_source_is_battery(have.source, wrong[i]));
        ASSERT_EQ(ARCL_SOLVER, arcl_source_describe(have.source, wrong[i]).kind);
        ASSERT_STR_EQ("", arcl_source_describe(have.source, wrong[i]).id);
        REFUSES(arcl_source_format(have.context, have.source, wrong[i], 0, &made, NULL, error));
        REFUSES(arcl_source_key(have.context, have.source, wrong[i], &key, error));
        REFUSES(arcl_source_check(have.source, wrong[i], error));
    }
    arcl_source_name(have.source, 0, buf, 1);
    ASSERT_STR_EQ("", buf);
    arcl_source_name(have.source, 0, NULL, 0);
    ACCEPTS(arcl_source_format(have.context, have.source, 0, 1, &made, NULL, NULL));
    arcl_text_free(made);
    arcl_text_free(NULL);
    REFUSES(arcl_source_translate(NULL, have.source, 0, ARCL_TOKPIDJIN, 0, &made, NULL, error));
    REFUSES(arcl_source_translate(have.context, NULL, 0, ARCL_TOKPIDJIN, 0, &made, NULL, error));
    REFUSES(arcl_source_translate(have.context, have.source, -1, ARCL_TOKPIDJIN, 0, &made, NULL, error));
    REFUSES(arcl_source_translate(have.context, have.source, 0, ARCL_TOKPIDJIN, 0, NULL, NULL, error));
    REFUSES(arcl_source_translate(have.context, have.source, 0, (arcl_dialect)3, 0, &made, NULL, error));
    REFUSES(arcl_source_format(NULL, have.source, 0, 0, &made, NULL, error));
    REFUSES(arcl_source_format(have.context, NULL, 0, 0, &made, NULL, error));
    REFUSES(arcl_source_format(have.context, have.source, 0, 0, NULL, NULL, error));
    REFUSES(arcl_source_key(NULL, have.source, 0, &key, error));
    REFUSES(arcl_source_check(NULL, 0, error));
    REFUSES(arcl_source_check(have.source, 2, error)); /* which calls a name that is no op */
    ACCEPTS(arcl_source_check(have.source, 1, NULL));
    REFUSES(arcl_source_key(have.context, NULL, 0, &key, error));
    REFUSES(arcl_source_key(have.context, have.source, 0, NULL, error));
    PASS();
}

TEST trees(void) {
    arcl_tree *tree = NULL, *copy = NULL;
    arcl_operand I = {ARCL_OPERAND_PARAMETER, 0, 0}, turn = arcl_operand_op(ARCL_ARC_DSL, "rot90"), x;
    arcl_type type, given[1] = {arcl_type_parse("grid")};
    arcl_program *program;
    arcl_key key;
    char *made, buf[32];
    REFUSES(arcl_tree_create(ARCL_ARC_DSL, NULL, &tree, error));
    REFUSES(arcl_tree_create(ARCL_ARC_DSL, "I", NULL, error));
    REFUSES(arcl_tree_create((arcl_dialect)9, "I", &tree, error));
    REFUSES(arcl_tree_from_source(NULL, have.source, 0, &tree, error));
    REFUSES(arcl_tree_from_source(have.context, NULL, 0, &tree, error));
    REFUSES(arcl_tree_from_source(have.context, have.source, 0, NULL, error));
    REFUSES(arcl_tree_from_source(have.context, have.source, 2, &tree, error));
    ACCEPTS(arcl_tree_from_source(have.context, have.source, 0, &tree, NULL));
    REFUSES(arcl_tree_copy(NULL, &copy, error));
    REFUSES(arcl_tree_copy(tree, NULL, error));
    for (int i = 0; i < WRONG; i++) {
        arcl_operand wrong_line = {ARCL_OPERAND_LINE, wrong[i], 0}, no_op = {ARCL_OPERAND_OP, wrong[i], 0};
        REFUSES(arcl_tree_from_source(have.context, have.source, wrong[i], &copy, error));
        ASSERT_EQ(NULL, arcl_tree_line_get(tree, wrong[i]).arguments);
        if (wrong[i] < 0 || wrong[i] > ARCL_TREE_ARGUMENTS) /* of fewer, there would have to be as many */
            REFUSES(arcl_tree_add(tree, &turn, &I, wrong[i], &x, error));
        REFUSES(arcl_tree_add(tree, &turn, &wrong_line, 1, &x, error));
        REFUSES(arcl_tree_add(tree, &no_op, &I, 1, &x, error));
        REFUSES(arcl_tree_insert(tree, wrong[i], &turn, &I, 1, error));
        REFUSES(arcl_tree_set(tree, wrong[i], 0, I, error));
        if (wrong[i] != ARCL_TREE_CALLEE) REFUSES(arcl_tree_set(tree, 0, wrong[i], turn, error));
        REFUSES(arcl_tree_set_result(tree, wrong_line, error));
        REFUSES(arcl_tree_remove(tree, wrong[i], I, error));
        ASSERT_EQ(ARCL_TYPE_FAILS, arcl_type_of_op(ARCL_ARC_DSL, wrong[i]));
        REFUSES(arcl_op_type(have.context, ARCL_ARC_DSL, wrong[i], 1, given, &type, error));
        ACCEPTS(arcl_op_type(have.context, ARCL_ARC_DSL, turn.number, wrong[i], given, &type, NULL));
        ASSERT_EQ(ARCL_TYPE_FAILS, type);
    }
    ACCEPTS(arcl_tree_copy(tree, &copy, NULL));
    for (int i = 0; i < WRONG; i++) {
        REFUSES(arcl_tree_graft(tree, wrong[i], copy, 0, &x, error));
        REFUSES(arcl_tree_graft(tree, 0, copy, wrong[i], &x, error));
    }
    REFUSES(arcl_tree_graft(NULL, 0, copy, 0, &x, error));
    REFUSES(arcl_tree_graft(tree, 0, NULL, 0, &x, error));
    REFUSES(arcl_tree_graft(tree, 0, copy, 0, NULL, error));
    REFUSES(arcl_tree_add(NULL, &turn, &I, 1, &x, error));
    REFUSES(arcl_tree_add(tree, &turn, NULL, 1, &x, error));
    REFUSES(arcl_tree_add(tree, &turn, &I, 1, NULL, error));
    REFUSES(arcl_tree_insert(NULL, 0, &turn, &I, 1, error));
    REFUSES(arcl_tree_insert(tree, 0, &turn, NULL, 1, error));
    REFUSES(arcl_tree_set(NULL, 0, 0, I, error));
    REFUSES(arcl_tree_set_result(NULL, I, error));
    REFUSES(arcl_tree_remove(NULL, 0, I, error));
    ASSERT_EQ(ARCL_DIALECT_AUTO, arcl_tree_dialect(NULL));
    ASSERT_STR_EQ("", arcl_tree_parameters(NULL));
    ASSERT_EQ(0, arcl_tree_lines(NULL));
    ASSERT_EQ(NULL, arcl_tree_line_get(NULL, 0).arguments);
    ASSERT_EQ(0, arcl_tree_result(NULL).number);
    ASSERT_EQ(-1, arcl_operand_op(ARCL_ARC_DSL, NULL).number);
    ASSERT_EQ(0, arcl_type_parse(NULL));
    ASSERT_STR_EQ("fails", arcl_type_text(ARCL_TYPE_FAILS, buf, sizeof buf));
    arcl_tree_prune(NULL);
    REFUSES(arcl_tree_types(NULL, tree, NULL, &type, error));
    REFUSES(arcl_tree_types(have.context, NULL, NULL, &type, error));
    REFUSES(arcl_tree_types(have.context, tree, NULL, NULL, error));
    REFUSES(arcl_op_type(NULL, ARCL_ARC_DSL, 0, 1, given, &type, error));
    REFUSES(arcl_op_type(have.context, ARCL_ARC_DSL, 0, 1, NULL, &type, error));
    REFUSES(arcl_op_type(have.context, ARCL_ARC_DSL, 0, 1, given, NULL, error));
    REFUSES(arcl_tree_key(NULL, tree, &key, error));
    REFUSES(arcl_tree_key(have.context, NULL, &key, error));
    REFUSES(arcl_tree_key(have.context, tree, NULL, error));
    REFUSES(arcl_tree_format(NULL, tree, "a", ARCL_ARC_DSL, 0, &made, NULL, error));
    REFUSES(arcl_tree_format(have.context, NULL, "a", ARCL_ARC_DSL, 0, &made, NULL, error));
    REFUSES(arcl_tree_format(have.context, tree, NULL, ARCL_ARC_DSL, 0, &made, NULL, error));
    REFUSES(arcl_tree_format(have.context, tree, "a", ARCL_ARC_DSL, 0, NULL, NULL, error));
    REFUSES(arcl_tree_format(have.context, tree, "a", (arcl_dialect)9, 0, &made, NULL, error));
    REFUSES(arcl_tree_compile(NULL, tree, NULL, &program, error));
    REFUSES(arcl_tree_compile(have.context, NULL, NULL, &program, error));
    REFUSES(arcl_tree_compile(have.context, tree, NULL, NULL, error));
    arcl_tree_free(copy);
    arcl_tree_free(tree);
    arcl_tree_free(NULL);
    PASS();
}

TEST mutators(void) {
    arcl_mutator *mutator = NULL;
    arcl_mutator_options options = {.dialect = ARCL_ARC_DSL};
    arcl_tree *tree, *mutant, *other;
    uint64_t random = 1;
    ACCEPTS(arcl_tree_from_source(have.context, have.source, 0, &tree, NULL));
    REFUSES(arcl_mutator_create(NULL, &options, &mutator, error));
    REFUSES(arcl_mutator_create(have.context, NULL, &mutator, error));
    REFUSES(arcl_mutator_create(have.context, &options, NULL, error));
    REFUSES(arcl_mutator_create(have.context, &(arcl_mutator_options){.dialect = ARCL_ARC_DSL, .rate = -0.1}, &mutator,
                                error));
    REFUSES(arcl_mutator_create(have.context, &(arcl_mutator_options){.dialect = ARCL_ARC_DSL, .rate = 1.1}, &mutator,
                                error));
    REFUSES(arcl_mutator_create(have.context, &(arcl_mutator_options){0}, &mutator, error));
    for (int i = 0; i < WRONG; i++) {
        arcl_mutator_options freezing = {.dialect = ARCL_ARC_DSL, .frozen_ops = &wrong[i], .frozen_op_count = 1};
        REFUSES(arcl_mutator_create(have.context, &freezing, &mutator, error));
        ASSERT_STR_EQ("", arcl_edit_name((arcl_edit)wrong[i]));
    }
    REFUSES(arcl_mutator_create(have.context, &(arcl_mutator_options){.dialect = ARCL_ARC_DSL, .frozen_op_count = 1},
                                &mutator, error));
    ASSERT_EQ(0, (int)arcl_edit_find(NULL));
    ACCEPTS(arcl_mutator_create(have.context, &options, &mutator, NULL));
    REFUSES(arcl_mutator_add(NULL, tree, error));
    REFUSES(arcl_mutator_add(mutator, NULL, error));
    ACCEPTS(arcl_tree_create(ARCL_TOKPIDJIN, "I", &other, NULL));
    REFUSES(arcl_mutator_add(mutator, other, error));
    REFUSES(arcl_mutator_mutate(mutator, 0, &random, &mutant, NULL, error));
    ACCEPTS(arcl_mutator_add(mutator, tree, NULL));
    ASSERT_EQ(1, arcl_mutator_parents(mutator));
    ASSERT_EQ(0, arcl_mutator_parents(NULL));
    for (int i = 0; i < WRONG; i++) REFUSES(arcl_mutator_mutate(mutator, wrong[i], &random, &mutant, NULL, error));
    REFUSES(arcl_mutator_mutate(NULL, 0, &random, &mutant, NULL, error));
    REFUSES(arcl_mutator_mutate(mutator, 0, NULL, &mutant, NULL, error));
    REFUSES(arcl_mutator_mutate(mutator, 0, &random, NULL, NULL, error));
    ACCEPTS(arcl_mutator_mutate(mutator, 0, &random, &mutant, NULL, NULL));
    arcl_tree_free(mutant);
    arcl_tree_free(other);
    arcl_tree_free(tree);
    arcl_mutator_free(mutator);
    arcl_mutator_free(NULL);
    PASS();
}

TEST libraries(void) {
    arcl_library *library = NULL;
    arcl_tree *tree;
    char *made;
    ACCEPTS(arcl_tree_from_source(have.context, have.source, 0, &tree, NULL));
    const arcl_tree *trees[2] = {tree, NULL};
    REFUSES(arcl_library_learn(NULL, trees, 1, &library, error));
    REFUSES(arcl_library_learn(have.context, NULL, 1, &library, error));
    REFUSES(arcl_library_learn(have.context, trees, 1, NULL, error));
    REFUSES(arcl_library_learn(have.context, trees, 0, &library, error));
    REFUSES(arcl_library_learn(have.context, trees, -1, &library, error));
    REFUSES(arcl_library_learn(have.context, trees, 2, &library, error));
    ACCEPTS(arcl_library_learn(have.context, trees, 1, &library, NULL));
    for (int i = 0; i < WRONG; i++) {
        ASSERT_EQ(NULL, arcl_library_pattern_get(library, wrong[i]).tree);
        ASSERT_EQ(0, arcl_library_use_get(library, wrong[i]).count);
    }
    ASSERT_EQ(NULL, arcl_library_pattern_get(NULL, 0).tree);
    ASSERT_EQ(0, arcl_library_use_get(NULL, 0).count);
    ASSERT_EQ(0, arcl_library_patterns(NULL) + arcl_library_uses(NULL) + arcl_library_programs(NULL));
    ASSERT_EQ(ARCL_DIALECT_AUTO, arcl_library_dialect(NULL));
    REFUSES(arcl_library_write(NULL, library, &made, NULL, error));
    REFUSES(arcl_library_write(have.context, NULL, &made, NULL, error));
    REFUSES(arcl_library_write(have.context, library, NULL, NULL, error));
    arcl_library_free(library);
    arcl_library_free(NULL);
    REFUSES(arcl_library_read(NULL, "{}", 2, NULL, &library, error));
    REFUSES(arcl_library_read(have.context, NULL, 2, NULL, &library, error));
    REFUSES(arcl_library_read(have.context, "{}", 2, NULL, NULL, error));
    REFUSES(arcl_library_read(have.context, "{}", 2, NULL, &library, error));
    arcl_tree_free(tree);
    PASS();
}

TEST programs(void) {
    arcl_program *program = NULL, *programs[3];
    const char *types[] = {NULL, "grid"};
    char buf[32];
    for (int i = 0; i < WRONG; i++) {
        REFUSES(arcl_program_compile(have.context, have.source, wrong[i], NULL, &program, error));
        ASSERT_STR_EQ("", arcl_program_parameter_type(have.program, wrong[i], buf, sizeof buf));
    }
    REFUSES(arcl_program_compile(NULL, have.source, 0, NULL, &program, error));
    REFUSES(arcl_program_compile(have.context, NULL, 0, NULL, &program, error));
    REFUSES(arcl_program_compile(have.context, have.source, 0, NULL, NULL, error));
    for (int count = -1; count < 3; count++) {
        arcl_compile_options options = {.types = types, .type_count = count};
        REFUSES(arcl_program_compile(have.context, have.source, 0, &options, &program, error));
        ASSERT_EQ(NULL, program);
    }
    ASSERT_EQ(1, arcl_source_compile(have.context, have.source, NULL, programs, NULL));
    for (int i = 0; i < 3; i++) arcl_program_free(programs[i]);
    ASSERT_EQ(0, arcl_source_compile(have.context, NULL, NULL, programs, NULL));
    arcl_program_free(NULL);
    ASSERT_EQ(0, arcl_program_steps(NULL) + arcl_program_parameters(NULL));
    ASSERT_STR_EQ("", arcl_program_parameter_type(NULL, 0, buf, sizeof buf));
    ASSERT_STR_EQ("", arcl_program_result_type(NULL, buf, sizeof buf));
    arcl_program_result_type(have.program, NULL, 0);
    PASS();
}

TEST batches(void) {
    arcl_batch *batch = NULL;
    static const char *const bad[] = {"", " ", "nothing", "grid grid grid grid grid", "{", "[[[["};
    REFUSES(arcl_batch_create(NULL, "grid", &batch, error));
    REFUSES(arcl_batch_create(have.context, NULL, &batch, error));
    REFUSES(arcl_batch_create(have.context, "grid", NULL, error));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSES(arcl_batch_create(have.context, bad[i], &batch, error));
    arcl_batch_free(NULL);
    ASSERT_EQ(0, arcl_batch_lanes(NULL));
    REFUSES(arcl_batch_add_grid(NULL, 1, 1, cells, error));
    REFUSES(arcl_batch_add_int(NULL, 1, error));
    REFUSES(arcl_batch_open(NULL, error));
    REFUSES(arcl_batch_close(NULL, error));
    ACCEPTS(arcl_batch_create(have.context, "grid", &batch, NULL));
    REFUSES(arcl_batch_add_grid(batch, 1, 1, NULL, error));
    for (int i = 0; i < WRONG; i++) {
        REFUSES(arcl_batch_add_grid(batch, wrong[i], INT_MAX, cells, error));
        REFUSES(arcl_batch_add_grid(batch, INT_MAX, wrong[i], cells, error));
    }
    REFUSES(arcl_batch_add_grids(NULL, 1, 1, 1, cells, 1, 1, error));
    REFUSES(arcl_batch_add_grids(batch, 1, 1, 1, NULL, 1, 1, error));
    for (int i = 0; i < WRONG; i++) REFUSES(arcl_batch_add_grids(batch, 1, wrong[i], INT_MAX, cells, 1, 1, error));
    ACCEPTS(arcl_batch_add_grids(batch, 0, 9, 9, NULL, 1, 1, NULL));
    ASSERT_EQ(0, arcl_batch_lanes(batch));
    ASSERT_EQ(ARCL_NO_MEMORY, arcl_batch_add_grids(batch, UINT32_MAX, 30, 30, cells, 0, 0, NULL));
    REFUSES(arcl_batch_close(batch, error));
    REFUSES(arcl_batch_add_int(batch, 1, error));
    ACCEPTS(arcl_batch_add_grid(batch, 0, 0, NULL, NULL));
    ASSERT_EQ(1, arcl_batch_lanes(batch));
    REFUSES(arcl_batch_add_value(NULL, arcl_result_value(have.result, 0), error));
    REFUSES(arcl_batch_add_value(batch, arcl_result_value(NULL, 0), error));
    arcl_batch_free(batch);
    PASS();
}

TEST searches(void) {
    arcl_search *search = NULL;
    arcl_grid grid = {2, 3, cells}, tries[ARCL_SEARCH_ATTEMPTS], grids[] = {grid, grid};
    arcl_search_task task = {1, 1, grids, grids};
    arcl_search_options no_donors = {.donor_count = 1}, fewer = {.donor_count = -1};
    const arcl_tree *const none[] = {NULL};
    REFUSES(arcl_search_create(NULL, &task, NULL, &search, error));
    REFUSES(arcl_search_create(have.context, NULL, NULL, &search, error));
    REFUSES(arcl_search_create(have.context, &task, NULL, NULL, error));
    REFUSES(arcl_search_create(have.context, &task, &no_donors, &search, error));
    REFUSES(arcl_search_create(have.context, &task, &fewer, &search, error));
    REFUSES(arcl_search_run(NULL, 1, error));
    REFUSES(arcl_search_propose(NULL, none, 1, NULL, error));
    ACCEPTS(arcl_search_create(have.context, &task, NULL, &search, NULL));
    REFUSES(arcl_search_propose(search, NULL, 1, NULL, error));
    REFUSES(arcl_search_propose(search, none, 1, NULL, error));
    ACCEPTS(arcl_search_run(search, 10, NULL));
    ASSERT_EQ(1, arcl_search_attempts(search, 0, tries)); /* the input is the output */
    ASSERT_EQ(0, arcl_search_attempts(search, 0, NULL));
    ASSERT_EQ(0, arcl_search_attempts(NULL, 0, tries));
    for (int i = 0; i < WRONG; i++) {
        ASSERT_EQ(0, arcl_search_attempts(search, wrong[i], tries));
        ASSERT_EQ(NULL, arcl_search_answer_get(search, wrong[i]).tree);
        ASSERT_STR_EQ("", arcl_search_stage_name((arcl_search_stage)wrong[i]));
        ASSERT_STR_EQ("", arcl_search_stage_meaning((arcl_search_stage)wrong[i]));
    }
    ASSERT_EQ(0, arcl_search_answers(NULL));
    ASSERT_EQ(NULL, arcl_search_answer_get(NULL, 0).tree);
    ASSERT_EQ(0, arcl_search_progress_get(NULL).candidates);
    arcl_search_free(search);
    arcl_search_free(NULL);
    PASS();
}

TEST gathering(void) {
    arcl_batch *batch = NULL;
    uint32_t lanes[] = {0};
    arcl_column good = {.batch = have.batch, .lanes = lanes}, empty = {.lanes = lanes},
                no_lanes = {.batch = have.batch};
    REFUSES(arcl_batch_gather(NULL, &good, 1, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, NULL, 1, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, &good, 1, 1, NULL, error));
    REFUSES(arcl_batch_gather(have.context, &good, 0, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, &empty, 1, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, &no_lanes, 1, 1, &batch, error));
    for (int i = 0; i < WRONG; i++) {
        arcl_column off = {.batch = have.batch, .argument = wrong[i], .lanes = lanes};
        REFUSES(arcl_batch_gather(have.context, &off, 1, 1, &batch, error));
        REFUSES(arcl_batch_gather(have.context, &good, wrong[i], 1, &batch, error));
    }
    lanes[0] = UINT32_MAX;
    REFUSES(arcl_batch_gather(have.context, &good, 1, 1, &batch, error));
    ACCEPTS(arcl_batch_gather(have.context, &good, 1, 0, &batch, NULL));
    ASSERT_EQ(0, arcl_batch_lanes(batch));
    arcl_batch_free(batch);
    PASS();
}

TEST runs(void) {
    arcl_result *result = NULL;
    const arcl_program *const programs[] = {have.program}, *const no_programs[] = {NULL};
    const arcl_batch *const list[] = {have.batch}, *const no_batches[] = {NULL};
    REFUSES(arcl_run(NULL, have.program, have.batch, &result, error));
    REFUSES(arcl_run(have.context, NULL, have.batch, &result, error));
    REFUSES(arcl_run(have.context, have.program, NULL, &result, error));
    REFUSES(arcl_run(have.context, have.program, have.batch, NULL, error));
    REFUSES(arcl_run_many(have.context, 1, NULL, list, &result, error));
    REFUSES(arcl_run_many(have.context, 1, programs, NULL, &result, error));
    REFUSES(arcl_run_many(have.context, 1, no_programs, list, &result, error));
    REFUSES(arcl_run_many(have.context, 1, programs, no_batches, &result, error));
    for (int count = -1; count < 1; count++) {
        ACCEPTS(arcl_run_many(have.context, count, NULL, NULL, NULL, NULL));
        ACCEPTS(arcl_score_many(have.context, count, NULL, NULL, NULL, 0, NULL, NULL));
    }
    REFUSES(arcl_score_many(NULL, 1, programs, list, NULL, 0, &result, error));
    ACCEPTS(arcl_score_many(have.context, 1, programs, list, no_batches, 0, &result, NULL));
    ASSERT_EQ(ARCL_NONE, arcl_value_kind(arcl_result_value(result, 0))); /* the outputs were not kept */
    arcl_result_free(result);
    arcl_result_free(NULL);
    PASS();
}

/* Whatever a value is, what it has not is none. */
static int has_no_more(arcl_value value) {
    uint32_t count = arcl_value_count(value);
    int none = arcl_value_kind(arcl_value_item(value, count)) == ARCL_NONE &&
               arcl_value_kind(arcl_value_item(value, UINT32_MAX)) == ARCL_NONE;
    for (uint32_t i = 0; i < count; i++) none &= has_no_more(arcl_value_item(value, i));
    return none;
}

TEST results(void) {
    const uint32_t lanes[] = {1, 2, INT_MAX, UINT32_MAX};
    const arcl_result *const both[] = {have.result, NULL};
    int h = 1, w = 1;
    ASSERT_EQ(1, arcl_result_lanes(have.result));
    ASSERT_EQ(0, arcl_result_lanes(NULL));
    for (int n = 0; n < 2; n++)
        for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
            ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_status(both[n], lanes[i]));
            ASSERT_EQ(0, arcl_result_failures(both[n], lanes[i]));
            ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_score(both[n], lanes[i]).status);
            ASSERT_EQ(ARCL_NONE, arcl_value_kind(arcl_result_value(both[n], lanes[i])));
            ASSERT_EQ(NULL, arcl_result_grid(both[n], lanes[i], &h, &w));
            ASSERT_EQ(0, h + w);
        }
    ASSERT(arcl_result_grid(have.result, 0, NULL, NULL));
    ASSERT_EQ(0, arcl_result_score(have.result, 0).words);
    ASSERT(has_no_more(arcl_result_value(have.result, 0)));
    ASSERT(has_no_more(arcl_result_value(NULL, 0)));
    PASS();
}

TEST values_of_every_kind(void) {
    static const char all[] = "def a(I):\n    return objects(I, T, F, F)\ndef b(I):\n    return shape(I)\n"
                              "def c(I):\n    return square(I)\ndef d(I):\n    return numcolors(I)\n"
                              "def e(I):\n    return fork(astuple, shape, size)(ofcolor(I, ONE))\n";
    arcl_source *source;
    ACCEPTS(arcl_source_parse(have.context, all, sizeof all - 1, "all", &source, NULL));
    for (int i = 0; i < arcl_source_count(source); i++) {
        arcl_program *program;
        arcl_result *result;
        ACCEPTS(arcl_program_compile(have.context, source, i, NULL, &program, NULL));
        ACCEPTS(arcl_run(have.context, program, have.batch, &result, NULL));
        ASSERT(has_no_more(arcl_result_value(result, 0)));
        arcl_result_free(result);
        arcl_program_free(program);
    }
    arcl_source_free(source);
    PASS();
}

TEST accumulators(void) {
    arcl_accumulator *a = NULL;
    arcl_ticket ticket;
    arcl_batch *batch;
    arcl_result *result;
    REFUSES(arcl_accumulator_create(NULL, NULL, &a, error));
    REFUSES(arcl_accumulator_create(have.context, NULL, NULL, error));
    ACCEPTS(arcl_accumulator_create(have.context, NULL, &a, NULL));
    ACCEPTS(arcl_batch_create(have.context, "grid", &batch, NULL));
    REFUSES(arcl_accumulator_submit(NULL, have.program, batch, &ticket, error));
    REFUSES(arcl_accumulator_submit(a, NULL, batch, &ticket, error));
    REFUSES(arcl_accumulator_submit(a, have.program, NULL, &ticket, error));
    REFUSES(arcl_accumulator_submit(a, have.program, batch, NULL, error));
    arcl_batch_free(batch);
    ASSERT_EQ(-1, arcl_accumulator_poll(a, 0));
    ASSERT_EQ(-1, arcl_accumulator_poll(a, UINT64_MAX));
    ASSERT_EQ(-1, arcl_accumulator_poll(NULL, 1));
    REFUSES(arcl_accumulator_take(a, 0, &result, error));
    REFUSES(arcl_accumulator_take(a, 1, NULL, error));
    REFUSES(arcl_accumulator_take(NULL, 1, &result, error));
    arcl_accumulator_flush(NULL);
    arcl_accumulator_close(NULL);
    ASSERT_EQ(0, arcl_accumulator_report_get(NULL).submissions);
    arcl_accumulator_free(a);
    arcl_accumulator_free(NULL);
    PASS();
}

TEST similarity(void) {
    arcl_grid grid = {2, 3, cells}, hollow = {2, 3, NULL}, negative = {-1, 3, cells};
    uint32_t common = 0;
    REFUSES(arcl_similarity(NULL, NULL, &grid, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, NULL, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &grid, 1, NULL, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &grid, 1, &grid, 1, NULL, NULL, error));
    REFUSES(arcl_similarity(have.context, "another", &grid, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &hollow, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &grid, 1, &negative, 1, &common, NULL, error));
    ACCEPTS(arcl_similarity(have.context, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL));
    ACCEPTS(arcl_similarity(have.context, NULL, NULL, 0, &grid, 1, NULL, NULL, NULL));
    ACCEPTS(arcl_similarity(have.context, NULL, &grid, 1, NULL, 0, NULL, NULL, NULL));
    ACCEPTS(arcl_similarity(have.context, NULL, &grid, 1, &grid, 1, &common, NULL, NULL));
    ASSERT_EQ(6, common);
    PASS();
}

TEST profiles(void) {
    arcl_profile *profile = NULL;
    char buf[64] = "x";
    REFUSES(arcl_profile_create(NULL, error));
    REFUSES(arcl_profile_load(NULL, &profile, error));
    REFUSES(arcl_profile_load("/nonexistent", NULL, error));
    REFUSES(arcl_profile_load("/nonexistent", &profile, error));
    REFUSES(arcl_profile_load("/", &profile, error));
    REFUSES(arcl_profile_save(NULL, "/nonexistent/x", error));
    REFUSES(arcl_profile_save(have.profile, NULL, error));
    REFUSES(arcl_profile_save(have.profile, "", error));
    arcl_profile_free(NULL);
    arcl_profile_finish(NULL);
    arcl_profile_default_path(buf, 1);
    ASSERT_STR_EQ("", buf);
    arcl_profile_default_path(NULL, 0);
    ASSERT_STR_EQ("", arcl_profile_notice(NULL));
    ASSERT_FALSE(arcl_profile_has_case(NULL, "host", "a") || arcl_profile_has_case(have.profile, NULL, "a") ||
                 arcl_profile_has_case(have.profile, "host", NULL) || arcl_profile_has_case(have.profile, "cl:9", "a"));
    REFUSES(arcl_profile_add_case(NULL, "host", "a", error));
    REFUSES(arcl_profile_add_case(have.profile, NULL, "a", error));
    REFUSES(arcl_profile_add_case(have.profile, "host", NULL, error));
    REFUSES(arcl_profile_add_case(have.profile, "cl:9", "a", error));
    REFUSES(arcl_profile_measure_device(NULL, have.context, "host", error));
    REFUSES(arcl_profile_measure_device(have.profile, NULL, "host", error));
    REFUSES(arcl_profile_measure_device(have.profile, have.context, NULL, error));
    REFUSES(arcl_profile_measure(NULL, have.context, "host", have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, NULL, "host", have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, have.context, NULL, have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, have.context, "host", NULL, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, have.context, "host", have.program, NULL, 0, error));
    REFUSES(arcl_profile_measure_simulated(NULL, have.context, "host", have.program, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, NULL, "host", have.program, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, NULL, have.program, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, "host", NULL, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, "host", have.program, NULL, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, "host", have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure_similarity(NULL, have.context, "host", 1, error));
    REFUSES(arcl_profile_measure_similarity(have.profile, NULL, "host", 1, error));
    REFUSES(arcl_profile_measure_similarity(have.profile, have.context, NULL, 1, error));
    ASSERT_STR_EQ("", arcl_profile_mismatch(NULL, have.context, buf, sizeof buf));
    ASSERT_STR_EQ("", arcl_profile_mismatch(have.profile, NULL, buf, sizeof buf));
    arcl_profile_mismatch(have.profile, have.context, NULL, 0);
    PASS();
}

TEST plans(void) {
    arcl_plan *plan = NULL;
    static const uint32_t too_many[] = {2147483649u, 3000000000u, UINT32_MAX};
    REFUSES(arcl_plan_create(NULL, have.profile, have.program, NULL, 1, &plan, error));
    REFUSES(arcl_plan_create(have.context, have.profile, NULL, NULL, 1, &plan, error));
    REFUSES(arcl_plan_create(have.context, have.profile, have.program, NULL, 1, NULL, error));
    REFUSES(arcl_plan_create(have.context, NULL, have.program, NULL, 1, &plan, error)); /* which has no profile */
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++)
        REFUSES(arcl_plan_create(have.context, have.profile, have.program, NULL, too_many[i], &plan, error));
    ACCEPTS(arcl_plan_create(have.context, have.profile, have.program, NULL, 2147483648u, &plan, NULL));
    arcl_plan_free(plan);
    arcl_plan_free(NULL);
    ASSERT_STR_EQ("", arcl_plan_get(NULL).device);
    ASSERT_EQ(0, arcl_plan_devices(NULL) + arcl_plan_ops(NULL) + arcl_plan_launches(NULL));
    ASSERT_STR_EQ("", arcl_plan_device_get(NULL, 0).name);
    ASSERT_STR_EQ("", arcl_plan_op_get(NULL, 0).op);
    ASSERT_STR_EQ("", arcl_plan_launch_get(NULL, 0).kernel);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_STR_EQ("", arcl_plan_device_get(have.plan, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_plan_op_get(have.plan, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_plan_launch_get(have.plan, wrong[i]).kernel);
    }
    ASSERT_STR_EQ("", arcl_plan_op_get(have.plan, arcl_plan_ops(have.plan)).flips_to);
    PASS();
}

TEST caches_and_reports(void) {
    REFUSES(arcl_cache_enable(NULL, NULL, error));
    REFUSES(arcl_cache_flush(NULL, error));
    ACCEPTS(arcl_cache_flush(have.context, NULL));
    ASSERT_STR_EQ("", arcl_cache_notice(NULL));
    arcl_report_enable(NULL, 1);
    arcl_report_reset(NULL);
    ASSERT_EQ(0, arcl_report_count(NULL) + arcl_report_device_count(NULL) + (int)arcl_report_runs(NULL).runs);
    ASSERT_EQ(0, arcl_report_cache(NULL).enabled);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_STR_EQ("", arcl_report_get(have.context, wrong[i]).name);
        ASSERT_STR_EQ("", arcl_report_get(NULL, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_report_device(have.context, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_report_device(NULL, wrong[i]).device);
    }
    PASS();
}

TEST batteries(void) {
    arcl_battery *battery = NULL;
    arcl_battery_text written;
    arcl_result *outcome[6] = {NULL};
    arcl_definition definitions[6] = {{have.source, 0}, {have.source, 1}, {NULL, 0}};
    char buf[32];
    for (int i = 0; i < 3; i++) definitions[3 + i] = (arcl_definition){have.source, wrong[i]};
    REFUSES(arcl_battery_compile(NULL, definitions, 6, NULL, &battery, NULL, error));
    REFUSES(arcl_battery_compile(have.context, NULL, 6, NULL, &battery, NULL, error));
    REFUSES(arcl_battery_compile(have.context, definitions, 6, NULL, NULL, NULL, error));
    arcl_compile_options each[6] = {{.policy = ARCL_SAFE}};
    for (int i = 1; i < 6; i++) each[i] = each[0];
    REFUSES(arcl_battery_compile_each(NULL, definitions, each, 6, &battery, NULL, error));
    REFUSES(arcl_battery_compile_each(have.context, NULL, each, 6, &battery, NULL, error));
    REFUSES(arcl_battery_compile_each(have.context, definitions, NULL, 6, &battery, NULL, error));
    REFUSES(arcl_battery_compile_each(have.context, definitions, each, 6, NULL, NULL, error));
    ACCEPTS(arcl_battery_compile_each(have.context, NULL, NULL, 0, &battery, NULL, NULL));
    arcl_battery_free(battery);
    ACCEPTS(arcl_battery_compile_each(have.context, definitions, each, 6, &battery, NULL, NULL));
    ASSERT_EQ(4, arcl_battery_describe(battery).rejected);
    arcl_battery_free(battery);
    for (int count = -1; count < 1; count++) {
        ACCEPTS(arcl_battery_compile(have.context, NULL, count, NULL, &battery, NULL, NULL));
        ACCEPTS(arcl_battery_run(have.context, battery, have.batch, NULL, NULL, NULL));
        arcl_battery_free(battery);
    }
    ACCEPTS(arcl_battery_compile(have.context, definitions, 6, NULL, &battery, NULL, NULL));
    ASSERT_EQ(4, arcl_battery_describe(battery).rejected);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_EQ(NULL, arcl_battery_program(battery, wrong[i]));
        ASSERT_STR_EQ("", arcl_battery_parameter_type(battery, wrong[i], buf, sizeof buf));
    }
    REFUSES(arcl_battery_run(NULL, battery, have.batch, outcome, NULL, error));
    REFUSES(arcl_battery_run(have.context, NULL, have.batch, outcome, NULL, error));
    REFUSES(arcl_battery_run(have.context, battery, NULL, outcome, NULL, error));
    REFUSES(arcl_battery_run(have.context, battery, have.batch, NULL, NULL, error));
    REFUSES(arcl_battery_score(have.context, NULL, have.batch, NULL, 0, outcome, NULL, error));
    ACCEPTS(arcl_battery_score(have.context, battery, have.batch, NULL, 0, outcome, NULL, NULL));
    for (int i = 0; i < 6; i++) {
        ASSERT_EQ(i < 2, outcome[i] != NULL);
        ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_status(outcome[i], 1));
        ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_score(outcome[i], UINT32_MAX).status);
        arcl_result_free(outcome[i]);
    }
    arcl_battery_free(battery);
    arcl_battery_free(NULL);
    ASSERT_EQ(0, arcl_battery_describe(NULL).programs + arcl_battery_parameters(NULL));
    ASSERT_EQ(NULL, arcl_battery_program(NULL, 0));
    ASSERT_STR_EQ("", arcl_battery_parameter_type(NULL, 0, buf, sizeof buf));
    REFUSES(arcl_battery_write(NULL, 1, &written, NULL, error));
    REFUSES(arcl_battery_write(definitions, 1, NULL, NULL, error));
    ACCEPTS(arcl_battery_write(definitions, 6, &written, NULL, NULL));
    ASSERT_EQ(4, written.rejected);
    arcl_battery_text_free(&written);
    arcl_battery_text_free(NULL);
    PASS();
}

static arcl_status start(void) {
    arcl_options options = {.threads = 2, .device = "host", .profile = ""};
    arcl_status status = arcl_context_create(&options, &have.context, NULL);
    if (!status) status = arcl_source_parse(have.context, text, sizeof text - 1, NULL, &have.source, NULL);
    if (!status) status = arcl_program_compile(have.context, have.source, 0, NULL, &have.program, NULL);
    if (!status) status = arcl_batch_create(have.context, "grid", &have.batch, NULL);
    if (!status) status = arcl_batch_add_grid(have.batch, 2, 3, cells, NULL);
    if (!status) status = arcl_run(have.context, have.program, have.batch, &have.result, NULL);
    if (!status) status = arcl_profile_create(&have.profile, NULL);
    if (!status) synthetic_host(have.profile, have.context);
    if (!status) synthetic_gpu(have.profile, "cl:0");
    if (!status) status = arcl_plan_create(have.context, have.profile, have.program, NULL, 10, &have.plan, NULL);
    return status;
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (start()) return 1;
    RUN_TEST(general);
    RUN_TEST(contexts_and_devices);
    RUN_TEST(sources);
    RUN_TEST(trees);
    RUN_TEST(mutators);
    RUN_TEST(libraries);
    RUN_TEST(programs);
    RUN_TEST(batches);
    RUN_TEST(gathering);
    RUN_TEST(searches);
    RUN_TEST(runs);
    RUN_TEST(results);
    RUN_TEST(values_of_every_kind);
    RUN_TEST(accumulators);
    RUN_TEST(similarity);
    RUN_TEST(profiles);
    RUN_TEST(plans);
    RUN_TEST(caches_and_reports);
    RUN_TEST(batteries);
    arcl_plan_free(have.plan);
    arcl_profile_free(have.profile);
    arcl_result_free(have.result);
    arcl_batch_free(have.batch);
    arcl_program_free(have.program);
    arcl_source_free(have.source);
    arcl_context_free(have.context);
    GREATEST_MAIN_END();
}
