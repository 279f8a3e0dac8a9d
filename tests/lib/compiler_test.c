/* Tests of the compiler: what it rejects and how it says so, and that what it makes computes the right values. Programs
 * and values are written as evaluation.h says. rewrite_test has what becomes of the steps. */
#include "support/yields.h"

static arcl_context *context;

/* The message's first line, without file, line and column. */
TEST rejects(const char *types, const char *body, const char *expected) {
    arcl_error error = {{0}};
    arcl_program *p;
    char first[1024];
    text source = {0};
    ASSERT_EQm(body, ARCL_INVALID, body_compile(context, types, body, 0, &p, &error));
    ASSERTm(body, !p);
    definition_write(count_types(types), body, &source);
    const char *problem = message_problem(error.message, "test.py", source.at, source.length);
    ASSERTm(problem, !problem);
    text_free(&source);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(error.message, "\n"), error.message);
    const char *said = strstr(first, ": ");
    ASSERT_STR_EQ(expected, said ? said + 2 : first);
    PASS();
}

/* ---- messages ---- */

#define UNCOUNTABLE                                                                                                    \
    "a set of functions that are made alike, or of values beside functions that may be equal, cannot be counted"

SUITE(type_errors) {
    RUN_TESTp(rejects, "grid", "fill(a, ONE, TWO)", "fill: argument 3 is int, a patch ({ij} or {cell}) is expected");
    RUN_TESTp(rejects, "grid", "fill(a, a, asindices(a))", "fill: argument 2 is grid, an int is expected");
    RUN_TESTp(rejects, "grid", "fill(asindices(a), 1, asindices(a))", "fill: argument 1 is {ij}, a grid is expected");
    RUN_TESTp(rejects, "grid", "fill(a, rot90, asindices(a))", "fill: argument 2 is a function, an int is expected");
    RUN_TESTp(rejects, "grid", "shift(asindices(a), 3)", "shift: argument 2 is int, an ij (pair of ints) is expected");
    RUN_TESTp(rejects, "grid", "paint(a, (rot90, rot180))",
              "paint: argument 2 is a container of functions, an object ({cell}) is expected");
    RUN_TESTp(rejects, "{{cell}}", "add(a, 1)", "add: argument 1 is {{cell}}, a number (int or ij) is expected");
    RUN_TESTp(rejects, "int", "first(a)", "first: argument 1 is int, a container is expected");
    RUN_TESTp(rejects, "int", "apply(a, a)", "apply: argument 1 is int, a function is expected");
    RUN_TESTp(rejects, "int", "apply(even, a)", "apply: argument 2 is int, a container is expected");
    RUN_TESTp(rejects, "grid", "compose(rot90, a)(a)", "grid is called like a function");
    RUN_TESTp(rejects, "grid", "power(rot90, a)", "power: argument 2 is grid, an int is expected");
    RUN_TESTp(rejects, "[int]", "apply(rot90, a)", "rot90: argument 1 is int, a grid is expected");
    RUN_TESTp(rejects, "int", "rapply(a, 3)", "rapply: argument 1 is int, a container of functions is expected");
    RUN_TESTp(rejects, "grid", "size(insert(compose(size, rot90), initset(compose(size, rot90))))", UNCOUNTABLE);
    RUN_TESTp(rejects, "{int}", "totuple(apply(lbind(either, double), a))", UNCOUNTABLE);
    RUN_TESTp(rejects, "{int}", "x = product((double, halve), apply(lbind(lbind, add), a)); totuple(apply(last, x))",
              UNCOUNTABLE);
    RUN_TESTp(rejects, "{int} {int}",
              "x = product(apply(lbind(lbind, add), a), apply(lbind(lbind, add), b)); totuple(apply(last, x))",
              UNCOUNTABLE);
    RUN_TESTp(rejects, "ij ij", "size(insert(a, insert(b, initset((1, rot90)))))", UNCOUNTABLE);
}

