/* Tests of running: statuses, budgets, memory limits, many programs at once, contexts in several threads, the
 * report. */
#include <pthread.h>

#include "support/yields.h"

#define MIB ((uint64_t)1 << 20)

/* ---- statuses ---- */

SUITE(statuses) {
    RUN_TESTp(yields, "grid", "add(1, index(a, UNITY))", "[[1]]; [[1,2],[3,4]]", "TYPE; 5");
    RUN_TESTp(yields, "{int}", "shift(a, UNITY)", "{1}; {}", "TYPE; {}");
    RUN_TESTp(yields, "[int]", "first(a)", "[]; [4,5]", "EMPTY; 4");
    RUN_TESTp(yields, "{ij}", "ulcorner(outbox(a))", "{[3,4]}; {}", "[2,3]; EMPTY");
    RUN_TESTp(yields, "grid grid", "cellwise(a, b, 0)", "[[1,2]] [[1]]; [[1,2]] [[1,3]]", "BOUNDS; [[1,0]]");
    RUN_TESTp(yields, "int int", "divide(a, b)", "1 0; 7 2; 0 0; -7 2", "DIVIDE; 3; DIVIDE; -4");
    RUN_TESTp(yields, "grid grid", "objects(vconcat(a, b), T, F, F)", "[[1,2]] [[1]]; [[1]] [[1]]",
              "BOUNDS; {{[1,[0,0]],[1,[1,0]]}}");
    RUN_TESTp(yields, "int", "double(a)", "1073741824; 1073741823; -1073741824", "LIMIT; 2147483646; LIMIT");
    RUN_TESTp(yields, "int ij", "initset((a, b))", "40000 [0,0]; 3 [0,0]", "LIMIT; {[3,[0,0]]}");
}

SUITE(failures_in_functions) {
    RUN_TESTp(yields, "[int]", "apply(lbind(divide, 6), a)", "[1,2]; [3,0,1]; []; [0]; [6]",
              "[6,3]; DIVIDE; []; DIVIDE; [1]");
    RUN_TESTp(yields, "[[int]]", "apply(lbind(apply, lbind(divide, 6)), a)", "[[1],[2]]; [[1],[2,0]]; [[],[6]]",
              "[[6],[3]]; DIVIDE; [[],[1]]");
    RUN_TESTp(yields, "[[int]]", "apply(first, a)", "[[1,2],[3]]; [[1],[]]", "[1,3]; EMPTY");
    RUN_TESTp(yields, "[int]", "sfilter(a, matcher(lbind(divide, 6), 6))", "[1,2]; [1,0]", "[1]; DIVIDE");
    RUN_TESTp(yields, "[int]", "argmax(a, lbind(divide, 6))", "[2,1]; [1,0]; []", "1; DIVIDE; EMPTY");
    RUN_TESTp(yields, "[int]", "order(a, lbind(divide, 6))", "[1,2,3]; [1,0]", "[3,2,1]; DIVIDE");
    RUN_TESTp(yields, "[int] [int]", "papply(divide, a, b)", "[4,6] [2,3]; [4,6] [2,0]; [4,6] [2]",
              "[2,2]; DIVIDE; [2]");
    RUN_TESTp(yields, "[int] int", "power(compose(lbind(divide, 6), first), 1)(a)", "[3] 1; [0] 1; [] 1",
              "2; DIVIDE; EMPTY");
    RUN_TESTp(yields, "int int", "power(compose(lbind(divide, 6), decrement), b)(a)", "3 1; 3 2; 3 9; 1 1",
              "3; 3; 3; DIVIDE");
    RUN_TESTp(yields, "int int", "power(compose(lbind(divide, 6), decrement), b)(a)", "7 1; 7 2; 3 3; 4 5",
              "1; DIVIDE; 3; DIVIDE");
}

