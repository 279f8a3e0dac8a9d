/* Tests of the dialects through the public interface: which one a text is in, and that normal forms and keys keep it.
 * */
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "greatest.h"

static arcl_context *context;

static arcl_source *parse(const char *text, arcl_dialect dialect, arcl_error *error) {
    arcl_source *source = NULL;
    arcl_status status = arcl_source_parse_dialect(context, text, strlen(text), "text.py", dialect, &source, error);
    return status ? NULL : source;
}

TEST text_is(const char *text, arcl_dialect expected) {
    arcl_error error;
    arcl_source *source = parse(text, ARCL_DIALECT_AUTO, &error);
    ASSERTm(error.message, source);
    arcl_dialect found = arcl_source_dialect(source);
    arcl_source_free(source);
    ASSERT_EQm(text, expected, found);
    PASS();
}

#define DEF(parameters, value) "def f(" parameters "):\n    return " value "\n"

SUITE(recognition) {
    /* by a word or constant that only one of them has */
    RUN_TESTp(text_is, DEF("I", "height(I)"), ARCL_ARC_DSL);
    RUN_TESTp(text_is, DEF("I", "height_t(I)"), ARCL_TOKPIDJIN);
    RUN_TESTp(text_is, DEF("I", "fill(I, RED, I)"), ARCL_TOKPIDJIN);
    RUN_TESTp(text_is, DEF("I", "fill(I, F0, I)"), ARCL_TOKPIDJIN);
    RUN_TESTp(text_is, DEF("S, I, C", "vmirror(I)"), ARCL_ARC_DSL);
    RUN_TESTp(text_is, DEF("I", "apply(first_f, I)"), ARCL_TOKPIDJIN);
    /* by the parameters, if there is none */
    RUN_TESTp(text_is, DEF("I", "rot90(I)"), ARCL_ARC_DSL);
    RUN_TESTp(text_is, DEF("S, I", "rot90(I)"), ARCL_TOKPIDJIN);
    RUN_TESTp(text_is, DEF("S, I, C", "rot90(I)"), ARCL_TOKPIDJIN);
    RUN_TESTp(text_is, DEF("I, S", "rot90(I)"), ARCL_ARC_DSL);
    RUN_TESTp(text_is, DEF("a, b", "hconcat(a, b)"), ARCL_ARC_DSL);
    RUN_TESTp(text_is, "", ARCL_ARC_DSL);
    RUN_TESTp(text_is, "from dsl import *\nfrom constants import *\n", ARCL_ARC_DSL);
    /* one definition tells for all of a file, wherever it stands */
    RUN_TESTp(text_is, DEF("I", "rot90(I)") DEF("I", "p_g(I)"), ARCL_TOKPIDJIN);
    RUN_TESTp(text_is, DEF("S, I, C", "rot90(I)") DEF("I", "width(I)"), ARCL_ARC_DSL);
    /* variables of these names tell nothing */
    RUN_TESTp(text_is, "def f(I):\n    RED = rot90(I)\n    return RED\n", ARCL_ARC_DSL);
    RUN_TESTp(text_is, "def f(S, I):\n    height = rot90(I)\n    return height\n", ARCL_TOKPIDJIN);
    RUN_TESTp(text_is,
              "def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n    t1 = rot90(I)\n"
              "    o.append((1, False, 'a', t1))\n    return o, s\n",
              ARCL_TOKPIDJIN);
}

