/* Every function of arcl.h with what it is not meant for (support/api_bounds.h). */
#include "support/api_bounds.h"

TEST general(void) {
    ASSERT_STR_EQ("?", arcl_lane_status_name((arcl_lane_status)99));
    ASSERT_STR_EQ("?", arcl_lane_status_meaning((arcl_lane_status)-1));
    for (int i = 0; i < WRONG; i++) {
        arcl_op_info op = arcl_op_get(wrong[i]);
        ASSERT_STR_EQ("", op.name);
        ASSERT_STR_EQ("", op.meaning);
    }
    ASSERT_STR_EQ("", arcl_op_get(arcl_op_count()).family);
    ASSERT(arcl_name_distance(NULL, "a") > 0 && arcl_name_distance("a", NULL) > 0);
    ASSERT_FALSE(arcl_name_is_near(NULL, "a") || arcl_name_is_near("a", NULL));
    PASS();
}

TEST contexts_and_devices(void) {
    arcl_device_info info;
    arcl_context *none = NULL;
    REFUSES(arcl_context_create(NULL, NULL, error));
    for (int i = 0; i < WRONG; i++)
        if (wrong[i] < 0 || wrong[i] > ARCL_MAX_THREADS)
            REFUSES(arcl_context_create(&(arcl_options){.threads = wrong[i]}, &none, error));
    arcl_context_free(NULL);
    ASSERT_EQ(0, arcl_context_threads(NULL));
    arcl_parallel(NULL, 3, NULL, NULL);
    arcl_parallel(have.context, 3, NULL, NULL);
    ASSERT_EQ(0, arcl_device_count(NULL));
    REFUSES(arcl_device_get(NULL, 0, &info, error));
    REFUSES(arcl_device_get(have.context, 0, NULL, error));
    for (int i = 0; i < WRONG; i++) REFUSES(arcl_device_get(have.context, wrong[i], &info, error));
    PASS();
}

TEST sources(void) {
    arcl_source *source = NULL;
    char buf[8] = "x", *made = NULL;
    arcl_key key;
    REFUSES(arcl_source_parse(NULL, bounds_text, 3, "t", &source, error));
    REFUSES(arcl_source_parse(have.context, NULL, 3, "t", &source, error));
    REFUSES(arcl_source_parse(have.context, bounds_text, 3, "t", NULL, error));
    ACCEPTS(arcl_source_parse(have.context, NULL, 0, NULL, &source, NULL));
    ASSERT_EQ(0, arcl_source_count(source));
    arcl_source_free(source);
    arcl_source_free(NULL);
    ASSERT_EQ(0, arcl_source_count(NULL));
    ASSERT_STR_EQ("", arcl_source_name(NULL, 0, buf, sizeof buf));
    ASSERT_FALSE(arcl_source_is_battery(NULL, 0));
    ASSERT_STR_EQ("", arcl_source_describe(NULL, 0).id);
    ASSERT_EQ(ARCL_SOLVER, arcl_source_describe(have.source, 0).kind);
    ASSERT_STR_EQ("", arcl_source_describe(have.source, 0).differ);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_STR_EQ("", arcl_source_name(have.source, wrong[i], buf, sizeof buf));
        ASSERT_FALSE(arcl_source_is_battery(have.source, wrong[i]));
        ASSERT_EQ(ARCL_SOLVER, arcl_source_describe(have.source, wrong[i]).kind);
        ASSERT_STR_EQ("", arcl_source_describe(have.source, wrong[i]).id);
        REFUSES(arcl_source_format(have.context, have.source, wrong[i], 0, &made, NULL, error));
        REFUSES(arcl_source_key(have.context, have.source, wrong[i], &key, error));
        REFUSES(arcl_source_check(have.source, wrong[i], error));
    }
    arcl_source_name(have.source, 0, buf, 1);
    ASSERT_STR_EQ("", buf);
    arcl_source_name(have.source, 0, NULL, 0);
    ACCEPTS(arcl_source_format(have.context, have.source, 0, 1, &made, NULL, NULL));
    arcl_text_free(made);
    arcl_text_free(NULL);
    REFUSES(arcl_source_translate(NULL, have.source, 0, ARCL_TOKPIDJIN, 0, &made, NULL, error));
    REFUSES(arcl_source_translate(have.context, NULL, 0, ARCL_TOKPIDJIN, 0, &made, NULL, error));
    REFUSES(arcl_source_translate(have.context, have.source, -1, ARCL_TOKPIDJIN, 0, &made, NULL, error));
    REFUSES(arcl_source_translate(have.context, have.source, 0, ARCL_TOKPIDJIN, 0, NULL, NULL, error));
    REFUSES(arcl_source_translate(have.context, have.source, 0, (arcl_dialect)3, 0, &made, NULL, error));
    REFUSES(arcl_source_format(NULL, have.source, 0, 0, &made, NULL, error));
    REFUSES(arcl_source_format(have.context, NULL, 0, 0, &made, NULL, error));
    REFUSES(arcl_source_format(have.context, have.source, 0, 0, NULL, NULL, error));
    REFUSES(arcl_source_key(NULL, have.source, 0, &key, error));
    REFUSES(arcl_source_check(NULL, 0, error));
    REFUSES(arcl_source_check(have.source, 2, error)); /* which calls a name that is no op */
    ACCEPTS(arcl_source_check(have.source, 1, NULL));
    REFUSES(arcl_source_key(have.context, NULL, 0, &key, error));
    REFUSES(arcl_source_key(have.context, have.source, 0, NULL, error));
    PASS();
}

