/* Tests of arcl_cancel: from another thread and from a signal handler, before, during and after calls. Each wish ends
 * one call, which gives out nothing, and the context goes on. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "greatest.h"
#include "support/evaluation.h"

static arcl_context *context;
static arcl_program *endless, *quick;
static arcl_batch *batch;

/* Rounds that cost next to nothing but time: minutes of it, unless somebody ends them. */
#define ENDLESS "power(lbind(add, 1), add(13000, height(a)))(add(size(apply(rot90, repeat(a, 100))), height(a)))"
#define LANES 100000

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void sleep_milliseconds(int n) {
    struct timespec t = {n / 1000, (n % 1000) * 1000000L};
    while (nanosleep(&t, &t)) continue;
}

static arcl_status run(const arcl_program *program, arcl_error *error) {
    arcl_result *result = NULL;
    arcl_status status = arcl_run(context, program, batch, &result, error);
    if (status && result) abort();
    arcl_result_free(result);
    return status;
}

static void *cancel_later(void *arg) {
    sleep_milliseconds(*(const int *)arg);
    arcl_cancel(context);
    return NULL;
}

TEST another_thread_ends_a_run(int milliseconds) {
    pthread_t thread;
    arcl_error error = {{0}};
    double start = seconds();
    ASSERT_EQ(0, pthread_create(&thread, NULL, cancel_later, &milliseconds));
    ASSERT_EQ(ARCL_CANCELLED, run(endless, &error));
    ASSERT_STR_EQ("cancelled", error.message);
    ASSERT(seconds() - start < 30);
    pthread_join(thread, NULL);
    ASSERT_EQ(ARCL_SUCCESS, run(quick, &error));
    PASS();
}

static void on_alarm(int number) {
    (void)number;
    arcl_cancel(context);
}

TEST a_signal_handler_ends_a_run(void) {
    struct itimerval soon = {.it_value = {0, 50000}};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &soon, NULL);
    ASSERT_EQ(ARCL_CANCELLED, run(endless, NULL));
    ASSERT_EQ(ARCL_SUCCESS, run(quick, NULL));
    signal(SIGALRM, SIG_DFL);
    PASS();
}

TEST a_wish_waits_for_the_next_call(void) {
    arcl_cancel(context);
    arcl_cancel(context); /* is the same wish */
    ASSERT_EQ(ARCL_CANCELLED, run(quick, NULL));
    ASSERT_EQ(ARCL_SUCCESS, run(quick, NULL));
    PASS();
}

TEST compiling_a_source_ends(void) {
    text t = {0};
    arcl_source *source;
    arcl_program *programs[3];
    arcl_error errors[3];
    text_add(&t, "def f(I):\n    return I\ndef g(I):\n    return I\ndef h(I):\n    return I\n");
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, t.at, t.length, "all.py", &source, NULL));
    arcl_cancel(context);
    ASSERT_EQ(3, arcl_source_compile(context, source, NULL, programs, errors));
    ASSERT_STR_EQ("cancelled", errors[2].message);
    ASSERT_EQ(0, arcl_source_compile(context, source, NULL, programs, errors));
    for (int i = 0; i < 3; i++) arcl_program_free(programs[i]);
    arcl_source_free(source);
    text_free(&t);
    PASS();
}

TEST measuring_ends(void) {
    arcl_profile *profile;
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_create(&profile, NULL));
    for (int way = 0; way < 3; way++) {
        arcl_status status;
        arcl_cancel(context);
        if (way == 0)
            status = arcl_profile_measure_device(profile, context, "host", NULL);
        else if (way == 1)
            status = arcl_profile_measure(profile, context, "host", quick, batch, 100, NULL);
        else
            status = arcl_profile_measure_similarity(profile, context, "host", 0, NULL);
        ASSERT_EQ(ARCL_CANCELLED, status);
        ASSERT_EQ(ARCL_SUCCESS, run(quick, NULL));
    }
    arcl_profile_free(profile);
    PASS();
}

TEST batteries_end(void) {
    static const char source_text[] = "def f(I):\n    return rot90(I)\ndef g(I):\n    return rot180(I)\n";
    arcl_source *source;
    arcl_battery *battery;
    arcl_result *results[2];
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, source_text, sizeof source_text - 1, "b.py", &source, NULL));
    arcl_definition definitions[2] = {{source, 0}, {source, 1}};
    ASSERT_EQ(ARCL_SUCCESS, arcl_battery_compile(context, definitions, 2, NULL, &battery, NULL, NULL));
    arcl_source_free(source);
    arcl_cancel(context);
    ASSERT_EQ(ARCL_CANCELLED, arcl_battery_run(context, battery, batch, results, NULL, NULL));
    ASSERT(!results[0] && !results[1]);
    ASSERT_EQ(ARCL_SUCCESS, arcl_battery_run(context, battery, batch, results, NULL, NULL));
    for (int i = 0; i < 2; i++) arcl_result_free(results[i]);
    arcl_battery_free(battery);
    PASS();
}

static arcl_batch *small_batch(uint32_t lanes) {
    static const signed char cells[6] = {1, 2, 3, 4, 5, 6};
    arcl_batch *b = NULL;
    if (arcl_batch_create(context, "grid", &b, NULL)) abort();
    for (uint32_t i = 0; i < lanes; i++)
        if (arcl_batch_add_grid(b, 1 + (int)(i % 3), 2, cells, NULL)) abort();
    return b;
}

TEST submissions_fail(void) {
    arcl_accumulator *accumulator;
    arcl_ticket ticket[2];
    arcl_result *result;
    arcl_accumulator_options options = {.delay = 1000000000u};
    int milliseconds = 50;
    pthread_t thread;
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_create(context, &options, &accumulator, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_submit(accumulator, endless, small_batch(20000), &ticket[0], NULL));
    arcl_accumulator_flush(accumulator);
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_submit(accumulator, quick, small_batch(1), &ticket[1], NULL));
    ASSERT_EQ(0, pthread_create(&thread, NULL, cancel_later, &milliseconds));
    for (int i = 0; i < 2; i++) {
        ASSERT_EQ(ARCL_CANCELLED, arcl_accumulator_take(accumulator, ticket[i], &result, NULL));
        ASSERT(!result);
    }
    pthread_join(thread, NULL);
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_submit(accumulator, quick, small_batch(1), &ticket[0], NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_take(accumulator, ticket[0], &result, NULL));
    arcl_result_free(result);
    arcl_accumulator_free(accumulator);
    PASS();
}

SUITE(cancelling) {
    static const int after[] = {0, 1, 2, 5, 20, 100};
    for (int i = 0; i < (int)(sizeof after / sizeof *after); i++) RUN_TESTp(another_thread_ends_a_run, after[i]);
    RUN_TEST(a_signal_handler_ends_a_run);
    RUN_TEST(a_wish_waits_for_the_next_call);
    RUN_TEST(compiling_a_source_ends);
    RUN_TEST(measuring_ends);
    RUN_TEST(batteries_end);
    RUN_TEST(submissions_fail);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 2, .device = "host"};
    if (arcl_context_create(&options, &context, NULL) || body_compile(context, "grid", ENDLESS, 0, &endless, NULL) ||
        body_compile(context, "grid", "rot90(a)", 0, &quick, NULL))
        return 1;
    batch = small_batch(LANES);
    RUN_SUITE(cancelling);
    arcl_batch_free(batch);
    arcl_program_free(endless);
    arcl_program_free(quick);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
