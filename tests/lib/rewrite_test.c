/* Tests of rewriting steps: what is done once, by the compiler, or by one kernel instead of several; and that values
 * stay the same. Programs and values are written as evaluation.h says. */
#include "program/compiled.h"
#include "program/mask_steps.h"
#include "support/yields.h"

static arcl_context *context;

/* ---- what is done once, and what is done by the compiler ---- */

static int steps_of(const char *types, const char *body) {
    arcl_program *p;
    arcl_error error = {{0}};
    if (body_compile(context, types, body, 0, &p, &error)) {
        printf("\n%s\n", error.message);
        return -1;
    }
    int steps = arcl_program_steps(p);
    arcl_program_free(p);
    return steps;
}

TEST costs_the_same(const char *types, const char *body, const char *shorter) {
    ASSERT(steps_of(types, body) > 0);
    ASSERT_EQ_FMT(steps_of(types, shorter), steps_of(types, body), "%d");
    PASS();
}

SUITE(value_numbering) {
    RUN_TESTp(costs_the_same, "grid", "x = rot90(a); y = rot90(a); hconcat(x, y)", "x = rot90(a); hconcat(x, x)");
    RUN_TESTp(costs_the_same, "grid", "hconcat(rot180(rot90(a)), rot180(rot90(a)))",
              "x = rot180(rot90(a)); hconcat(x, x)");
    RUN_TESTp(costs_the_same, "grid", "x = apply(size, partition(a)); y = apply(size, partition(a)); combine(x, y)",
              "x = apply(size, partition(a)); combine(x, x)");
    RUN_TESTp(costs_the_same, "grid",
              "x = compose(size, toindices); y = chain(size, toindices, identity); "
              "combine(apply(x, partition(a)), apply(y, partition(a)))",
              "x = apply(compose(size, toindices), partition(a)); combine(x, x)");
    RUN_TESTp(costs_the_same, "grid", "x = argmax(partition(a), size); y = argmin(partition(a), size); combine(x, y)",
              "p = partition(a); x = argmax(p, size); y = argmin(p, size); combine(x, y)");
    RUN_TESTp(costs_the_same, "grid", "x = fork(add, height, height); x(a)", "y = height(a); add(y, y)");
}

TEST different_work_is_not_merged(void) {
    ASSERT(steps_of("grid", "hconcat(rot90(a), rot270(a))") > steps_of("grid", "hconcat(rot90(a), rot90(a))"));
    ASSERT(steps_of("grid", "combine(ofcolor(a, 1), ofcolor(a, 2))") >
           steps_of("grid", "combine(ofcolor(a, 1), ofcolor(a, 1))"));
    PASS();
}

SUITE(compile_time) {
    RUN_TEST(different_work_is_not_merged);
    RUN_TESTp(costs_the_same, "grid", "upscale(a, add(ONE, multiply(TWO, subtract(THREE, TWO))))", "upscale(a, 3)");
    RUN_TESTp(costs_the_same, "grid", "power(rot90, subtract(FIVE, THREE))(a)", "rot90(rot90(a))");
    RUN_TESTp(costs_the_same, "grid", "branch(greater(3, 2), rot90, rot180)(a)", "rot90(a)");
    RUN_TESTp(costs_the_same, "grid", "power(compose(rot90, identity), THREE)(a)", "rot90(rot90(rot90(a)))");
}

/* ---- pairs that are packed only to be taken apart ---- */

