/* Tests of work that is counted (cl/lane.h): programs that make little and do much end within the budget, with the same
 * words and statuses however they are run, and what replaces slow ways gives the same answers. */
#include <time.h>

#include "greatest.h"
#include "support/evaluation.h"

static arcl_context *context;

#define BUDGET (2u << 20) /* less than usual, and so is the time that it takes to use it up */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Runs a body over three grids, of which the first is 1 by 1 and each next one larger by a row: outputs and scores. */
static arcl_result *run_body(arcl_context *c, const char *body) {
    static const signed char cells[3] = {5, 5, 5};
    arcl_program *program = NULL;
    arcl_batch *batch = NULL;
    arcl_result *result = NULL;
    arcl_error error = {{0}};
    const arcl_batch *expected = NULL;
    int failed = body_compile(c, "grid", body, 0, &program, &error) || arcl_batch_create(c, "grid", &batch, &error);
    for (int h = 1; h <= 3 && !failed; h++) failed = arcl_batch_add_grid(batch, h, 1, cells, &error) != 0;
    failed = failed || arcl_score_many(c, 1, (const arcl_program *const *)&program, (const arcl_batch *const *)&batch,
                                       &expected, 1, &result, &error);
    if (failed) printf("%s: %s\n", body, error.message);
    arcl_program_free(program);
    arcl_batch_free(batch);
    return result;
}

/* The body ends soon, everywhere alike. */
TEST ends(const char *body, arcl_lane_status status) {
    arcl_options one = {.threads = 1, .device = "host", .chunk = 1, .budget = BUDGET};
    arcl_context *alone;
    double start = seconds();
    arcl_result *together = run_body(context, body);
    ASSERTm(body, together);
    ASSERTm(body, seconds() - start < 20); /* a few, where nothing else runs and nothing is checked */
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&one, &alone, NULL));
    arcl_result *apart = run_body(alone, body);
    for (uint32_t lane = 0; lane < 3; lane++) {
        arcl_score a = arcl_result_score(together, lane), b = arcl_result_score(apart, lane);
        ASSERT_STR_EQm(body, arcl_lane_status_name(status), arcl_lane_status_name(arcl_result_status(together, lane)));
        ASSERT_EQm(body, arcl_result_status(together, lane), arcl_result_status(apart, lane));
        ASSERT_EQm(body, a.words, b.words);
        ASSERT_EQm(body, a.fingerprint, b.fingerprint);
    }
    arcl_result_free(together);
    arcl_result_free(apart);
    arcl_context_free(alone);
    PASS();
}

/* A grid of n by n cells that only a lane has; an object of it; and many times the same value, at the cost of a word
 * each. */
#define LARGE "g = canvas(height(a), (400, 400)); o = asobject(g);"
#define MANY "m = repeat(o, 300000);"

SUITE(much_work) {
    RUN_TESTp(ends, LARGE "manhattan(o, shift(o, (5000, 5000)))", ARCL_OK);
    RUN_TESTp(ends, LARGE "manhattan(o, shift(o, (5000, 7)))", ARCL_OK);
    RUN_TESTp(ends, LARGE "size(difference(totuple(o), totuple(shift(o, UNITY))))", ARCL_OK);
    RUN_TESTp(ends, LARGE MANY "size(apply(width, m))", ARCL_LANE_BUDGET);
    RUN_TESTp(ends, LARGE MANY "size(apply(rbind(bordering, g), m))", ARCL_LANE_BUDGET);
    RUN_TESTp(ends, LARGE "size(apply(lbind(colorcount, g), repeat(3, 900000)))", ARCL_LANE_BUDGET);
    RUN_TESTp(ends, LARGE "size(sfilter(totuple(o), rbind(contained, totuple(o))))", ARCL_LANE_BUDGET);
    RUN_TESTp(ends, LARGE MANY "size(apply(lbind(paint, a), m))", ARCL_LANE_BUDGET);
    RUN_TESTp(ends, LARGE MANY "size(apply(corners, m))", ARCL_LANE_BUDGET);
    RUN_TESTp(ends, LARGE "size(apply(maximum, repeat(repeat(1, 900000), 400000)))", ARCL_LANE_BUDGET);
    /* values that are longer than what they are made of */
    RUN_TESTp(
        ends,
        "x = repeat(repeat(repeat(repeat(height(a), 4000), 4000), 4000), 4000);"
        "y = repeat(repeat(repeat(repeat(decrement(increment(height(a))), 4000), 4000), 4000), 4000); equality(x, y)",
        ARCL_LANE_BUDGET);
    RUN_TESTp(ends,
              "x = repeat(height(a), 300000); y = repeat(decrement(increment(height(a))), 300000);"
              "size(dedupe(merge(repeat(astuple(x, y), 100000))))",
              ARCL_LANE_BUDGET);
}

