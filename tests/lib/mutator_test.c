/* Tests of mutators: mutants differ from their parents by what was allowed, mostly compile, and are the same
 * everywhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "greatest.h"

static arcl_context *context;
static arcl_error error;

static const char arc_dsl[] =
    "def a(I):\n    x1 = objects(I, T, F, T)\n    x2 = fork(recolor, size, identity)\n    x3 = mapply(x2, x1)\n"
    "    return paint(I, x3)\n"
    "def b(I):\n    x1 = leastcolor(I)\n    x2 = ofcolor(I, x1)\n    x3 = shift(x2, (1, -1))\n"
    "    x4 = fill(I, 3, x3)\n    x5 = hmirror(x4)\n    x6 = hconcat(x4, x5)\n    return x6\n"
    "def c(I):\n    x1 = partition(I)\n    x2 = argmax(x1, size)\n    x3 = subgrid(x2, I)\n    x4 = upscale(x3, 2)\n"
    "    return crop(x4, (0, 0), (3, 3))\n";

static const char tokpidjin[] =
    "def solve_a(S, I, C):\n    x1 = o_g(I, R5)\n    x2 = get_nth_f(x1, F0)\n    x3 = subgrid(x2, I)\n    return "
    "mir_rot_t(x3, R1)\n"
    "def solve_b(S, I, C):\n    x1 = mir_rot_t(I, R0)\n    x2 = hconcat(I, x1)\n    return x2\n";

static arcl_mutator *mutator_of(const char *programs, arcl_mutator_options options) {
    arcl_mutator *m = NULL;
    arcl_source *source = NULL;
    arcl_status status = arcl_source_parse(context, programs, strlen(programs), "t.py", &source, &error);
    options.dialect = arcl_source_dialect(source);
    if (!status) status = arcl_mutator_create(context, &options, &m, &error);
    for (int i = 0; !status && i < arcl_source_count(source); i++) {
        arcl_tree *tree = NULL;
        status = arcl_tree_from_source(context, source, i, &tree, &error);
        if (!status) status = arcl_mutator_add(m, tree, &error);
        arcl_tree_free(tree);
    }
    arcl_source_free(source);
    if (!status) return m;
    fprintf(stderr, "%s\n", error.message);
    arcl_mutator_free(m);
    return NULL;
}

static char *text_of(const arcl_tree *tree) {
    char *made = NULL;
    return arcl_tree_format(context, tree, "t", ARCL_DIALECT_AUTO, 0, &made, NULL, &error) ? NULL : made;
}

static int compiles(const arcl_tree *tree) {
    arcl_program *program = NULL;
    arcl_status status = arcl_tree_compile(context, tree, &(arcl_compile_options){.grid_result = 1}, &program, &error);
    arcl_program_free(program);
    return status == ARCL_SUCCESS;
}

/* Of so many mutants: which edits there were, how many have none, how many compile. */
typedef struct census {
    unsigned edits;
    int compiled, idle;
} census;

static census count_mutants(const arcl_mutator *m, int total) {
    census c = {0};
    uint64_t random = 7;
    for (int i = 0; i < total; i++) {
        arcl_tree *mutant = NULL;
        unsigned edits = 99;
        if (arcl_mutator_mutate(m, i % arcl_mutator_parents(m), &random, &mutant, &edits, &error)) return c;
        c.edits |= edits;
        c.idle += !edits;
        c.compiled += compiles(mutant);
        arcl_tree_free(mutant);
    }
    return c;
}

TEST every_edit_is_made_and_most_mutants_compile(void) {
    arcl_mutator *m = mutator_of(arc_dsl, (arcl_mutator_options){0});
    ASSERT(m);
    census c = count_mutants(m, 3000);
    ASSERT_EQ_FMT((1u << ARCL_EDITS) - 1, c.edits, "%u");
    ASSERT(c.compiled > 2000);
    ASSERT_EQ(0, c.idle);
    arcl_mutator_free(m);
    PASS();
}