/* extract stops at its match, so what comes after it cannot fail; what comes before it can. */
SUITE(extract_is_lenient) {
    RUN_TESTp(yields, "[int]", "extract(a, matcher(lbind(divide, 6), 6))", "[1,0]; [0,1]; [2,0]; [2,3]; []; [2,1,0,0]",
              "1; DIVIDE; DIVIDE; EMPTY; EMPTY; 1");
    RUN_TESTp(yields, "[[int]]", "extract(a, compose(positive, first))", "[[1],[]]; [[],[1]]; [[0],[2]]",
              "[1]; EMPTY; [2]");
    RUN_TESTp(yields, "[[int]]", "apply(rbind(extract, matcher(lbind(divide, 6), 6)), a)",
              "[[1,0],[2,1,0]]; [[1,0],[0]]", "[1,1]; DIVIDE");
}

/* A failed op fails the lane even if nobody uses its result, as in Python. */
SUITE(unused_failures) {
    RUN_TESTp(yields, "int int", "x = divide(a, b); a", "1 1; 1 0", "1; DIVIDE");
    RUN_TESTp(yields, "[int]", "x = apply(lbind(divide, 6), a); size(a)", "[1]; [0]; []", "1; DIVIDE; 0");
    RUN_TESTp(yields, "int", "x = divide(1, 0); a", "1", "DIVIDE");
}

/* Where a grid is wanted in the end, one whose rows differ in length is none. */
TEST a_ragged_result_is_no_grid(void) {
    arcl_context *context;
    arcl_program *p;
    arcl_batch *b;
    arcl_result *r;
    int h, w;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &context, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "[[int]]", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, "[[1,2],[3]]; [[1,2],[3,4]]; [[1000]]", NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "[[int]]", "a", 1, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, p, b, &r, NULL));
    ASSERT_EQ(ARCL_LANE_SHAPE, arcl_result_status(r, 0));
    ASSERT_EQ(ARCL_OK, arcl_result_status(r, 1));
    ASSERT_EQ(ARCL_LANE_LIMIT, arcl_result_status(r, 2));
    const signed char *cells = arcl_result_grid(r, 1, &h, &w);
    ASSERT(h == 2 && w == 2 && memcmp(cells, "\1\2\3\4", 4) == 0);
    arcl_result_free(r);
    arcl_program_free(p);
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "[[int]]", "vconcat(a, a)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, p, b, &r, NULL));
    ASSERT(!arcl_result_grid(r, 0, &h, &w) && h == 0 && w == 0);
    ASSERT_EQ(4u, arcl_value_count(arcl_result_value(r, 0)));
    arcl_result_free(r);
    arcl_program_free(p);
    arcl_batch_free(b);
    arcl_context_free(context);
    PASS();
}

/* The first failure counts; nothing later runs. First is what the result needs, whatever the order of the lines. */
SUITE(first_failure) {
    RUN_TESTp(yields, "[int] int", "x = divide(6, b); first(a)", "[] 0; [] 1; [1] 0", "EMPTY; EMPTY; DIVIDE");
    RUN_TESTp(yields, "[int] int", "y = first(a); x = divide(6, b); y", "[] 0; [] 1; [1] 0", "EMPTY; EMPTY; DIVIDE");
    RUN_TESTp(yields, "[int] int", "y = first(a); x = divide(6, b); add(x, y)", "[] 0; [] 1; [1] 0",
              "DIVIDE; EMPTY; DIVIDE");
    RUN_TESTp(yields, "[int] int", "x = first(a); divide(x, b)", "[] 0; [] 1; [1] 0", "EMPTY; EMPTY; DIVIDE");
}

