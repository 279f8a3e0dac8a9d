/* The host runs everything once for the results that are expected; then each device, the host among them, is measured:
 * first the run that builds kernels and moves inputs, then the repetitions of all devices and numbers of lanes in
 * turn. */
#include "commands/bench/bench_op.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/stopwatch.h"

/* A row that is being measured. */
typedef struct measurement {
    arcl_context *context;
    const arcl_program *program; /* of its device */
    arcl_batch *batch;
    bench_row *row;
} measurement;

typedef struct op_run {
    const bench_case *one;
    const bench_lanes *lanes;
    bench_table *table;
    arcl_result *expected[BENCH_MOST_LANES];
    bench_amount outputs[BENCH_MOST_LANES];
    arcl_program *programs[BENCH_MOST_DEVICES];
    measurement *all; /* by device, then by lanes */
    int count;
    int report; /* --report: what runs is counted for it */
    int differs;
    arcl_error error;
} op_run;

/* Whoever interrupts wants to see what there is. */
static arcl_status go_on(op_run *run) {
    if (!interrupt_has_come()) return ARCL_SUCCESS;
    snprintf(run->error.message, sizeof run->error.message, "interrupted");
    return ARCL_CANCELLED;
}

static arcl_status make_batch(arcl_context *context, op_run *run, int n, arcl_batch **batch, bench_amount *amount) {
    return bench_inputs_make(context, run->one->count, run->one->kinds, run->lanes->values[n], run->table->side, batch,
                             amount, &run->error);
}

/* ---- what is expected ---- */

/* An op that mostly fails is quick for the wrong reason. */
static void warn_of_failures(const op_run *run, const arcl_result *result) {
    uint32_t failed = 0, lanes = arcl_result_lanes(result);
    for (uint32_t lane = 0; lane < lanes; lane++) failed += arcl_result_status(result, lane) != ARCL_OK;
    if (failed > lanes / 2) message_note("%s: %u of %u lanes fail; its times say little", run->one->op, failed, lanes);
}

static void add_value(arcl_value value, bench_amount *amount) {
    arcl_kind kind = arcl_value_kind(value);
    if (kind == ARCL_INT || kind == ARCL_BOOL) amount->bytes += sizeof(int64_t);
    for (uint32_t i = 0; i < arcl_value_count(value); i++) add_value(arcl_value_item(value, i), amount);
}

static void add_outputs(const arcl_result *result, bench_amount *amount) {
    for (uint32_t lane = 0; lane < arcl_result_lanes(result); lane++) {
        int h, w;
        if (!arcl_result_grid(result, lane, &h, &w)) {
            add_value(arcl_result_value(result, lane), amount);
            continue;
        }
        amount->cells += (uint64_t)(h * w);
        amount->bytes += (uint64_t)(h * w);
    }
}

static arcl_status expect(arcl_context *context, op_run *run) {
    arcl_program *program = NULL;
    arcl_status status = bench_case_compile(context, run->one, &program, &run->error);
    for (int n = 0; !status && n < run->lanes->count; n++) {
        arcl_batch *batch = NULL;
        status = make_batch(context, run, n, &batch, NULL);
        if (!status) status = arcl_run(context, program, batch, &run->expected[n], &run->error);
        if (!status) add_outputs(run->expected[n], &run->outputs[n]);
        if (!status && n == run->lanes->count - 1) warn_of_failures(run, run->expected[n]);
        arcl_batch_free(batch);
        if (!status) status = go_on(run);
    }
    arcl_program_free(program);
    return status;
}

/* ---- measuring ---- */

static void compare(op_run *run, const bench_row *row, const arcl_result *expected, const arcl_result *result) {
    int64_t lane = bench_difference(expected, result);
    if (lane < 0) return;
    message_error("%s with %u lanes: lane %lld on %s is not what the host computes", row->op, row->lanes,
                  (long long)lane, run->table->devices[row->device].id);
    run->differs = 1;
}