SUITE(pairs) {
    RUN_TESTp(costs_the_same, "grid int", "height(first((a, b)))", "height(a)");
    RUN_TESTp(costs_the_same, "grid int", "x = (b, a, 7); add(first(x), last(x))", "add(b, 7)");
    RUN_TESTp(costs_the_same, "ij", "add(first(apply(double, a)), last(apply(double, a)))",
              "add(double(first(a)), double(last(a)))");
    RUN_TESTp(costs_the_same, "ij {ij}", "shift(b, apply(double, a))", "shift(b, (double(first(a)), double(last(a))))");
    RUN_TESTp(costs_the_same, "{ij} {ij}", "apply(fork(connect, first, last), product(a, b))",
              "prapply(connect, a, b)");
    RUN_TESTp(costs_the_same, "[ij] [ij]", "apply(fork(connect, first, last), pair(a, b))", "papply(connect, a, b)");
    RUN_TESTp(yields, "{ij} {int}", "apply(fork(astuple, last, first), product(a, b))", "{[0,1],[2,3]} {5,4}; {} {1}",
              "{[4,[0,1]],[4,[2,3]],[5,[0,1]],[5,[2,3]]}; {}");
    RUN_TESTp(yields, "{ij} {int}", "sfilter(product(a, b), compose(even, last))", "{[0,1],[2,3]} {5,4}; {[1,1]} {}",
              "{[[0,1],4],[[2,3],4]}; {}");
    RUN_TESTp(yields, "{ij} {int}", "order(product(a, b), last)", "{[0,1],[2,3]} {5,4}",
              "[[[0,1],4],[[2,3],4],[[0,1],5],[[2,3],5]]");
    RUN_TESTp(yields, "{ij} {int}", "extract(product(a, b), compose(even, last))", "{[0,1]} {5,4}; {[0,1]} {5}",
              "[[0,1],4]; EMPTY");
    RUN_TESTp(yields, "[ij] [int]", "apply(fork(add, first, last), pair(a, b))", "[[0,1],[2,3]] [5,4,3]; [] [1]",
              "[[5,6],[6,7]]; []");
    RUN_TESTp(yields, "[int] [ij]",
              "rapply(apply(fork(compose, first, last), product(initset(double), (increment,))), 3)", "[1] [[1,2]]",
              "{8}");
    RUN_TESTp(yields, "{ij}", "apply(double, ulcorner(a))", "{}; {[1,2]}", "[]; [2,4]");
    RUN_TESTp(yields, "{ij}", "mapply(initset, ulcorner(a))", "{}; {[1,2]}", "[]; [1,2]");
    RUN_TESTp(yields, "{{ij}}", "apply(lbind(apply, double), apply(ulcorner, a))", "{{},{[1,2]}}", "{[],[2,4]}");
    RUN_TESTp(yields, "{ij}", "first(ulcorner(a))", "{}; {[1,2]}", "EMPTY; 1");
    RUN_TESTp(yields, "ij", "apply(even, a)", "[1,2]", "[false,true]");
    RUN_TESTp(yields, "ij", "mapply(initset, a)", "[1,2]", "[1,2]");
    RUN_TESTp(yields, "ij", "maximum(apply(invert, a))", "[1,2]; [-5,0]", "-1; 5");
    RUN_TESTp(yields, "ij", "apply(lbind(multiply, 1000000), a)", "[300,4]", "[300000000,4000000]");
    RUN_TESTp(yields, "ij", "shift(initset(ORIGIN), apply(lbind(multiply, 1000000), a))", "[1,2]; [300,4]",
              "{[1000000,2000000]}; LIMIT");
    RUN_TESTp(yields, "int int", "first((a, divide(1, b)))", "3 1; 3 0", "3; DIVIDE");
    RUN_TESTp(yields, "[int] int", "apply(fork(astuple, identity, rbind(divide, b)), a)", "[4,6] 2; [4] 0; [] 0",
              "[[4,2],[6,3]]; DIVIDE; []");
    RUN_TESTp(yields, "[int] int", "apply(compose(first, fork(astuple, identity, rbind(divide, b))), a)",
              "[4,6] 2; [4] 0; [] 0", "[4,6]; DIVIDE; []");
}

/* ---- functions that do not care which of two elements comes first ---- */

typedef int step_test(const graph_step *s, unsigned number);
static int is_halved(const graph_step *s, unsigned number) {
    (void)number;
    return (s->kind == STEP_CROSS || (s->kind == STEP_KERNEL && s->kernel_id == KERNEL_lines)) && s->imm;
}
static int is_launch(const graph_step *s, unsigned kernel) { return s->kind == STEP_KERNEL && s->kernel_id == kernel; }
static int is_of_kind(const graph_step *s, unsigned kind) { return s->kind == kind; }

/* How many steps of the program are such; -1 if it does not compile. */
static int count_steps(const char *types, const char *body, step_test *is_such, unsigned number) {
    arcl_program *p;
    arcl_error error = {{0}};
    int count = 0;
    if (body_compile(context, types, body, 0, &p, &error)) return -1;
    for (int i = 0; i < p->graph->count; i++) count += is_such(&p->graph->steps[i], number);
    arcl_program_free(p);
    return count;
}