TEST lanes_do_not_touch_each_other(uint32_t chunk) {
    enum { LANES = 1000 };
    arcl_options options = {.threads = 3, .chunk = chunk};
    arcl_context *context;
    arcl_program *p;
    arcl_batch *b;
    arcl_result *r;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "int [int]", "apply(rbind(divide, a), b)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "int [int]", &b, NULL));
    for (int i = 0; i < LANES; i++) {
        char lane[64];
        snprintf(lane, sizeof lane, "%d [%d,%d]", i % 3, 6 * i, -6 * i);
        ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, lane, NULL));
    }
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, p, b, &r, NULL));
    ASSERT_EQ_FMT((uint32_t)LANES, arcl_result_lanes(r), "%u");
    for (int i = 0; i < LANES; i++) {
        uint32_t lane = (uint32_t)i;
        ASSERT_EQ(i % 3 ? ARCL_OK : ARCL_LANE_DIVIDE, arcl_result_status(r, lane));
        if (i % 3 == 0) continue;
        arcl_value v = arcl_result_value(r, lane);
        ASSERT_EQ(2u, arcl_value_count(v));
        ASSERT_EQ(6 * i / (i % 3), arcl_value_int(arcl_value_item(v, 0)));
        ASSERT_EQ(-6 * i / (i % 3), arcl_value_int(arcl_value_item(v, 1)));
    }
    arcl_result_free(r);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(context);
    PASS();
}

TEST statuses_have_names(void) {
    ASSERT_STR_EQ("OK", arcl_lane_status_name(ARCL_OK));
    ASSERT_STR_EQ("BUDGET", arcl_lane_status_name(ARCL_LANE_BUDGET));
    ASSERT_STR_EQ("?", arcl_lane_status_name(ARCL_LANE_STATUSES));
    ASSERT_STR_EQ("an element of an empty container", arcl_lane_status_meaning(ARCL_LANE_EMPTY));
    ASSERT_STR_EQ("?", arcl_lane_status_meaning((arcl_lane_status)-1));
    PASS();
}

SUITE(lanes) {
    static const uint32_t chunks[] = {0, 1, 2, 7, 64, 100000};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) RUN_TESTp(lanes_do_not_touch_each_other, chunks[i]);
    RUN_TEST(statuses_have_names);
    RUN_TEST(a_ragged_result_is_no_grid);
}

/* ---- settings ---- */

/* Square grids of side 1 to `most`, each `times` times. */
static void squares(int most, int times, text *to) {
    for (int t = 0; t < times; t++)
        for (int side = 1; side <= most; side++) {
            text_add(to, "; [");
            for (int i = 0; i < side; i++) {
                text_add(to, "[");
                for (int j = 0; j < side; j++) text_add(to, (i * j + t) % 3 ? "1," : "2,");
                text_add(to, "],");
            }
            text_add(to, "]");
        }
}

static const char *evaluate_with(arcl_options options, const char *body, const char *lanes) {
    arcl_context *context;
    arcl_error error;
    static char refused[1024];
    if (arcl_context_create(&options, &context, &error)) {
        snprintf(refused, sizeof refused, "%s", error.message);
        return refused;
    }
    const char *got = evaluate_in(context, "grid", body, lanes);
    arcl_context_free(context);
    return got;
}

static int occurrences(const char *text_of, const char *word) {
    int n = 0;
    for (; (text_of = strstr(text_of, word)); text_of++) n++;
    return n;
}

/* A budget that suffices for some of the lanes; their results with it are `expected`. */
static uint32_t scarce_budget(const char *body, const char *lanes, text *expected) {
    for (uint32_t budget = 16; budget < 1 << 24; budget += budget / 8) {
        text_clear(expected);
        text_add(expected, evaluate_with((arcl_options){.threads = 1, .budget = budget}, body, lanes));
        int failed = occurrences(expected->at, "BUDGET");
        if (failed > 3 && failed < 27) return budget;
    }
    return 0;
}