/* The first run of a row. */
static arcl_status begin(op_run *run, measurement *m, int n) {
    arcl_result *result = NULL;
    arcl_status status = make_batch(m->context, run, n, &m->batch, &m->row->amount);
    if (!status) status = bench_begin(m->context, m->program, m->batch, &m->row->times, &result, &run->error);
    if (!status) compare(run, m->row, run->expected[n], result);
    arcl_result_free(result);
    return status ? status : go_on(run);
}

static arcl_status begin_device(arcl_context *context, op_run *run, int device) {
    double start = stopwatch_now();
    arcl_status status = bench_case_compile(context, run->one, &run->programs[device], &run->error);
    double compiled = stopwatch_now() - start;
    for (int n = 0; !status && n < run->lanes->count; n++) {
        bench_row *row = &run->table->rows[run->table->count + (size_t)run->count];
        *row = (bench_row){.op = run->one->op,
                           .device = device,
                           .lanes = run->lanes->values[n],
                           .amount = run->outputs[n],
                           .times = {.compile = compiled}};
        measurement *m = &run->all[run->count++];
        *m = (measurement){context, run->programs[device], NULL, row};
        status = begin(run, m, n);
    }
    return status;
}

static void show_progress(const op_run *run, int repetition) {
    const bench_table *table = run->table;
    uint64_t each = (uint64_t)table->repetitions;
    message_progress(run->one->op, (uint64_t)table->count * each + (uint64_t)(repetition * run->count),
                     (uint64_t)table->expected * each);
}

static arcl_status repeat(op_run *run) {
    arcl_status status = ARCL_SUCCESS;
    for (int r = 0; !status && r < run->table->repetitions; r++) {
        show_progress(run, r);
        for (int i = 0; !status && i < run->count; i++) {
            measurement *m = &run->all[i];
            status = bench_repeat(m->context, m->program, m->batch, run->table->seconds, &m->row->times, &run->error);
            if (!status) status = go_on(run);
        }
    }
    for (int i = 0; !status && i < run->count; i++) {
        measurement *m = &run->all[i];
        status = bench_look_inside(m->context, m->program, m->batch, run->table->seconds, run->report, &m->row->times,
                                   &run->error);
    }
    return status;
}

/* ---- all of it ---- */

/* Rows of which each has been repeated belong to the table, also when that was ended early. */
static void keep_rows(op_run *run) {
    bench_table *table = run->table;
    int wanted = run->lanes->count * table->device_count;
    if (run->count < wanted || !run->all[run->count - 1].row->times.count) return;
    message_progress_end();
    for (int i = 0; i < run->count; i++) {
        bench_row *row = run->all[i].row;
        row->sum = bench_sum_up(&row->times);
        table->count++;
        bench_table_print(table, row);
    }
}

static int exit_status(const op_run *run, arcl_status status) {
    if (status == ARCL_CANCELLED && interrupt_has_come()) return CLI_DONE;
    if (status) message_error("%s: %s", run->one->op, run->error.message);
    return status == ARCL_DEVICE_FAILED ? CLI_DEVICE : status ? CLI_BAD : run->differs ? CLI_MISMATCH : CLI_DONE;
}

int bench_op(const bench_case *one, const bench_lanes *lanes, const bench_devices *devices, bench_table *table) {
    op_run run = {.one = one, .lanes = lanes, .table = table, .report = devices->report};
    run.all = allocation_get((size_t)(lanes->count * table->device_count), sizeof *run.all);
    show_progress(&run, 0);
    arcl_status status = expect(devices->reference, &run);
    for (int i = 0; !status && i < table->device_count; i++) status = begin_device(devices->contexts[i], &run, i);
    if (!status) status = repeat(&run);
    if (!status || status == ARCL_CANCELLED) keep_rows(&run);
    for (int i = 0; i < run.count; i++) arcl_batch_free(run.all[i].batch);
    for (int i = 0; i < table->device_count; i++) arcl_program_free(run.programs[i]);
    for (int n = 0; n < lanes->count; n++) arcl_result_free(run.expected[n]);
    free(run.all);
    return exit_status(&run, status);
}
