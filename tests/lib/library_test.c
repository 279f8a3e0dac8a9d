/* Tests of libraries: what is learned of programs, in which order, and that it is read as it was written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "greatest.h"

static arcl_context *context;
static arcl_error error;

static const char programs[] =
    "def a(I):\n    x1 = objects(I, T, F, T)\n    x2 = fork(recolor, size, identity)\n    x3 = mapply(x2, x1)\n"
    "    return paint(I, x3)\n"
    "def b(I):\n    x1 = objects(I, T, F, T)\n    x2 = first(x1)\n    x3 = shift(x2, (1, -1))\n    return fill(I, 3, "
    "x3)\n"
    "def c(I):\n    x1 = objects(I, T, F, F)\n    x2 = merge(x1)\n    x3 = fill(I, 5, x2)\n"
    "    return fill(x3, 3, shift(x2, (1, -1)))\n";

static arcl_library *learn(int backwards) {
    arcl_source *source = NULL;
    arcl_tree *trees[3] = {NULL, NULL, NULL};
    arcl_library *library = NULL;
    arcl_status status = arcl_source_parse(context, programs, strlen(programs), "t.py", &source, &error);
    for (int i = 0; i < 3 && !status; i++)
        status = arcl_tree_from_source(context, source, backwards ? 2 - i : i, &trees[i], &error);
    if (!status) status = arcl_library_learn(context, (const arcl_tree *const *)trees, 3, &library, &error);
    for (int i = 0; i < 3; i++) arcl_tree_free(trees[i]);
    arcl_source_free(source);
    return status ? NULL : library;
}

/* "a, b -> result  count" of the pattern of this text; "" if there is none. */
static const char *pattern_of(const arcl_library *l, const char *body) {
    static char found[300];
    found[0] = 0;
    for (int i = 0; i < arcl_library_patterns(l); i++) {
        arcl_pattern p = arcl_library_pattern_get(l, i);
        char *text, type[40], expected[200];
        if (arcl_tree_format(context, p.tree, "p", ARCL_DIALECT_AUTO, 1, &text, NULL, &error)) return error.message;
        snprintf(expected, sizeof expected, "    return %s\n", body);
        int is_it = strcmp(strchr(text, '\n') + 1, expected) == 0;
        arcl_text_free(text);
        if (!is_it) continue;
        for (int h = 0; h < p.holes; h++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s ",
                     arcl_type_text(p.hole[h], type, sizeof type));
        snprintf(found + strlen(found), sizeof found - strlen(found), "-> %s %u; ",
                 arcl_type_text(p.result, type, sizeof type), p.count);
    }
    return found;
}

static uint32_t count_of(const arcl_library *l, const char *op, int argument, int is_made, arcl_operand value) {
    for (int i = 0; i < arcl_library_uses(l); i++) {
        arcl_use u = arcl_library_use_get(l, i);
        if (u.op == arcl_operand_op(ARCL_ARC_DSL, op).number && u.argument == argument && u.is_made == is_made &&
            u.value.kind == value.kind && u.value.number == value.number && u.value.second == value.second)
            return u.count;
    }
    return 0;
}

TEST calls_become_patterns(void) {
    arcl_library *l = learn(0);
    ASSERT(l);
    ASSERT_EQ(3, arcl_library_programs(l));
    ASSERT_EQ(ARCL_ARC_DSL, arcl_library_dialect(l));
    ASSERT_STR_EQ("grid -> {{cell}} 2; ", pattern_of(l, "objects(p1, T, F, T)"));
    ASSERT_STR_EQ("{{cell}} -> {cell} 1; ", pattern_of(l, "mapply(fork(recolor, size, identity), p1)"));
    ASSERT_STR_EQ("{cell} -> {cell} 2; ", pattern_of(l, "shift(p1, (1, -1))"));
    ASSERT_STR_EQ("grid {cell} -> grid 2; ", pattern_of(l, "fill(p1, 3, p2)"));
    ASSERT_STR_EQ("grid int {cell} -> grid 3; ", pattern_of(l, "fill(p1, p2, p3)"));
    ASSERT_STR_EQ("", pattern_of(l, "fork(recolor, size, identity)"));
    arcl_pattern first = arcl_library_pattern_get(l, 0),
                 last = arcl_library_pattern_get(l, arcl_library_patterns(l) - 1);
    ASSERT_EQ(3, first.count);
    ASSERT_EQ(1, last.count);
    ASSERT(first.cost > 0 && first.cost < last.cost);
    arcl_library_free(l);
    PASS();
}