SUITE(call_errors) {
    RUN_TESTp(rejects, "grid", "rot90(a, a)", "rot90 takes 1 argument, 2 given");
    RUN_TESTp(rejects, "grid", "fill(a, 1)", "fill takes 3 arguments, 2 given");
    RUN_TESTp(rejects, "grid", "rot90()", "a call with 0 arguments");
    RUN_TESTp(rejects, "grid", "add(1, 2, 3, 4, 5, 6, 7, 8, 9)", "a call with 9 arguments");
    RUN_TESTp(rejects, "grid", "compose(rot90, rot90)(a, a)", "this function takes 1 argument, 2 given");
    RUN_TESTp(rejects, "grid", "lbind(fill, a)(1)", "this function takes 2 arguments, 1 given");
    RUN_TESTp(rejects, "grid", "compose(fill, rot90)(a)", "fill takes 3 arguments, 1 given");
    RUN_TESTp(rejects, "grid", "frobnicate(a)",
              "'frobnicate' is no op, no constant and no variable defined before this line");
    RUN_TESTp(rejects, "grid", "x = x(a); x", "'x' is no op, no constant and no variable defined before this line");
    RUN_TESTp(rejects, "grid", "a(3)", "grid is called like a function");
    RUN_TESTp(rejects, "grid", "THREE(a)", "int is called like a function");
    RUN_TESTp(rejects, "grid", "(rot90, rot180)(a)", "a container of functions is called like a function");
    RUN_TESTp(rejects, "grid", "power(rot90, 0)(a)", "power: the count is 0, 1 or more is expected");
    RUN_TESTp(rejects, "grid", "power(rot90, decrement(ONE))(a)", "power: the count is 0, 1 or more is expected");
    RUN_TESTp(rejects, "grid", "power(rot90, NEG_TWO)(a)", "power: the count is -2, 1 or more is expected");
    RUN_TESTp(rejects, "grid int", "power(size, b)(a)", "size: argument 1 is int, a container is expected");
    RUN_TESTp(rejects, "[int] int", "power(initset, b)(a)",
              "power with a computed count needs a function whose result has the type of its argument");
    RUN_TESTp(rejects, "grid", "rot90", "the definition returns a function");
    RUN_TESTp(rejects, "grid", "compose(rot90, rot90)", "the definition returns a function");
    RUN_TESTp(rejects, "grid", "x = lbind(apply, identity); (x, rot90)", "the definition returns a function");
    RUN_TESTp(rejects, "gird", "a", "'gird' is no type: int, bool, ij, cell, grid, {T}, [T] and (A,B) are");
}

/* A message points at the call or at the name, wherever in the text it is. */
TEST a_message_points_at_the_call(void) {
    arcl_error error;
    arcl_program *p;
    static const char wanted[] = "test.py:3:16: add: argument 2 is grid, a number (int or ij) is expected\n"
                                 "        y = double(add(x, a))\n"
                                 "                   ^";
    ASSERT(body_compile(context, "grid", "x = height(a); y = double(add(x, a)); y", 0, &p, &error));
    ASSERT_STR_EQ(wanted, error.message);
    PASS();
}

TEST parameters_have_types_by_their_names(void) {
    static const char source[] = "def f(I):\n    return I\n\ndef g(S, I):\n    return S\n\ndef h(x):\n    return x\n";
    arcl_source *s;
    arcl_program *p;
    arcl_error error;
    char type[32];
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, source, sizeof source - 1, "test.py", &s, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_program_compile(context, s, 0, NULL, &p, NULL));
    ASSERT_STR_EQ("grid", arcl_program_result_type(p, type, sizeof type));
    arcl_program_free(p);
    ASSERT_EQ(ARCL_SUCCESS, arcl_program_compile(context, s, 1, NULL, &p, NULL));
    ASSERT_STR_EQ("[[grid]]", arcl_program_result_type(p, type, sizeof type));
    ASSERT_EQ_FMT(2, arcl_program_parameters(p), "%d");
    arcl_program_free(p);
    ASSERT_EQ(ARCL_INVALID, arcl_program_compile(context, s, 2, NULL, &p, &error));
    ASSERT(strstr(error.message, "parameter 1 has no known type"));
    ASSERT_EQ(ARCL_INVALID, arcl_program_compile(context, s, 2, NULL, &p, NULL)); /* no error wanted */
    ASSERT_EQ(ARCL_INVALID, arcl_program_compile(context, s, 3, NULL, &p, &error));
    ASSERT_STR_EQ("there is no definition 3", error.message);
    arcl_source_free(s);
    PASS();
}