TEST needs_half_of_the_pairs(const char *body, int expected) {
    ASSERT_EQ_FMT(expected, count_steps("{ij} {ij}", body, is_halved, 0), "%d");
    PASS();
}

SUITE(symmetry) {
    RUN_TESTp(needs_half_of_the_pairs, "prapply(connect, a, a)", 1);
    RUN_TESTp(needs_half_of_the_pairs, "mapply(fork(connect, first, last), product(a, a))", 1);
    RUN_TESTp(needs_half_of_the_pairs, "apply(fork(add, compose(double, first), compose(double, last)), product(a, a))",
              1);
    RUN_TESTp(needs_half_of_the_pairs, "apply(size, prapply(connect, a, a))", 1);
    RUN_TESTp(needs_half_of_the_pairs, "prapply(connect, a, b)", 0);
    RUN_TESTp(needs_half_of_the_pairs, "prapply(subtract, a, a)", 0);
    RUN_TESTp(needs_half_of_the_pairs, "prapply(astuple, a, a)", 0);
    RUN_TESTp(needs_half_of_the_pairs, "apply(fork(add, compose(double, first), last), product(a, a))", 0);
    RUN_TESTp(needs_half_of_the_pairs, "apply(first, product(a, a))", 0);
    RUN_TESTp(needs_half_of_the_pairs, "sfilter(product(a, a), fork(equality, first, last))", 0);
    RUN_TESTp(needs_half_of_the_pairs, "order(product(a, a), fork(add, first, last))", 0);
    RUN_TESTp(needs_half_of_the_pairs, "argmax(product(a, a), compose(first, fork(add, first, last)))", 0);
    RUN_TESTp(yields, "{ij}", "prapply(connect, a, a)", "{[0,0],[0,2],[5,1]}; {[3,3]}; {}",
              "{{},{[0,0]},{[0,0],[0,1],[0,2]},{[0,2]},{[5,1]}}; {{[3,3]}}; {}");
    RUN_TESTp(yields, "{int}", "prapply(multiply, a, a)", "{-2,3,5}; {}", "{-10,-6,4,9,15,25}; {}");
    RUN_TESTp(yields, "{int}", "prapply(subtract, a, a)", "{1,3}", "{-2,0,2}");
    RUN_TESTp(yields, "{{ij}}", "prapply(manhattan, a, a)", "{{[0,0]},{[0,3]}}; {{[1,1]},{}}", "{0,3}; EMPTY");
}

/* ---- several steps that one kernel does better ---- */

TEST launches(const char *types, const char *body, unsigned kernel, int expected) {
    ASSERT_EQ_FMT(expected, count_steps(types, body, is_launch, kernel), "%d");
    PASS();
}

TEST has_steps(const char *types, const char *body, unsigned kind, int expected) {
    ASSERT_EQ_FMT(expected, count_steps(types, body, is_of_kind, kind), "%d");
    PASS();
}

/* ---- elements as they are: a list of them is their container, and no scope is opened ---- */

SUITE(elements_as_they_are) {
    RUN_TESTp(has_steps, "[int]", "order(a, identity)", STEP_EACH, 0);
    RUN_TESTp(has_steps, "[ij]", "apply(identity, a)", STEP_EACH, 0);
    RUN_TESTp(has_steps, "grid", "apply(rbind(order, identity), a)", STEP_EACH, 1);
    RUN_TESTp(has_steps, "[int]", "order(a, invert)", STEP_EACH, 1);
    RUN_TESTp(yields, "[int]", "order(a, identity)", "[3,1,2,1]; []", "[1,1,2,3]; []");
    RUN_TESTp(yields, "[int]", "argmax(a, identity)", "[3,1,2,1]; []", "3; EMPTY");
    RUN_TESTp(yields, "[int]", "apply(identity, a)", "[3,1,2,1]; []", "[3,1,2,1]; []");
    RUN_TESTp(yields, "[[int]]", "mapply(identity, a)", "[[3],[1,2]]; [[]]; []", "[3,1,2]; []; []");
}