TEST mutants_are_the_same_for_the_same_number(void) {
    for (int dialect = 0; dialect < 2; dialect++) {
        arcl_mutator_options options = {.rate = 0.1};
        arcl_mutator *one = mutator_of(dialect ? tokpidjin : arc_dsl, options);
        arcl_mutator *two = mutator_of(dialect ? tokpidjin : arc_dsl, options);
        uint64_t a = 3, b = 3;
        int differ = 0;
        char *last = NULL;
        for (int i = 0; i < 300; i++) {
            arcl_tree *x, *y;
            ASSERT_EQ(ARCL_SUCCESS, arcl_mutator_mutate(one, 1, &a, &x, NULL, &error));
            ASSERT_EQ(ARCL_SUCCESS, arcl_mutator_mutate(two, 1, &b, &y, NULL, &error));
            char *text_x = text_of(x), *text_y = text_of(y);
            ASSERT_STR_EQ(text_x, text_y);
            differ += last && strcmp(last, text_x) != 0;
            free(last);
            last = text_x;
            arcl_text_free(text_y);
            arcl_tree_free(x);
            arcl_tree_free(y);
        }
        ASSERT_EQ(a, b);
        ASSERT(differ > 200);
        free(last);
        arcl_mutator_free(one);
        arcl_mutator_free(two);
    }
    PASS();
}

/* What is written is read as the same program: no operand is anything that the language has not. */
TEST mutants_are_written_and_read(void) {
    for (int dialect = 0; dialect < 2; dialect++) {
        arcl_mutator *m = mutator_of(dialect ? tokpidjin : arc_dsl, (arcl_mutator_options){.rate = 0.1});
        uint64_t random = 11;
        for (int i = 0; i < 5000; i++) {
            arcl_tree *mutant, *read;
            arcl_source *source;
            arcl_key key, same;
            ASSERT_EQ(ARCL_SUCCESS,
                      arcl_mutator_mutate(m, i % arcl_mutator_parents(m), &random, &mutant, NULL, &error));
            char *text = text_of(mutant), *again;
            ASSERT(text);
            ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse_dialect(context, text, strlen(text), "t.py",
                                                              arcl_tree_dialect(mutant), &source, &error));
            ASSERT_EQm(text, ARCL_SUCCESS, arcl_source_format(context, source, 0, 0, &again, NULL, &error));
            ASSERT_STR_EQ(again, text);
            ASSERT_EQ(ARCL_SUCCESS, arcl_tree_from_source(context, source, 0, &read, &error));
            ASSERT_EQ(ARCL_SUCCESS, arcl_tree_key(context, mutant, &key, &error));
            ASSERT_EQ(ARCL_SUCCESS, arcl_tree_key(context, read, &same, &error));
            ASSERT(key.high == same.high && key.low == same.low);
            arcl_text_free(text);
            arcl_text_free(again);
            arcl_source_free(source);
            arcl_tree_free(read);
            arcl_tree_free(mutant);
        }
        arcl_mutator_free(m);
    }
    PASS();
}

TEST what_is_frozen_stays(void) {
    for (unsigned kept = 1; kept < 1u << ARCL_EDITS; kept <<= 1) { /* only this edit */
        arcl_mutator *m = mutator_of(arc_dsl, (arcl_mutator_options){.frozen = ~kept});
        census c = count_mutants(m, 300);
        ASSERT_EQ_FMT(kept, c.edits, "%u");
        arcl_mutator_free(m);
    }
    arcl_mutator *none = mutator_of(arc_dsl, (arcl_mutator_options){.frozen = ~0u, .rate = 1});
    ASSERT_EQ(30, count_mutants(none, 30).idle);
    arcl_mutator_free(none);
    int fill = arcl_operand_op(ARCL_ARC_DSL, "fill").number;
    arcl_mutator *m = mutator_of(
        arc_dsl, (arcl_mutator_options){.frozen_ops = &fill, .frozen_op_count = 1, .frozen = ARCL_EDIT_DELETE});
    uint64_t random = 1;
    for (int i = 0; i < 1000; i++) { /* where there is a fill, it fills with 3: as its parent does */
        arcl_tree *mutant;
        ASSERT_EQ(ARCL_SUCCESS, arcl_mutator_mutate(m, 1, &random, &mutant, NULL, &error));
        for (int l = 0; l < arcl_tree_lines(mutant); l++) {
            arcl_tree_line line = arcl_tree_line_get(mutant, l);
            if (line.callee.number != fill || line.is_tuple || line.callee.kind != ARCL_OPERAND_OP) continue;
            if (line.arguments[0].kind != ARCL_OPERAND_PARAMETER) continue; /* another one, which was put in */
            ASSERT(line.arguments[1].kind == ARCL_OPERAND_INT);
            if (line.arguments[2].kind == ARCL_OPERAND_LINE &&
                arcl_tree_line_get(mutant, line.arguments[2].number).callee.number ==
                    arcl_operand_op(ARCL_ARC_DSL, "shift").number)
                ASSERT_EQ(3, line.arguments[1].number);
        }
        arcl_tree_free(mutant);
    }
    arcl_mutator_free(m);
    PASS();
}