TEST all_definitions_at_once(void) {
    static const char source[] =
        "def f(I):\n    return I\n\ndef g(I):\n    return frob(I)\n\ndef h(I):\n    return rot90(3)\n";
    arcl_source *s;
    arcl_program *p[3];
    arcl_error error[3];
    memset(error, 0, sizeof error);
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, source, sizeof source - 1, "test.py", &s, NULL));
    ASSERT_EQ_FMT(2, arcl_source_compile(context, s, NULL, p, error), "%d");
    ASSERT(p[0] && !p[1] && !p[2]);
    ASSERT_STR_EQ("", error[0].message);
    ASSERT(strstr(error[1].message, "'frob' is no op"));
    ASSERT(strstr(error[2].message, "rot90: argument 1 is int, a grid is expected"));
    arcl_program_free(p[0]);
    ASSERT_EQ_FMT(2, arcl_source_compile(context, s, NULL, p, NULL), "%d");
    arcl_program_free(p[0]);
    arcl_source_free(s);
    PASS();
}

SUITE(entry) {
    RUN_TEST(a_message_points_at_the_call);
    RUN_TEST(parameters_have_types_by_their_names);
    RUN_TEST(all_definitions_at_once);
}

/* ---- what programs compute ---- */

#define GRID "[[1,2],[3,4]]"

SUITE(functions) {
    RUN_TESTp(yields, "grid", "power(last, TWO)(a)", GRID, "4");
    RUN_TESTp(yields, "grid", "power(first, halve(FOUR))(a)", GRID, "1");
    RUN_TESTp(yields, "[[[int]]]", "power(first, THREE)(a)", "[[[7,8]]]", "7");
    RUN_TESTp(yields, "grid", "lbind(lbind, shift)(asindices(a))(DOWN)", GRID, "{[1,0],[1,1],[2,0],[2,1]}");
    RUN_TESTp(yields, "{ij} [ij]", "apply(lbind(lbind, shift)(a), b)", "{[0,0]} [[1,1],[0,2]]", "[{[1,1]},{[0,2]}]");
    RUN_TESTp(yields, "{ij} {ij}", "fs = apply(lbind(lbind, shift), (a, b)); rapply(fs, DOWN)", "{[0,0]} {[5,5]}",
              "[{[1,0]},{[6,5]}]");
    RUN_TESTp(yields, "[int]", "apply(compose(lbind(rbind, add)(3), double), a)", "[1,2]", "[5,7]");
    RUN_TESTp(yields, "[int] int", "apply(rbind(add, b), a)", "[1,2] 10; [] 3; [5] -1", "[11,12]; []; [4]");
    RUN_TESTp(yields, "[int]", "apply(fork(subtract, double, increment), a)", "[1,2,5]", "[0,1,4]");
    RUN_TESTp(yields, "[int]", "sfilter(a, matcher(rbind(divide, 2), 1))", "[1,2,3,4]", "[2,3]");
    RUN_TESTp(yields, "grid", "rbind(lbind(fill, a), asindices(a))(7)", GRID, "[[7,7],[7,7]]");
    RUN_TESTp(yields, "grid", "lbind(lbind(fill, a), 7)(initset(ORIGIN))", GRID, "[[7,2],[3,4]]");
    RUN_TESTp(yields, "[[int]]", "apply(rbind(apply, (1, 2)), (increment, decrement))", "[[1]]", "[[2,3],[0,1]]");
    RUN_TESTp(yields, "[[int]]", "apply(lbind(apply, increment), a)", "[[1,2],[],[3]]", "[[2,3],[],[4]]");
}