TEST a_budget_is_the_same_everywhere(const char *body) {
    static const int threads[] = {1, 2, 5};
    static const uint32_t chunks[] = {0, 1, 2, 7, 1000};
    text lanes = {0}, expected = {0};
    squares(10, 3, &lanes);
    uint32_t budget = scarce_budget(body, lanes.at, &expected);
    ASSERTm(body, budget);
    for (int t = 0; t < 3; t++)
        for (int c = 0; c < 5; c++) {
            arcl_options options = {.threads = threads[t], .budget = budget, .chunk = chunks[c]};
            ASSERT_STR_EQ(expected.at, evaluate_with(options, body, lanes.at));
        }
    text_free(&lanes);
    text_free(&expected);
    PASS();
}

TEST the_default_budget_is_large(void) {
    text lanes = {0};
    squares(30, 1, &lanes);
    ASSERT_EQ_FMT(0, occurrences(evaluate("grid", "size(product(asindices(a), asindices(a)))", lanes.at), "BUDGET"),
                  "%d");
    text_free(&lanes);
    PASS();
}

TEST an_endless_loop_ends(void) {
    arcl_options options = {.threads = 1, .budget = 100000};
    ASSERT_STR_EQ("BUDGET; 1",
                  evaluate_with(options, "power(sign, increment(multiply(2000000000, subtract(size(a), 1))))(2)",
                                "[[1],[2]]; [[1]]"));
    PASS();
}

SUITE(budgets) {
    RUN_TESTp(a_budget_is_the_same_everywhere, "product(asindices(a), ((0, 0), (1, 1)))");
    RUN_TESTp(a_budget_is_the_same_everywhere, "mapply(neighbors, asindices(a))");
    RUN_TESTp(a_budget_is_the_same_everywhere, "mapply(compose(neighbors, increment), asindices(a))");
    RUN_TESTp(a_budget_is_the_same_everywhere, "prapply(connect, asindices(a), asindices(a))");
    RUN_TESTp(a_budget_is_the_same_everywhere, "apply(size, objects(a, T, F, F))");
    RUN_TESTp(a_budget_is_the_same_everywhere, "power(increment, multiply(size(a), multiply(10, size(a))))(0)");
    RUN_TESTp(a_budget_is_the_same_everywhere,
              "branch(even(size(a)), rbind(upscale, 3), compose(trim, rbind(upscale, 6)))(a)");
    RUN_TESTp(a_budget_is_the_same_everywhere,
              "mapply(chain(lbind(sfilter, objects(a, T, F, F)), rbind(compose, center), "
              "lbind(rbind, equality)), asindices(a))");
    RUN_TEST(the_default_budget_is_large);
    RUN_TEST(an_endless_loop_ends);
}

/* About a megabyte for the largest of the grids, so that many lanes at once do not fit. */
#define HUNGRY "size(prapply(astuple, asindices(a), asindices(a)))"

TEST a_small_memory_makes_smaller_chunks(int threads, uint32_t chunk, uint64_t memory) {
    text lanes = {0}, expected = {0};
    squares(13, 8, &lanes);
    text_add(&expected, evaluate_with((arcl_options){.threads = 1}, HUNGRY, lanes.at));
    ASSERT(strstr(expected.at, "; 28561;"));
    ASSERT_STR_EQ(expected.at, evaluate_with((arcl_options){.threads = threads, .memory = memory, .chunk = chunk},
                                             HUNGRY, lanes.at));
    text_free(&lanes);
    text_free(&expected);
    PASS();
}

TEST a_lane_that_cannot_fit_is_an_error(void) {
    text lanes = {0};
    arcl_options options = {.threads = 1, .memory = 2 * MIB};
    arcl_context *context;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    squares(30, 1, &lanes);
    ASSERT_STR_EQ("one lane alone needs more memory than the limit of 2097152 bytes: raise it",
                  evaluate_in(context, "grid", HUNGRY, lanes.at));
    ASSERT_STR_EQ("16", evaluate_in(context, "grid", HUNGRY, "[[1,2],[3,4]]")); /* the context goes on */
    arcl_context_free(context);
    text_free(&lanes);
    PASS();
}

