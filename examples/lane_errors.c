/* A program over a batch in which some lanes fail: a failure is the lane's own, and the others have their results.
 *
 * The program finds the largest object of a grid and yields its colour and the share of the grid that it covers, in
 * percent. A grid of one colour has no object: its lane is EMPTY, and where that happened can be asked. The result is
 * no grid, so it is read part by part.
 */
#include <arcl.h>
#include <stdio.h>

static const char text[] = "def largest(I):\n"
                           "    x1 = objects(I, T, F, T)\n"
                           "    x2 = argmax(x1, size)\n"
                           "    x3 = multiply(100, size(x2))\n"
                           "    x4 = divide(x3, size(asindices(I)))\n"
                           "    return astuple(color(x2), x4)\n";

static const signed char grids[3][6] = {{0, 0, 3, 0, 3, 3}, {7, 7, 7, 7, 7, 7}, {0, 5, 0, 0, 0, 2}};

typedef struct run {
    arcl_context *context;
    arcl_source *source;
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
} run;

static arcl_status prepare_and_run(run *r, arcl_error *error) {
    arcl_status status = arcl_context_create(NULL, &r->context, error);
    if (!status) status = arcl_source_parse(r->context, text, sizeof text - 1, "largest.py", &r->source, error);
    if (!status) status = arcl_program_compile(r->context, r->source, 0, NULL, &r->program, error);
    if (!status) status = arcl_batch_create(r->context, "grid", &r->batch, error);
    for (int i = 0; !status && i < 3; i++) status = arcl_batch_add_grid(r->batch, 2, 3, grids[i], error);
    return status ? status : arcl_run(r->context, r->program, r->batch, &r->result, error);
}

/* The lane is run once more to find out. */
static void print_failure(const run *r, uint32_t lane) {
    arcl_definition definition = {r->source, 0};
    arcl_failure failure;
    arcl_error error;
    arcl_status status = arcl_result_failure(r->context, r->result, lane, definition, NULL, r->batch, &failure, &error);
    printf("lane %u: %s\n", lane, status ? error.message : failure.message);
}

static void print_lane(const run *r, uint32_t lane) {
    if (arcl_result_status(r->result, lane) != ARCL_OK) {
        print_failure(r, lane);
        return;
    }
    arcl_value pair = arcl_result_value(r->result, lane);
    printf("lane %u: colour %lld covers %lld %%\n", lane, (long long)arcl_value_int(arcl_value_item(pair, 0)),
           (long long)arcl_value_int(arcl_value_item(pair, 1)));
}

int main(void) {
    run r = {.result = NULL};
    arcl_error error;
    arcl_status status = prepare_and_run(&r, &error);
    if (status) fprintf(stderr, "%s\n", error.message);
    for (uint32_t lane = 0; !status && lane < arcl_result_lanes(r.result); lane++) print_lane(&r, lane);
    arcl_result_free(r.result);
    arcl_batch_free(r.batch);
    arcl_program_free(r.program);
    arcl_source_free(r.source);
    arcl_context_free(r.context);
    return status != ARCL_SUCCESS;
}