TEST both_are_refused_unless_one_is_said(void) {
    static const char text[] = DEF("I", "height(I)") DEF("I", "p_g(I)");
    arcl_error error;
    ASSERT_EQ(NULL, parse(text, ARCL_DIALECT_AUTO, &error));
    ASSERTm(error.message, strstr(error.message, "'height' in line 2") && strstr(error.message, "'p_g' in line 4"));
    for (int d = ARCL_ARC_DSL; d <= ARCL_TOKPIDJIN; d++) {
        arcl_source *source = parse(text, (arcl_dialect)d, &error);
        char *formatted = NULL;
        ASSERT(source);
        ASSERT_EQ(d, (int)arcl_source_dialect(source));
        ASSERT_EQ(ARCL_SUCCESS, arcl_source_format(context, source, d - ARCL_ARC_DSL, 0, &formatted, NULL, &error));
        arcl_text_free(formatted);
        ASSERT_EQ(ARCL_INVALID, arcl_source_format(context, source, ARCL_TOKPIDJIN - d, 0, &formatted, NULL, &error));
        ASSERTm(error.message, strstr(error.message, "is a word of"));
        arcl_source_free(source);
    }
    PASS();
}

static arcl_key key_of(const char *text, arcl_dialect dialect) {
    arcl_error error;
    arcl_key key = {0};
    arcl_source *source = parse(text, dialect, &error);
    if (!source || arcl_source_key(context, source, 0, &key, &error)) key = (arcl_key){0};
    arcl_source_free(source);
    return key;
}

static int same_key(arcl_key a, arcl_key b) { return a.high == b.high && a.low == b.low && (a.high || a.low); }

TEST a_normal_form_is_the_same_program(const char *text) {
    arcl_error error;
    char *formatted = NULL;
    arcl_source *source = parse(text, ARCL_DIALECT_AUTO, &error);
    ASSERTm(error.message, source);
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_format(context, source, 0, 0, &formatted, NULL, &error));
    int is_same = same_key(key_of(text, ARCL_DIALECT_AUTO), key_of(formatted, ARCL_DIALECT_AUTO));
    arcl_text_free(formatted);
    arcl_source_free(source);
    ASSERTm(text, is_same);
    PASS();
}

TEST keys_tell_dialects_apart(void) {
    static const char text[] = DEF("S, I, C", "first(asobject(I))");
    ASSERT(same_key(key_of(text, ARCL_TOKPIDJIN), key_of(text, ARCL_DIALECT_AUTO)));
    ASSERT_FALSE(same_key(key_of(text, ARCL_ARC_DSL), key_of(text, ARCL_TOKPIDJIN)));
    PASS();
}

TEST translations_need_a_dialect_that_there_is(void) {
    arcl_error error;
    char *text = NULL;
    arcl_source *source = parse(DEF("I", "height(I)"), ARCL_DIALECT_AUTO, &error);
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_translate(context, source, 0, ARCL_TOKPIDJIN, 1, &text, NULL, &error));
    ASSERT_STR_EQ(DEF("S, I, C", "height_t(I)"), text);
    arcl_text_free(text);
    ASSERT_EQ(ARCL_INVALID, arcl_source_translate(context, source, 1, ARCL_TOKPIDJIN, 0, &text, NULL, &error));
    ASSERT_EQ(NULL, text);
    ASSERT_EQ(ARCL_INVALID, arcl_source_translate(context, source, 0, (arcl_dialect)7, 0, &text, NULL, &error));
    arcl_source_free(source);
    PASS();
}

SUITE(forms) {
    RUN_TEST(both_are_refused_unless_one_is_said);
    RUN_TEST(keys_tell_dialects_apart);
    RUN_TEST(translations_need_a_dialect_that_there_is);
    RUN_TESTp(a_normal_form_is_the_same_program, DEF("S, I, C", "rot90(I)"));
    RUN_TESTp(a_normal_form_is_the_same_program, DEF("S, I", "fill(I, RED, astuple(ONE, UNITY))"));
    RUN_TESTp(a_normal_form_is_the_same_program, DEF("S, I, C", "o_g(normalize_t(I), R5)"));
    RUN_TESTp(a_normal_form_is_the_same_program, DEF("I", "size_t(p_g(I))"));
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    arcl_options options = {.threads = 1, .device = "host", .profile = ""};
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(&options, &context, NULL)) return 1;
    RUN_SUITE(recognition);
    RUN_SUITE(forms);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
