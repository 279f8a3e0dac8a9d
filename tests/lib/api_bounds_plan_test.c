/* Every function of arcl_plan.h and arcl_accumulator.h with what it is not meant for (support/api_bounds.h). */
#include "support/api_bounds.h"

TEST profiles(void) {
    arcl_profile *profile = NULL;
    char buf[64] = "x";
    REFUSES(arcl_profile_create(NULL, error));
    REFUSES(arcl_profile_load(NULL, &profile, error));
    REFUSES(arcl_profile_load("/nonexistent", NULL, error));
    REFUSES(arcl_profile_load("/nonexistent", &profile, error));
    REFUSES(arcl_profile_load("/", &profile, error));
    REFUSES(arcl_profile_save(NULL, "/nonexistent/x", error));
    REFUSES(arcl_profile_save(have.profile, NULL, error));
    REFUSES(arcl_profile_save(have.profile, "", error));
    arcl_profile_free(NULL);
    arcl_profile_finish(NULL);
    arcl_profile_default_path(buf, 1);
    ASSERT_STR_EQ("", buf);
    arcl_profile_default_path(NULL, 0);
    ASSERT_STR_EQ("", arcl_profile_notice(NULL));
    ASSERT_FALSE(arcl_profile_has_case(NULL, "host", "a") || arcl_profile_has_case(have.profile, NULL, "a") ||
                 arcl_profile_has_case(have.profile, "host", NULL) || arcl_profile_has_case(have.profile, "cl:9", "a"));
    REFUSES(arcl_profile_add_case(NULL, "host", "a", error));
    REFUSES(arcl_profile_add_case(have.profile, NULL, "a", error));
    REFUSES(arcl_profile_add_case(have.profile, "host", NULL, error));
    REFUSES(arcl_profile_add_case(have.profile, "cl:9", "a", error));
    REFUSES(arcl_profile_measure_device(NULL, have.context, "host", error));
    REFUSES(arcl_profile_measure_device(have.profile, NULL, "host", error));
    REFUSES(arcl_profile_measure_device(have.profile, have.context, NULL, error));
    REFUSES(arcl_profile_measure(NULL, have.context, "host", have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, NULL, "host", have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, have.context, NULL, have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, have.context, "host", NULL, have.batch, 0, error));
    REFUSES(arcl_profile_measure(have.profile, have.context, "host", have.program, NULL, 0, error));
    REFUSES(arcl_profile_measure_simulated(NULL, have.context, "host", have.program, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, NULL, "host", have.program, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, NULL, have.program, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, "host", NULL, have.batch, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, "host", have.program, NULL, 1, error));
    REFUSES(arcl_profile_measure_simulated(have.profile, have.context, "host", have.program, have.batch, 0, error));
    REFUSES(arcl_profile_measure_similarity(NULL, have.context, "host", 1, error));
    REFUSES(arcl_profile_measure_similarity(have.profile, NULL, "host", 1, error));
    REFUSES(arcl_profile_measure_similarity(have.profile, have.context, NULL, 1, error));
    ASSERT_STR_EQ("", arcl_profile_mismatch(NULL, have.context, buf, sizeof buf));
    ASSERT_STR_EQ("", arcl_profile_mismatch(have.profile, NULL, buf, sizeof buf));
    arcl_profile_mismatch(have.profile, have.context, NULL, 0);
    PASS();
}

TEST plans(void) {
    arcl_plan *plan = NULL;
    static const uint32_t too_many[] = {2147483649u, 3000000000u, UINT32_MAX};
    REFUSES(arcl_plan_create(NULL, have.profile, have.program, NULL, 1, &plan, error));
    REFUSES(arcl_plan_create(have.context, have.profile, NULL, NULL, 1, &plan, error));
    REFUSES(arcl_plan_create(have.context, have.profile, have.program, NULL, 1, NULL, error));
    REFUSES(arcl_plan_create(have.context, NULL, have.program, NULL, 1, &plan, error)); /* which has no profile */
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++)
        REFUSES(arcl_plan_create(have.context, have.profile, have.program, NULL, too_many[i], &plan, error));
    ACCEPTS(arcl_plan_create(have.context, have.profile, have.program, NULL, 2147483648u, &plan, NULL));
    arcl_plan_free(plan);
    arcl_plan_free(NULL);
    ASSERT_STR_EQ("", arcl_plan_get(NULL).device);
    ASSERT_EQ(0, arcl_plan_devices(NULL) + arcl_plan_ops(NULL) + arcl_plan_launches(NULL));
    ASSERT_STR_EQ("", arcl_plan_device_get(NULL, 0).name);
    ASSERT_STR_EQ("", arcl_plan_op_get(NULL, 0).op);
    ASSERT_STR_EQ("", arcl_plan_launch_get(NULL, 0).kernel);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_STR_EQ("", arcl_plan_device_get(have.plan, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_plan_op_get(have.plan, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_plan_launch_get(have.plan, wrong[i]).kernel);
    }
    ASSERT_STR_EQ("", arcl_plan_op_get(have.plan, arcl_plan_ops(have.plan)).flips_to);
    PASS();
}

TEST accumulators(void) {
    arcl_accumulator *a = NULL;
    arcl_ticket ticket;
    arcl_batch *batch;
    arcl_result *result;
    REFUSES(arcl_accumulator_create(NULL, NULL, &a, error));
    REFUSES(arcl_accumulator_create(have.context, NULL, NULL, error));
    ACCEPTS(arcl_accumulator_create(have.context, NULL, &a, NULL));
    ACCEPTS(arcl_batch_create(have.context, "grid", &batch, NULL));
    REFUSES(arcl_accumulator_submit(NULL, have.program, batch, &ticket, error));
    REFUSES(arcl_accumulator_submit(a, NULL, batch, &ticket, error));
    REFUSES(arcl_accumulator_submit(a, have.program, NULL, &ticket, error));
    REFUSES(arcl_accumulator_submit(a, have.program, batch, NULL, error));
    arcl_batch_free(batch);
    ASSERT_EQ(-1, arcl_accumulator_poll(a, 0));
    ASSERT_EQ(-1, arcl_accumulator_poll(a, UINT64_MAX));
    ASSERT_EQ(-1, arcl_accumulator_poll(NULL, 1));
    REFUSES(arcl_accumulator_take(a, 0, &result, error));
    REFUSES(arcl_accumulator_take(a, 1, NULL, error));
    REFUSES(arcl_accumulator_take(NULL, 1, &result, error));
    arcl_accumulator_flush(NULL);
    arcl_accumulator_close(NULL);
    ASSERT_EQ(0, arcl_accumulator_report_get(NULL).submissions);
    arcl_accumulator_free(a);
    arcl_accumulator_free(NULL);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (have_all()) return 1;
    RUN_TEST(profiles);
    RUN_TEST(plans);
    RUN_TEST(accumulators);
    have_no_more();
    GREATEST_MAIN_END();
}