/* ---- manhattan of large patches ---- */

#define SIDE 64
static signed char noise[SIDE * SIDE];

static int between(int di, int dj) {
    int nearest = 1 << 30;
    for (int p = 0; p < SIDE * SIDE; p++)
        for (int q = 0; q < SIDE * SIDE && noise[p] == 1; q++) {
            if (noise[q] != 2) continue;
            int d = abs(q / SIDE + di - p / SIDE) + abs(q % SIDE + dj - p % SIDE);
            if (d < nearest) nearest = d;
        }
    return nearest;
}

/* A ragged hole, so that the cells that are nearest are not the outermost. */
static void make_noise(unsigned seed) {
    for (int p = 0; p < SIDE * SIDE; p++) {
        seed = seed * 1664525u + 1013904223u;
        int i = p / SIDE, j = p % SIDE, far = abs(i - 32) + abs(j - 20);
        noise[p] = (signed char)(far < 12 ? 0 : 1 + (seed >> 16) % 2);
        if ((i > 50 && j % 7) || (j > 55 && i % 5)) noise[p] = 0;
    }
}

TEST large_patches_are_measured_right(int di, int dj) {
    char body[128];
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
    snprintf(body, sizeof body, "manhattan(ofcolor(a, 1), shift(ofcolor(a, 2), (%d, %d)))", di, dj);
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", body, 0, &program, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &batch, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(batch, SIDE, SIDE, noise, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, program, batch, &result, NULL));
    ASSERT_EQm(body, between(di, dj), (int)arcl_value_int(arcl_result_value(result, 0)));
    arcl_result_free(result);
    arcl_batch_free(batch);
    arcl_program_free(program);
    PASS();
}

SUITE(distances) {
    static const int offset[] = {-300, -70, -64, -63, -5, 0, 9, 63, 64, 65, 1000};
    int count = (int)(sizeof offset / sizeof *offset);
    make_noise(7);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) RUN_TESTp(large_patches_are_measured_right, offset[i], offset[j]);
}

/* ---- how words and work grow ---- */

static uint32_t words_of(const char *format, int n) {
    char body[256];
    snprintf(body, sizeof body, format, n);
    arcl_result *result = run_body(context, body);
    uint32_t words = result && arcl_result_status(result, 0) == ARCL_OK ? arcl_result_score(result, 0).words : 0;
    arcl_result_free(result);
    return words;
}

/* What is counted for twice the input is at most `most` times as much. */
TEST grows(const char *format, int n, double most) {
    uint32_t words[3];
    for (int i = 0; i < 3; i++) ASSERTm(format, (words[i] = words_of(format, n << i)) > 0);
    for (int i = 0; i < 2; i++) ASSERTm(format, words[i + 1] <= most * words[i] + 1000);
    PASS();
}

SUITE(growth) {
    RUN_TESTp(grows, "o = asobject(canvas(height(a), (%d, 200))); manhattan(o, shift(o, (5000, 5000)))", 200, 2.1);
    RUN_TESTp(grows, "o = asobject(canvas(height(a), (%d, 200))); manhattan(o, shift(o, (5000, 7)))", 200, 2.1);
    RUN_TESTp(grows, "o = asobject(canvas(height(a), (%d, 200))); manhattan(o, shift(o, (10000, 0)))", 200, 2.1);
    RUN_TESTp(grows, "o = totuple(asobject(canvas(height(a), (%d, 200)))); size(difference(o, o))", 100, 2.1);
    RUN_TESTp(grows, "o = asobject(canvas(height(a), (%d, 200))); hmatching(o, shift(o, (5000, 5000)))", 200, 2.1);
    RUN_TESTp(grows, "o = asobject(canvas(height(a), (%d, 200))); adjacent(o, shift(o, (1, 200)))", 200, 2.1);
    RUN_TESTp(grows, "o = asobject(canvas(height(a), (%d, 200))); gravitate(o, shift(o, (0, 230)))", 200, 2.1);
    RUN_TESTp(grows, "size(dedupe(totuple(asindices(canvas(height(a), (%d, 200))))))", 100, 2.1);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 2, .device = "host", .budget = BUDGET};
    if (arcl_context_create(&options, &context, NULL)) return 1;
    RUN_SUITE(much_work);
    RUN_SUITE(distances);
    RUN_SUITE(growth);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