TEST impossible_settings_are_refused(void) {
    static const struct {
        arcl_options options;
        const char *says;
    } bad[] = {
        {{.threads = 1, .memory = 1000}, "a memory limit of 1000 bytes is too small: 1 threads need at least 1048576"},
        {{.threads = 4, .memory = 4 * MIB - 8}, "too small: 4 threads need at least 4194304"},
        {{.threads = -1}, "-1 threads"},
        {{.threads = 100000}, "100000 threads"},
        {{.threads = 1, .budget = 0xffffffff}, "a budget of 4294967295"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        arcl_context *context;
        arcl_error error;
        ASSERT_EQ(ARCL_INVALID, arcl_context_create(&bad[i].options, &context, &error));
        ASSERT(!context);
        if (!strstr(error.message, bad[i].says)) ASSERT_STR_EQ(bad[i].says, error.message);
    }
    PASS();
}

SUITE(memory) {
    RUN_TESTp(a_small_memory_makes_smaller_chunks, 1, 0, 3 * MIB);
    RUN_TESTp(a_small_memory_makes_smaller_chunks, 1, 1000, 3 * MIB);
    RUN_TESTp(a_small_memory_makes_smaller_chunks, 3, 10, 6 * MIB);
    /* here a lane needs more than one worker has: it gets the room of all */
    RUN_TESTp(a_small_memory_makes_smaller_chunks, 4, 5, 4 * MIB);
    RUN_TESTp(a_small_memory_makes_smaller_chunks, 8, 1, 8 * MIB);
    RUN_TEST(a_lane_that_cannot_fit_is_an_error);
    RUN_TEST(impossible_settings_are_refused);
}

/* ---- many programs at once ---- */

enum { PROGRAMS = 12 };
static const char *const bodies[PROGRAMS] = {
    "rot90(a)",
    "objects(a, T, F, F)",
    "divide(6, subtract(size(a), 2))",
    "apply(size, partition(a))",
    "mapply(neighbors, ofcolor(a, 1))",
    "branch(even(size(a)), a, palette(a))",
    "power(rot90, size(a))(a)",
    "first(ofcolor(a, 2))",
    "a",
    "extract(a, matcher(first, 1))",
    "hconcat(a, vmirror(a))",
    "argmax(objects(a, T, T, F), size)",
};

TEST many_runs_equal_single_ones(int threads, uint32_t chunk) {
    arcl_options options = {.threads = threads, .chunk = chunk};
    arcl_context *context;
    arcl_program *programs[PROGRAMS];
    arcl_batch *batches[3];
    const arcl_batch *batch_of[PROGRAMS];
    arcl_result *together[PROGRAMS], *alone;
    text lanes = {0}, a = {0}, b = {0};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    for (int i = 0; i < 3; i++) { /* the first has no lanes, and programs share batches */
        ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &batches[i], NULL));
        ASSERT_EQ(ARCL_SUCCESS, lanes_read(batches[i], i ? lanes.at : "", NULL));
        squares(5, 3, &lanes);
    }
    for (int i = 0; i < PROGRAMS; i++) {
        ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", bodies[i], 0, &programs[i], NULL));
        batch_of[i] = batches[i % 5 == 4 ? 0 : 1 + i % 2];
    }
    ASSERT_EQ(ARCL_SUCCESS,
              arcl_run_many(context, PROGRAMS, (const arcl_program *const *)programs, batch_of, together, NULL));
    for (int i = 0; i < PROGRAMS; i++) {
        ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, programs[i], batch_of[i], &alone, NULL));
        text_clear(&a);
        text_clear(&b);
        result_write(together[i], &a);
        result_write(alone, &b);
        ASSERT_STR_EQm(bodies[i], b.at, a.at);
        ASSERT_EQ(arcl_batch_lanes(batch_of[i]), arcl_result_lanes(together[i]));
        arcl_result_free(together[i]);
        arcl_result_free(alone);
        arcl_program_free(programs[i]);
    }
    for (int i = 0; i < 3; i++) arcl_batch_free(batches[i]);
    arcl_context_free(context);
    text_free(&lanes);
    text_free(&a);
    text_free(&b);
    PASS();
}

