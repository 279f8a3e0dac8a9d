/* What the selector does with a profile: plans, keeps them, opens devices late, and says what it does not use. */
#include "plan/selector.h"

#include <unistd.h>

#include "greatest.h"
#include "plan/cost.h"
#include "profile/sizes.h"
#include "support/evaluation.h"
#include "support/synthetic_profile.h"

typedef struct bed {
    char path[40];
    arcl_context *c;
    arcl_program *p;
    arcl_batch *b;
} bed;

/* A synthetic profile of this machine's host and, if wanted, of a GPU that does not exist; and something to run. */
static void bed_make(bed *t, int gpu, uint32_t lanes, const char *device) {
    arcl_options plain = {.threads = 2, .device = "host", .profile = ""}, options = {.threads = 2, .device = device};
    arcl_context *c;
    arcl_profile *p;
    strcpy(t->path, "/tmp/arcl_selector_test_XXXXXX");
    int file = mkstemp(t->path);
    if (file < 0 || arcl_context_create(&plain, &c, NULL) || arcl_profile_create(&p, NULL)) abort();
    close(file);
    synthetic_host(p, c);
    if (gpu) synthetic_gpu(p, "cl:7");
    if (arcl_profile_save(p, t->path, NULL)) abort();
    arcl_profile_free(p);
    arcl_context_free(c);
    options.profile = t->path;
    if (arcl_context_create(&options, &t->c, NULL) ||
        body_compile(t->c, "grid", "rot90(vmirror(rot90(a)))", 0, &t->p, NULL) ||
        arcl_batch_create(t->c, "grid", &t->b, NULL))
        abort();
    for (uint32_t n = 0; n < lanes; n++)
        if (lanes_read(t->b, "[[1,2],[3,4]]", NULL)) abort();
}

static void bed_free(bed *t) {
    unlink(t->path);
    arcl_batch_free(t->b);
    arcl_program_free(t->p);
    arcl_context_free(t->c);
}

static int runs(bed *t) {
    arcl_result *result;
    if (arcl_run(t->c, t->p, t->b, &result, NULL)) return 0;
    int right = arcl_result_status(result, 0) == ARCL_OK;
    arcl_result_free(result);
    return right;
}

TEST plans_are_kept_per_class_of_sizes(void) {
    bed t;
    const run_plan *first, *second, *third;
    bed_make(&t, 0, 100, "auto");
    ASSERT_EQ(ARCL_SUCCESS, selector_plan(t.c, t.p, t.b, &first, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(t.b, "[[1]]", NULL)); /* one lane more is the same class */
    ASSERT_EQ(ARCL_SUCCESS, selector_plan(t.c, t.p, t.b, &second, NULL));
    ASSERT_EQ(first, second);
    for (int n = 0; n < 400; n++) ASSERT_EQ(ARCL_SUCCESS, lanes_read(t.b, "[[1]]", NULL));
    ASSERT_EQ(ARCL_SUCCESS, selector_plan(t.c, t.p, t.b, &third, NULL));
    ASSERT_NEQ(first, third);
    ASSERT_EQ(ON_HOST, third->kind);
    ASSERT(third->predicted > first->predicted);
    bed_free(&t);
    PASS();
}

TEST a_device_is_opened_when_it_has_begun_to_pay_and_given_up_if_it_is_not_there(void) {
    bed t;
    int tries = 0;
    bed_make(&t, 1, 20000, "auto");
    ASSERT(runs(&t)); /* the GPU would be better, but a single run does not pay for opening it */
    ASSERT_STR_EQ("", arcl_profile_notice(t.c));
    while (!*arcl_profile_notice(t.c) && tries++ < 1000) ASSERT(runs(&t));
    ASSERT(strstr(arcl_profile_notice(t.c), "what was measured of cl:7 is not used"));
    ASSERT(runs(&t));
    bed_free(&t);
    PASS();
}

TEST a_named_device_is_the_only_one(void) {
    bed t;
    const run_plan *plan;
    bed_make(&t, 1, 20000, "host");
    for (int i = 0; i < 20; i++) ASSERT(runs(&t));
    ASSERT_EQ(ARCL_SUCCESS, selector_plan(t.c, t.p, t.b, &plan, NULL));
    ASSERT_EQ(ON_HOST, plan->kind);
    ASSERT_STR_EQ("", arcl_profile_notice(t.c));
    bed_free(&t);
    PASS();
}

TEST without_a_profile_everything_runs_on_the_host(void) {
    arcl_options options = {.threads = 2, .profile = ""};
    arcl_error error;
    bed t;
    bed_make(&t, 0, 10, "auto");
    arcl_context_free(t.c);
    t.c = NULL;
    arcl_batch_free(t.b);
    arcl_program_free(t.p);
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &t.c, NULL));
    ASSERT_EQ(NULL, selector_profile(t.c, &error));
    ASSERT(strstr(error.message, "arcl profile"));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(t.c, "grid", "rot90(a)", 0, &t.p, NULL));
    ASSERT_EQ_FMT(0.0, selector_cost(t.c, t.p, 1000), "%g");
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(t.c, "grid", &t.b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(t.b, "[[1,2],[3,4]]", NULL));
    ASSERT(runs(&t));
    arcl_run_report report = arcl_report_runs(t.c);
    ASSERT_EQ(1, report.runs);
    ASSERT(report.taken > 0 && report.unpredicted == report.taken);
    bed_free(&t);
    PASS();
}

