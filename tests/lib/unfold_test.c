/* Tests of what a text may unfold to: lines that double a function, a choice or a container are refused with a message
 * instead of taking all memory, and long texts take work in proportion to their length. Work is counted, not timed
 * (support/work_count.h), so that the answer is the same on every machine, however busy. */
#include <sys/resource.h>

#include "greatest.h"
#include "support/evaluation.h"
#include "support/work_count.h"

static arcl_context *context;

#define LINES 60 /* of doubling: more than any memory could hold */
#define MOST_BLOCKS 1000000000u

/* A definition that begins with one line, repeats another `lines` times, and ends with a third. */
static void write_text(text *to, const char *first, const char *again, int lines, const char *last) {
    char line[256];
    text_clear(to);
    snprintf(line, sizeof line, "def solve(I):\n    %s\n", first);
    text_add(to, line);
    for (int i = 0; i < lines; i++) {
        char repeated[200];
        snprintf(repeated, sizeof repeated, again, i);
        snprintf(line, sizeof line, "    %s\n", repeated);
        text_add(to, line);
    }
    snprintf(line, sizeof line, "    %s\n", last);
    text_add(to, line);
}

static arcl_status compile_text(const text *t, arcl_policy policy, arcl_error *error) {
    arcl_source *source;
    arcl_program *program = NULL;
    arcl_compile_options options = {.policy = policy};
    arcl_status status = arcl_source_parse(context, t->at, t->length, "doubled.py", &source, error);
    if (status) return status;
    status = arcl_program_compile(context, source, 0, &options, &program, error);
    arcl_program_free(program);
    arcl_source_free(source);
    return status;
}

TEST refuses(const char *first, const char *again, const char *last, arcl_policy policy, const char *expected) {
    arcl_error error = {{0}};
    text t = {0};
    write_text(&t, first, again, LINES, last);
    uint64_t before = work_count;
    ASSERT_EQm(again, ARCL_INVALID, compile_text(&t, policy, &error));
    ASSERTm(again, work_count - before < MOST_BLOCKS);
    ASSERTm(error.message, strstr(error.message, expected));
    ASSERTm(error.message, strncmp(error.message, "doubled.py:", 11) == 0);
    ASSERTm(error.message, error.message[strlen(error.message) - 1] == '^');
    text_free(&t);
    PASS();
}

#define UNFOLDS "unfold to too many calls"

static void refuses_either_way(const char *first, const char *again, const char *last, const char *expected) {
    RUN_TESTp(refuses, first, again, last, ARCL_STRICT, expected);
    RUN_TESTp(refuses, first, again, last, ARCL_SAFE, expected);
}

SUITE(doubling) {
    refuses_either_way("f = rot90", "f = fork(hconcat, f, f)", "return f(I)", UNFOLDS);
    refuses_either_way("f = rot90", "f = compose(f, f)", "return f(I)", UNFOLDS);
    refuses_either_way("f = rot90", "f = chain(f, f, f)", "return f(I)", UNFOLDS);
    refuses_either_way("f = rot90", "f = power(f, 900)", "return f(I)", UNFOLDS);
    refuses_either_way("f = size", "f = fork(add, f, compose(f, identity))",
                       "return canvas(maximum(apply(f, objects(I, T, F, T))), UNITY)", UNFOLDS);
    refuses_either_way("f = rbind(add, 1)", "f = chain(f, f, f)", "return canvas(f(1), UNITY)", UNFOLDS);
    RUN_TESTp(refuses, "f = branch(square(I), rot90, height)", "f = branch(equality(height(I), %d), f, f)",
              "return f(I)", ARCL_STRICT, "too large");
    RUN_TESTp(refuses, "f = branch(square(I), rot90, height)", "f = branch(equality(height(I), %d), f, f)",
              "return f(I)", ARCL_SAFE, UNFOLDS);
    RUN_TESTp(refuses, "f = branch(square(I), I, height(I))", "f = branch(equality(height(I), %d), f, f)",
              "return astuple(f, f)", ARCL_STRICT, "");
    RUN_TESTp(refuses, "f = (rot90, rot180)", "f = (f, f)", "return rapply(f, I)", ARCL_SAFE, UNFOLDS);
}

/* Everything above has been compiled by this process, the last of it with what the first has left behind. */
TEST memory_stays_bounded(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which take memory of their own */
    char seen[64];
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    snprintf(seen, sizeof seen, "%ld kB", usage.ru_maxrss);
    ASSERTm(seen, usage.ru_maxrss < 100 << 10);
#endif
    PASS();
}

/* What real programs do is far from any limit: functions of functions, used again and again. */
TEST accepts_what_is_useful(void) {
    arcl_error error = {{0}};
    text t = {0};
    write_text(&t, "f = rot90", "f = fork(hconcat, f, f)", 10, "return f(I)");
    ASSERT_EQm(error.message, ARCL_SUCCESS, compile_text(&t, ARCL_STRICT, &error));
    write_text(&t, "x = I", "x = fork(hconcat, rot90, rot90)(x)", 3000, "return x");
    ASSERT_EQm(error.message, ARCL_SUCCESS, compile_text(&t, ARCL_STRICT, &error));
    text_free(&t);
    PASS();
}

