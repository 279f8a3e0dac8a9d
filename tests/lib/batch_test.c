/* Tests of lib/run/batch.c and lib/run/result.c: values go in part by part, through a program that changes nothing, and
 * come out again as they were, with sets in their natural order. */
#include "support/evaluation.h"

#include "greatest.h"

static arcl_context *context;

/* What comes back, or the message with which a part was refused. */
TEST comes_back_as(const char *type, const char *lanes, const char *expected) {
    ASSERT_STR_EQ(expected, evaluate_in(context, type, "a", lanes));
    PASS();
}

TEST comes_back(const char *type, const char *lanes) { return comes_back_as(type, lanes, lanes); }

SUITE(values) {
    RUN_TESTp(comes_back, "int", "0; 1; -1; 2147483647; -2147483647");
    RUN_TESTp(comes_back, "bool", "true; false");
    RUN_TESTp(comes_back_as, "bool", "7; 0; -1", "true; false; true");
    RUN_TESTp(comes_back, "ij", "[0,0]; [1,-1]; [-83,86]; [8388607,-8388607]");
    RUN_TESTp(comes_back, "cell", "[0,[0,0]]; [9,[-3,4]]; [-5,[1,2]]; [32766,[8388607,-8388607]]; [-32766,[-1,-1]]");
    RUN_TESTp(comes_back, "grid", "[[1,2,3],[4,5,6]]; [[0]]; [[-1,127],[-127,9]]; []; [[1],[2],[3]]");
    RUN_TESTp(comes_back, "{int}", "{}; {1}; {-5,0,7}");
    RUN_TESTp(comes_back, "{bool}", "{false,true}; {true}");
    RUN_TESTp(comes_back, "{ij}", "{}; {[-1,5],[0,-2],[0,0],[3,1]}");
    RUN_TESTp(comes_back, "{cell}", "{[-1,[9,9]],[0,[5,5]],[1,[0,1]],[1,[0,2]],[1,[1,0]]}; {}");
    RUN_TESTp(comes_back, "[int]", "[]; [3,1,2,3]; [0]");
    RUN_TESTp(comes_back, "[[int]]", "[[1,2],[],[3]]; []; [[]]");
    RUN_TESTp(comes_back, "[grid]", "[[[1]],[[2,3]],[]]; []");
    RUN_TESTp(comes_back, "{grid}", "{[[1]],[[1],[2]],[[2]]}");
    RUN_TESTp(comes_back, "{{cell}}", "{}; {{}}; {{[1,[0,0]]},{[1,[0,0]],[2,[0,1]]},{[2,[0,0]]}}");
    RUN_TESTp(comes_back, "[{[{int}]}]", "[{[],[{}],[{1},{2,3}]},{}]; []");
}

SUITE(records) {
    RUN_TESTp(comes_back, "(int,ij,bool)", "[1,[2,3],true]; [-1,[0,0],false]");
    RUN_TESTp(comes_back, "(int,grid)", "[5,[[1,2],[3,4]]]; [6,[]]");
    RUN_TESTp(comes_back, "({cell},(ij,[int]))", "[{[1,[0,0]]},[[1,1],[1,2,3]]]; [{},[[0,0],[]]]");
    RUN_TESTp(comes_back, "[(int,{ij})]", "[[1,{[0,0]}],[2,{}],[1,{[0,0]}]]; []");
    RUN_TESTp(comes_back, "{(int,grid)}", "{[1,[[1]]],[1,[[2]]],[2,[[0]]]}");
}