SUITE(containers_of_functions) {
    RUN_TESTp(yields, "grid", "rapply((rot90, rot180, identity), a)", GRID,
              "[[[3,1],[4,2]],[[4,3],[2,1]],[[1,2],[3,4]]]");
    RUN_TESTp(yields, "grid", "first((rot90, rot180))(a)", GRID, "[[3,1],[4,2]]");
    RUN_TESTp(yields, "grid", "last((rot90, rot180))(a)", GRID, "[[4,3],[2,1]]");
    RUN_TESTp(yields, "int", "rapply(initset(double), a)", "4", "{8}");
    RUN_TESTp(yields, "int", "rapply(combine((double, halve), (increment,)), a)", "4", "[8,2,5]");
    RUN_TESTp(yields, "int", "rapply(insert(double, initset(increment)), a)", "1; 4", "{2}; {5,8}");
    /* An op is in a set once, however often it is put in. */
    RUN_TESTp(yields, "int", "x = product((double, halve), (double, halve)); rapply(totuple(apply(last, x)), a)", "4",
              "[8,2]");
    RUN_TESTp(yields, "int", "size(product((double, double), (halve, 3)))", "4", "2");
    RUN_TESTp(yields, "int", "size(product((double, double), initset(halve)))", "4", "1");
    RUN_TESTp(yields, "{int} int", "rapply(totuple(apply(lbind(lbind, add), a)), b)", "{1,2} 10; {} 1", "[11,12]; []");
    RUN_TESTp(yields, "{int} int", "x = combine(initset(double), apply(lbind(lbind, add), a)); rapply(totuple(x), b)",
              "{1,2} 10", "[20,11,12]");
    RUN_TESTp(yields, "[int] int", "rapply(apply(lbind(lbind, add), a), b)", "[1,2] 10; [] 1", "[11,12]; []");
    RUN_TESTp(yields, "int",
              "is_even = chain(even, first, rbind(apply, (a, a, a))); extract((double, halve), is_even)(a)", "1; 5",
              "2; 10");
    RUN_TESTp(yields, "int",
              "is_even = chain(even, first, rbind(apply, (a, a, a))); extract((halve, increment), is_even)(a)",
              "1; 3; 4; 5; 6", "0; 4; 2; 2; EMPTY");
    RUN_TESTp(yields, "int",
              "works = chain(positive, first, rbind(apply, (a, a, a))); "
              "extract((increment, lbind(divide, 6), lbind(divide, 7)), works)(a)",
              "0; -7; 3", "1; EMPTY; 4");
    RUN_TESTp(yields, "[int] int", "fs = apply(lbind(lbind, add), a); first(fs)(b)", "[1,2] 10; [] 1", "11; EMPTY");
    RUN_TESTp(yields, "[int] int", "fs = apply(lbind(lbind, add), a); size(fs)", "[1,2] 10; [] 1", "2; 0");
    RUN_TESTp(yields, "[int] [int]", "fs = apply(lbind(lbind, add), a); size(pair(fs, b))", "[1,2,3] [1,2]; [] [1]",
              "2; 0");
    RUN_TESTp(yields, "[int] int",
              "fs = apply(lbind(lbind, add), a); is_even = chain(even, first, rbind(apply, (b, b, b))); extract(fs, "
              "is_even)(b)",
              "[1,2,3] 1; [2,4] 1; [] 1; [2,5] 3", "2; EMPTY; EMPTY; 8");
    RUN_TESTp(yields, "[int] int",
              "fs = apply(lbind(lbind, divide), a); is_even = chain(even, first, rbind(apply, (b, b, b))); extract(fs, "
              "is_even)(b)",
              "[2,3] 1; [2,3] 0; [3,5] 1", "2; DIVIDE; EMPTY");
    RUN_TESTp(yields, "[int] int",
              "fs = apply(lbind(lbind, add), a); is_even = chain(even, first, rbind(apply, (b, b, b))); "
              "rapply(sfilter(fs, is_even), b)",
              "[1,2,3] 1; [2,4] 1; [] 1; [2,5,6,7] 3", "[2,4]; []; []; [8,10]");
    RUN_TESTp(yields, "int", "argmax((double, rbind(add, 3)), chain(first, rbind(apply, (a, a, a)), identity))(a)",
              "1; 4; 3", "4; 8; 6");
}

