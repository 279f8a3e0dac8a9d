/* A context and what belongs to it in a forked child, where the threads of its parent are not: nothing hangs. What
 * devices do there is in fork_device_test.c. */
#define _GNU_SOURCE
#include <greatest.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcl.h"
#include "support/child_threads.h"

static const char text[] = "def a(I):\n    return rot90(I)\ndef b(I):\n    return vmirror(I)\n";

typedef struct things {
    arcl_context *context;
    arcl_source *source;
    arcl_program *program;
    arcl_batch *batch;
} things;

static int make(things *t, int threads) {
    static const signed char cells[] = {1, 2, 3, 4, 5, 6};
    arcl_options options = {.threads = threads, .device = "host", .profile = "", .chunk = 10};
    int failed = arcl_context_create(&options, &t->context, NULL) ||
                 arcl_source_parse(t->context, text, sizeof text - 1, NULL, &t->source, NULL) ||
                 arcl_program_compile(t->context, t->source, 0, NULL, &t->program, NULL) ||
                 arcl_batch_create(t->context, "grid", &t->batch, NULL);
    for (int i = 0; i < 100 && !failed; i++) failed = arcl_batch_add_grid(t->batch, 2, 3, cells, NULL) != 0;
    return failed;
}

/* All lanes are right. */
static int runs(const things *t) {
    arcl_result *result = NULL;
    if (arcl_run(t->context, t->program, t->batch, &result, NULL)) return 0;
    int right = arcl_result_lanes(result) == 100;
    for (uint32_t i = 0; i < 100 && right; i++) {
        const signed char *cells = arcl_result_grid(result, i, NULL, NULL);
        right = arcl_result_status(result, i) == ARCL_OK && cells && memcmp(cells, "\4\1\5\2\6\3", 6) == 0;
    }
    arcl_result_free(result);
    return right;
}

static void end(things *t) {
    arcl_batch_free(t->batch);
    arcl_program_free(t->program);
    arcl_source_free(t->source);
    arcl_context_free(t->context);
}

/* The status that `work` gives in a child, which is ended if it hangs. */
static int in_child(int (*work)(things *t), things *t) {
    int status = -1;
    settle_threads();
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(work(t));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int use_inherited(things *t) {
    arcl_program *programs[2];
    int right = runs(t) && arcl_source_compile(t->context, t->source, NULL, programs, NULL) == 0;
    end(t);
    return !right;
}

static int make_another(things *t) {
    things own = {0};
    (void)t;
    int right = make(&own, CHILD_THREADS) == 0 && runs(&own);
    end(&own);
    return !right;
}

TEST the_host_goes_on(int threads) {
    things t = {0};
    ASSERT_EQ(0, make(&t, threads));
    ASSERT(runs(&t));
    ASSERT_EQ_FMT(0, in_child(use_inherited, &t), "%d");
    ASSERT_EQ_FMT(0, in_child(make_another, &t), "%d");
    ASSERT(runs(&t)); /* the parent's is as it was */
    end(&t);
    PASS();
}

static arcl_accumulator *accumulator;

static int use_accumulator(things *t) {
    arcl_ticket ticket;
    arcl_result *result;
    arcl_error error = {{0}};
    int refused = arcl_accumulator_submit(accumulator, t->program, t->batch, &ticket, &error) == ARCL_INVALID &&
                  strstr(error.message, "forked") && arcl_accumulator_poll(accumulator, 1) == -1 &&
                  arcl_accumulator_take(accumulator, 1, &result, NULL) == ARCL_INVALID;
    arcl_accumulator_flush(accumulator);
    arcl_accumulator_close(accumulator);
    arcl_accumulator_free(accumulator);
    return !refused;
}

TEST accumulators_are_refused(void) {
    things t = {0};
    ASSERT_EQ(0, make(&t, 2));
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_create(t.context, NULL, &accumulator, NULL));
    ASSERT_EQ_FMT(0, in_child(use_accumulator, &t), "%d");
    arcl_accumulator_free(accumulator);
    end(&t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TESTp(the_host_goes_on, 1);
    RUN_TESTp(the_host_goes_on, 4);
    RUN_TEST(accumulators_are_refused);
    GREATEST_MAIN_END();
}
