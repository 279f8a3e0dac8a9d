/* Tests of lib/run/batch_gather.c: what one run yields is what the next one takes, whatever its type and wherever it
 * lies, and gathered batches are, word for word, those that were put together by parts. */
#include "support/evaluation.h"

#include "run/batch_lanes.h"

#include "greatest.h"

static arcl_context *context;

static arcl_result *run_body(const char *types, const char *body, const char *lanes) {
    arcl_program *p;
    arcl_batch *b;
    arcl_result *r;
    if (body_compile(context, types, body, 0, &p, NULL) || arcl_batch_create(context, types, &b, NULL) ||
        lanes_read(b, lanes, NULL) || arcl_run(context, p, b, &r, NULL))
        abort();
    arcl_program_free(p);
    arcl_batch_free(b);
    return r;
}

static const struct {
    const char *type, *lanes;
} kinds[] = {
    {"int", "7; -3; 7"},
    {"ij", "[3,4]; [0,-1]; [2,2]"},
    {"grid", "[[1,2,3],[4,5,6],[7,8,9]]; []; [[1]]"},
    {"{ij}", "[[3,4],[1,2]]; []; [[0,0]]"},
    {"{{cell}}", "[[[1,[0,0]],[1,[0,1]]],[[2,[5,5]]],[]]; []; [[[3,[1,1]]]]"},
    {"[grid]", "[[[1,2]],[[3],[4]],[]]; []; [[[1,2,3]]]"},
    {"[(ij,[int])]", "[[[1,2],[3]],[[4,5],[]]]; []; []"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Lanes in any order and repeatedly, from results and from batches, one by one and many at once. */
TEST gathered_lanes_are_those_that_were_named(int kind) {
    static const uint32_t order[] = {2, 0, 1, 0};
    char wanted[2048];
    arcl_result *r = run_body(kinds[kind].type, "a", kinds[kind].lanes);
    arcl_batch *gathered, *again, *single;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, kinds[kind].type, &single, NULL));
    for (int n = 0; n < 4; n++)
        ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_value(single, arcl_result_value(r, order[n]), NULL));
    arcl_column from_result = {.result = r, .lanes = order};
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_gather(context, &from_result, 1, 4, &gathered, NULL));
    arcl_result_free(r);
    arcl_column from_batch = {.batch = gathered, .lanes = order};
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_gather(context, &from_batch, 1, 3, &again, NULL));
    snprintf(wanted, sizeof wanted, "%s", batch_evaluate(context, single, kinds[kind].type, "a"));
    ASSERT_STR_EQ(wanted, batch_evaluate(context, gathered, kinds[kind].type, "a"));
    const arcl_key *one = batch_lane_keys(single), *many = batch_lane_keys(gathered), *last = batch_lane_keys(again);
    for (int n = 0; n < 4; n++) ASSERT_EQ(0, memcmp(&one[n], &many[n], sizeof *one));
    for (int n = 0; n < 3; n++) ASSERT_EQ(0, memcmp(&many[order[n]], &last[n], sizeof *many));
    arcl_batch_free(single);
    arcl_batch_free(gathered);
    arcl_batch_free(again);
    PASS();
}

TEST columns_of_several_runs_are_one_batch(void) {
    static const uint32_t grids[] = {0, 1, 0}, objects[] = {1, 1, 0};
    arcl_result *mirrored = run_body("grid", "vmirror(a)", "[[1,2]]; [[3,4]]");
    arcl_result *parts = run_body("grid", "asobject(a)", "[[1,2]]; [[3,4]]");
    arcl_batch *b;
    arcl_column columns[] = {{.result = mirrored, .lanes = grids}, {.result = parts, .lanes = objects}};
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_gather(context, columns, 2, 3, &b, NULL));
    arcl_result_free(mirrored);
    arcl_result_free(parts);
    ASSERT_STR_EQ("[[[2,1]],{[3,[0,0]],[4,[0,1]]}]; [[[4,3]],{[3,[0,0]],[4,[0,1]]}]; [[[2,1]],{[1,[0,0]],[2,[0,1]]}]",
                  batch_evaluate(context, b, "grid {cell}", "astuple(a, b)"));
    arcl_batch_free(b);
    PASS();
}

/* Behind the cells of a grid that a run has made is whatever was there; in a batch there are zeros. */
TEST padding_is_cleared_in_nested_grids(void) {
    arcl_result *r = run_body("grid", "repeat(crop(a, (0, 0), (1, 3)), 2)", "[[1,2,3,9,9,9,9,9]]; [[1,2,3,8,8,8,8,8]]");
    uint32_t both[] = {0, 1};
    arcl_batch *b;
    arcl_column column = {.result = r, .lanes = both};
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_gather(context, &column, 1, 2, &b, NULL));
    const arcl_key *keys = batch_lane_keys(b);
    ASSERT_EQ(0, memcmp(&keys[0], &keys[1], sizeof *keys));
    arcl_batch_free(b);
    arcl_result_free(r);
    PASS();
}

TEST parts_of_values_are_values(void) {
    arcl_result *r = run_body("grid", "partition(a)", "[[1,1],[2,1]]");
    arcl_result *grids = run_body("grid", "a", "[[1,5],[2,1]]");
    arcl_batch *b;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "{cell} [int]", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_value(b, arcl_value_item(arcl_result_value(r, 0), 1), NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_value(b, arcl_value_item(arcl_result_value(grids, 0), 0), NULL));
    ASSERT_STR_EQ("[{[2,[1,0]]},[1,5]]", batch_evaluate(context, b, "{cell} [int]", "astuple(a, b)"));
    arcl_batch_free(b);
    arcl_result_free(grids);
    arcl_result_free(r);
    PASS();
}

TEST what_does_not_fit_is_refused(void) {
    arcl_error error;
    arcl_batch *b;
    arcl_result *r = run_body("grid", "first(objects(a, T, F, T))", "[[0,1],[0,0]]; [[0,0],[0,0]]");
    uint32_t good[] = {0}, failed[] = {1}, absent[] = {2};
    arcl_column column = {.result = r, .lanes = good};
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "{ij} grid", &b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_value(b, arcl_result_value(r, 0), &error));
    ASSERT_STR_EQ("a value of type {cell} where another type is expected", error.message);
    arcl_batch_free(b);
    column.lanes = failed;
    ASSERT_EQ(ARCL_INVALID, arcl_batch_gather(context, &column, 1, 1, &b, &error));
    ASSERT_STR_EQ("lane 1 of the result has failed", error.message);
    column.lanes = absent;
    ASSERT_EQ(ARCL_INVALID, arcl_batch_gather(context, &column, 1, 1, &b, &error));
    ASSERT_STR_EQ("the result has no lane 2", error.message);
    ASSERT_EQ(NULL, b);
    arcl_result_free(r);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(NULL, &context, NULL)) return 1;
    for (int i = 0; i < KINDS; i++) RUN_TESTp(gathered_lanes_are_those_that_were_named, i);
    RUN_TEST(columns_of_several_runs_are_one_batch);
    RUN_TEST(padding_is_cleared_in_nested_grids);
    RUN_TEST(parts_of_values_are_values);
    RUN_TEST(what_does_not_fit_is_refused);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