TEST one_bad_pair_spoils_the_call(void) {
    arcl_context *context;
    arcl_program *p, *q;
    arcl_batch *b;
    arcl_result *results[2] = {(arcl_result *)&context, (arcl_result *)&context};
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &context, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "a", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "int", "a", 0, &q, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, "[[1]]", NULL));
    const arcl_program *programs[] = {p, q};
    const arcl_batch *batches[] = {b, b};
    ASSERT_EQ(ARCL_INVALID, arcl_run_many(context, 2, programs, batches, results, &error));
    ASSERT(!results[0] && !results[1]);
    ASSERT(strstr(error.message, "differ in type"));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run_many(context, 0, NULL, NULL, NULL, NULL));
    arcl_program_free(p);
    arcl_program_free(q);
    arcl_batch_free(b);
    arcl_context_free(context);
    PASS();
}

SUITE(many_programs) {
    RUN_TESTp(many_runs_equal_single_ones, 1, 0);
    RUN_TESTp(many_runs_equal_single_ones, 2, 1);
    RUN_TESTp(many_runs_equal_single_ones, 3, 4);
    RUN_TESTp(many_runs_equal_single_ones, 8, 2);
    RUN_TEST(one_bad_pair_spoils_the_call);
}

/* ---- several threads of the caller's ---- */

enum { CALLERS = 8, ROUNDS = 20 };

typedef struct caller {
    pthread_t thread;
    arcl_context *context; /* shared, or NULL for one of its own */
    const char *const *expected;
    const char *lanes;
    int wrong;
} caller;

static int run_matches(arcl_context *context, const char *body, const char *lanes, const char *expected) {
    arcl_program *p = NULL;
    arcl_batch *b = NULL;
    arcl_result *r = NULL;
    text got = {0};
    int ok = !body_compile(context, "grid", body, 0, &p, NULL) && !arcl_batch_create(context, "grid", &b, NULL) &&
             !lanes_read(b, lanes, NULL) && !arcl_run(context, p, b, &r, NULL);
    if (ok) {
        text_clear(&got);
        result_write(r, &got);
        ok = strcmp(got.at, expected) == 0;
    }
    text_free(&got);
    arcl_result_free(r);
    arcl_batch_free(b);
    arcl_program_free(p);
    return ok;
}

static void *call_with_own_context(void *arg) {
    caller *c = arg;
    arcl_context *own;
    arcl_options options = {.threads = 2, .chunk = 4};
    if (arcl_context_create(&options, &own, NULL)) {
        c->wrong = -1;
        return NULL;
    }
    for (int i = 0; i < ROUNDS; i++)
        c->wrong += !run_matches(own, bodies[i % PROGRAMS], c->lanes, c->expected[i % PROGRAMS]);
    arcl_context_free(own);
    return NULL;
}

/* Parsing, compiling and building batches, all in one context. */
static void *compile_in_shared_context(void *arg) {
    caller *c = arg;
    for (int i = 0; i < 5 * ROUNDS; i++) {
        arcl_program *p = NULL;
        arcl_batch *b = NULL;
        c->wrong += body_compile(c->context, "grid", bodies[i % PROGRAMS], 0, &p, NULL) != 0;
        c->wrong += arcl_batch_create(c->context, "grid", &b, NULL) || lanes_read(b, c->lanes, NULL);
        arcl_batch_free(b);
        arcl_program_free(p);
        c->wrong += body_compile(c->context, "grid", "frob(a)", 0, &p, NULL) != ARCL_INVALID || p;
    }
    return NULL;
}