/* What they yield is in tests/vectors/fused.jsonl. */
SUITE(fusing) {
    RUN_TESTp(launches, "{ij} {ij}", "mapply(lbind(shift, a), b)", KERNEL_stamp, 1);
    RUN_TESTp(has_steps, "{ij} {ij}", "mapply(lbind(shift, a), b)", STEP_EACH, 0);
    RUN_TESTp(launches, "{ij} {ij}", "merge(apply(lbind(shift, a), b))", KERNEL_stamp, 1);
    RUN_TESTp(launches, "{ij} {ij}", "(mapply(lbind(shift, a), b), merge(apply(lbind(shift, a), b)))", KERNEL_stamp, 1);
    RUN_TESTp(has_steps, "{ij} {ij}",
              "f = lbind(shift, a); (apply(double, mapply(f, b)), apply(double, merge(apply(f, b))))", STEP_EACH, 1);
    RUN_TESTp(launches, "{ij} {ij}", "(mapply(lbind(shift, a), b), apply(double, b))", KERNEL_stamp, 1);
    RUN_TESTp(has_steps, "{ij} {ij}", "(mapply(lbind(shift, a), b), apply(double, b))", STEP_EACH, 1);
    RUN_TESTp(launches, "{ij} {ij}", "apply(lbind(shift, a), b)", KERNEL_stamp, 0);
    RUN_TESTp(launches, "{ij}", "mapply(fork(shift, initset, identity), a)", KERNEL_stamp, 0);
    RUN_TESTp(launches, "{ij} {ij}", "x = apply(lbind(shift, a), b); (merge(x), size(x))", KERNEL_stamp, 0);
    RUN_TESTp(launches, "{ij}", "mapply(neighbors, a)", KERNEL_stamp, 1);
    RUN_TESTp(launches, "{ij}", "mapply(rbind(shoot, UNITY), a)", KERNEL_stamp, 1);
    RUN_TESTp(launches, "{ij} ij", "mapply(rbind(shoot, b), a)", KERNEL_stamp, 0);
    RUN_TESTp(launches, "{ij}", "mapply(rbind(shoot, (300000, 0)), a)", KERNEL_stamp, 0); /* that may fail */
    RUN_TESTp(launches, "{ij} {ij}", "prapply(connect, a, b)", KERNEL_lines, 1);
    RUN_TESTp(has_steps, "{ij} {ij}", "prapply(connect, a, b)", STEP_CROSS, 0);
    RUN_TESTp(launches, "{ij}", "apply(fork(connect, last, first), product(a, a))", KERNEL_lines, 1);
    RUN_TESTp(launches, "{ij}", "apply(size, prapply(connect, a, a))", KERNEL_lines, 1);
    RUN_TESTp(launches, "{ij}", "apply(fork(connect, first, first), product(a, a))", KERNEL_lines, 0);
    RUN_TESTp(launches, "{ij}", "apply(compose(size, fork(connect, first, last)), product(a, a))", KERNEL_lines, 0);
    RUN_TESTp(launches, "{ij}", "order(product(a, a), fork(connect, first, last))", KERNEL_lines, 0);
    RUN_TESTp(launches, "{{ij}}", "mfilter(apply(backdrop, a), square)", KERNEL_setify, 0);
    RUN_TESTp(launches, "{{ij}}", "merge(sfilter(sfilter(apply(backdrop, a), square), vline))", KERNEL_setify, 0);
    RUN_TESTp(launches, "{{ij}}", "merge(apply(backdrop, a))", KERNEL_setify, 0);
    RUN_TESTp(launches, "{{ij}}", "sfilter(apply(backdrop, a), square)", KERNEL_setify, 1);
    RUN_TESTp(launches, "{{ij}}", "size(apply(backdrop, a))", KERNEL_setify, 1);
    RUN_TESTp(launches, "{{ij}}", "x = apply(backdrop, a); combine(mfilter(x, square), argmax(x, size))", KERNEL_setify,
              1);
    RUN_TESTp(launches, "{{ij}}", "x = apply(backdrop, a); (mfilter(x, square), apply(size, x))", KERNEL_setify, 2);
    RUN_TESTp(launches, "{ij}", "mapply(fork(combine, hfrontier, vfrontier), a)", KERNEL_unite, 0);
    RUN_TESTp(launches, "{ij}", "mapply(fork(combine, fork(combine, hfrontier, vfrontier), neighbors), a)",
              KERNEL_unite, 0);
    RUN_TESTp(launches, "{ij}", "merge(apply(fork(combine, hfrontier, vfrontier), a))", KERNEL_unite, 0);
    RUN_TESTp(launches, "{ij}", "apply(fork(combine, hfrontier, vfrontier), a)", KERNEL_unite, 1);
    RUN_TESTp(launches, "{ij}", "f = fork(combine, hfrontier, vfrontier); (mapply(f, a), apply(compose(size, f), a))",
              KERNEL_unite, 1);
    RUN_TESTp(launches, "grid", "rot90(merge(hsplit(a, TWO)))", KERNEL_stack, 1);
    RUN_TESTp(launches, "grid", "merge(hsplit(a, TWO))", KERNEL_stack, 0); /* rows will do */
    RUN_TESTp(launches, "grid", "x = merge(hsplit(a, TWO)); (rot90(x), first(x))", KERNEL_stack, 0);
    RUN_TESTp(launches, "grid", "rot90(dedupe(a))", KERNEL_distinct_rows, 1);
    RUN_TESTp(launches, "grid", "rot90(dedupe(a))", KERNEL_grid_rows, 0);
    RUN_TESTp(launches, "grid", "dedupe(a)", KERNEL_distinct_rows, 0); /* rows will do */
    RUN_TESTp(launches, "grid", "x = dedupe(a); (rot90(x), first(x))", KERNEL_distinct_rows, 0);
    RUN_TESTp(launches, "grid", "(rot90(dedupe(a)), first(a))", KERNEL_distinct_rows, 0);
    RUN_TESTp(launches, "[ij] ij", "apply(compose(lbind(manhattan, initset(b)), initset), a)", KERNEL_manhattan_ij, 1);
    RUN_TESTp(launches, "[ij] ij", "apply(compose(lbind(manhattan, initset(b)), initset), a)", KERNEL_initset, 0);
    RUN_TESTp(launches, "[ij] {ij}", "apply(compose(lbind(manhattan, b), initset), a)", KERNEL_manhattan_ij, 0);
    RUN_TESTp(launches, "[int] [int]", "apply(maximum, pair(a, b))", KERNEL_pair_extreme, 1);
    RUN_TESTp(has_steps, "[int] [int]", "apply(maximum, pair(a, b))", STEP_EACH, 0);
    RUN_TESTp(launches, "grid grid", "apply(lbind(apply, minimum), papply(pair, a, b))", KERNEL_pair_extreme, 1);
    RUN_TESTp(launches, "[int] [int]", "x = pair(a, b); (apply(maximum, x), size(x))", KERNEL_pair_extreme, 0);
    RUN_TESTp(launches, "[int] [int]", "x = pair(a, b); (apply(maximum, x), apply(first, x))", KERNEL_pair_extreme, 0);
    RUN_TESTp(launches, "grid {{ij}}", "fill(a, 3, merge(b))", KERNEL_fill_lists, 1);
    RUN_TESTp(launches, "grid {{ij}}", "fill(a, 3, merge(b))", KERNEL_merge_set, 0);
    RUN_TESTp(launches, "grid {{ij}}", "cover(a, merge(b))", KERNEL_fill_lists, 1);
    RUN_TESTp(launches, "grid {{cell}}", "underfill(a, 3, merge(b))", KERNEL_fill_lists, 1);
    RUN_TESTp(launches, "grid {{cell}}", "paint(a, merge(b))", KERNEL_paint_lists, 1);
    RUN_TESTp(launches, "grid {{cell}}", "underpaint(a, merge(b))", KERNEL_merge_set, 1); /* that goes by the order */
    RUN_TESTp(launches, "grid {cell} {cell}", "paint(a, combine(b, c))", KERNEL_paint_lists, 1);
    RUN_TESTp(launches, "grid {cell} {cell}", "paint(a, combine(b, c))", KERNEL_unite, 0);
    RUN_TESTp(launches, "grid {cell}", "fill(a, 3, combine(box(b), delta(b)))", KERNEL_fill_lists, 1);
    RUN_TESTp(launches, "grid {cell}", "underfill(a, 3, combine(box(b), delta(b)))", KERNEL_fill_lists, 1);
    RUN_TESTp(launches, "grid {cell}", "cover(a, combine(box(b), delta(b)))", KERNEL_fill_lists, 1);
    RUN_TESTp(launches, "grid {cell}", "fill(a, 3, combine(ofcolor(a, 1), delta(b)))", KERNEL_fill_mask, 1);
    RUN_TESTp(launches, "grid {ij} {ij}", "fill(a, 3, combine(b, c))", KERNEL_fill_mask, 1);
    RUN_TESTp(launches, "grid {cell}", "x = combine(b, b); (paint(a, x), x)", KERNEL_paint_lists, 0);
    RUN_TESTp(launches, "grid {{cell}}", "x = merge(b); (paint(a, x), x)", KERNEL_paint_lists, 0);
    RUN_TESTp(launches, "[grid] {{cell}}", "x = merge(b); apply(rbind(paint, x), a)", KERNEL_paint_lists, 0);
    RUN_TESTp(launches, "grid {cell} {ij}", "paint(a, mapply(lbind(shift, b), c))", KERNEL_paint_copies, 1);
    RUN_TESTp(launches, "grid {cell} {ij}", "paint(a, mapply(lbind(shift, b), c))", KERNEL_stamp, 0);
    RUN_TESTp(launches, "grid {ij}", "fill(a, 3, mapply(neighbors, b))", KERNEL_fill_copies, 1);
    RUN_TESTp(launches, "{ij} grid", "colorcount(toobject(a, b), 3)", KERNEL_colorcount_at, 1);
    RUN_TESTp(launches, "{ij} grid", "colorcount(toobject(a, b), 3)", KERNEL_toobject, 0);
    RUN_TESTp(launches, "{ij} grid", "x = toobject(a, b); (x, colorcount(x, 3))", KERNEL_colorcount_at, 0);
    RUN_TESTp(launches, "{ij} {ij}", "size(difference(a, b))", KERNEL_count_members, 1);
    RUN_TESTp(launches, "{ij} {ij}", "size(intersection(a, b))", KERNEL_intersection, 0);
    RUN_TESTp(launches, "{ij} {ij}", "x = difference(a, b); (x, size(x))", KERNEL_count_members, 0);
    RUN_TESTp(launches, "{{ij}} {{ij}}", "size(difference(a, b))", KERNEL_count_members, 0); /* these are no words */
    RUN_TESTp(launches, "{ij} ij {ij}", "size(difference(shift(a, b), c))", KERNEL_count_moved, 1);
    RUN_TESTp(launches, "{ij} ij {ij}", "size(difference(shift(a, b), c))", KERNEL_shift, 0);
    RUN_TESTp(launches, "{ij} ij {ij}", "x = shift(a, b); (x, size(difference(x, c)))", KERNEL_count_members, 1);
    RUN_TESTp(launches, "grid {cell} [ij]", "paint(a, mapply(lbind(shift, b), c))", KERNEL_paint_copies, 1);
    RUN_TESTp(launches, "grid [{ij}]", "fill(a, 3, toindices(merge(b)))", KERNEL_fill_lists, 0);
    RUN_TESTp(launches, "int", "multiply(sign(a), a)", KERNEL_absolute_int, 1);
    RUN_TESTp(launches, "int", "multiply(a, sign(a))", KERNEL_sign_int, 0);
    RUN_TESTp(launches, "ij", "multiply(a, sign(a))", KERNEL_absolute_ij, 1);
    RUN_TESTp(launches, "int int", "multiply(sign(a), b)", KERNEL_absolute_int, 0);
    RUN_TESTp(launches, "int", "x = sign(a); (x, multiply(x, a))", KERNEL_absolute_int, 0);
    RUN_TESTp(yields, "int", "multiply(sign(a), a)", "3; 0; -3; 2147483647; -2147483647",
              "3; 0; 3; 2147483647; 2147483647");
    RUN_TESTp(yields, "ij", "multiply(sign(a), a)", "[3,-4]; [0,7]; [-8388607,1]", "[3,4]; [0,7]; [8388607,1]");
}

