/* Tests of lib/language/lexer.h. Token streams are compared as text: names and numbers as they are, symbols as
 * themselves, $ for a string, / for the end of a line, ! for a bad token; the end of the text is not shown. */
#include "language/lexer.h"

#include "greatest.h"

/* Enough for every text here; a stream that does not end would run into it. */
#define MAX_TOKENS 200

static const char *stream_of(const char *text, size_t length) {
    static char out[4096];
    size_t n = 0;
    lexer l;
    lexer_start(&l, text, (uint32_t)length, 0);
    out[0] = 0;
    for (int i = 0; i < MAX_TOKENS; i++) {
        lexer_next(&l);
        if (l.kind == TK_END) return out;
        if (n) out[n++] = ' ';
        switch (l.kind) {
        case TK_NAME: n += (size_t)snprintf(out + n, sizeof out - n, "%.*s", (int)l.n, text + l.at); break;
        case TK_INT: n += (size_t)snprintf(out + n, sizeof out - n, "%lld", (long long)l.number); break;
        case TK_STRING: out[n++] = '$'; break;
        case TK_SYMBOL: out[n++] = l.symbol; break;
        case TK_NEWLINE: out[n++] = '/'; break;
        default: out[n++] = '!'; break;
        }
        out[n] = 0;
    }
    return "no end";
}

TEST cut_into(const char *text, const char *expected) {
    ASSERT_STR_EQ(expected, stream_of(text, strlen(text)));
    PASS();
}

SUITE(tokens) {
    RUN_TESTp(cut_into, "", "");
    RUN_TESTp(cut_into, "\n \n\t\n# a comment\n", "");
    RUN_TESTp(cut_into, "x1 = fill(I, 10, _a)\n", "x1 = fill ( I , 10 , _a ) /");
    RUN_TESTp(cut_into, "x=1", "x = 1 /");
    RUN_TESTp(cut_into, "return x2 # why\n", "return x2 /");
    RUN_TESTp(cut_into, "def f(I: Grid) -> Grid:\n", "def f ( I : Grid ) > Grid : /");
    RUN_TESTp(cut_into, "a = -3", "a = - 3 /");
    RUN_TESTp(cut_into, "from dsl import *\nimport a.b;", "from dsl import * / import a . b ; /");
    RUN_TESTp(cut_into, "a\r\nb\r\n", "a / b /");
    RUN_TESTp(cut_into, "f(a,\n  b, # in brackets\n\n  c)\nd", "f ( a , b , c ) / d /");
    RUN_TESTp(cut_into, "a = \\\n  b\n", "a = b /");
    RUN_TESTp(cut_into, "''", "$ /");
    RUN_TESTp(cut_into, "'it''s' \"a#b\" 'a\\'b'", "$ $ $ $ /");
    RUN_TESTp(cut_into, "\"\"\"two\nlines, \"quoted\" \"\"\" x", "$ x /");
    RUN_TESTp(cut_into, ") a\nb", ") a / b /");
    RUN_TESTp(cut_into, "12 0 007", "12 0 7 /");
    RUN_TESTp(cut_into, "f((a,\ndefine,\n def\n\ndef g(", "f ( ( a , define , def / def g ( /");
    RUN_TESTp(cut_into, "f(\ndef", "f ( def /");
}

SUITE(bad_tokens) {
    RUN_TESTp(cut_into, "a ? b", "a ! b /");
    RUN_TESTp(cut_into, "a + b", "a ! b /");
    RUN_TESTp(cut_into, "1.5", "! . 5 /");
    RUN_TESTp(cut_into, "0x10", "! x10 /");
    RUN_TESTp(cut_into, "'open\nb", "! / b /");
    RUN_TESTp(cut_into, "'''open\nb", "! /");
    RUN_TESTp(cut_into, "'ends in a backslash\\", "! /");
    RUN_TESTp(cut_into, "\xc3\xa9", "! ! /");
}

TEST a_zero_byte_is_a_bad_character(void) {
    static const char text[] = "a \0 b";
    ASSERT_STR_EQ("a ! b /", stream_of(text, sizeof text - 1));
    PASS();
}

TEST text_ends_where_its_length_says(void) {
    ASSERT_STR_EQ("ab 12 /", stream_of("ab 12\0"
                                       "34",
                                       5));
    ASSERT_STR_EQ("ab /", stream_of("ab\0cd", 2));
    PASS();
}

