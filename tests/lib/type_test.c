/* Tests of lib/ops/type.h: codes, their notation, records and joins. */
#include "ops/type.h"

#include "greatest.h"

static const char *text_of(type_code t) {
    static char buf[128];
    return type_text(t, buf, sizeof buf);
}

TEST notation_gives_the_code(void) {
    ASSERT_EQ((type_code)T_INT, type_parse("int"));
    ASSERT_EQ((type_code)T_BOOL, type_parse("bool"));
    ASSERT_EQ((type_code)T_IJ, type_parse("ij"));
    ASSERT_EQ((type_code)T_CELL, type_parse("cell"));
    ASSERT_EQ((type_code)T_GRID, type_parse("grid"));
    ASSERT_EQ(TYPE_IJ_SET, type_parse("{ij}"));
    ASSERT_EQ(TYPE_OBJECT, type_parse("{cell}"));
    ASSERT_EQ(type_set(TYPE_OBJECT), type_parse("{{cell}}"));
    ASSERT_EQ(TYPE_INT_TUPLE, type_parse("[int]"));
    ASSERT_EQ(TYPE_ROWS, type_parse("[[int]]"));
    ASSERT_EQ(type_tuple(T_NEVER), type_parse("[]"));
    ASSERT_EQ(type_set(T_NEVER), type_parse("{}"));
    PASS();
}

TEST notation_survives_a_round_trip(void) {
    static const char *const all[] = {
        "int",
        "bool",
        "ij",
        "cell",
        "grid",
        "{ij}",
        "{{cell}}",
        "[[int]]",
        "{}",
        "[{}]",
        "[grid]",
        "{(int,ij)}",
        "(int,grid)",
        "((ij,int),bool)",
        "[({cell},[int])]",
        "(int,(bool,(ij,cell)))",
        "{[{[{int}]}]}",
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        type_code t = type_parse(all[i]);
        ASSERTm(all[i], t != 0);
        ASSERT_STR_EQ(all[i], text_of(t));
    }
    PASS();
}