SUITE(sets_in_any_order) {
    RUN_TESTp(comes_back_as, "{int}", "{3,1,2,3,1}", "{1,2,3}");
    RUN_TESTp(comes_back_as, "{ij}", "{[1,0],[0,1],[0,-1],[1,0]}", "{[0,-1],[0,1],[1,0]}");
    RUN_TESTp(comes_back_as, "{cell}", "{[2,[0,0]],[1,[5,5]],[1,[0,9]]}", "{[1,[0,9]],[1,[5,5]],[2,[0,0]]}");
    RUN_TESTp(comes_back_as, "{{int}}", "{{2,1},{1},{1,2},{},{1,1,3}}", "{{},{1},{1,2},{1,3}}");
    RUN_TESTp(comes_back_as, "{[int]}", "{[2],[1,5],[1],[1,5]}", "{[1],[1,5],[2]}");
    RUN_TESTp(comes_back_as, "{grid}", "{[[2]],[[1,2]],[[1]],[[1],[0]],[[2]]}", "{[[1]],[[1],[0]],[[1,2]],[[2]]}");
    RUN_TESTp(comes_back_as, "{(int,{int})}", "{[2,{1}],[1,{3,2}],[1,{2,3}],[1,{}]}", "{[1,{}],[1,{2,3}],[2,{1}]}");
    RUN_TESTp(comes_back_as, "[{int}]", "[{2,1},{9,9}]", "[{1,2},{9}]");
}

/* What only programs make: none, cells without a colour, rows of different lengths. */
TEST values_that_only_programs_make(void) {
    ASSERT_STR_EQ("null; 7", evaluate_in(context, "grid ij", "index(a, b)", "[[7]] [1,1]; [[7]] [0,0]"));
    ASSERT_STR_EQ("[null,7]", evaluate_in(context, "grid", "apply(lbind(index, a), ((5, 5), (0, 0)))", "[[7]]"));
    ASSERT_STR_EQ("{[1,2],[5,[0,0]]}", evaluate_in(context, "{ij} {cell}", "combine(a, b)", "{[1,2]} {[5,[0,0]]}"));
    ASSERT_STR_EQ("[[1],[2,2]]", evaluate_in(context, "int", "(repeat(a, 1), repeat(2, 2))", "1"));
    ASSERT_STR_EQ("[[1,2],[3]]", evaluate_in(context, "[[int]]", "vconcat(a, ())", "[[1,2],[3]]"));
    PASS();
}

TEST several_arguments(void) {
    ASSERT_STR_EQ("[[1,2],[[3]],{[0,0]}]; [[4,5],[],{}]",
                  evaluate_in(context, "ij grid {ij}", "(a, b, c)", "[1,2] [[3]] {[0,0]}; [4,5] [] {}"));
    ASSERT_STR_EQ("11; 22", evaluate_in(context, "int int int int", "add(add(a, b), add(c, d))", "1 2 3 5; 4 5 6 7"));
    PASS();
}

TEST a_batch_without_lanes(void) {
    ASSERT_STR_EQ("", evaluate_in(context, "grid", "rot90(a)", ""));
    PASS();
}

TEST grids_are_read_back_as_cells(void) {
    static const signed char cells[] = {1, 2, 3, 4, 5, 6};
    arcl_batch *b;
    arcl_program *p, *q;
    arcl_result *r;
    int h = -1, w = -1;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(b, 2, 3, cells, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(b, 0, 0, NULL, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(b, 3, 2, cells, NULL));
    ASSERT_EQ_FMT(3u, arcl_batch_lanes(b), "%u");
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "a", 1, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, p, b, &r, NULL));
    ASSERT_EQ_FMT(3u, arcl_result_lanes(r), "%u");
    const signed char *out = arcl_result_grid(r, 0, &h, &w);
    ASSERT(h == 2 && w == 3 && memcmp(out, cells, 6) == 0);
    arcl_result_grid(r, 1, &h, &w);
    ASSERT(h == 0 && w == 0);
    out = arcl_result_grid(r, 2, &h, &w);
    ASSERT(h == 3 && w == 2 && memcmp(out, cells, 6) == 0);
    arcl_result_free(r);
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "asindices(a)", 0, &q, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, q, b, &r, NULL));
    h = w = -1;
    ASSERT(!arcl_result_grid(r, 0, &h, &w));
    ASSERT(h == 0 && w == 0);
    arcl_result_free(r);
    arcl_program_free(p);
    arcl_program_free(q);
    arcl_batch_free(b);
    PASS();
}

