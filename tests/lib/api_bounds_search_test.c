/* Every function of arcl_tree.h and arcl_search.h with what it is not meant for (support/api_bounds.h). */
#include "support/api_bounds.h"

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

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (have_all()) return 1;
    RUN_TEST(trees);
    RUN_TEST(mutators);
    RUN_TEST(libraries);
    RUN_TEST(searches);
    have_no_more();
    GREATEST_MAIN_END();
}