TEST programs(void) {
    arcl_program *program = NULL, *programs[3];
    const char *types[] = {NULL, "grid"};
    char buf[32];
    for (int i = 0; i < WRONG; i++) {
        REFUSES(arcl_program_compile(have.context, have.source, wrong[i], NULL, &program, error));
        ASSERT_STR_EQ("", arcl_program_parameter_type(have.program, wrong[i], buf, sizeof buf));
    }
    REFUSES(arcl_program_compile(NULL, have.source, 0, NULL, &program, error));
    REFUSES(arcl_program_compile(have.context, NULL, 0, NULL, &program, error));
    REFUSES(arcl_program_compile(have.context, have.source, 0, NULL, NULL, error));
    for (int count = -1; count < 3; count++) {
        arcl_compile_options options = {.types = types, .type_count = count};
        REFUSES(arcl_program_compile(have.context, have.source, 0, &options, &program, error));
        ASSERT_EQ(NULL, program);
    }
    ASSERT_EQ(1, arcl_source_compile(have.context, have.source, NULL, programs, NULL));
    for (int i = 0; i < 3; i++) arcl_program_free(programs[i]);
    ASSERT_EQ(0, arcl_source_compile(have.context, NULL, NULL, programs, NULL));
    arcl_program_free(NULL);
    ASSERT_EQ(0, arcl_program_steps(NULL) + arcl_program_parameters(NULL));
    ASSERT_STR_EQ("", arcl_program_parameter_type(NULL, 0, buf, sizeof buf));
    ASSERT_STR_EQ("", arcl_program_result_type(NULL, buf, sizeof buf));
    arcl_program_result_type(have.program, NULL, 0);
    PASS();
}

TEST batches(void) {
    arcl_batch *batch = NULL;
    static const char *const bad[] = {"", " ", "nothing", "grid grid grid grid grid", "{", "[[[["};
    REFUSES(arcl_batch_create(NULL, "grid", &batch, error));
    REFUSES(arcl_batch_create(have.context, NULL, &batch, error));
    REFUSES(arcl_batch_create(have.context, "grid", NULL, error));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSES(arcl_batch_create(have.context, bad[i], &batch, error));
    arcl_batch_free(NULL);
    ASSERT_EQ(0, arcl_batch_lanes(NULL));
    REFUSES(arcl_batch_add_grid(NULL, 1, 1, cells, error));
    REFUSES(arcl_batch_add_int(NULL, 1, error));
    REFUSES(arcl_batch_open(NULL, error));
    REFUSES(arcl_batch_close(NULL, error));
    ACCEPTS(arcl_batch_create(have.context, "grid", &batch, NULL));
    REFUSES(arcl_batch_add_grid(batch, 1, 1, NULL, error));
    for (int i = 0; i < WRONG; i++) {
        REFUSES(arcl_batch_add_grid(batch, wrong[i], INT_MAX, cells, error));
        REFUSES(arcl_batch_add_grid(batch, INT_MAX, wrong[i], cells, error));
    }
    REFUSES(arcl_batch_add_grids(NULL, 1, 1, 1, cells, 1, 1, error));
    REFUSES(arcl_batch_add_grids(batch, 1, 1, 1, NULL, 1, 1, error));
    for (int i = 0; i < WRONG; i++) REFUSES(arcl_batch_add_grids(batch, 1, wrong[i], INT_MAX, cells, 1, 1, error));
    ACCEPTS(arcl_batch_add_grids(batch, 0, 9, 9, NULL, 1, 1, NULL));
    ASSERT_EQ(0, arcl_batch_lanes(batch));
    ASSERT_EQ(ARCL_NO_MEMORY, arcl_batch_add_grids(batch, UINT32_MAX, 30, 30, cells, 0, 0, NULL));
    REFUSES(arcl_batch_close(batch, error));
    REFUSES(arcl_batch_add_int(batch, 1, error));
    ACCEPTS(arcl_batch_add_grid(batch, 0, 0, NULL, NULL));
    ASSERT_EQ(1, arcl_batch_lanes(batch));
    REFUSES(arcl_batch_add_value(NULL, arcl_result_value(have.result, 0), error));
    REFUSES(arcl_batch_add_value(batch, arcl_result_value(NULL, 0), error));
    arcl_batch_free(batch);
    PASS();
}