/* Lanes may be added after a run; the next run has them all. */
TEST a_batch_grows_between_runs(void) {
    arcl_batch *b;
    arcl_program *p;
    arcl_result *r;
    text out = {0};
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "{int}", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "{int}", "a", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, "{1}", NULL));
    for (int round = 0; round < 3; round++) {
        text_clear(&out);
        ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, p, b, &r, NULL));
        result_write(r, &out);
        ASSERT_STR_EQ(round == 0 ? "{1}" : round == 1 ? "{1}; {2,3}" : "{1}; {2,3}; {4}", out.at);
        arcl_result_free(r);
        ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, round ? "{4}" : "{3,2}", NULL));
    }
    text_free(&out);
    arcl_program_free(p);
    arcl_batch_free(b);
    PASS();
}

SUITE(whole_batches) {
    RUN_TEST(values_that_only_programs_make);
    RUN_TEST(several_arguments);
    RUN_TEST(a_batch_without_lanes);
    RUN_TEST(grids_are_read_back_as_cells);
    RUN_TEST(a_batch_grows_between_runs);
}

/* ---- what is refused ---- */

SUITE(bad_parts) {
    RUN_TESTp(comes_back_as, "grid", "[[1,2],[3]]", "row 2 has 1 cells, the rows before have 2");
    RUN_TESTp(comes_back_as, "grid", "[[1],[2,3]]", "row 2 has 2 cells, the rows before have 1");
    RUN_TESTp(comes_back_as, "grid", "[[1],[2],[]]", "row 3 has 0 cells, the rows before have 1");
    RUN_TESTp(comes_back_as, "grid", "[[128]]", "128 is outside the range of a grid's cell");
    RUN_TESTp(comes_back_as, "grid", "[[-128]]", "-128 is outside the range of a grid's cell");
    RUN_TESTp(comes_back_as, "grid", "[1]", "a number where grid is expected");
    RUN_TESTp(comes_back_as, "grid", "[[[1]]]", "a container where a number is expected");
    RUN_TESTp(comes_back_as, "int", "2147483648", "2147483648 is outside the range of int");
    RUN_TESTp(comes_back_as, "int", "-2147483648", "-2147483648 is outside the range of int");
    RUN_TESTp(comes_back_as, "int", "[1]", "a container where a number is expected");
    RUN_TESTp(comes_back_as, "ij", "3", "a number where ij is expected");
    RUN_TESTp(comes_back_as, "ij", "[3]", "a pair has two parts");
    RUN_TESTp(comes_back_as, "ij", "[]", "a pair has two parts");
    RUN_TESTp(comes_back_as, "cell", "[]", "a pair has two parts");
    RUN_TESTp(comes_back_as, "ij", "[3,4,5]", "a number where the end is expected");
    RUN_TESTp(comes_back_as, "ij", "[8388608,0]", "a location or colour is outside the range");
    RUN_TESTp(comes_back_as, "cell", "[1,2]", "a number where ij is expected");
    RUN_TESTp(comes_back_as, "cell", "[40000,[0,0]]", "a location or colour is outside the range");
    RUN_TESTp(comes_back_as, "{ij}", "{1}", "a number where ij is expected");
    RUN_TESTp(comes_back_as, "(int,ij)", "[1,[2,3],4]", "a number where the end is expected");
    RUN_TESTp(comes_back_as, "(int,ij)", "[1]", "a record has 2 parts");
    RUN_TESTp(comes_back_as, "(int,ij)", "[[1,2],3]", "a container where a number is expected");
    RUN_TESTp(comes_back_as, "int int", "1", "the last lane of the batch is not complete");
    RUN_TESTp(comes_back_as, "int int", "1 2; 3", "the last lane of the batch is not complete");
}

TEST wrong_types_are_refused(void) {
    static const char *const bad[] = {
        "", " ", "gird", "int inte", "{int", "int int int int int", "[[[[[[[[[[[[[[[[int]"};
    arcl_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        arcl_batch *b;
        error.message[0] = 0;
        ASSERT_EQm(bad[i], ARCL_INVALID, arcl_batch_create(context, bad[i], &b, &error));
        ASSERTm(bad[i], !b && error.message[0]);
    }
    PASS();
}