/* ---- long texts ---- */

/* What is linear takes four times the work for four times the text, a little more or less because tables grow in leaps.
 * If a twelfth of the work for the shortest text is quadratic, the longest takes more than five times as much. */
static int is_in_proportion(const uint64_t work[3]) { return work[0] && work[2] <= 5 * work[0]; }

static const char *told(const char *what, const uint64_t work[3]) {
    static char line[256];
    snprintf(line, sizeof line, "%s: %llu, %llu, %llu", what, (unsigned long long)work[0], (unsigned long long)work[1],
             (unsigned long long)work[2]);
    return line;
}

TEST takes_work_in_proportion(const char *first, const char *again, const char *last, arcl_policy policy) {
    uint64_t work[3];
    for (int i = 0; i < 3; i++) {
        arcl_error error = {{0}};
        text t = {0};
        write_text(&t, first, again, 2000 << i, last);
        uint64_t before = work_count;
        ASSERT_EQm(error.message, ARCL_SUCCESS, compile_text(&t, policy, &error));
        work[i] = work_count - before;
        text_free(&t);
    }
    ASSERTm(told(again, work), is_in_proportion(work));
    PASS();
}

/* The judge itself: what a compiler takes that compares every line with a hundredth of all others is found. */
TEST finds_what_is_quadratic(void) {
    uint64_t linear[3], quadratic[3];
    for (int i = 0; i < 3; i++) {
        uint64_t n = (uint64_t)2000 << i;
        linear[i] = 500 * n;
        quadratic[i] = linear[i] + n * n / 25;
    }
    ASSERT(is_in_proportion(linear));
    ASSERT_FALSE(is_in_proportion(quadratic));
    PASS();
}

static void in_proportion_either_way(const char *first, const char *again, const char *last) {
    RUN_TESTp(takes_work_in_proportion, first, again, last, ARCL_STRICT);
    RUN_TESTp(takes_work_in_proportion, first, again, last, ARCL_SAFE);
}

SUITE(long_texts) {
    in_proportion_either_way("x = I", "x = rot90(hmirror(x))", "return x");
    in_proportion_either_way("x = objects(I, T, F, T)", "x = sfilter(x, matcher(size, %d))",
                             "return paint(I, merge(x))");
    in_proportion_either_way("x = I", "x = branch(equality(height(x), %d), rot90, rot180)(x)", "return x");
    in_proportion_either_way("x = asindices(I)", "x = insert((%d, 1), x)", "return fill(I, ONE, x)");
    in_proportion_either_way("x = I", "# nothing is computed in line %d", "return x");
    in_proportion_either_way("x = I", "y = paint(I, shift(asobject(I), (%d, ZERO)))", "return x");
}

/* One definition after the other, one line of calls in calls each. */
TEST parses_many_definitions_in_proportion(void) {
    uint64_t work[3];
    for (int i = 0; i < 3; i++) {
        arcl_source *source;
        text t = {0};
        text_clear(&t);
        for (int n = 0; n < 2000 << i; n++) {
            char definition[128];
            snprintf(definition, sizeof definition,
                     "def solve_%d(I):\n    x1 = rot90(hmirror(vmirror((I))))\n    return x1\n", n);
            text_add(&t, definition);
        }
        uint64_t before = work_count;
        ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, t.at, t.length, "many.py", &source, NULL));
        work[i] = work_count - before;
        arcl_source_free(source);
        text_free(&t);
    }
    ASSERTm(told("definitions", work), is_in_proportion(work));
    PASS();
}

TEST nested_too_deeply(const char *before, const char *middle, const char *after) {
    arcl_error error = {{0}};
    text t = {0};
    text_add(&t, "def solve(I):\n    return ");
    for (int i = 0; i < 100000; i++) text_add(&t, before);
    text_add(&t, middle);
    for (int i = 0; i < 100000; i++) text_add(&t, after);
    text_add(&t, "\n");
    ASSERT_EQ(ARCL_INVALID, compile_text(&t, ARCL_STRICT, &error));
    ASSERTm(error.message, strstr(error.message, "nested too deeply: use variables"));
    text_free(&t);
    PASS();
}

SUITE(depth) {
    RUN_TESTp(nested_too_deeply, "rot90(", "I", ")");
    RUN_TESTp(nested_too_deeply, "(", "I", ")");
    RUN_TESTp(nested_too_deeply, "(", "I", ",)");
    RUN_TESTp(nested_too_deeply, "", "rot90", "(I)");
    RUN_TESTp(nested_too_deeply, "", "I", "(rot90)(I)");
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 1, .device = "host"};
    if (arcl_context_create(&options, &context, NULL)) return 1;
    RUN_SUITE(doubling);
    RUN_TEST(memory_stays_bounded);
    RUN_TEST(accepts_what_is_useful);
    RUN_TEST(finds_what_is_quadratic);
    RUN_SUITE(long_texts);
    RUN_TEST(parses_many_definitions_in_proportion);
    RUN_SUITE(depth);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