TEST gathering(void) {
    arcl_batch *batch = NULL;
    uint32_t lanes[] = {0};
    arcl_column good = {.batch = have.batch, .lanes = lanes}, empty = {.lanes = lanes},
                no_lanes = {.batch = have.batch};
    REFUSES(arcl_batch_gather(NULL, &good, 1, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, NULL, 1, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, &good, 1, 1, NULL, error));
    REFUSES(arcl_batch_gather(have.context, &good, 0, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, &empty, 1, 1, &batch, error));
    REFUSES(arcl_batch_gather(have.context, &no_lanes, 1, 1, &batch, error));
    for (int i = 0; i < WRONG; i++) {
        arcl_column off = {.batch = have.batch, .argument = wrong[i], .lanes = lanes};
        REFUSES(arcl_batch_gather(have.context, &off, 1, 1, &batch, error));
        REFUSES(arcl_batch_gather(have.context, &good, wrong[i], 1, &batch, error));
    }
    lanes[0] = UINT32_MAX;
    REFUSES(arcl_batch_gather(have.context, &good, 1, 1, &batch, error));
    ACCEPTS(arcl_batch_gather(have.context, &good, 1, 0, &batch, NULL));
    ASSERT_EQ(0, arcl_batch_lanes(batch));
    arcl_batch_free(batch);
    PASS();
}

TEST runs(void) {
    arcl_result *result = NULL;
    const arcl_program *const programs[] = {have.program}, *const no_programs[] = {NULL};
    const arcl_batch *const list[] = {have.batch}, *const no_batches[] = {NULL};
    REFUSES(arcl_run(NULL, have.program, have.batch, &result, error));
    REFUSES(arcl_run(have.context, NULL, have.batch, &result, error));
    REFUSES(arcl_run(have.context, have.program, NULL, &result, error));
    REFUSES(arcl_run(have.context, have.program, have.batch, NULL, error));
    REFUSES(arcl_run_many(have.context, 1, NULL, list, &result, error));
    REFUSES(arcl_run_many(have.context, 1, programs, NULL, &result, error));
    REFUSES(arcl_run_many(have.context, 1, no_programs, list, &result, error));
    REFUSES(arcl_run_many(have.context, 1, programs, no_batches, &result, error));
    for (int count = -1; count < 1; count++) {
        ACCEPTS(arcl_run_many(have.context, count, NULL, NULL, NULL, NULL));
        ACCEPTS(arcl_score_many(have.context, count, NULL, NULL, NULL, 0, NULL, NULL));
    }
    REFUSES(arcl_score_many(NULL, 1, programs, list, NULL, 0, &result, error));
    ACCEPTS(arcl_score_many(have.context, 1, programs, list, no_batches, 0, &result, NULL));
    ASSERT_EQ(ARCL_NONE, arcl_value_kind(arcl_result_value(result, 0))); /* the outputs were not kept */
    arcl_result_free(result);
    arcl_result_free(NULL);
    PASS();
}

/* Whatever a value is, what it has not is none. */
static int has_no_more(arcl_value value) {
    uint32_t count = arcl_value_count(value);
    int none = arcl_value_kind(arcl_value_item(value, count)) == ARCL_NONE &&
               arcl_value_kind(arcl_value_item(value, UINT32_MAX)) == ARCL_NONE;
    for (uint32_t i = 0; i < count; i++) none &= has_no_more(arcl_value_item(value, i));
    return none;
}