/* Lines of other parents come into mutants. */
TEST grafts_come_from_others(void) {
    arcl_mutator *m = mutator_of(arc_dsl, (arcl_mutator_options){.frozen = ~(unsigned)ARCL_EDIT_GRAFT});
    uint64_t random = 5;
    int grafted = 0, partition = arcl_operand_op(ARCL_ARC_DSL, "partition").number;
    for (int i = 0; i < 300; i++) {
        arcl_tree *mutant;
        ASSERT_EQ(ARCL_SUCCESS, arcl_mutator_mutate(m, 0, &random, &mutant, NULL, &error));
        for (int l = 0; l < arcl_tree_lines(mutant); l++) {
            arcl_tree_line line = arcl_tree_line_get(mutant, l);
            grafted += !line.is_tuple && line.callee.kind == ARCL_OPERAND_OP && line.callee.number == partition;
        }
        arcl_tree_free(mutant);
    }
    ASSERT(grafted > 20);
    arcl_mutator_free(m);
    PASS();
}

TEST more_is_changed_at_a_higher_rate(void) {
    double differing[2];
    for (int k = 0; k < 2; k++) {
        arcl_mutator *m =
            mutator_of(arc_dsl, (arcl_mutator_options){.rate = k ? 0.5 : 0, .frozen = ~(unsigned)ARCL_EDIT_CONSTANT});
        uint64_t random = 9;
        int different = 0;
        for (int i = 0; i < 200; i++) {
            arcl_tree *mutant;
            ASSERT_EQ(ARCL_SUCCESS, arcl_mutator_mutate(m, 2, &random, &mutant, NULL, &error));
            for (int l = 0; l < arcl_tree_lines(mutant); l++) {
                arcl_tree_line line = arcl_tree_line_get(mutant, l);
                for (int s = 0; s < line.count; s++)
                    different += line.arguments[s].kind == ARCL_OPERAND_PAIR &&
                                 !(line.arguments[s].number == line.arguments[s].second &&
                                   (line.arguments[s].number == 0 || line.arguments[s].number == 3));
            }
            arcl_tree_free(mutant);
        }
        differing[k] = different;
        arcl_mutator_free(m);
    }
    ASSERT(differing[1] > differing[0]);
    PASS();
}

TEST the_other_dialect_has_mutants_too(void) {
    arcl_mutator *m = mutator_of(tokpidjin, (arcl_mutator_options){.rate = 0.05});
    ASSERT(m);
    census c = count_mutants(m, 1000);
    ASSERT(c.compiled > 500);
    ASSERT(c.edits & ARCL_EDIT_FUNCTION && c.edits & ARCL_EDIT_CONSTANT);
    arcl_mutator_free(m);
    PASS();
}

TEST parameters_by_type(void) {
    static const char *const types[] = {"{cell}", "{cell}"};
    arcl_compile_options compile = {.types = types, .type_count = 2};
    arcl_mutator *m = mutator_of("def f(a, b):\n    return combine(a, b)\n",
                                 (arcl_mutator_options){.compile = &compile, .frozen = ~(unsigned)ARCL_EDIT_VARIABLE});
    uint64_t random = 2;
    arcl_tree *mutant;
    unsigned edits;
    ASSERT(m);
    ASSERT_EQ(ARCL_SUCCESS, arcl_mutator_mutate(m, 0, &random, &mutant, &edits, &error));
    ASSERT_EQ(ARCL_EDIT_VARIABLE, edits);
    arcl_tree_free(mutant);
    arcl_mutator_free(m);
    PASS();
}

TEST edits_have_names(void) {
    for (unsigned i = 0; i < ARCL_EDITS; i++)
        ASSERT_EQ(1u << i, (unsigned)arcl_edit_find(arcl_edit_name((arcl_edit)(1u << i))));
    ASSERT_STR_EQ("", arcl_edit_name((arcl_edit)3));
    ASSERT_EQ(0, (int)arcl_edit_find("edit"));
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(&(arcl_options){.threads = 1, .device = "host"}, &context, &error)) return 1;
    RUN_TEST(every_edit_is_made_and_most_mutants_compile);
    RUN_TEST(mutants_are_the_same_for_the_same_number);
    RUN_TEST(mutants_are_written_and_read);
    RUN_TEST(what_is_frozen_stays);
    RUN_TEST(grafts_come_from_others);
    RUN_TEST(more_is_changed_at_a_higher_rate);
    RUN_TEST(the_other_dialect_has_mutants_too);
    RUN_TEST(parameters_by_type);
    RUN_TEST(edits_have_names);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
