/* Tests of trees (lib/arcl_tree.h): what they are made of, how they change, that they are what their texts are. */
#include <stdio.h>
#include <string.h>

#include "arcl.h"

#include "greatest.h"

static arcl_context *context;
static arcl_error error;

static const char text_of_three[] =
    "def a(I):\n    x1 = objects(I, T, F, T)\n    x2 = fork(recolor, size, identity)\n    x3 = mapply(x2, x1)\n"
    "    return paint(I, x3)\n"
    "def b(I):\n    x = fork(recolor, size, identity)\n    unused = astuple(ONE, TWO)\n    y = objects(I, T, F, T)\n"
    "    return identity(paint(I, mapply(x, y)))\n"
    "def c(I):\n    x1 = branch(equality(height(I), width(I)), hmirror, vmirror)\n    x2 = x1(I)\n"
    "    x3 = shift(asobject(x2), (1, -1))\n    return paint(canvas(0, (3, 3)), insert((2, (0, 0)), x3))\n";

static const arcl_operand I = {ARCL_OPERAND_PARAMETER, 0, 0};

static arcl_operand op(const char *name) { return arcl_operand_op(ARCL_ARC_DSL, name); }
static arcl_operand number(int32_t n) { return (arcl_operand){ARCL_OPERAND_INT, n, 0}; }
static arcl_operand line(int n) { return (arcl_operand){ARCL_OPERAND_LINE, n, 0}; }

static arcl_tree *tree_of(const char *from, int index) {
    arcl_source *source = NULL;
    arcl_tree *tree = NULL;
    arcl_status status = arcl_source_parse(context, from, strlen(from), "t.py", &source, &error);
    if (!status) status = arcl_tree_from_source(context, source, index, &tree, &error);
    arcl_source_free(source);
    return status ? NULL : tree;
}

/* Its text without the first line, which says nothing but the name. */
static const char *written(const arcl_tree *tree) {
    static char copy[2000];
    char *made = NULL;
    if (arcl_tree_format(context, tree, "t", ARCL_DIALECT_AUTO, 0, &made, NULL, &error)) return error.message;
    snprintf(copy, sizeof copy, "%s", strchr(made, '\n') + 1);
    arcl_text_free(made);
    return copy;
}

static arcl_key key_of(const arcl_tree *tree) {
    arcl_key key = {0, 0};
    return arcl_tree_key(context, tree, &key, &error) ? (arcl_key){0, 0} : key;
}

static int same(arcl_key a, arcl_key b) { return a.high == b.high && a.low == b.low && (a.high || a.low); }

TEST a_tree_is_what_its_text_is(void) {
    arcl_source *source;
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, text_of_three, strlen(text_of_three), "t.py", &source, &error));
    for (int i = 0; i < arcl_source_count(source); i++) {
        arcl_tree *tree;
        char *mine, *its, name[8];
        size_t length;
        arcl_program *from_tree, *from_text;
        arcl_source_name(source, i, name, sizeof name);
        ASSERT_EQ(ARCL_SUCCESS, arcl_tree_from_source(context, source, i, &tree, &error));
        for (int inlined = 0; inlined < 2; inlined++) {
            ASSERT_EQ(ARCL_SUCCESS,
                      arcl_tree_format(context, tree, name, ARCL_DIALECT_AUTO, inlined, &mine, &length, &error));
            ASSERT_EQ(ARCL_SUCCESS, arcl_source_format(context, source, i, inlined, &its, NULL, &error));
            ASSERT_STR_EQ(its, mine);
            ASSERT_EQ(strlen(its), length);
            arcl_text_free(mine);
            arcl_text_free(its);
        }
        ASSERT_EQ(ARCL_SUCCESS, arcl_tree_compile(context, tree, NULL, &from_tree, &error));
        ASSERT_EQ(ARCL_SUCCESS, arcl_program_compile(context, source, i, NULL, &from_text, &error));
        ASSERT_EQ(arcl_program_steps(from_text), arcl_program_steps(from_tree));
        arcl_program_free(from_text);
        arcl_program_free(from_tree);
        arcl_tree_free(tree);
    }
    arcl_source_free(source);
    PASS();
}