SUITE(choices) {
    RUN_TESTp(yields, "bool grid", "branch(a, rot90, rot180)(b)", "true " GRID "; false " GRID,
              "[[3,1],[4,2]]; [[4,3],[2,1]]");
    RUN_TESTp(yields, "bool [int]", "apply(branch(a, double, increment), b)", "true [1,2]; false [1,2]; true []",
              "[2,4]; [2,3]; []");
    RUN_TESTp(yields, "bool int", "branch(a, rbind(divide, 0), identity)(b)", "true 1; false 1", "DIVIDE; 1");
    RUN_TESTp(yields, "bool", "branch(a, rbind(divide, 0), identity)(ONE)", "true; false", "DIVIDE; 1");
    RUN_TESTp(yields, "bool int", "branch(a, rot90, double)(b)", "true 1; false 1", "TYPE; 2");
    RUN_TESTp(yields, "bool int", "insert(branch(a, toivec, double)(b), initset((7, 8)))", "true 1; false 1",
              "{[1,0],[7,8]}; TYPE");
    RUN_TESTp(yields, "grid int",
              "x = valmin(rapply(insert(shape, initset(shape)), a), decrement); "
              "rapply(insert(tojvec, initset(lbind(subtract, x))), b)",
              GRID " 1", "{[0,0],[0,1]}");
    RUN_TESTp(yields, "{ij} int", "x = valmin(a, decrement); rapply(insert(tojvec, initset(lbind(subtract, x))), b)",
              "{[2,3]} 1; {} 1", "{[0,1]}; TYPE");
    RUN_TESTp(yields, "bool grid", "size(branch(a, asobject(b), totuple(asindices(b))))", "true " GRID "; false " GRID,
              "4; 4");
    RUN_TESTp(yields, "bool bool int", "branch(a, branch(b, double, halve), increment)(c)",
              "true true 8; true false 8; false true 8; false false 8", "16; 4; 9; 9");
    RUN_TESTp(yields, "bool int", "power(branch(a, double, increment), THREE)(b)", "true 1; false 1", "8; 4");
    RUN_TESTp(yields, "bool int", "apply(branch(a, lbind(add, b), lbind(multiply, b)), (1, 2, 3))", "true 10; false 10",
              "[11,12,13]; [10,20,30]");
}

SUITE(results_of_several_types) {
    RUN_TESTp(yields, "bool", "branch(a, 3, (1, 2))", "true; false", "3; [1,2]");
    RUN_TESTp(yields, "bool grid", "branch(a, b, asindices(b))", "true [[5]]; false [[5]]; true [[6]]",
              "[[5]]; {[0,0]}; [[6]]");
    RUN_TESTp(yields, "bool bool", "branch(a, branch(b, 1, UNITY), (3, UNITY))", "true true; true false; false true",
              "1; [1,1]; [3,[1,1]]");
    RUN_TESTp(yields, "bool", "astuple(branch(a, 3, (1, 2)), 5)", "true; false", "[3,5]; [[1,2],5]");
    RUN_TESTp(yields, "bool", "branch(a, 1, T)", "true; false", "1; 1");
}

SUITE(loops) {
    RUN_TESTp(yields, "int int", "power(double, a)(b)", "1 1; 3 1; 10 1; 0 1; -1 1", "2; 8; 1024; LIMIT; LIMIT");
    RUN_TESTp(yields, "[int] int", "apply(power(increment, b), a)", "[1,2] 5; [] 1; [7] 1", "[6,7]; []; [8]");
    RUN_TESTp(yields, "[int]", "apply(fork(add, identity, power(double, size(a))), a)", "[1,2]; [3]", "[5,10]; [9]");
    RUN_TESTp(yields, "grid int", "power(rot90, b)(a)", GRID " 1; " GRID " 4; " GRID " 6",
              "[[3,1],[4,2]]; [[1,2],[3,4]]; [[4,3],[2,1]]");
    RUN_TESTp(yields, "int", "power(double, a)(1)", "30; 31; 32", "1073741824; LIMIT; LIMIT");
    RUN_TESTp(yields, "int", "power(power(increment, a), a)(0)", "1; 2; 3", "1; 4; 9");
    RUN_TESTp(yields, "int", "power(compose(rbind(divide, a), increment), a)(5)", "1; 2", "6; 2");
    RUN_TESTp(yields, "int", "power(increment, multiply(100, 100))(a)", "5", "10005");
}

