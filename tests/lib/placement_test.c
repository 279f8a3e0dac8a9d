/* A kernel that runs where it was not planned is found, and nothing else is. */
#include "run/placement.h"
#include "run/run.h"

#include "greatest.h"
#include "support/evaluation.h"

typedef struct bed {
    arcl_context *c;
    arcl_program *turn, *mirror;
    arcl_batch *b;
} bed;

static bed bed_make(void) {
    arcl_options options = {.threads = 1, .device = "host", .profile = ""};
    bed t;
    if (arcl_context_create(&options, &t.c, NULL) || body_compile(t.c, "grid", "rot90(a)", 0, &t.turn, NULL) ||
        body_compile(t.c, "grid", "hmirror(a)", 0, &t.mirror, NULL) || arcl_batch_create(t.c, "grid", &t.b, NULL) ||
        lanes_read(t.b, "[[1,2],[3,4]]", NULL))
        abort();
    arcl_report_enable(t.c, 1);
    return t;
}

static void bed_free(bed *t) {
    arcl_batch_free(t->b);
    arcl_program_free(t->turn);
    arcl_program_free(t->mirror);
    arcl_context_free(t->c);
}

/* What is found when `planned` was to run, and `run` did. */
static arcl_status compare(bed *t, const arcl_program *planned, const arcl_program *run, arcl_error *error) {
    run_plan on_host = {.kind = ON_HOST, .workers = 1};
    job one = {.program = planned, .batch = t->b, .plan = &on_host};
    arcl_result *result;
    placement *p = placement_begin(t->c, &one, 1);
    const run_request request = {1, &run, (const arcl_batch *const *)&t->b, YIELD_OUTPUTS, NULL};
    if (!p || run_by_plans(t->c, &request, &on_host, &result, NULL)) abort();
    arcl_result_free(result);
    return placement_end(p, error);
}

TEST what_runs_as_planned_is_fine(void) {
    bed t = bed_make();
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, compare(&t, t.turn, t.turn, &error));
    ASSERT_EQ(ARCL_SUCCESS, compare(&t, t.mirror, t.mirror, &error));
    bed_free(&t);
    PASS();
}

TEST what_runs_elsewhere_is_an_error(void) {
    bed t = bed_make();
    arcl_error error;
    ASSERT_EQ(ARCL_DEVICE_FAILED, compare(&t, t.turn, t.mirror, &error));
    ASSERT_STR_EQ("hmirror_grid ran on host, where it was not planned", error.message);
    bed_free(&t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(what_runs_as_planned_is_fine);
    RUN_TEST(what_runs_elsewhere_is_an_error);
    GREATEST_MAIN_END();
}