/* ---- what a mapped function does alike every time ---- */

/* For each o of a: what `op` makes of b and a function of its elements that compares `key` of them with o. */
#define COMPARED(op, key) "apply(chain(lbind(" op ", b), rbind(compose, " key "), lbind(rbind, equality)), a)"

SUITE(hoisting) {
    RUN_TESTp(has_steps, "{ij} {{ij}}", COMPARED("sfilter", "center"), STEP_AGAIN, 1);
    RUN_TESTp(has_steps, "{int} {{ij}}", COMPARED("sfilter", "compose(increment, height)"), STEP_AGAIN, 1);
    RUN_TESTp(has_steps, "{int} {{{ij}}}", COMPARED("sfilter", "compose(maximum, lbind(apply, height))"), STEP_AGAIN,
              1);
    RUN_TESTp(has_steps, "{int} {ij}", COMPARED("sfilter", "first"), STEP_AGAIN,
              0); /* to fetch it would take as long */
    RUN_TESTp(has_steps, "{{{ij}}} {{ij}}", "apply(lbind(apply, center), a)", STEP_AGAIN,
              0); /* b is of the mapped function itself */
    RUN_TESTp(yields, "{ij} {{ij}}", COMPARED("sfilter", "center"),
              "{[1,1],[2,5]} {{[1,1]},{[2,4],[2,5]},{[0,0],[2,2]}}; {[1,1]} {{[1,1]},{}}; {} {{[1,1]},{}}; {[1,1]} {}",
              "{{{[0,0],[2,2]},{[1,1]}},{{[2,4],[2,5]}}}; EMPTY; {}; {{}}");
    RUN_TESTp(yields, "{ij} [{ij}]", COMPARED("extract", "center"),
              "{[1,1]} [{[1,1]},{}]; {[1,1]} [{},{[1,1]}]; {[7,7]} [{[1,1]}]; {} [{}]", "{{[1,1]}}; EMPTY; EMPTY; {}");
    RUN_TESTp(yields, "{int} {{{ij}}}", COMPARED("sfilter", "compose(maximum, lbind(apply, height))"),
              "{1,2} {{{[0,0]},{[1,1],[2,1]}},{{[5,5]}},{}}; {0} {{}}",
              "{{{{[0,0]},{[1,1],[2,1]}}},{{{[5,5]}}}}; {{{}}}");
    /* o fails before the element does, and after it */
    RUN_TESTp(
        yields, "{int} {{ij}}",
        "apply(chain(lbind(sfilter, b), rbind(compose, center), chain(lbind(rbind, equality), toivec, lbind(divide, "
        "6))), a)",
        "{0} {{}}; {3} {{}}; {3} {{[2,0]}}", "DIVIDE; EMPTY; {{{[2,0]}}}");
}