TEST equal_programs_have_equal_keys(void) {
    arcl_tree *a = tree_of(text_of_three, 0), *b = tree_of(text_of_three, 1), *c = tree_of(text_of_three, 2), *copy;
    ASSERT(a && b && c);
    ASSERT(same(key_of(a), key_of(b)));
    ASSERT_FALSE(same(key_of(a), key_of(c)));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_copy(a, &copy, &error));
    ASSERT(same(key_of(a), key_of(copy)));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set(copy, 1, 1, (arcl_operand){ARCL_OPERAND_BOOL, 0, 0}, &error));
    ASSERT_FALSE(same(key_of(a), key_of(copy)));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set(copy, 1, 1, (arcl_operand){ARCL_OPERAND_BOOL, 1, 0}, &error));
    ASSERT(same(key_of(a), key_of(copy)));
    arcl_tree_free(copy);
    arcl_tree_free(a);
    arcl_tree_free(b);
    arcl_tree_free(c);
    PASS();
}

TEST parameters_tell_programs_apart(void) {
    arcl_tree *a, *b, *c;
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_ARC_DSL, "I", &a, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_ARC_DSL, "x", &b, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_TOKPIDJIN, "I", &c, &error));
    ASSERT_FALSE(same(key_of(a), key_of(b)) || same(key_of(a), key_of(c)));
    ASSERT_EQ(ARCL_TOKPIDJIN, arcl_tree_dialect(c));
    ASSERT_STR_EQ("x", arcl_tree_parameters(b));
    arcl_tree_free(a);
    arcl_tree_free(b);
    arcl_tree_free(c);
    PASS();
}

TEST lines_are_built(void) {
    arcl_tree *t;
    arcl_operand x1, x2, again, f = op("hmirror"), g = op("hconcat");
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_ARC_DSL, "I", &t, &error));
    ASSERT_STR_EQ("    return I\n", written(t));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_add(t, &f, &I, 1, &x1, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_add(t, &g, (arcl_operand[]){I, x1}, 2, &x2, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_add(t, &f, &I, 1, &again, &error));
    ASSERT_EQ(2, arcl_tree_lines(t));
    ASSERT(again.kind == ARCL_OPERAND_LINE && again.number == 0);
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set_result(t, x2, &error));
    ASSERT_STR_EQ("    x1 = hmirror(I)\n    x2 = hconcat(I, x1)\n    return x2\n", written(t));
    /* a line in between, which another then uses */
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_insert(t, 1, &f, &x1, 1, &error));
    ASSERT_EQ(2, arcl_tree_result(t).number);
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set(t, 2, 0, line(1), &error));
    ASSERT_STR_EQ("    x1 = hmirror(I)\n    x2 = hmirror(x1)\n    x3 = hconcat(x2, x1)\n    return x3\n", written(t));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set(t, 1, ARCL_TREE_CALLEE, op("rot90"), &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_remove(t, 0, I, &error));
    ASSERT_STR_EQ("    x1 = rot90(I)\n    x2 = hconcat(x1, I)\n    return x2\n", written(t));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set_result(t, line(0), &error));
    arcl_tree_prune(t);
    ASSERT_EQ(1, arcl_tree_lines(t));
    arcl_tree_line got = arcl_tree_line_get(t, 0);
    ASSERT(!got.is_tuple && got.count == 1 && got.callee.number == op("rot90").number);
    ASSERT_EQ(ARCL_OPERAND_PARAMETER, got.arguments[0].kind);
    /* a tuple, of operands that are the tree's own */
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_add(t, NULL, got.arguments, 1, &x1, &error));
    ASSERT(arcl_tree_line_get(t, 1).is_tuple);
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set_result(t, x1, &error));
    arcl_tree_prune(t);
    ASSERT_STR_EQ("    x1 = (I,)\n    return x1\n", written(t));
    arcl_tree_free(t);
    PASS();
}