TEST arguments_are_counted(void) {
    arcl_library *l = learn(0);
    arcl_operand objects = arcl_operand_op(ARCL_ARC_DSL, "objects"), size = arcl_operand_op(ARCL_ARC_DSL, "size");
    ASSERT_EQ(2, count_of(l, "fill", 1, 0, (arcl_operand){ARCL_OPERAND_INT, 3, 0}));
    ASSERT_EQ(1, count_of(l, "fill", 1, 0, (arcl_operand){ARCL_OPERAND_INT, 5, 0}));
    ASSERT_EQ(2, count_of(l, "objects", 3, 0, (arcl_operand){ARCL_OPERAND_BOOL, 1, 0}));
    ASSERT_EQ(2, count_of(l, "shift", 1, 0, (arcl_operand){ARCL_OPERAND_PAIR, 1, -1}));
    ASSERT_EQ(1, count_of(l, "merge", 0, 1, objects));
    ASSERT_EQ(1, count_of(l, "fork", 1, 0, size));
    ASSERT_EQ(0, count_of(l, "merge", 0, 0, objects));
    arcl_library_free(l);
    PASS();
}

TEST what_is_written_is_read(void) {
    arcl_library *l = learn(0), *backwards = learn(1), *read;
    char *text, *other, *again;
    size_t length;
    ASSERT_EQ(ARCL_SUCCESS, arcl_library_write(context, l, &text, &length, &error));
    ASSERT_EQ(strlen(text), length);
    ASSERT_EQ(ARCL_SUCCESS, arcl_library_write(context, backwards, &other, NULL, &error));
    ASSERT_STR_EQ(text, other);
    ASSERT_EQ(ARCL_SUCCESS, arcl_library_read(context, text, length, NULL, &read, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_library_write(context, read, &again, NULL, &error));
    ASSERT_STR_EQ(text, again);
    ASSERT_EQ(arcl_library_patterns(l), arcl_library_patterns(read));
    for (int i = 0; i < arcl_library_patterns(l); i++) {
        arcl_pattern a = arcl_library_pattern_get(l, i), b = arcl_library_pattern_get(read, i);
        ASSERT(a.holes == b.holes && a.result == b.result && a.count == b.count && a.cost == b.cost);
        ASSERT_EQ(0, memcmp(a.hole, b.hole, sizeof a.hole));
        ASSERT_EQ((size_t)a.holes, strlen(arcl_tree_parameters(b.tree)));
    }
    arcl_library_free(read);
    arcl_library_free(l);
    arcl_library_free(backwards);
    arcl_text_free(text);
    arcl_text_free(other);
    arcl_text_free(again);
    PASS();
}

/* A pattern runs, with what fills its holes as inputs. */
TEST patterns_are_programs(void) {
    arcl_library *l = learn(0);
    for (int i = 0; i < arcl_library_patterns(l); i++) {
        arcl_pattern p = arcl_library_pattern_get(l, i);
        char text[ARCL_PATTERN_HOLES][40], result[40], expected[40];
        const char *types[ARCL_PATTERN_HOLES];
        arcl_program *program;
        for (int h = 0; h < p.holes; h++) types[h] = arcl_type_text(p.hole[h], text[h], sizeof text[h]);
        arcl_compile_options options = {.types = types, .type_count = p.holes};
        ASSERT_EQ(ARCL_SUCCESS, arcl_tree_compile(context, p.tree, &options, &program, &error));
        ASSERT_STR_EQ(arcl_type_text(p.result, expected, sizeof expected),
                      arcl_program_result_type(program, result, sizeof result));
        arcl_program_free(program);
    }
    arcl_library_free(l);
    PASS();
}

#define HEAD "{\"format\": \"arcl library\", \"version\": 1, \"dialect\": \"arc-dsl\", \"programs\": 1, "
#define PATTERN                                                                                                        \
    "{\"text\": \"def p(a):\\n    return hmirror(a)\\n\", \"holes\": [\"grid\"], \"result\": \"grid\", \"count\": 2}"
#define USE "{\"op\": \"fill\", \"argument\": 1, \"is\": \"value\", \"value\": 3, \"count\": 4}"

static arcl_status reading(const char *text) {
    arcl_library *l = NULL;
    arcl_status status = arcl_library_read(context, text, strlen(text), "l.json", &l, &error);
    arcl_library_free(l);
    return status;
}

TEST what_is_wrong_is_refused(void) {
    ASSERT_EQ(ARCL_SUCCESS, reading(HEAD "\"patterns\": [" PATTERN "], \"uses\": [" USE "]}"));
    static const char *const wrong[] = {
        "",
        "[]",
        "{",
        HEAD "\"patterns\": []}",
        HEAD "\"patterns\": [], \"uses\": [], \"more\": 1}",
        HEAD "\"patterns\": [], \"patterns\": [], \"uses\": []}",
        HEAD "\"patterns\": [{}], \"uses\": []}",
        HEAD "\"patterns\": [1], \"uses\": [" USE "]}",
        HEAD "\"patterns\": [], \"uses\": [{}]}",
        "{\"format\": \"arcl library\", \"version\": 2, \"dialect\": \"arc-dsl\", \"programs\": 1, \"patterns\": [], "
        "\"uses\": []}",
        "{\"format\": \"arcl library\", \"version\": 1, \"dialect\": \"auto\", \"programs\": 1, \"patterns\": [], "
        "\"uses\": []}",
        HEAD
        "\"patterns\": [{\"text\": \"def p(a):\\n    return no(a)\\n\", \"holes\": [\"grid\"], \"result\": \"grid\", "
        "\"count\": 2}], \"uses\": []}",
        HEAD "\"patterns\": [{\"text\": \"def p(a, b):\\n    return add(a, b)\\n\", \"holes\": [\"int\"], \"result\": "
             "\"int\", \"count\": 2}], \"uses\": []}",
        HEAD "\"patterns\": [{\"text\": \"def p(a):\\n    return a\\n\", \"holes\": [\"thing\"], \"result\": \"int\", "
             "\"count\": 2}], \"uses\": []}",
        HEAD "\"patterns\": [{\"text\": \"def p(a):\\n    return a\\n\", \"holes\": [\"int\"], \"result\": \"int\", "
             "\"count\": 0}], \"uses\": []}",
        HEAD "\"patterns\": [], \"uses\": [{\"op\": \"fill\", \"argument\": 1, \"is\": \"made by\", \"value\": 3, "
             "\"count\": 4}]}",
        HEAD
        "\"patterns\": [], \"uses\": [{\"op\": \"fill\", \"argument\": 1, \"is\": \"value\", \"value\": [1, 2, 3], "
        "\"count\": 4}]}",
        HEAD "\"patterns\": [], \"uses\": [{\"op\": \"nothing\", \"argument\": 1, \"is\": \"value\", \"value\": 3, "
             "\"count\": 4}]}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ASSERT_EQm(wrong[i], ARCL_INVALID, reading(wrong[i]));
        ASSERTm(error.message, strncmp(error.message, "l.json: ", 8) == 0);
    }
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(&(arcl_options){.threads = 1, .device = "host"}, &context, &error)) return 1;
    RUN_TEST(calls_become_patterns);
    RUN_TEST(arguments_are_counted);
    RUN_TEST(what_is_written_is_read);
    RUN_TEST(patterns_are_programs);
    RUN_TEST(what_is_wrong_is_refused);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