SUITE(tuples_and_patches) {
    RUN_TESTp(yields, "grid {cell}", "paint(a, recolor(index(a, (9, 9)), b))",
              "[[1,2]] {[5,[0,2]],[5,[-1,0]]}; [[1,2]] {}", "[[1,2]]; [[1,2]]");
    RUN_TESTp(yields, "grid {cell}", "ofcolor(paint(a, recolor(index(a, (9, 9)), b)), index(a, (9, 9)))",
              "[[1,2]] {[5,[0,1]]}", "{[0,1]}");
    RUN_TESTp(yields, "grid {cell}", "move(a, recolor(index(a, (9, 9)), b), DOWN)", "[[1,2,2]] {[5,[0,0]],[5,[3,-3]]}",
              "[[2,2,2]]");
    RUN_TESTp(yields, "grid", "paint(a, combine(asobject(a), asindices(a)))", "[[1,2]]", "TYPE");
    RUN_TESTp(yields, "grid int", "size(vfrontier((index(a, (9, 9)), b)))", "[[1]] 3", "30");
    RUN_TESTp(yields, "grid int", "contained((4, 3), vfrontier((index(a, (9, 9)), b)))", "[[1]] 3", "true");
    RUN_TESTp(yields, "grid int", "contained((3, 4), hfrontier((b, index(a, (9, 9)))))", "[[1]] 3", "true");
    RUN_TESTp(yields, "{ij}", "hfrontier(ulcorner(a))", "{}", "EMPTY");
    RUN_TESTp(yields, "{{ij}}", "mapply(outbox, difference(a, a))", "{{[1,1]}}; {}", "{}; {}");
    RUN_TESTp(yields, "{{ij}} grid", "fill(b, 3, mapply(outbox, difference(a, a)))", "{{[1,1]}} [[1]]", "[[1]]");
    RUN_TESTp(yields, "{ij}", "shift(a, llcorner(a))", "{[1,2]}; {}", "{[2,4]}; {}");
    RUN_TESTp(yields, "grid {cell}", "move(a, b, ulcorner(b))", "[[0,0,0],[0,5,0]] {}; [[0,0,5]] {[5,[0,2]]}",
              "[[0,0,0],[0,5,0]]; [[0,0,0]]");
    RUN_TESTp(yields, "{ij} grid", "shift(a, (index(b, (9, 9)), 1))", "{} [[1]]; {[1,1]} [[1]]", "{}; TYPE");
    RUN_TESTp(yields, "int", "(a, a)", "3", "[3,3]");
    RUN_TESTp(yields, "int", "add((a, 1), UNITY)", "3", "[4,2]");
    RUN_TESTp(yields, "int ij", "(a, b)", "3 [1,2]", "[3,[1,2]]");
    RUN_TESTp(yields, "int ij", "initset((a, b))", "3 [1,2]", "{[3,[1,2]]}");
    RUN_TESTp(yields, "grid", "(a, 1, (2, 3), T)", "[[1]]", "[[[1]],1,[2,3],true]");
    RUN_TESTp(yields, "grid", "first((a, 1))", "[[7]]", "[[7]]");
    RUN_TESTp(yields, "grid", "last(astuple(a, 1))", "[[7]]", "1");
    RUN_TESTp(yields, "int", "(a,)", "3", "[3]");
    RUN_TESTp(yields, "int", "()", "3", "[]");
    RUN_TESTp(yields, "int", "((a, 1), (2, 3), (4, 5))", "3", "[[3,1],[2,3],[4,5]]");
    RUN_TESTp(yields, "int", "fill(((a, 1), (2, 3)), 9, ((0, 0), (1, 1)))", "5", "[[9,1],[2,9]]");
    RUN_TESTp(yields, "int", "size(((a, 1), (2, 3), (4, 5)))", "3", "3");
    RUN_TESTp(yields, "{ij} {cell}", "combine(a, b)", "{[0,1]} {[3,[0,0]]}", "{[0,1],[3,[0,0]]}");
    RUN_TESTp(yields, "{ij} {cell}", "toindices(combine(a, b))", "{[0,1]} {[3,[0,0]]}; {} {[3,[0,0]]}",
              "TYPE; {[0,0]}");
    RUN_TESTp(yields, "{ij} {{cell}}", "insert(a, b)", "{[0,1]} {{[3,[0,0]]}}", "{{[0,1]},{[3,[0,0]]}}");
    RUN_TESTp(yields, "{ij} {{cell}}", "apply(size, insert(a, b))", "{[0,1]} {{[3,[0,0]],[3,[0,1]]}}", "{1,2}");
    RUN_TESTp(yields, "int ij", "equality(a, b)", "1 [1,1]", "false");
    RUN_TESTp(yields, "{ij} {cell}", "equality(a, b)", "{} {}; {[1,1]} {}", "true; false");
    RUN_TESTp(yields, "int {ij}", "contained(a, b)", "1 {[1,1]}", "false");
    RUN_TESTp(yields, "{int}", "shift(a, UNITY)", "{}; {1}", "{}; TYPE");
    RUN_TESTp(yields, "grid", "index(a, ORIGIN)", "[[4]]; []", "4; BOUNDS");
    RUN_TESTp(yields, "grid", "index(a, UNITY)", "[[4]]", "null");
    RUN_TESTp(yields, "grid", "add(1, index(a, UNITY))", "[[4]]", "TYPE");
}

