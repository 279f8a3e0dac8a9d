/* The host runs everything once for the results that are expected; then each device, the host among them, is
 * measured. */
#include "commands/bench/bench_op.h"

#include <string.h>

#include "cli/messages.h"
#include "cli/stopwatch.h"

typedef struct op_run {
    const bench_case *one;
    const bench_lanes *lanes;
    bench_table *table;
    arcl_result *expected[BENCH_MOST_LANES];
    int differs;
    arcl_error error;
} op_run;

static arcl_status make_batch(arcl_context *context, const op_run *run, int n, arcl_batch **batch, arcl_error *error) {
    return bench_inputs_make(context, run->one->count, run->one->kinds, run->lanes->values[n], run->table->side, batch,
                             error);
}

/* An op that mostly fails is quick for the wrong reason. */
static void warn_of_failures(const op_run *run, const arcl_result *result) {
    uint32_t failed = 0, lanes = arcl_result_lanes(result);
    for (uint32_t lane = 0; lane < lanes; lane++) failed += arcl_result_status(result, lane) != ARCL_OK;
    if (failed > lanes / 2) message_note("%s: %u of %u lanes fail; its times say little", run->one->op, failed, lanes);
}

static arcl_status expect(arcl_context *context, op_run *run) {
    arcl_program *program = NULL;
    arcl_status status = bench_case_compile(context, run->one, &program, &run->error);
    for (int n = 0; !status && n < run->lanes->count; n++) {
        arcl_batch *batch = NULL;
        status = make_batch(context, run, n, &batch, &run->error);
        if (!status) status = arcl_run(context, program, batch, &run->expected[n], &run->error);
        if (!status && n == run->lanes->count - 1) warn_of_failures(run, run->expected[n]);
        arcl_batch_free(batch);
    }
    arcl_program_free(program);
    return status;
}

static void compare(op_run *run, const bench_row *row, const arcl_result *expected, const arcl_result *result) {
    int64_t lane = bench_difference(expected, result);
    if (lane < 0) return;
    message_error("%s with %u lanes: lane %lld on %s is not what the host computes", row->op, row->lanes,
                  (long long)lane, run->table->devices[row->device].id);
    run->differs = 1;
}

static arcl_status measure_lanes(arcl_context *context, op_run *run, const arcl_program *program, int n,
                                 bench_row *row) {
    arcl_batch *batch = NULL;
    arcl_result *result = NULL;
    arcl_status status = make_batch(context, run, n, &batch, &run->error);
    if (!status) status = bench_measure(context, program, batch, &row->times, &result, &run->error);
    if (!status) compare(run, row, run->expected[n], result);
    arcl_result_free(result);
    arcl_batch_free(batch);
    return status;
}

static arcl_status measure_device(arcl_context *context, op_run *run, int device) {
    arcl_program *program = NULL;
    double start = stopwatch_now();
    arcl_status status = bench_case_compile(context, run->one, &program, &run->error);
    double compiled = stopwatch_now() - start;
    for (int n = 0; !status && n < run->lanes->count; n++) {
        bench_row *row = &run->table->rows[run->table->count];
        *row = (bench_row){run->one->op, device, run->lanes->values[n], {.compile = compiled}};
        message_progress(row->op, run->table->count, run->table->expected);
        status = measure_lanes(context, run, program, n, row);
        if (status) break;
        run->table->count++;
        message_progress_end();
        bench_table_print(run->table, row);
    }
    arcl_program_free(program);
    return status;
}

int bench_op(const bench_case *one, const bench_lanes *lanes, const bench_devices *devices, bench_table *table) {
    op_run run = {.one = one, .lanes = lanes, .table = table};
    arcl_status status = expect(devices->reference, &run);
    for (int i = 0; !status && i < table->device_count; i++) status = measure_device(devices->contexts[i], &run, i);
    for (int n = 0; n < lanes->count; n++) arcl_result_free(run.expected[n]);
    if (status) message_error("%s: %s", one->op, run.error.message);
    return status == ARCL_DEVICE_FAILED ? CLI_DEVICE : status ? CLI_BAD : run.differs ? CLI_MISMATCH : CLI_DONE;
}