TEST trees_grow(void) {
    arcl_tree *t;
    arcl_operand x = I, f = op("rot90");
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_ARC_DSL, "I", &t, &error));
    for (int i = 0; i < 1000; i++) ASSERT_EQ(ARCL_SUCCESS, arcl_tree_add(t, &f, &x, 1, &x, &error));
    for (int i = 0; i < 500; i++) ASSERT_EQ(ARCL_SUCCESS, arcl_tree_insert(t, i, &f, &I, 1, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set_result(t, line(1499), &error));
    ASSERT_EQ(1500, arcl_tree_lines(t));
    arcl_tree_prune(t);
    ASSERT_EQ(1000, arcl_tree_lines(t));
    char *made;
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_format(context, t, "t", ARCL_DIALECT_AUTO, 0, &made, NULL, &error));
    arcl_text_free(made);
    while (arcl_tree_lines(t) < ARCL_TREE_LINES)
        ASSERT_EQ(ARCL_SUCCESS, arcl_tree_insert(t, arcl_tree_lines(t), &f, &I, 1, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_insert(t, 0, &f, &I, 1, &error));
    arcl_tree_free(t);
    PASS();
}

TEST what_is_wrong_changes_nothing(void) {
    arcl_tree *t = tree_of(text_of_three, 0), *two;
    arcl_operand x, f = op("hmirror"), three = number(3);
    arcl_key before = key_of(t);
    ASSERT_EQ(ARCL_INVALID, arcl_tree_add(t, &three, &I, 1, &x, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_add(t, &f, (arcl_operand[]){line(4)}, 1, &x, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_add(t, &f, NULL, 0, &x, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_insert(t, 1, &f, (arcl_operand[]){line(1)}, 1, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set(t, 1, 0, line(1), &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set(t, 0, 4, I, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set(t, 0, ARCL_TREE_CALLEE, number(1), &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set(t, 0, 0, (arcl_operand){ARCL_OPERAND_BOOL, 2, 0}, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set(t, 0, 0, (arcl_operand){ARCL_OPERAND_PAIR, 1 << 23, 0}, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set(t, 0, 0, (arcl_operand){ARCL_OPERAND_INT, 1, 1}, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set(t, 0, 0, op("no such op"), &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_remove(t, 2, line(2), &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_set_result(t, line(4), &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_graft(t, 0, t, 0, &x, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_create(ARCL_DIALECT_AUTO, "I", &two, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_create(ARCL_ARC_DSL, "II", &two, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_create(ARCL_ARC_DSL, "abcde", &two, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_create(ARCL_ARC_DSL, "", &two, &error));
    ASSERT(same(before, key_of(t)));
    arcl_tree_free(t);
    PASS();
}

/* What is called must stay something that can be. */
TEST a_called_line_is_not_replaced_by_a_number(void) {
    arcl_tree *t = tree_of(text_of_three, 2);
    int called = -1;
    for (int i = 0; i < arcl_tree_lines(t); i++)
        if (arcl_tree_line_get(t, i).callee.kind == ARCL_OPERAND_LINE) called = arcl_tree_line_get(t, i).callee.number;
    ASSERT(called >= 0);
    ASSERT_EQ(ARCL_INVALID, arcl_tree_remove(t, called, number(1), &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_remove(t, called, op("rot90"), &error));
    arcl_tree_free(t);
    PASS();
}

TEST lines_of_another_tree_are_grafted(void) {
    arcl_tree *t = tree_of("def a(I):\n    return paint(I, first(objects(I, T, F, T)))\n", 0), *other;
    arcl_tree *from = tree_of(text_of_three, 0), *with_s;
    arcl_operand grafted;
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_graft(t, 2, from, 2, &grafted, &error));
    ASSERT_EQ(3, grafted.number);
    ASSERT_EQ(5, arcl_tree_lines(t)); /* the objects were there already */
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set(t, 4, 1, grafted, &error));
    arcl_tree_prune(t);
    ASSERT_STR_EQ("    x1 = fork(recolor, size, identity)\n    x2 = objects(I, T, F, T)\n    x3 = mapply(x1, x2)\n"
                  "    x4 = paint(I, x3)\n    return x4\n",
                  written(t));
    ASSERT(same(key_of(t), key_of(from)));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_TOKPIDJIN, "I", &other, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_graft(other, 0, from, 2, &grafted, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_ARC_DSL, "S", &with_s, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_graft(with_s, 0, from, 2, &grafted, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_graft(with_s, 0, from, 0, &grafted, &error)); /* it needs no parameter */
    arcl_tree_free(with_s);
    arcl_tree_free(other);
    arcl_tree_free(from);
    arcl_tree_free(t);
    PASS();
}

static const char *types_of(const arcl_tree *t) {
    static char all[1000];
    arcl_type type[100];
    all[0] = 0;
    if (arcl_tree_types(context, t, NULL, type, &error)) return error.message;
    for (int i = 0; i < arcl_tree_lines(t); i++) {
        char one[100];
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "",
                 arcl_type_text(type[i], one, sizeof one));
    }
    return all;
}

TEST lines_have_types(void) {
    arcl_tree *t = tree_of(text_of_three, 0), *p;
    ASSERT_STR_EQ("function of 1, {{cell}}, {cell}, grid", types_of(t));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set(t, 1, 0, number(1), &error));
    ASSERT_STR_EQ("function of 1, fails, fails, fails", types_of(t));
    arcl_tree_free(t);
    t = tree_of(text_of_three, 2);
    ASSERT_STR_EQ("grid, cell, int, int, bool, other, grid, {cell}, {cell}, {cell}, grid", types_of(t));
    arcl_tree_free(t);
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_create(ARCL_ARC_DSL, "x", &p, &error));
    arcl_type type;
    ASSERT_EQ(ARCL_INVALID, arcl_tree_types(context, p, NULL, &type, &error));
    const char *types[] = {"{int}"};
    arcl_operand f = op("maximum"), x;
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_add(p, &f, &I, 1, &x, &error));
    ASSERT_EQ(ARCL_SUCCESS,
              arcl_tree_types(context, p, &(arcl_compile_options){.types = types, .type_count = 1}, &type, &error));
    ASSERT_EQ(arcl_type_parse("int"), type);
    arcl_tree_free(p);
    PASS();
}

static const char *called(arcl_dialect dialect, const char *name, int count, const char *const *given) {
    static char said[100];
    arcl_type argument[4], result;
    for (int i = 0; i < count; i++) {
        int found = arcl_operand_op(dialect, given[i]).number;
        argument[i] = found >= 0 ? arcl_type_of_op(dialect, found) : arcl_type_parse(given[i]);
    }
    for (int again = 0; again < 2; again++) /* the second time it is known */
        if (arcl_op_type(context, dialect, arcl_operand_op(dialect, name).number, count, argument, &result, &error))
            return error.message;
    return arcl_type_text(result, said, sizeof said);
}

TEST calls_have_types(void) {
    ASSERT_STR_EQ("grid", called(ARCL_ARC_DSL, "fill", 3, (const char *[]){"grid", "int", "{ij}"}));
    ASSERT_STR_EQ("fails", called(ARCL_ARC_DSL, "fill", 3, (const char *[]){"int", "int", "{ij}"}));
    ASSERT_STR_EQ("fails", called(ARCL_ARC_DSL, "fill", 2, (const char *[]){"grid", "int"}));
    ASSERT_STR_EQ("{grid}", called(ARCL_ARC_DSL, "apply", 2, (const char *[]){"hmirror", "{grid}"}));
    ASSERT_STR_EQ("[int]", called(ARCL_ARC_DSL, "apply", 2, (const char *[]){"size", "[{cell}]"}));
    ASSERT_STR_EQ("fails", called(ARCL_ARC_DSL, "apply", 2, (const char *[]){"hconcat", "{grid}"}));
    ASSERT_STR_EQ("function of 1", called(ARCL_ARC_DSL, "compose", 2, (const char *[]){"size", "objects"}));
    ASSERT_STR_EQ("{ij}", called(ARCL_ARC_DSL, "shift", 2, (const char *[]){"{ij}", "ij"}));
    ASSERT_STR_EQ("int", called(ARCL_TOKPIDJIN, "size_f", 1, (const char *[]){"{{cell}}"}));
    arcl_type other[2] = {ARCL_TYPE_FUNCTION + 1, arcl_type_parse("{grid}")}, result;
    ASSERT_EQ(ARCL_SUCCESS, arcl_op_type(context, ARCL_ARC_DSL, op("apply").number, 2, other, &result, &error));
    ASSERT_EQ(ARCL_TYPE_OTHER, result);
    ASSERT_EQ(2, arcl_type_arity(arcl_type_of_op(ARCL_ARC_DSL, op("hconcat").number)));
    ASSERT_EQ(0, arcl_type_arity(arcl_type_parse("grid")));
    PASS();
}

/* More questions than the table begins with. */
TEST all_calls_have_types(void) {
    static const char *const types[] = {"int", "bool", "ij", "grid", "{ij}", "{cell}", "{{cell}}", "[grid]"};
    int taken[2] = {0, 0};
    for (int round = 0; round < 2; round++)
        for (int f = 0; f < arcl_op_count(); f++)
            for (int a = 0; a < 8; a++)
                for (int b = 0; b < 8; b++) {
                    arcl_type given[2] = {arcl_type_parse(types[a]), arcl_type_parse(types[b])}, result;
                    int count = arcl_op_get(f).arity == 1 ? 1 : 2;
                    ASSERT_EQ(ARCL_SUCCESS, arcl_op_type(context, ARCL_ARC_DSL, f, count, given, &result, &error));
                    taken[round] += result != ARCL_TYPE_FAILS;
                }
    ASSERT(taken[0] > 1000);
    ASSERT_EQ(taken[0], taken[1]);
    PASS();
}

TEST a_rejected_tree_says_why(void) {
    arcl_tree *t = tree_of(text_of_three, 0);
    arcl_program *p;
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_set(t, 3, 0, number(1), &error));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_compile(context, t, NULL, &p, &error));
    ASSERT(strstr(error.message, "paint: argument 1 is int, a grid is expected"));
    ASSERT_EQ(ARCL_INVALID, arcl_tree_compile(context, t, NULL, &p, NULL));
    ASSERT_EQ(NULL, p);
    arcl_tree_free(t);
    PASS();
}

TEST definitions_that_are_no_trees(void) {
    ASSERT_EQ(NULL, tree_of("def f(x):\n    return height(x)\ndef a(I):\n    return apply(f, frobenius(I))\n", 0));
    ASSERT_EQ(NULL, tree_of("def f(x):\n    return height(x)\ndef a(I):\n    return apply(f, partition(I))\n", 0));
    ASSERT(strstr(error.message, "trees have ops only"));
    arcl_tree *t = tree_of("def f(x):\n    return hmirror(x)\ndef a(I):\n    return f(I)\n", 0);
    ASSERT_STR_EQ("    x1 = hmirror(I)\n    return x1\n", written(t));
    arcl_tree_free(t);
    PASS();
}

TEST trees_in_other_words(void) {
    arcl_tree *t = tree_of("def a(I):\n    return fill(I, 3, first(objects(I, T, F, T)))\n", 0);
    char *made = NULL;
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_format(context, t, "a", ARCL_TOKPIDJIN, 1, &made, NULL, &error));
    ASSERT_STR_EQ("def a(S, I, C):\n    return fill(I, 3, first(objects(I, T, F, T)))\n", made);
    arcl_text_free(made);
    arcl_tree_free(t);
    PASS();
}

TEST trees_run(void) {
    arcl_tree *t = tree_of(text_of_three, 2);
    arcl_program *p;
    arcl_batch *batch;
    arcl_result *result;
    const signed char cells[] = {1, 2, 3, 4};
    int h, w;
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_compile(context, t, &(arcl_compile_options){.grid_result = 1}, &p, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &batch, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(batch, 2, 2, cells, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, p, batch, &result, &error));
    const signed char *out = arcl_result_grid(result, 0, &h, &w);
    ASSERT(out && h == 3 && w == 3);
    ASSERT_EQ(0, memcmp(out, (const signed char[]){2, 0, 0, 4, 0, 0, 2, 0, 0}, 9));
    arcl_result_free(result);
    arcl_batch_free(batch);
    arcl_program_free(p);
    arcl_tree_free(t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(&(arcl_options){.threads = 1, .device = "host"}, &context, &error)) return 1;
    RUN_TEST(a_tree_is_what_its_text_is);
    RUN_TEST(equal_programs_have_equal_keys);
    RUN_TEST(parameters_tell_programs_apart);
    RUN_TEST(lines_are_built);
    RUN_TEST(trees_grow);
    RUN_TEST(what_is_wrong_changes_nothing);
    RUN_TEST(a_called_line_is_not_replaced_by_a_number);
    RUN_TEST(lines_of_another_tree_are_grafted);
    RUN_TEST(lines_have_types);
    RUN_TEST(calls_have_types);
    RUN_TEST(all_calls_have_types);
    RUN_TEST(a_rejected_tree_says_why);
    RUN_TEST(definitions_that_are_no_trees);
    RUN_TEST(trees_in_other_words);
    RUN_TEST(trees_run);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
