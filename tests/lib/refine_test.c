/* The profile learns from runs: robustly, within its budget, and so that a wrong entry becomes right again. */
#include "profile/refine.h"

#include <math.h>
#include <unistd.h>

#include "greatest.h"
#include "plan/selector.h"
#include "support/evaluation.h"
#include "support/synthetic_profile.h"

static arcl_profile *one_host(arcl_context **c) {
    arcl_options options = {.threads = 1, .device = "host", .profile = ""};
    arcl_profile *p;
    if (arcl_context_create(&options, c, NULL) || arcl_profile_create(&p, NULL)) abort();
    synthetic_host(p, *c);
    return p;
}

TEST a_tenth_inflated_corrects_nothing(void) {
    arcl_context *c;
    arcl_profile *p = one_host(&c);
    refine r = {0};
    randomness random = {3};
    for (int i = 0; i < 20000; i++) {
        unsigned kernel = 1 + random_below(&random, KERNEL_COUNT - 1);
        double ratio = (0.9 + random_below(&random, 200) / 1000.0) * (random_below(&random, 10) ? 1 : 100);
        ASSERT_EQ(0, refine_note(&r, p, 0, 0, kernel, ratio));
    }
    ASSERT_EQ(0, r.corrections);
    refine_free(&r);
    arcl_profile_free(p);
    arcl_context_free(c);
    PASS();
}

/* An entry that says a hundred times too much, or too little, is right after some fifty looks. */
TEST a_wrong_entry_recovers(double poison) {
    arcl_context *c;
    arcl_profile *p = one_host(&c);
    refine r = {0};
    randomness random = {5};
    kernel_cost *entry = &p->device[0]->cost[0][KERNEL_rot90];
    entry->correction = poison;
    for (int i = 0; i < 50; i++) {
        double noise = (0.9 + random_below(&random, 200) / 1000.0) * (random_below(&random, 10) ? 1 : 100);
        (void)refine_note(&r, p, 0, 0, KERNEL_rot90, noise / entry->correction);
    }
    ASSERT(fabs(log(entry->correction)) < 0.2);
    refine_free(&r);
    arcl_profile_free(p);
    arcl_context_free(c);
    PASS();
}

/* A profile of this machine's host, measured with one program. */
static void measure_host(const char *path, const char *body, const char *lanes) {
    arcl_options options = {.threads = 1, .device = "host", .profile = ""};
    arcl_context *c;
    arcl_profile *p;
    arcl_program *program;
    arcl_batch *b;
    if (arcl_context_create(&options, &c, NULL) || arcl_profile_create(&p, NULL) ||
        arcl_profile_measure_device(p, c, "host", NULL) || body_compile(c, "grid", body, 0, &program, NULL) ||
        arcl_batch_create(c, "grid", &b, NULL))
        abort();
    for (int n = 0; n < 200; n++)
        if (lanes_read(b, lanes, NULL)) abort();
    if (arcl_profile_measure(p, c, "host", program, b, 0.01, NULL)) abort();
    arcl_profile_finish(p);
    p->device[0]->cost[0][KERNEL_rot90].correction = 100;
    if (p->device[0]->variants > 1) p->device[0]->cost[1][KERNEL_rot90].correction = 100;
    if (arcl_profile_save(p, path, NULL)) abort();
    arcl_batch_free(b);
    arcl_program_free(program);
    arcl_profile_free(p);
    arcl_context_free(c);
}

/* Outputs of one program, or scores of two at once. */
static void run_once(arcl_context *c, const arcl_program *program, const arcl_batch *b, int scored) {
    const arcl_program *programs[2] = {program, program};
    const arcl_batch *batches[2] = {b, b}, *expected[2] = {b, b};
    arcl_result *result[2] = {NULL, NULL};
    if (scored ? arcl_score_many(c, 2, programs, batches, expected, 0, result, NULL)
               : arcl_run(c, program, b, result, NULL))
        abort();
    for (int i = 0; i < 2; i++) arcl_result_free(result[i]);
}

static double correction_after_runs(const char *path, const char *body, const char *lanes, int scored, int frozen,
                                    int runs) {
    arcl_options options = {.threads = 1, .device = "host", .profile = path, .frozen = frozen};
    arcl_context *c;
    arcl_profile *p;
    arcl_program *program;
    arcl_batch *b;
    if (arcl_context_create(&options, &c, NULL) || body_compile(c, "grid", body, 0, &program, NULL) ||
        arcl_batch_create(c, "grid", &b, NULL))
        abort();
    for (int n = 0; n < 200; n++)
        if (lanes_read(b, lanes, NULL)) abort();
    for (int i = 0; i < runs; i++) run_once(c, program, b, scored);
    arcl_batch_free(b);
    arcl_program_free(program);
    arcl_context_free(c);
    if (arcl_profile_load(path, &p, NULL)) abort();
    double least = p->device[0]->cost[0][KERNEL_rot90].correction;
    if (p->device[0]->variants > 1) least = fmin(least, p->device[0]->cost[1][KERNEL_rot90].correction);
    arcl_profile_free(p);
    return least;
}

/* Through and through: measured, poisoned, run, and found mended in the file. */
TEST runs_mend_the_profile(int scored) {
    static const char body[] = "rot90(a)", lanes[] = "[[1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8]]";
    char path[] = "/tmp/arcl_refine_test_XXXXXX";
    int file = mkstemp(path);
    ASSERT(file >= 0);
    close(file);
    measure_host(path, body, lanes);
    ASSERT_EQ(100.0, correction_after_runs(path, body, lanes, scored, 1, 3000)); /* frozen: nothing changes */
    /* Looks are rationed by the time of runs: a machine that is busy with other things takes more of them. */
    double mended = 100;
    for (int runs = 20000; runs <= 160000 && mended > 10; runs *= 2)
        mended = correction_after_runs(path, body, lanes, scored, 0, runs);
    unlink(path);
    ASSERT(mended < 10); /* it is about 1 */
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(a_tenth_inflated_corrects_nothing);
    RUN_TESTp(a_wrong_entry_recovers, 100);
    RUN_TESTp(a_wrong_entry_recovers, 0.01);
    RUN_TESTp(runs_mend_the_profile, 0);
    RUN_TESTp(runs_mend_the_profile, 1);
    GREATEST_MAIN_END();
}
