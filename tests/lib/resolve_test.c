/* Names that a text defines itself: definitions that use others, constants, recursion, names that the language has too,
 * and Python that it has not. What a program means is read off its normal form. */
#include <greatest.h>

#include "arcl.h"
#include "support/mutation.h"

static arcl_context *context;

/* The normal forms of all programs of a text, one after the other; of one that has failed, its message. */
static const char *formatted(const char *source, size_t length) {
    static text all;
    arcl_source *s;
    arcl_error error;
    text_clear(&all);
    if (arcl_source_parse(context, source, length, "file.py", &s, &error)) return "not parsed";
    for (int i = 0; i < arcl_source_count(s); i++) {
        char *form = NULL;
        if (arcl_source_format(context, s, i, 0, &form, NULL, &error))
            text_add(&all, error.message);
        else
            text_add(&all, form);
        arcl_text_free(form);
    }
    arcl_source_free(s);
    return all.at;
}

TEST same_as(const char *source, const char *expected) {
    ASSERT_STR_EQ(expected, formatted(source, strlen(source)));
    PASS();
}

TEST says(const char *source, const char *expected) {
    const char *found = formatted(source, strlen(source));
    if (!strstr(found, expected)) ASSERT_STR_EQ(expected, found);
    PASS();
}

/* What is printed means the same, and is printed alike. */
TEST stays(const char *source) {
    text once = {0};
    text_clear(&once);
    text_add(&once, formatted(source, strlen(source)));
    ASSERT(strstr(once.at, "def "));
    ASSERT_STR_EQ(once.at, formatted(once.at, once.length));
    text_free(&once);
    PASS();
}

#define F(body) "def solve_a(I):\n" body
#define MIRROR F("    x1 = hmirror(I)\n    return x1\n")

SUITE(definitions) {
    RUN_TESTp(same_as, "def turn(g):\n    return hmirror(g)\n" F("    return turn(I)\n"), MIRROR);
    RUN_TESTp(same_as, F("    return turn(I)\n") "def turn(g):\n    return hmirror(g)\n", MIRROR);
    RUN_TESTp(same_as, "def a(x):\n    return b(x)\ndef b(x):\n    return hmirror(x)\n" F("    return a(I)\n"), MIRROR);
    RUN_TESTp(same_as, "def f(x):\n    return x\ndef f(x):\n    return hmirror(x)\n" F("    return f(I)\n"),
              "def f(p1):\n    return p1\n" MIRROR); /* the last one holds */
    RUN_TESTp(same_as, "def f(a, b, c):\n    return replace(a, c, b)\n" F("    return f(I, ONE, 2)\n"),
              F("    x1 = replace(I, 2, 1)\n    return x1\n"));
    /* A program stays one though another uses it. */
    RUN_TESTp(same_as, MIRROR "def solve_b(I):\n    return solve_a(I)\n",
              MIRROR "def solve_b(I):\n    x1 = hmirror(I)\n    return x1\n");
    /* Lines that nobody uses run all the same. */
    RUN_TESTp(same_as, "def f(g):\n    x = first(g)\n    return g\n" F("    return f(I)\n"),
              F("    x1 = first(I)\n    return I\n"));
    RUN_TESTp(says, "def f(a, b):\n    return a\n" F("    x1 = f(I)\n    return x1\n"), "x1 = f_");
    RUN_TESTp(says, "def f(a):\n    return frob(a)\n" F("    return f(I)\n"),
              "file.py:4:12: 'f', which line 1 defines, cannot be used: there is a mistake in it");
}

SUITE(function_values) {
    RUN_TESTp(stays, "def f(o):\n    return recolor(size(o), o)\n" F(
                         "    x = mapply(f, objects(I, T, F, T))\n    return paint(I, x)\n"));
    RUN_TESTp(stays, "def g(x):\n    return size(x)\ndef f(o):\n    return argmax(apply(g, o), g)\n" F(
                         "    return compose(f, lbind(f, g))(I)\n"));
    RUN_TESTp(stays, "def f(o):\n    return size(o)\n" F(
                         "    return apply(f, I)\n") "def solve_b(I):\n    return sfilter(I, f)\n");
    RUN_TESTp(stays, "def f(a, b):\n    return a\ndef g(x, y):\n    return x\n" F(
                         "    return (f, g, fork(f, rbind(g, I), T))\n"));
    /* Functions that say the same are one. */
    RUN_TESTp(says, "def f(a, b):\n    return a\ndef g(x, y):\n    return x\n" F("    return equality(f, g)\n"),
              "x1 = equality(f_");
    RUN_TESTp(says, "def f(a):\n    return a\n" F("    x1 = f(f)\n    return x1\n"), "return f_");
}