/* ---- large programs ---- */

/* Has an opportunity for every pass, `times` times, and nothing that two of them have in common but the parameters. */
static void write_opportunities(int times, text *body) {
    for (int i = 0; i < times; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "s = shift(a, (%d, 0)); "
                 "x = mapply(lbind(shift, s), b); "
                 "x = prapply(connect, s, b); "
                 "x = mfilter(apply(neighbors, s), square); "
                 "x = mapply(fork(combine, dneighbors, ineighbors), s); "
                 "x = prapply(multiply, s, s); "
                 "f = chain(rbind(apply, s), rbind(compose, halve), lbind(lbind, add)); x = mapply(f, b); ",
                 i);
        text_add(body, line);
    }
    text_add(body, "a");
}

static int is_halved_cross(const graph_step *s, unsigned number) {
    (void)number;
    return s->kind == STEP_CROSS && s->imm;
}

TEST large_programs_are_simplified_as_small_ones_are(int times) {
    static const struct {
        step_test *is_such;
        unsigned number;
    } made[] = {{is_launch, KERNEL_stamp},  {is_launch, KERNEL_lines}, {is_launch, KERNEL_drop_empties},
                {is_launch, KERNEL_concat}, {is_halved_cross, 0},      {is_of_kind, STEP_AGAIN}};
    text body = {0};
    write_opportunities(times, &body);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        ASSERT_EQ_FMT(times, count_steps("{ij} {ij}", body.at, made[i].is_such, made[i].number), "%d");
    text_free(&body);
    PASS();
}