TEST sampled_sizes_are_what_the_lanes_do(void) {
    bed t;
    bed_make(&t, 0, 0, "auto");
    arcl_program *p;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(t.c, "grid", "apply(size, objects(a, T, F, T))", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(t.b, "[[1,0,2],[0,0,0]]; [[0,3,3],[4,0,0]]; [[5,0,6],[0,7,0]]", NULL));
    program_sizes *s = sizes_sample(t.c, p->graph, t.b, 3);
    ASSERT_NEQ(NULL, s);
    ASSERT_EQ(3, s->sampled);
    double lanes = 0;
    for (int i = 0; i < s->count; i++)
        if (s->launch[i].kernel == KERNEL_size_list) lanes = s->launch[i].lanes * 3;
    ASSERT_EQ(7.0, lanes); /* 2 + 2 + 3 objects */
    sizes_free(s);
    arcl_program_free(p);
    bed_free(&t);
    PASS();
}

/* All devices that are open are asked, that is the host, and all kernels have to be known. */
TEST costs_are_those_of_the_best_way(void) {
    bed t;
    arcl_error error;
    bed_make(&t, 1, 100, "auto");
    double typical = selector_cost(t.c, t.p, 100), one = selector_cost(t.c, t.p, 1);
    ASSERT(one > 200 && typical > 100 * 10);
    ASSERT(runs(&t)); /* now its sizes are known */
    program_sizes *sizes = sizes_sample(t.c, t.p->graph, t.b, 100);
    ASSERT_NEQ(NULL, sizes);
    const arcl_profile *profile = selector_profile(t.c, &error);
    double expected = cost_best_way(profile->device[0], sizes, t.p->graph->count, 1000).total;
    double found = selector_cost(t.c, t.p, 1000); /* by fewer lanes that were looked at */
    ASSERT(found > 0.99 * expected && found < 1.01 * expected);
    ASSERT(found < 10 * typical);
    ASSERT_EQ_FMT(0.0, selector_cost(t.c, t.p, 0), "%g");
    profile->device[0]->cost[0][KERNEL_rot90].launch.count = 0;
    ASSERT_EQ_FMT(0.0, selector_cost(t.c, t.p, 1000), "%g");
    sizes_free(sizes);
    bed_free(&t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(plans_are_kept_per_class_of_sizes);
    RUN_TEST(a_device_is_opened_when_it_has_begun_to_pay_and_given_up_if_it_is_not_there);
    RUN_TEST(a_named_device_is_the_only_one);
    RUN_TEST(without_a_profile_everything_runs_on_the_host);
    RUN_TEST(sampled_sizes_are_what_the_lanes_do);
    RUN_TEST(costs_are_those_of_the_best_way);
    GREATEST_MAIN_END();
}