TEST results(void) {
    const uint32_t lanes[] = {1, 2, INT_MAX, UINT32_MAX};
    const arcl_result *const both[] = {have.result, NULL};
    int h = 1, w = 1;
    ASSERT_EQ(1, arcl_result_lanes(have.result));
    ASSERT_EQ(0, arcl_result_lanes(NULL));
    for (int n = 0; n < 2; n++)
        for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
            ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_status(both[n], lanes[i]));
            ASSERT_EQ(0, arcl_result_failures(both[n], lanes[i]));
            ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_score(both[n], lanes[i]).status);
            ASSERT_EQ(ARCL_NONE, arcl_value_kind(arcl_result_value(both[n], lanes[i])));
            ASSERT_EQ(NULL, arcl_result_grid(both[n], lanes[i], &h, &w));
            ASSERT_EQ(0, h + w);
        }
    ASSERT(arcl_result_grid(have.result, 0, NULL, NULL));
    ASSERT_EQ(0, arcl_result_score(have.result, 0).words);
    ASSERT(has_no_more(arcl_result_value(have.result, 0)));
    ASSERT(has_no_more(arcl_result_value(NULL, 0)));
    PASS();
}

TEST values_of_every_kind(void) {
    static const char all[] = "def a(I):\n    return objects(I, T, F, F)\ndef b(I):\n    return shape(I)\n"
                              "def c(I):\n    return square(I)\ndef d(I):\n    return numcolors(I)\n"
                              "def e(I):\n    return fork(astuple, shape, size)(ofcolor(I, ONE))\n";
    arcl_source *source;
    ACCEPTS(arcl_source_parse(have.context, all, sizeof all - 1, "all", &source, NULL));
    for (int i = 0; i < arcl_source_count(source); i++) {
        arcl_program *program;
        arcl_result *result;
        ACCEPTS(arcl_program_compile(have.context, source, i, NULL, &program, NULL));
        ACCEPTS(arcl_run(have.context, program, have.batch, &result, NULL));
        ASSERT(has_no_more(arcl_result_value(result, 0)));
        arcl_result_free(result);
        arcl_program_free(program);
    }
    arcl_source_free(source);
    PASS();
}

TEST similarity(void) {
    arcl_grid grid = {2, 3, cells}, hollow = {2, 3, NULL}, negative = {-1, 3, cells};
    uint32_t common = 0;
    REFUSES(arcl_similarity(NULL, NULL, &grid, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, NULL, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &grid, 1, NULL, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &grid, 1, &grid, 1, NULL, NULL, error));
    REFUSES(arcl_similarity(have.context, "another", &grid, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &hollow, 1, &grid, 1, &common, NULL, error));
    REFUSES(arcl_similarity(have.context, NULL, &grid, 1, &negative, 1, &common, NULL, error));
    ACCEPTS(arcl_similarity(have.context, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL));
    ACCEPTS(arcl_similarity(have.context, NULL, NULL, 0, &grid, 1, NULL, NULL, NULL));
    ACCEPTS(arcl_similarity(have.context, NULL, &grid, 1, NULL, 0, NULL, NULL, NULL));
    ACCEPTS(arcl_similarity(have.context, NULL, &grid, 1, &grid, 1, &common, NULL, NULL));
    ASSERT_EQ(6, common);
    PASS();
}

TEST caches_and_reports(void) {
    REFUSES(arcl_cache_enable(NULL, NULL, error));
    REFUSES(arcl_cache_flush(NULL, error));
    ACCEPTS(arcl_cache_flush(have.context, NULL));
    ASSERT_STR_EQ("", arcl_cache_notice(NULL));
    arcl_report_enable(NULL, 1);
    arcl_report_reset(NULL);
    ASSERT_EQ(0, arcl_report_count(NULL) + arcl_report_device_count(NULL) + (int)arcl_report_runs(NULL).runs);
    ASSERT_EQ(0, arcl_report_cache(NULL).enabled);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_STR_EQ("", arcl_report_get(have.context, wrong[i]).name);
        ASSERT_STR_EQ("", arcl_report_get(NULL, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_report_device(have.context, wrong[i]).device);
        ASSERT_STR_EQ("", arcl_report_device(NULL, wrong[i]).device);
    }
    PASS();
}