TEST the_end_repeats(void) {
    lexer l;
    lexer_start(&l, "a", 1, 0);
    lexer_next(&l);
    ASSERT_EQ(TK_NAME, l.kind);
    lexer_next(&l);
    ASSERT_EQ(TK_NEWLINE, l.kind);
    for (int i = 0; i < 3; i++) {
        lexer_next(&l);
        ASSERT_EQ(TK_END, l.kind);
    }
    PASS();
}

TEST a_huge_number_stays_out_of_range(void) {
    static const char text[] = "99999999999999999999999999999999999999999999999999";
    lexer l;
    lexer_start(&l, text, sizeof text - 1, 0);
    lexer_next(&l);
    ASSERT_EQ(TK_INT, l.kind);
    ASSERT(l.number > INT32_MAX);
    ASSERT_EQ_FMT(sizeof text - 1, (size_t)l.n, "%zu");
    PASS();
}

TEST indentation_belongs_to_the_line(void) {
    static const char text[] = "def\n    a = (b,\n c)\n\n  # comment\n\td\ne";
    static const struct {
        const char *name;
        uint32_t indent;
    } expected[] = {{"def", 0}, {"a", 4}, {"b", 4}, {"c", 4}, {"d", 1}, {"e", 0}};
    size_t i = 0;
    lexer l;
    lexer_start(&l, text, sizeof text - 1, 0);
    for (lexer_next(&l); l.kind != TK_END; lexer_next(&l)) {
        if (l.kind != TK_NAME) continue;
        ASSERT(i < sizeof expected / sizeof *expected);
        ASSERT(strncmp(expected[i].name, text + l.at, l.n) == 0);
        ASSERT_EQ_FMT(expected[i].indent, l.indent, "%u");
        i++;
    }
    ASSERT_EQ(sizeof expected / sizeof *expected, i);
    PASS();
}

TEST positions_point_into_the_text(void) {
    static const char text[] = "ab = -> 'x'";
    static const uint32_t at[] = {0, 3, 5, 8}, n[] = {2, 1, 2, 3};
    lexer l;
    lexer_start(&l, text, sizeof text - 1, 0);
    for (int i = 0; i < 4; i++) {
        lexer_next(&l);
        ASSERT_EQ_FMT(at[i], l.at, "%u");
        ASSERT_EQ_FMT(n[i], l.n, "%u");
    }
    PASS();
}

/* Where skipping starts: after `tokens` tokens. It must reach the token `next`, or the end for "". */
TEST skips_to(const char *text, int tokens, const char *next) {
    lexer l;
    lexer_start(&l, text, (uint32_t)strlen(text), 0);
    for (int i = 0; i < tokens; i++) lexer_next(&l);
    lexer_skip_definition(&l);
    if (!*next) {
        ASSERT_EQ(TK_END, l.kind);
        PASS();
    }
    ASSERT_EQ(TK_NAME, l.kind);
    ASSERT_EQ_FMT(0u, l.indent, "%u");
    ASSERT_EQ_FMT(strlen(next), (size_t)l.n, "%zu");
    ASSERT(strncmp(text + l.at, next, l.n) == 0);
    PASS();
}

SUITE(skipping) {
    static const char two[] = "def f(I):\n    return I\n\n# between\ndef g(I):\n    return I\n";
    for (int tokens = 1; tokens < 9; tokens++) RUN_TESTp(skips_to, two, tokens, "def");
    RUN_TESTp(skips_to, "def f(\nI\n):\n  a\nnext", 2, "I");
    RUN_TESTp(skips_to, "def f(\n  I\n):\n  a\nnext", 3, "next");
    RUN_TESTp(skips_to, "def f(", 3, "");
    RUN_TESTp(skips_to, "def f(I):\n    a", 2, "");
    RUN_TESTp(skips_to, "'ends in a backslash\\", 1, "");
    RUN_TESTp(skips_to, "a", 2, "");
    RUN_TESTp(skips_to, "", 1, "");
}

SUITE(places) {
    RUN_TEST(a_zero_byte_is_a_bad_character);
    RUN_TEST(text_ends_where_its_length_says);
    RUN_TEST(the_end_repeats);
    RUN_TEST(a_huge_number_stays_out_of_range);
    RUN_TEST(indentation_belongs_to_the_line);
    RUN_TEST(positions_point_into_the_text);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(tokens);
    RUN_SUITE(bad_tokens);
    RUN_SUITE(places);
    RUN_SUITE(skipping);
    GREATEST_MAIN_END();
}
