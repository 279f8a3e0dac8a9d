/* Tests of lib/ops/word_table.h: the words of dialects are as many as they should be, stand for ops that there are, and
 * are described by what their rows say. */
#include "ops/word_table.h"

#include "greatest.h"

static op_index names;

static int find(arcl_dialect dialect, const char *name) { return op_find(&names, dialect, name, strlen(name)); }

/* The ops that the fork has left out. */
static const char *const only_arc_dsl[] = {"cmirror", "colorcount", "dmirror",   "height",    "hline",
                                           "hmirror", "leastcolor", "mostcolor", "numcolors", "ofcolor",
                                           "palette", "portrait",   "recolor",   "shape",     "square",
                                           "upscale", "vline",      "vmirror",   "width"};

TEST there_are_as_many_as_in_the_fork(void) {
    int constants = 0;
#define CONSTANT_INT(name, value) constants++;
#include "ops/tokpidjin_constants.def"
#undef CONSTANT_INT
    ASSERT_EQ_FMT(64, constants, "%d");
    ASSERT_EQ_FMT(292, dialect_count(ARCL_TOKPIDJIN), "%d");
    ASSERT_EQ_FMT(160, dialect_count(ARCL_ARC_DSL), "%d");
    ASSERT_EQ_FMT(160, (int)OP_LANGUAGE_COUNT, "%d");
    PASS();
}

TEST every_word_is_found_by_its_name(void) {
    for (int i = 0; i < WORD_COUNT; i++) { /* so no name occurs twice */
        ASSERT_EQm(word_rows[i].name, OP_COUNT + i, find(ARCL_TOKPIDJIN, word_rows[i].name));
        ASSERTm(word_rows[i].name, word_rows[i].op < OP_COUNT);
        ASSERTm(word_rows[i].name, word_rows[i].manner < MANNER_COUNT);
        ASSERTm(word_rows[i].name, word_rows[i].answer != ANSWER_FAILS);
    }
    PASS();
}

TEST ops_that_the_fork_has_are_words_of_the_same_name(void) {
    int shared = 0;
    for (int op = 0; op < OP_LANGUAGE_COUNT; op++) {
        int word = find(ARCL_TOKPIDJIN, op_rows[op].name);
        shared += word >= 0;
        ASSERT_EQm(op_rows[op].name, op, find(ARCL_ARC_DSL, op_rows[op].name));
        if (word >= 0) ASSERT_EQm(op_rows[op].name, op_rows[op].arity, op_rows[callable_op(word)].arity);
    }
    ASSERT_EQ_FMT(141, shared, "%d");
    for (size_t i = 0; i < sizeof only_arc_dsl / sizeof *only_arc_dsl; i++)
        ASSERT_EQm(only_arc_dsl[i], -1, find(ARCL_TOKPIDJIN, only_arc_dsl[i]));
    PASS();
}

TEST every_op_of_the_dialect_has_a_word(void) {
    for (int op = OP_LANGUAGE_COUNT; op < OP_COUNT; op++) {
        int words = 0;
        for (int i = 0; i < WORD_COUNT; i++) words += word_rows[i].op == op;
        ASSERTm(op_rows[op].name, words > 0);
        ASSERT_EQm(op_rows[op].name, -1, find(ARCL_ARC_DSL, op_rows[op].name));
    }
    PASS();
}

TEST word_is(const char *name, const char *signature, const char *op, const char *manner) {
    int word = find(ARCL_TOKPIDJIN, name);
    ASSERTm(name, word >= 0);
    arcl_op_info info = arcl_dialect_op_get(ARCL_TOKPIDJIN, word - OP_COUNT);
    ASSERT_STR_EQ(name, info.name);
    ASSERT_STR_EQm(name, signature, info.signature);
    ASSERT_STR_EQm(name, op, info.op);
    ASSERT_STR_EQm(name, manner, info.manner);
    PASS();
}

SUITE(descriptions) {
    RUN_TESTp(word_is, "fill", "grid int patch -> grid", "", "");
    RUN_TESTp(word_is, "height_t", "grid -> int", "height", "of a grid");
    RUN_TESTp(word_is, "height_f", "patch -> int", "height", "of a patch");
    RUN_TESTp(word_is, "mostcolor_f", "{cell} -> int", "mostcolor", "of an object");
    RUN_TESTp(word_is, "hmirror_i", "{ij} -> {ij}", "hmirror", "of locations");
    RUN_TESTp(word_is, "recolor_o", "int {cell} -> {cell}", "recolor", "of an object");
    RUN_TESTp(word_is, "apply_t", "(A->B) C<A> -> [B]", "apply", "into a tuple");
    RUN_TESTp(word_is, "mfilter_t", "C<A> (A->bool) -> {A}", "sfilter", "into a set");
    RUN_TESTp(word_is, "combine_f", "{A} {A} -> {A}", "combine", "of sets only");
    RUN_TESTp(word_is, "get_nth_f", "C<A> int -> A", "", "");
    RUN_TESTp(word_is, "get_arg_rank_f", "C<A> (A->K) int -> A", "get_arg_rank", "");
}

TEST answers_are_told(void) {
    arcl_op_info first = arcl_dialect_op_get(ARCL_TOKPIDJIN, find(ARCL_TOKPIDJIN, "first") - OP_COUNT);
    arcl_op_info compose = arcl_dialect_op_get(ARCL_TOKPIDJIN, find(ARCL_TOKPIDJIN, "compose") - OP_COUNT);
    arcl_op_info size = arcl_dialect_op_get(ARCL_ARC_DSL, OP_size);
    ASSERT_STR_EQ("a missing value", first.missing);
    ASSERT_STR_EQ("a missing value", first.fallback);
    ASSERT_STR_EQ("", compose.missing);
    ASSERT_STR_EQ("a function that yields missing", compose.fallback);
    ASSERT_STR_EQ("", size.fallback);
    ASSERT_STR_EQ("", arcl_dialect_op_get(ARCL_TOKPIDJIN, WORD_COUNT).name);
    ASSERT_STR_EQ("", arcl_dialect_op_get(ARCL_TOKPIDJIN, -1).fallback);
    PASS();
}

TEST dialects_have_names(void) {
    for (int d = ARCL_DIALECT_AUTO; d <= ARCL_TOKPIDJIN; d++)
        ASSERT_EQ(d, arcl_dialect_find(arcl_dialect_name((arcl_dialect)d)));
    ASSERT_EQ(-1, arcl_dialect_find("tokpisin"));
    ASSERT_EQ(-1, arcl_dialect_find(NULL));
    PASS();
}

SUITE(words) {
    RUN_TEST(there_are_as_many_as_in_the_fork);
    RUN_TEST(every_word_is_found_by_its_name);
    RUN_TEST(ops_that_the_fork_has_are_words_of_the_same_name);
    RUN_TEST(every_op_of_the_dialect_has_a_word);
    RUN_TEST(answers_are_told);
    RUN_TEST(dialects_have_names);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    op_index_fill(&names);
    RUN_SUITE(words);
    RUN_SUITE(descriptions);
    GREATEST_MAIN_END();
}