/* ---- whatever programs are made of, the compiler answers ---- */

static const char *random_name(randomness *r) {
    return arcl_op_get((int)random_below(r, (uint32_t)arcl_op_count())).name;
}

/* "x3 = fill(a, x1, T); " */
static void random_line(randomness *r, int variables, text *to) {
    static const char *const constants[] = {"ZERO",
                                            "TWO",
                                            "T",
                                            "UNITY",
                                            "-1",
                                            "(1, 2)",
                                            "(a, b)",
                                            "()",
                                            "((1, 2), (3, 4))",
                                            "(first, last)",
                                            "lbind(lbind, add)",
                                            "branch(b, size, first)"};
    char part[64];
    int index = (int)random_below(r, (uint32_t)arcl_op_count());
    if (random_below(r, 2)) /* rather one that has to do with functions */
        while (strcmp(arcl_op_get(index).family, "function") != 0 && strcmp(arcl_op_get(index).family, "higher") != 0)
            index = (int)random_below(r, (uint32_t)arcl_op_count());
    arcl_op_info op = arcl_op_get(index);
    snprintf(part, sizeof part, "x%d = %s(", variables, op.name);
    text_add(to, part);
    for (int i = 0; i < op.arity; i++) {
        uint32_t choice = random_below(r, 8);
        if (choice < 2)
            snprintf(part, sizeof part, "%s", choice ? "a" : "b");
        else if (choice < 6 && variables)
            snprintf(part, sizeof part, "x%u", random_below(r, (uint32_t)variables));
        else if (choice < 7)
            snprintf(part, sizeof part, "%s", constants[random_below(r, sizeof constants / sizeof *constants)]);
        else
            snprintf(part, sizeof part, "%s", random_name(r));
        if (i) text_add(to, ", ");
        text_add(to, part);
    }
    text_add(to, "); ");
}

static int is_returned_function(const char *message) {
    return strstr(message, "the definition returns a function") != NULL;
}