TEST other_text_is_no_type(void) {
    static const char *const all[] = {"",       "in",   "integer", "int ",       " int",   "{int",
                                      "{int]",  "}",    "[int]]",  "(int",       "(int,)", "()",
                                      "(,int)", "int,", "ij|cell", "{int}{int}", "never"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ASSERT_EQm(all[i], (type_code)0, type_parse(all[i]));
    PASS();
}

TEST a_type_that_does_not_fit_is_refused(void) {
    char text[64];
    for (int depth = 1; depth <= 30; depth++) {
        int n = 0;
        for (int i = 0; i < depth; i++) text[n++] = '{';
        memcpy(text + n, "int", 3);
        n += 3;
        for (int i = 0; i < depth && n < 63; i++) text[n++] = '}';
        text[n] = 0;
        type_code t = type_parse(text);
        if (depth <= 8) ASSERT_NEQ((type_code)0, t);
        if (depth >= 16) ASSERT_EQ((type_code)0, t);
        if (t) ASSERT_STR_EQ(text, text_of(t));
    }
    ASSERT_EQ((type_code)0, type_parse("(int,int,int,int,int,int,int,int,int,int,int,int,int,int)"));
    ASSERT_NEQ((type_code)0, type_parse("(int,int,int,int,int,int,int,int,int,int,int,int,int)"));
    ASSERT_EQ((type_code)0, type_parse("(((((((((((((((((((((((((((((((((((((((((((((((((("));
    PASS();
}

TEST text_is_cut_to_its_buffer(void) {
    char buf[8];
    memset(buf, 'x', sizeof buf);
    ASSERT_STR_EQ("{{{", type_text(type_parse("{{{cell}}}"), buf, 4));
    ASSERT_EQ('x', buf[4]);
    PASS();
}

TEST length_counts_nibbles(void) {
    ASSERT_EQ_FMT(1, type_length(T_INT), "%d");
    ASSERT_EQ_FMT(3, type_length(TYPE_ROWS), "%d");
    ASSERT_EQ_FMT(5, type_length(type_parse("(int,{ij})")), "%d");
    PASS();
}

TEST containers_have_elements(void) {
    type_code objects = type_parse("{{cell}}");
    ASSERT(type_is_container(objects));
    ASSERT_FALSE(type_is_container(T_GRID));
    ASSERT_FALSE(type_is_container(type_parse("(int,ij)")));
    ASSERT_EQ(TYPE_OBJECT, type_element(objects));
    ASSERT_EQ((type_code)T_CELL, type_element(type_element(objects)));
    ASSERT_EQ(objects, type_container(T_SET, TYPE_OBJECT));
    ASSERT_EQ((unsigned)T_SET, type_head(objects));
    PASS();
}

TEST records_have_fields(void) {
    type_code fields[] = {T_INT, type_parse("(ij,{cell})"), TYPE_ROWS, T_GRID};
    type_code record = type_record(fields, 4);
    ASSERT_STR_EQ("(int,(ij,{cell}),[[int]],grid)", text_of(record));
    ASSERT_EQ_FMT(4, type_fields(record), "%d");
    for (int i = 0; i < 4; i++) ASSERT_EQ(fields[i], type_field(record, i));
    PASS();
}

/* The last field of a record that uses every nibble there is must not swallow or lose any. */
TEST a_full_record_keeps_its_last_field(void) {
    type_code t = type_parse("(int,int,int,int,int,int,int,int,int,int,int,int,ij)");
    ASSERT_EQ_FMT(15, type_length(t), "%d");
    ASSERT_EQ((type_code)T_INT, type_field(t, 11));
    ASSERT_EQ((type_code)T_IJ, type_field(t, 12));
    PASS();
}

/* Joins must not depend on the order of their sides, so each case is tried both ways; "" stands for no join. */
TEST joins_to(const char *a, const char *b, const char *expected) {
    type_code x = type_parse(a), y = type_parse(b), e = *expected ? type_parse(expected) : 0;
    ASSERT(x && y);
    ASSERT_EQm(expected, e, type_join(x, y));
    ASSERT_EQm(expected, e, type_join(y, x));
    PASS();
}

SUITE(joins) {
    RUN_TESTp(joins_to, "int", "int", "int");
    RUN_TESTp(joins_to, "bool", "int", "int");
    RUN_TESTp(joins_to, "{cell}", "{}", "{cell}");
    RUN_TESTp(joins_to, "[{}]", "[{ij}]", "[{ij}]");
    RUN_TESTp(joins_to, "[bool]", "[int]", "[int]");
    RUN_TESTp(joins_to, "(bool,{})", "(int,{ij})", "(int,{ij})");
    RUN_TESTp(joins_to, "(int,[{}])", "(int,[{grid}])", "(int,[{grid}])");
    RUN_TESTp(joins_to, "{}", "[]", "");
    RUN_TESTp(joins_to, "{int}", "[int]", "");
    RUN_TESTp(joins_to, "int", "ij", "");
    RUN_TESTp(joins_to, "(int,int,ij)", "(int,ij)", "");
    RUN_TESTp(joins_to, "(int,grid)", "(int,ij)", "");
    RUN_TESTp(joins_to, "{{int}}", "{int}", "");
}

SUITE(types) {
    RUN_TEST(notation_gives_the_code);
    RUN_TEST(notation_survives_a_round_trip);
    RUN_TEST(other_text_is_no_type);
    RUN_TEST(a_type_that_does_not_fit_is_refused);
    RUN_TEST(text_is_cut_to_its_buffer);
    RUN_TEST(length_counts_nibbles);
    RUN_TEST(containers_have_elements);
    RUN_TEST(records_have_fields);
    RUN_TEST(a_full_record_keeps_its_last_field);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(types);
    RUN_SUITE(joins);
    GREATEST_MAIN_END();
}