/* Every call that comes at the wrong moment is refused, and the batch can be used on. */
TEST calls_in_the_wrong_order_are_refused(void) {
    arcl_batch *b;
    arcl_error error;
    signed char cell = 1;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "[grid] int", &b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_close(b, &error));
    ASSERT_STR_EQ("nothing is open", error.message);
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_int(b, 1, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grid(b, 1, 1, &cell, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_int(b, 1, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grid(b, -1, 1, &cell, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grid(b, 1, 70000, &cell, &error));
    signed char none = -128; /* what stands for none inside */
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grid(b, 1, 1, &none, &error));
    ASSERT_STR_EQ("-128 is outside the range of a grid's cell", error.message);
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(b, 1, 1, &cell, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grid(b, 1, 1, &cell, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_open(b, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(b, 2, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_close(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_close(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_close(b, NULL));
    ASSERT_EQ_FMT(0u, arcl_batch_lanes(b), "%u");
    ASSERT_EQ(ARCL_INVALID, arcl_batch_open(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(b, 5, NULL));
    ASSERT_EQ_FMT(1u, arcl_batch_lanes(b), "%u");

    arcl_program *p;
    arcl_result *r;
    text out = {0};
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "[grid] int", "astuple(a, b)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, p, b, &r, NULL));
    result_write(r, &out);
    ASSERT_STR_EQ("[[[[1]],[[2]]],5]", out.at);
    text_free(&out);
    arcl_result_free(r);
    arcl_program_free(p);
    arcl_batch_free(b);
    PASS();
}

TEST an_open_container_stops_the_run(void) {
    arcl_batch *b;
    arcl_program *p;
    arcl_result *r;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "[int]", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "[int]", "a", 0, &p, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_run(context, p, b, &r, &error));
    ASSERT_STR_EQ("the last lane of the batch is not complete", error.message);
    ASSERT(!r);
    arcl_program_free(p);
    arcl_batch_free(b);
    PASS();
}

TEST programs_and_batches_must_agree(void) {
    arcl_batch *b;
    arcl_program *p;
    arcl_result *r;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "int", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "a", 0, &p, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_run(context, p, b, &r, &error));
    ASSERT_STR_EQ("parameter 1 of the program and of the batch differ in type", error.message);
    arcl_program_free(p);
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "int int", "a", 0, &p, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_run(context, p, b, &r, &error));
    ASSERT_STR_EQ("the program has 2 parameters, the batch has 1", error.message);
    arcl_program_free(p);
    arcl_batch_free(b);
    PASS();
}

SUITE(refusals) {
    RUN_TEST(wrong_types_are_refused);
    RUN_TEST(calls_in_the_wrong_order_are_refused);
    RUN_TEST(an_open_container_stops_the_run);
    RUN_TEST(programs_and_batches_must_agree);
}

/* ---- random values ---- */

static void random_value(randomness *r, const char *type, text *to) {
    char number[32];
    if (strcmp(type, "int") == 0) {
        snprintf(number, sizeof number, "%d", (int)random_below(r, 20) - 10);
        text_add(to, number);
        return;
    }
    size_t n = strlen(type); /* "[..]" */
    char inner[64];
    snprintf(inner, sizeof inner, "%.*s", (int)n - 2, type + 1);
    text_add(to, "[");
    for (uint32_t i = random_below(r, 6), first = 1; i > 0; i--, first = 0) {
        if (!first) text_add(to, ",");
        random_value(r, inner, to);
    }
    text_add(to, "]");
}

TEST random_values_come_back(const char *type) {
    randomness r = {7};
    text lanes = {0};
    for (int i = 0; i < 200; i++) {
        if (i) text_add(&lanes, "; ");
        random_value(&r, type, &lanes);
    }
    ASSERT_STR_EQ(lanes.at, evaluate_in(context, type, "a", lanes.at));
    text_free(&lanes);
    PASS();
}

SUITE(many_values) {
    RUN_TESTp(random_values_come_back, "[int]");
    RUN_TESTp(random_values_come_back, "[[int]]");
    RUN_TESTp(random_values_come_back, "[[[[int]]]]");
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 2, .chunk = 3};
    if (arcl_context_create(&options, &context, NULL)) return EXIT_FAILURE;
    RUN_SUITE(values);
    RUN_SUITE(records);
    RUN_SUITE(sets_in_any_order);
    RUN_SUITE(whole_batches);
    RUN_SUITE(bad_parts);
    RUN_SUITE(refusals);
    RUN_SUITE(many_values);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