SUITE(constants) {
    RUN_TESTp(same_as, "N = 3\n" F("    return canvas(N, (N, N))\n"), F("    x1 = canvas(3, (3, 3))\n    return x1\n"));
    RUN_TESTp(same_as, F("    return canvas(M, P)\n") "N: int = -3; M = N\nP = (1, 2)\n",
              F("    x1 = canvas(-3, (1, 2))\n    return x1\n"));
    RUN_TESTp(same_as, "f = compose(hmirror, identity)\n" F("    return f(I)\n"),
              F("    x1 = compose(hmirror, identity)\n    x2 = x1(I)\n    return x2\n"));
    /* As Python runs a file: a constant knows what comes before it, a definition the last one. */
    RUN_TESTp(same_as, "N = 3\nM = N\nN = 4\n" F("    return canvas(N, (M, 1))\n"),
              F("    x1 = canvas(4, (3, 1))\n    return x1\n"));
    RUN_TESTp(says, "M = N\nN = 4\n" F("    return canvas(M, (1, 1))\n"), "file.py:1:5: 'N' is no op");
    RUN_TESTp(says, "L = [1]\n", "file.py:1:5: lists are not in the language");
    RUN_TESTp(same_as, "N = 3\n", "");
}

SUITE(names_of_the_language) {
    RUN_TESTp(same_as, "def rot90(g):\n    return hmirror(g)\n" F("    return rot90(I)\n"), MIRROR);
    RUN_TESTp(same_as, "def rot90(I):\n    return rot90(I)\n", "def rot90(I):\n    x1 = rot90(I)\n    return x1\n");
    RUN_TESTp(same_as, "TEN = 7\nT = True\n" F("    return canvas(TEN, (1, T))\n"),
              F("    x1 = (1, T)\n    x2 = canvas(7, x1)\n    return x2\n"));
    RUN_TESTp(says, "def first(x):\n    return x[0]\n" F("    return first(I)\n"), "x1 = first(I)");
    /* A word of the other dialect that the text defines says nothing of its dialect. */
    RUN_TESTp(same_as, "def mir_rot_t(g, n):\n    return hmirror(g)\n" F("    return mir_rot_t(I, asobject)\n"),
              MIRROR);
}

SUITE(recursion) {
    RUN_TESTp(says, "def f(x):\n    return f(x)\n", "file.py:2:12: recursion is not in the language: f calls f\n");
    RUN_TESTp(says, "def f(x):\n    return g(x)\ndef g(x):\n    return h(x)\ndef h(x):\n    return f(x)\n",
              "recursion is not in the language: f calls g, which calls h, which calls f\n");
    RUN_TESTp(says, "def f(x):\n    return f(x)\n" F("    return f(I)\n"), "file.py:4:12: recursion is not");
    RUN_TESTp(says, "N = N\n" F("    return canvas(N, (1, 1))\n"), "'N' is no op");
    /* So it is by way of others though the name is an op's, whichever of them stands first. */
    RUN_TESTp(says, "def first(x):\n    return g(x)\ndef g(x):\n    return first(x)\n" F("    return g(I)\n"),
              "file.py:6:12: recursion is not in the language: first calls g, which calls first\n");
    RUN_TESTp(says, "def g(x):\n    return first(x)\ndef first(x):\n    return g(x)\n" F("    return g(I)\n"),
              "file.py:6:12: recursion is not in the language: g calls first, which calls g\n");
    RUN_TESTp(says, "def g(x):\n    return first(x)\ndef first(x):\n    return g(x)\n" F("    return first(I)\n"),
              "file.py:6:12: recursion is not");
}

SUITE(python) {
    RUN_TESTp(says, F("    return apply(lambda x: x, I)\n"), ":2:18: lambda is not in the language: write compose");
    RUN_TESTp(says, F("    return I if T else F\n"), ":2:14: if is not in the language: write branch");
    RUN_TESTp(says, F("    if T:\n        return I\n"), ":2:5: if is not in the language: write branch");
    RUN_TESTp(says, F("    for x in I:\n        y = x\n    return y\n"), ":2:5: for is not in the language");
    RUN_TESTp(says, F("    return (x for x in I)\n"), "for is not in the language: write apply");
    RUN_TESTp(says, F("    x = [1]\n    return x\n"), ":2:9: lists are not in the language");
    RUN_TESTp(says, F("    x = {1, 2}\n    return x\n"), ":2:9: sets and dicts in braces are not in the language");
    RUN_TESTp(says, F("    return I[0]\n"), ":2:13: indexing with [ ] is not in the language: write first");
    RUN_TESTp(says, F("    return I.shape\n"), ":2:13: a dot behind a value is not in the language");
    RUN_TESTp(says, F("    return I == I\n"), ":2:14: == is not in the language: write equality(a, b)");
    RUN_TESTp(says, F("    x = add(1 + 2, 3)\n    return x\n"), ":2:15: + is not in the language: write add(a, b)");
    RUN_TESTp(says, F("    x = (1 - 2)\n    return x\n"), ":2:12: - is not in the language: write subtract");
    RUN_TESTp(says, F("    x = not T\n    return x\n"), ":2:9: not is not in the language: write flip");
    RUN_TESTp(says, F("    x += 1\n    return x\n"), ":2:5: only = assigns");
    RUN_TESTp(says, F("    a, b = I\n    return a\n"), ":2:5: a line assigns one name");
    RUN_TESTp(says, F("    def g(x):\n        return x\n    return I\n"),
              ":2:5: a definition cannot stand in another one");
    RUN_TESTp(says, F("    return len(I)\n"), ":2:12: 'len' is Python's and not in the language: write size");
    RUN_TESTp(says, F("    return None\n"), ":2:12: None is not in the language");
}