/* Random calls of random ops on whatever there is: a line that is rejected must be explained and is taken back, so that
 * programs grow that are right by their types. They must run, to whatever result. */
TEST random_programs_are_survived(uint64_t seed) {
    randomness r = {seed};
    text body = {0}, source = {0};
    int lines = 0;
    arcl_context *small;
    arcl_options options = {.threads = 1, .budget = 1 << 16};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &small, NULL));
    for (int round = 0; round < 300; round++) {
        char result[16];
        int variables = 0;
        text_clear(&body);
        for (int attempt = 0; attempt < 200 && variables < 12; attempt++) {
            arcl_program *p;
            arcl_error error = {{0}};
            size_t before = body.length;
            random_line(&r, variables, &body);
            size_t after = body.length;
            snprintf(result, sizeof result, "x%d", variables);
            text_add(&body, result);
            int rejected = body_compile(small, "grid int", body.at, 0, &p, &error) != 0;
            arcl_program_free(p);
            if (rejected) {
                definition_write(2, body.at, &source);
                const char *problem = message_problem(error.message, "test.py", source.at, source.length);
                if (problem) printf("\n%s\n%s\n", body.at, error.message);
                ASSERTm(problem, !problem);
            } else {
                const char *got = evaluate_in(small, "grid int", body.at, "[[1,2],[3,4]] 2; [[5]] 0; [[0,0],[0,1]] -1");
                if (strstr(got, "test.py")) printf("\n%s\n%s\n", body.at, got);
                ASSERT(!strstr(got, "test.py"));
            }
            int keep = !rejected || is_returned_function(error.message);
            body.length = keep ? after : before;
            body.at[body.length] = 0;
            variables += keep;
        }
        lines += variables;
    }
    arcl_context_free(small);
    text_free(&source);
    text_free(&body);
    ASSERT(lines > 1500);
    PASS();
}

/* Long tuples, pairs of pairs and scopes over pairs, each used very often: the compiler looks into all of these. */
TEST large_programs_do_not_take_forever(arcl_policy policy) {
    arcl_compile_options options = {.grid_result = 1, .policy = policy};
    arcl_source *source;
    arcl_program *p;
    arcl_error error = {{0}};
    text program = {0};
    text_add(&program, "def f(I):\n    x = (I");
    for (int i = 1; i < 255; i++) text_add(&program, ", I");
    text_add(&program, ")\n    z0 = astuple(I, x)\n");
    for (int i = 0; i < 10; i++) text_add(&program, "    z0 = astuple(z0, z0)\n");
    for (int i = 0; i < 3000; i++) text_add(&program, "    a = last(x)\n    b = first(z0)\n");
    for (int i = 0; i < 1000; i++) {
        char lines[96];
        snprintf(lines, sizeof lines, "    s = ofcolor(I, %d)\n    p = prapply(connect, s, s)\n", i);
        text_add(&program, lines);
    }
    text_add(&program, "    return I\n");
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, program.at, program.length, "large.py", &source, NULL));
    arcl_status status = arcl_program_compile(context, source, 0, &options, &p, &error);
    ASSERT_EQm(error.message, ARCL_SUCCESS, status);
    arcl_program_free(p);
    arcl_source_free(source);
    text_free(&program);
    PASS();
}

SUITE(robustness) {
    RUN_TESTp(large_programs_do_not_take_forever, ARCL_STRICT);
    RUN_TESTp(large_programs_do_not_take_forever, ARCL_SAFE);
    for (uint64_t seed = 1; seed <= 4; seed++) RUN_TESTp(random_programs_are_survived, seed);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 2};
    if (arcl_context_create(&options, &context, NULL)) return EXIT_FAILURE;
    RUN_SUITE(type_errors);
    RUN_SUITE(call_errors);
    RUN_SUITE(entry);
    RUN_SUITE(functions);
    RUN_SUITE(containers_of_functions);
    RUN_SUITE(choices);
    RUN_SUITE(results_of_several_types);
    RUN_SUITE(loops);
    RUN_SUITE(tuples_and_patches);
    RUN_SUITE(robustness);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
