/* The part of greatest's interface that the tests use, for systems that do not have greatest.h. CMake prefers the real
 * header (GREATEST_DIR names its folder), so the tests keep to what that header offers too. One file of tests is one
 * program: it expands GREATEST_MAIN_DEFS() once and runs its suites between GREATEST_MAIN_BEGIN() and _END().
 *
 * Options: -t TEXT runs only tests whose name contains TEXT, -s TEXT only such suites, -l lists, -v names each test.
 */
#ifndef GREATEST_COMPAT_H
#define GREATEST_COMPAT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

typedef enum { TEST_PASSED, TEST_FAILED, TEST_SKIPPED } test_outcome;

typedef struct test_run {
    const char *test_filter, *suite_filter;
    int verbose, list;
    int passed, failed, skipped;
    char message[1000]; /* of the latest failure or skip: a copy, because it may be the test's own */
    const char *file;
    int line;
} test_run;

extern test_run test_state;

#define GREATEST_MAIN_DEFS() test_run test_state
#define GREATEST_MAIN_BEGIN() test_options(argc, argv)
#define GREATEST_MAIN_END() return test_summary()

#define TEST static test_outcome
#define SUITE(name)                                                                                                    \
    void name(void);                                                                                                   \
    void name(void)

static inline test_outcome test_note(test_outcome outcome, const char *message, const char *file, int line) {
    snprintf(test_state.message, sizeof test_state.message, "%s", message ? message : "");
    test_state.file = file;
    test_state.line = line;
    return outcome;
}

static inline void test_options(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        int has_value = i + 1 < argc;
        if (strcmp(argv[i], "-v") == 0)
            test_state.verbose = 1;
        else if (strcmp(argv[i], "-l") == 0)
            test_state.list = 1;
        else if (strcmp(argv[i], "-t") == 0 && has_value)
            test_state.test_filter = argv[++i];
        else if (strcmp(argv[i], "-s") == 0 && has_value)
            test_state.suite_filter = argv[++i];
        else {
            fprintf(stderr, "usage: %s [-t TEST] [-s SUITE] [-l] [-v]\n", argv[0]);
            exit(EXIT_FAILURE);
        }
    }
}

static inline int test_wanted(const char *name) {
    if (test_state.test_filter && !strstr(name, test_state.test_filter)) return 0;
    if (test_state.list) printf("  %s\n", name);
    return !test_state.list;
}

static inline void test_record(const char *name, test_outcome outcome) {
    if (outcome == TEST_PASSED) {
        test_state.passed++;
        if (test_state.verbose) printf("PASS %s\n", name);
    } else if (outcome == TEST_SKIPPED) {
        test_state.skipped++;
        printf("SKIP %s: %s\n", name, test_state.message);
    } else {
        test_state.failed++;
        printf("FAIL %s: %s (%s:%d)\n", name, test_state.message, test_state.file, test_state.line);
    }
    fflush(stdout);
}

static inline void test_suite(const char *name, void (*suite)(void)) {
    if (test_state.suite_filter && !strstr(name, test_state.suite_filter)) return;
    printf("* Suite %s\n", name);
    suite();
}

/* Leaks are looked for before the process ends: when it does, drivers end their threads, and the checker, which stops
 * all threads, has been seen to die of one that was on its way. */
static inline int test_summary(void) {
    if (!test_state.list)
        printf("Pass: %d, fail: %d, skip: %d.\n", test_state.passed, test_state.failed, test_state.skipped);
#if defined(__SANITIZE_ADDRESS__)
    fflush(stdout);
    __lsan_do_leak_check();
#endif
    return test_state.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define RUN_SUITE(name) test_suite(#name, name)
#define RUN_TEST(name)                                                                                                 \
    do {                                                                                                               \
        if (test_wanted(#name)) test_record(#name, name());                                                            \
    } while (0)
#define RUN_TESTp(name, ...)                                                                                           \
    do {                                                                                                               \
        if (test_wanted(#name)) test_record(#name, name(__VA_ARGS__));                                                 \
    } while (0)

#define PASS() return test_note(TEST_PASSED, NULL, __FILE__, __LINE__)
#define FAILm(message) return test_note(TEST_FAILED, message, __FILE__, __LINE__)
#define FAIL() FAILm("failed")
#define SKIPm(message) return test_note(TEST_SKIPPED, message, __FILE__, __LINE__)
#define SKIP() SKIPm("skipped")

#define ASSERTm(message, condition)                                                                                    \
    do {                                                                                                               \
        if (!(condition)) FAILm(message);                                                                              \
    } while (0)
#define ASSERT_FALSEm(message, condition)                                                                              \
    do {                                                                                                               \
        if (condition) FAILm(message);                                                                                 \
    } while (0)
#define ASSERT(condition) ASSERTm(#condition, condition)
#define ASSERT_FALSE(condition) ASSERT_FALSEm("not expected: " #condition, condition)
#define ASSERT_EQm(message, expected, got)                                                                             \
    do {                                                                                                               \
        if ((expected) != (got)) FAILm(message);                                                                       \
    } while (0)
#define ASSERT_EQ(expected, got) ASSERT_EQm(#expected " != " #got, expected, got)
#define ASSERT_NEQ(expected, got) ASSERTm(#expected " == " #got, (expected) != (got))
#define ASSERT_EQ_FMT(expected, got, format)                                                                           \
    do {                                                                                                               \
        if ((expected) != (got)) {                                                                                     \
            printf("\nexpected: " format "\n     got: " format "\n", expected, got);                                   \
            FAILm(#expected " != " #got);                                                                              \
        }                                                                                                              \
    } while (0)
#define ASSERT_STR_EQm(message, expected, got)                                                                         \
    do {                                                                                                               \
        const char *test_expected = (expected), *test_got = (got);                                                     \
        if (strcmp(test_expected, test_got) != 0) {                                                                    \
            printf("\nexpected: \"%s\"\n     got: \"%s\"\n", test_expected, test_got);                                 \
            FAILm(message);                                                                                            \
        }                                                                                                              \
    } while (0)
#define ASSERT_STR_EQ(expected, got) ASSERT_STR_EQm(#expected " is not " #got, expected, got)
#define CHECK_CALL(call)                                                                                               \
    do {                                                                                                               \
        test_outcome test_result = (call);                                                                             \
        if (test_result != TEST_PASSED) return test_result;                                                            \
    } while (0)

#endif