/* ---- limits ---- */

/* Each uses the one that comes after it. */
static void chain(text *t, int count, const char *body) {
    text_clear(t);
    for (int i = count; i > 0; i--) {
        char line[200];
        snprintf(line, sizeof line, body, i, i - 1, i - 1);
        text_add(t, line);
    }
    text_add(t, "def f0(x):\n    return rot90(x)\n");
}

TEST too_much_is_refused(const char *body, int count, const char *expected) {
    text t = {0};
    chain(&t, count, body);
    const char *found = formatted(t.at, t.length);
    if (!strstr(found, expected)) ASSERT_STR_EQ(expected, found);
    text_free(&t);
    PASS();
}

/* What is nested too deep is refused though the language knows the name, too. */
TEST too_deep_for_a_name_of_the_language(void) {
    text t = {0};
    chain(&t, 49, "def f%d(x):\n    return f%d(x)\n");
    text_add(&t, "def rot90(x):\n    return hmirror(x)\n");
    ASSERT(strstr(formatted(t.at, t.length), "more than 50 deep"));
    text_free(&t);
    PASS();
}

/* A text that is long enough to be parsed in parts finds names of all of them. */
TEST parts_know_each_other(void) {
    text t = {0};
    text_clear(&t);
    text_add(&t, "N = last_one(3)\n");
    for (int i = 0; i < 20000; i++) {
        char line[100];
        snprintf(line, sizeof line, "def solve_%d(I):\n    return canvas(last_one(N), (1, 1))\n", i);
        text_add(&t, line);
    }
    text_add(&t, "def last_one(x):\n    return increment(x)\n");
    const char *found = formatted(t.at, t.length);
    ASSERT(strstr(found, "'last_one'") || !strstr(found, "file.py:"));
    ASSERT(strstr(found, "file.py:1:5: 'last_one' is no op")); /* a constant knows what comes before it */
    text_free(&t);
    PASS();
}

/* The safe policy runs a program with an unknown name, too, and puts in what it calls, for which there must be room. */
TEST unknown_names_beside_large_definitions(void) {
    text t = {0};
    arcl_source *source;
    arcl_program *program = NULL;
    arcl_compile_options safe = {.policy = ARCL_SAFE};
    text_clear(&t);
    text_add(&t, "def solve_a(I):\n    x1 = large(I)\n    x2 = unheard_of(x1)\n    return x1\ndef large(x):\n");
    for (int i = 0; i < 300; i++) text_add(&t, i % 2 ? "    x = rot90(x)\n" : "    x = vmirror(x)\n");
    text_add(&t, "    return x\n");
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, t.at, t.length, "file.py", &source, NULL));
    ASSERT_EQ(1, arcl_source_count(source));
    ASSERT_EQ(ARCL_SUCCESS, arcl_program_compile(context, source, 0, &safe, &program, NULL));
    arcl_program_free(program);
    arcl_source_free(source);
    text_free(&t);
    PASS();
}

SUITE(limits) {
    RUN_TEST(unknown_names_beside_large_definitions);
    RUN_TESTp(too_much_is_refused, "def f%d(x):\n    return f%d(x)\n", 60, "more than 50 deep");
    RUN_TESTp(too_much_is_refused, "def f%d(x):\n    return f%d(f%d(x))\n", 40, "too large");
    RUN_TEST(too_deep_for_a_name_of_the_language);
    RUN_TEST(parts_know_each_other);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 4, .device = "host"};
    if (arcl_context_create(&options, &context, NULL)) return 1;
    RUN_SUITE(definitions);
    RUN_SUITE(function_values);
    RUN_SUITE(constants);
    RUN_SUITE(names_of_the_language);
    RUN_SUITE(recursion);
    RUN_SUITE(python);
    RUN_SUITE(limits);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
