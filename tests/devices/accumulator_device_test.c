/* An accumulator on an OpenCL device whose calls fail: every submission is answered, with its result or with the
 * error. */
#include "greatest.h"
#include "opencl/api.h"
#include "support/evaluation.h"

enum { PROGRAMS = 2, SUBMISSIONS = 6, ATTEMPTS = 12 };

static const char *const bodies[PROGRAMS] = {"rot90(a)", "vmirror(a)"};
static const char *const lanes = "[[1,2],[3,4]]; [[5]]";
static const char *const expected[PROGRAMS] = {"[[3,1],[4,2]]; [[5]]", "[[2,1],[4,3]]; [[5]]"};

typedef struct outcome {
    int right, failed, wrong;
    unsigned long calls;
} outcome;

static void take_answer(arcl_accumulator *a, arcl_ticket ticket, const char *answer, outcome *o) {
    arcl_result *result;
    arcl_error error = {""};
    text found = {0};
    arcl_status status = arcl_accumulator_take(a, ticket, &result, &error);
    text_clear(&found);
    if (!status) result_write(result, &found);
    if (status)
        ++*(error.message[0] ? &o->failed : &o->wrong);
    else
        ++*(strcmp(found.at, answer) == 0 ? &o->right : &o->wrong);
    arcl_result_free(result);
    text_free(&found);
}

/* All submissions of both programs while call number `nth` of OpenCL fails; 0: none does. */
static int run_all(unsigned long nth, outcome *o) {
    const arcl_options options = {.threads = 1, .device = "cl:0"};
    arcl_context *c;
    arcl_accumulator *a;
    arcl_program *program[PROGRAMS];
    arcl_ticket ticket[SUBMISSIONS];
    *o = (outcome){0};
    if (arcl_context_create(&options, &c, NULL)) return 0;
    for (int i = 0; i < PROGRAMS; i++)
        if (body_compile(c, "grid", bodies[i], 0, &program[i], NULL)) return 0;
    if (arcl_accumulator_create(c, NULL, &a, NULL)) return 0;
    opencl_api_fail_nth(nth);
    for (int i = 0; i < SUBMISSIONS; i++) {
        arcl_batch *b;
        if (arcl_batch_create(c, "grid", &b, NULL) || lanes_read(b, lanes, NULL) ||
            arcl_accumulator_submit(a, program[i % PROGRAMS], b, &ticket[i], NULL))
            return 0;
    }
    for (int i = 0; i < SUBMISSIONS; i++) take_answer(a, ticket[i], expected[i % PROGRAMS], o);
    o->calls = opencl_api_fail_nth(0);
    arcl_accumulator_free(a);
    for (int i = 0; i < PROGRAMS; i++) arcl_program_free(program[i]);
    arcl_context_free(c);
    return 1;
}

TEST every_submission_is_answered(void) {
    arcl_context *c;
    const arcl_options options = {.threads = 1, .device = "cl:0"};
    outcome o;
    int failures = 0;
    if (arcl_context_create(&options, &c, NULL)) SKIPm("there is no OpenCL device");
    arcl_context_free(c);
    ASSERT(run_all(0, &o));
    ASSERT_EQ(SUBMISSIONS, o.right);
    unsigned long calls = o.calls;
    long alive = opencl_api_alive();
    ASSERT(calls > 10);
    /* Most calls that fail are made again by the run itself; where the device is waited for, that is its end. */
    for (unsigned long n = 0; n < calls && (n < ATTEMPTS || !failures); n++) {
        ASSERT(run_all(1 + (calls / 3 + n) % calls, &o));
        ASSERT_EQ(SUBMISSIONS, o.right + o.failed);
        ASSERT_EQ(0, o.wrong);
        failures += o.failed > 0;
    }
    ASSERT(failures > 0);
    ASSERT_EQ(alive, opencl_api_alive());
    PASS();
}

SUITE(accumulator_device) { RUN_TEST(every_submission_is_answered); }

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(accumulator_device);
    GREATEST_MAIN_END();
}