TEST batteries(void) {
    arcl_battery *battery = NULL;
    arcl_battery_text written;
    arcl_result *outcome[6] = {NULL};
    arcl_definition definitions[6] = {{have.source, 0}, {have.source, 1}, {NULL, 0}};
    char buf[32];
    for (int i = 0; i < 3; i++) definitions[3 + i] = (arcl_definition){have.source, wrong[i]};
    REFUSES(arcl_battery_compile(NULL, definitions, 6, NULL, &battery, NULL, error));
    REFUSES(arcl_battery_compile(have.context, NULL, 6, NULL, &battery, NULL, error));
    REFUSES(arcl_battery_compile(have.context, definitions, 6, NULL, NULL, NULL, error));
    arcl_compile_options each[6] = {{.policy = ARCL_SAFE}};
    for (int i = 1; i < 6; i++) each[i] = each[0];
    REFUSES(arcl_battery_compile_each(NULL, definitions, each, 6, &battery, NULL, error));
    REFUSES(arcl_battery_compile_each(have.context, NULL, each, 6, &battery, NULL, error));
    REFUSES(arcl_battery_compile_each(have.context, definitions, NULL, 6, &battery, NULL, error));
    REFUSES(arcl_battery_compile_each(have.context, definitions, each, 6, NULL, NULL, error));
    ACCEPTS(arcl_battery_compile_each(have.context, NULL, NULL, 0, &battery, NULL, NULL));
    arcl_battery_free(battery);
    ACCEPTS(arcl_battery_compile_each(have.context, definitions, each, 6, &battery, NULL, NULL));
    ASSERT_EQ(4, arcl_battery_describe(battery).rejected);
    arcl_battery_free(battery);
    for (int count = -1; count < 1; count++) {
        ACCEPTS(arcl_battery_compile(have.context, NULL, count, NULL, &battery, NULL, NULL));
        ACCEPTS(arcl_battery_run(have.context, battery, have.batch, NULL, NULL, NULL));
        arcl_battery_free(battery);
    }
    ACCEPTS(arcl_battery_compile(have.context, definitions, 6, NULL, &battery, NULL, NULL));
    ASSERT_EQ(4, arcl_battery_describe(battery).rejected);
    for (int i = 0; i < WRONG; i++) {
        ASSERT_EQ(NULL, arcl_battery_program(battery, wrong[i]));
        ASSERT_STR_EQ("", arcl_battery_parameter_type(battery, wrong[i], buf, sizeof buf));
    }
    REFUSES(arcl_battery_run(NULL, battery, have.batch, outcome, NULL, error));
    REFUSES(arcl_battery_run(have.context, NULL, have.batch, outcome, NULL, error));
    REFUSES(arcl_battery_run(have.context, battery, NULL, outcome, NULL, error));
    REFUSES(arcl_battery_run(have.context, battery, have.batch, NULL, NULL, error));
    REFUSES(arcl_battery_score(have.context, NULL, have.batch, NULL, 0, outcome, NULL, error));
    ACCEPTS(arcl_battery_score(have.context, battery, have.batch, NULL, 0, outcome, NULL, NULL));
    for (int i = 0; i < 6; i++) {
        ASSERT_EQ(i < 2, outcome[i] != NULL);
        ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_status(outcome[i], 1));
        ASSERT_EQ(ARCL_LANE_STATUSES, arcl_result_score(outcome[i], UINT32_MAX).status);
        arcl_result_free(outcome[i]);
    }
    arcl_battery_free(battery);
    arcl_battery_free(NULL);
    ASSERT_EQ(0, arcl_battery_describe(NULL).programs + arcl_battery_parameters(NULL));
    ASSERT_EQ(NULL, arcl_battery_program(NULL, 0));
    ASSERT_STR_EQ("", arcl_battery_parameter_type(NULL, 0, buf, sizeof buf));
    REFUSES(arcl_battery_write(NULL, 1, &written, NULL, error));
    REFUSES(arcl_battery_write(definitions, 1, NULL, NULL, error));
    ACCEPTS(arcl_battery_write(definitions, 6, &written, NULL, NULL));
    ASSERT_EQ(4, written.rejected);
    arcl_battery_text_free(&written);
    arcl_battery_text_free(NULL);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (have_all()) return 1;
    RUN_TEST(general);
    RUN_TEST(contexts_and_devices);
    RUN_TEST(sources);
    RUN_TEST(programs);
    RUN_TEST(batches);
    RUN_TEST(gathering);
    RUN_TEST(runs);
    RUN_TEST(results);
    RUN_TEST(values_of_every_kind);
    RUN_TEST(similarity);
    RUN_TEST(caches_and_reports);
    RUN_TEST(batteries);
    have_no_more();
    GREATEST_MAIN_END();
}