TEST callers_do_not_disturb_each_other(void *(*work)(void *), int shared) {
    static char *expected[PROGRAMS];
    static caller callers[CALLERS];
    text lanes = {0};
    arcl_context *context = NULL;
    squares(6, 2, &lanes);
    for (int i = 0; i < PROGRAMS; i++) {
        const char *got = evaluate("grid", bodies[i], lanes.at);
        expected[i] = malloc(strlen(got) + 1);
        strcpy(expected[i], got);
    }
    if (shared) ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &context, NULL));
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){.context = context, .expected = (const char *const *)expected, .lanes = lanes.at};
        ASSERT_EQ(0, pthread_create(&callers[i].thread, NULL, work, &callers[i]));
    }
    for (int i = 0; i < CALLERS; i++) pthread_join(callers[i].thread, NULL);
    for (int i = 0; i < CALLERS; i++) ASSERT_EQ_FMT(0, callers[i].wrong, "%d");
    for (int i = 0; i < PROGRAMS; i++) free(expected[i]);
    arcl_context_free(context);
    text_free(&lanes);
    PASS();
}

static void square_index(void *arg, uint32_t index) { ((uint32_t *)arg)[index] = index * index; }

TEST parallel_calls_every_index(void) {
    static uint32_t squared[1000];
    arcl_options options = {.threads = 3};
    arcl_context *context;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    ASSERT_EQ_FMT(3, arcl_context_threads(context), "%d");
    arcl_parallel(context, 1000, square_index, squared);
    for (uint32_t i = 0; i < 1000; i++) ASSERT_EQ_FMT(i * i, squared[i], "%u");
    arcl_context_free(context);
    PASS();
}

SUITE(callers) {
    RUN_TESTp(callers_do_not_disturb_each_other, call_with_own_context, 0);
    RUN_TESTp(callers_do_not_disturb_each_other, compile_in_shared_context, 1);
    RUN_TEST(parallel_calls_every_index);
}

/* ---- the report ---- */

static arcl_op_report entry_of(arcl_context *context, const char *name) {
    for (int i = 0; i < arcl_report_count(context); i++)
        if (strcmp(arcl_report_get(context, i).name, name) == 0) return arcl_report_get(context, i);
    return (arcl_op_report){0};
}

TEST the_report_counts_what_ran(void) {
    arcl_context *context;
    arcl_options options = {.threads = 1, .chunk = 2};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    evaluate_in(context, "grid", "rot90(a)", "[[1]]; [[2]]; [[3]]");
    ASSERT_EQ_FMT(0, arcl_report_count(context), "%d");
    arcl_report_enable(context, 1);
    evaluate_in(context, "grid int", "x = divide(6, b); rot90(a)", "[[1]] 0; [[2]] 1; [[3]] 2");
    arcl_op_report turned = entry_of(context, "rot90"), divided = entry_of(context, "divide_int");
    ASSERT_STR_EQ("host", turned.device);
    ASSERT_EQ(2u, turned.launches);
    ASSERT_EQ(3u, turned.lanes);
    ASSERT_EQ(0u, turned.failures);
    ASSERT_EQ(1u, divided.failures);
    ASSERT(turned.words >= 3);
    ASSERT(!entry_of(context, "rot180").name);
    ASSERT_STR_EQ("", arcl_report_get(context, 1000).name);
    arcl_report_reset(context);
    ASSERT_EQ_FMT(0, arcl_report_count(context), "%d");
    arcl_context_free(context);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(statuses);
    RUN_SUITE(failures_in_functions);
    RUN_SUITE(extract_is_lenient);
    RUN_SUITE(unused_failures);
    RUN_SUITE(first_failure);
    RUN_SUITE(lanes);
    RUN_SUITE(budgets);
    RUN_SUITE(memory);
    RUN_SUITE(many_programs);
    RUN_SUITE(callers);
    RUN_TEST(the_report_counts_what_ran);
    GREATEST_MAIN_END();
}