SUITE(large_programs) {
    RUN_TESTp(large_programs_are_simplified_as_small_ones_are, 1);
    RUN_TESTp(large_programs_are_simplified_as_small_ones_are, 600); /* 20,000 steps */
}

/* ---- columns that are masks ---- */

TEST takes_masks_of_parameters(const char *types, const char *body, int expected) {
    arcl_program *p;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, types, body, 0, &p, NULL));
    ASSERT_EQ(expected, p->graph->masked);
    arcl_program_free(p);
    PASS();
}

TEST needs_no_masks_any_more(void) {
    arcl_program *p;
    ASSERT_EQ(ARCL_SUCCESS,
              body_compile(context, "grid {ij}", "fill(subgrid(b, a), 3, difference(ofcolor(a, 1), b))", 0, &p, NULL));
    graph_without_masks(p->graph);
    static const unsigned left[] = {KERNEL_fill, KERNEL_difference, KERNEL_ofcolor, KERNEL_subgrid, KERNEL_identity};
    int found = 0;
    for (int i = 0; i < p->graph->count; i++)
        for (size_t n = 0; n < sizeof left / sizeof *left; n++)
            found += p->graph->steps[i].kind == STEP_KERNEL && p->graph->steps[i].kernel_id == left[n];
    ASSERT_EQ(5, found);
    ASSERT_FALSE(p->graph->masked);
    arcl_program_free(p);
    PASS();
}

/* What they yield is in tests/vectors/masks.jsonl. */
SUITE(masks) {
    RUN_TESTp(launches, "grid", "ofcolor(a, 1)", KERNEL_ofcolor_mask, 1);
    RUN_TESTp(launches, "grid", "totuple(ofcolor(a, 1))", KERNEL_ofcolor_mask, 0);
    RUN_TESTp(launches, "grid", "apply(double, ofcolor(a, 1))", KERNEL_ofcolor_mask, 0);
    RUN_TESTp(launches, "grid", "x = ofcolor(a, 1); (size(x), ulcorner(x), lrcorner(x))", KERNEL_mask_bounds, 1);
    RUN_TESTp(launches, "grid", "x = ofcolor(a, 1); (size(x), apply(double, x))", KERNEL_size_mask, 0);
    RUN_TESTp(launches, "grid", "apply(double, difference(ofcolor(a, 1), ofcolor(a, 2)))", KERNEL_difference_mask, 1);
    RUN_TESTp(launches, "grid {cell}", "difference(b, recolor(1, ofcolor(a, 1)))", KERNEL_recolor_mask, 1);
    RUN_TESTp(launches, "grid {cell}", "difference(b, recolor(1, ofcolor(a, 1)))", KERNEL_difference_mask, 0);
    RUN_TESTp(launches, "grid", "mapply(lbind(ofcolor, a), (1, 2))", KERNEL_ofcolor_mask, 0);
    RUN_TESTp(takes_masks_of_parameters, "grid {ij}", "fill(a, 3, b)", 1);
    RUN_TESTp(takes_masks_of_parameters, "grid {cell}", "fill(a, 3, b)", 0);
    RUN_TESTp(takes_masks_of_parameters, "grid [ij]", "fill(a, 3, b)", 0);
    RUN_TESTp(takes_masks_of_parameters, "{ij} {cell}", "combine(a, b)", 0);
    RUN_TESTp(takes_masks_of_parameters, "grid {ij}", "(fill(a, 3, b), order(b, first))", 0);
    RUN_TEST(needs_no_masks_any_more);
    RUN_TESTp(yields, "{ij} {ij}", "combine(a, b)", "{[0,0],[31,31]} {[0,32]}; {[-1,0]} {[3,3]}; {} {}; {[31,0]} {}",
              "{[0,0],[0,32],[31,31]}; {[-1,0],[3,3]}; {}; {[31,0]}");
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 2};
    if (arcl_context_create(&options, &context, NULL)) return EXIT_FAILURE;
    RUN_SUITE(value_numbering);
    RUN_SUITE(elements_as_they_are);
    RUN_SUITE(compile_time);
    RUN_SUITE(pairs);
    RUN_SUITE(symmetry);
    RUN_SUITE(fusing);
    RUN_SUITE(hoisting);
    RUN_SUITE(large_programs);
    RUN_SUITE(masks);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
