/* Tests of lib/plan/planner.h with synthetic profiles that have a known answer. */
#include "plan/planner.h"

#include "greatest.h"
#include "plan/planner_view.h"
#include "support/planner_draft.h"

/* ---- a GPU-like device ---- */

/* Synthetic profile: launches of 10 us, 12 GB/s and 10 us for transfers, 50 times the host's throughput. */
static void begin_gpu(void) {
    begin(2);
    d.latency[HOST * 2 + GPU] = d.latency[GPU * 2 + HOST] = 10e3;
    d.per_byte[HOST * 2 + GPU] = d.per_byte[GPU * 2 + HOST] = 1 / 12.0;
}

static int add_gpu_unit(double elements, double bytes) {
    int unit = add_unit(bytes);
    *cost_of(unit, HOST) = 300 + 2 * elements;
    *cost_of(unit, GPU) = 10e3 + 2 * elements / 50;
    return unit;
}

/* A chain in which everything has as many elements, of a byte each. */
static void make_gpu_chain(int units, double elements) {
    begin_gpu();
    d.problem.input_bytes = elements;
    for (int u = 0; u < units; u++) {
        add_gpu_unit(elements, elements);
        add_use(u ? (uint32_t)u - 1 : PLANNER_INPUT);
    }
    add_result(units - 1);
}

static int units_on(const planner_plan *plan, int device) {
    int count = 0;
    for (int u = 0; u < d.problem.units; u++) count += plan->device[u] == device;
    return count;
}

TEST small_batches_stay_on_the_host(void) {
    planner_plan plan;
    make_gpu_chain(8, 400);
    ASSERT(solve(&plan));
    ASSERT_EQ_FMT(8, units_on(&plan, HOST), "%d");
    ASSERT(plan.exact);
    ASSERT_EQ(0, plan.moved_bytes);
    PASS();
}

TEST large_batches_go_to_the_device_together(void) {
    planner_plan plan;
    make_gpu_chain(8, 1e6);
    ASSERT(solve(&plan));
    ASSERT_EQ_FMT(8, units_on(&plan, GPU), "%d");
    ASSERT(plan.exact);
    ASSERT_EQ(2e6, plan.moved_bytes);
    ASSERT_EQ((uint32_t)1 << HOST | 1 << GPU, plan.input_held);
    ASSERT_EQ((uint32_t)1 << GPU, plan.held[0]);
    ASSERT_EQ((uint32_t)1 << HOST | 1 << GPU, plan.held[7]);
    PASS();
}

/* A chain is on one side, whatever its size, and changes sides once. */
TEST chains_stay_together_and_flip_once(void) {
    int flips = 0, before = 0;
    for (double elements = 100; elements < 1e8; elements *= 1.3) {
        planner_plan plan;
        make_gpu_chain(12, elements);
        ASSERT(solve(&plan));
        int on_gpu = units_on(&plan, GPU);
        ASSERT(on_gpu == 0 || on_gpu == 12);
        ASSERT(on_gpu >= before);
        flips += on_gpu != before;
        before = on_gpu;
    }
    ASSERT_EQ_FMT(1, flips, "%d");
    PASS();
}

/* Both ends of the chain are too much for the host, unit 3 cannot run anywhere else, and the sizes in between differ:
 *
 *     input -> 0 -1M-> 1 -10k-> 2 -1M-> 3 -1M-> 4 -20k-> 5 -1M-> 6 -> result
 *                        cheapest     host only   cheapest
 */
TEST a_host_only_unit_moves_the_cut_to_the_cheapest_edge(void) {
    static const double bytes[7] = {1e6, 10e3, 1e6, 1e6, 20e3, 1e6, 1e6};
    static const double elements[7] = {1e6, 5e3, 5e3, 5e3, 5e3, 5e3, 1e6};
    static const int expected[7] = {GPU, GPU, HOST, HOST, HOST, GPU, GPU};
    planner_plan plan;
    begin_gpu();
    d.problem.input_bytes = 1e6;
    for (int u = 0; u < 7; u++) {
        add_gpu_unit(elements[u], bytes[u]);
        add_use(u ? (uint32_t)u - 1 : PLANNER_INPUT);
    }
    *cost_of(3, GPU) = INFINITY;
    add_result(6);
    ASSERT(solve(&plan));
    for (int u = 0; u < 7; u++) ASSERT_EQ_FMT(expected[u], plan.device[u], "%d");
    ASSERT_EQ(1e6 + 10e3 + 20e3 + 1e6, plan.moved_bytes);
    PASS();
}

TEST a_resident_input_shifts_the_choice(void) {
    planner_plan plan;
    make_gpu_chain(1, 14e3);
    d.unit[0].bytes = 100;
    ASSERT(solve(&plan));
    ASSERT_EQ(HOST, plan.device[0]);
    d.problem.input_on |= 1 << GPU;
    ASSERT(solve(&plan));
    ASSERT_EQ(GPU, plan.device[0]);
    ASSERT_EQ(100, plan.moved_bytes);
    PASS();
}

TEST the_start_of_a_device_must_pay(void) {
    planner_plan plan;
    make_gpu_chain(8, 1e5);
    ASSERT(solve(&plan));
    ASSERT_EQ_FMT(8, units_on(&plan, GPU), "%d");
    double without = plan.predicted;
    d.start[GPU] = 1e5;
    ASSERT(solve(&plan));
    ASSERT_EQ_FMT(8, units_on(&plan, GPU), "%d");
    ASSERT_EQ(without + 1e5, plan.predicted);
    d.start[GPU] = 1e8;
    ASSERT(solve(&plan));
    ASSERT_EQ_FMT(8, units_on(&plan, HOST), "%d");
    PASS();
}

/* Value 0 is made by the host alone and read by three units on the device, one of which reads it twice. */
TEST a_value_is_moved_once_to_many_readers(void) {
    planner_plan plan;
    begin_gpu();
    add_gpu_unit(1e3, 6e6);
    *cost_of(0, GPU) = INFINITY;
    add_use(PLANNER_INPUT);
    for (int u = 1; u < 4; u++) {
        add_gpu_unit(1e6, 100);
        add_use(0);
    }
    add_use(0);
    add_result(3);
    ASSERT(solve(&plan));
    ASSERT_EQ_FMT(3, units_on(&plan, GPU), "%d");
    ASSERT_EQ((uint32_t)1 << HOST | 1 << GPU, plan.held[0]);
    ASSERT_EQ(6e6 + 100, plan.moved_bytes);
    double expected = 300 + 2e3 + 3 * (10e3 + 2e6 / 50) + 10e3 + 6e6 / 12 + 10e3 + 100 / 12.0;
    ASSERT(fabs(plan.predicted - expected) < 1e-6 * expected);
    PASS();
}

TEST reading_twice_is_one_reader(void) {
    planner_view view;
    make_gpu_chain(2, 100);
    add_use(PLANNER_INPUT);
    add_use(0);
    ASSERT(planner_view_make(&memory, &d.problem, &view));
    ASSERT_EQ_FMT(1, planner_readers(&view, 0), "%d");
    ASSERT_EQ_FMT(0, planner_readers(&view, 1), "%d");
    ASSERT_EQ_FMT(2, planner_readers(&view, 2), "%d");
    ASSERT_EQ_FMT(1u, view.reader[view.first_reader[0]], "%u");
    PASS();
}

TEST a_unit_with_one_device_has_no_alternative(void) {
    planner_plan plan;
    double total[2];
    int next;
    make_gpu_chain(2, 1e6);
    *cost_of(1, HOST) = INFINITY;
    ASSERT(solve(&plan));
    ASSERT_EQ(ARCL_SUCCESS, planner_next_best(&d.problem, &plan, 1, total, &next, NULL));
    ASSERT_EQ(-1, next);
    ASSERT(isinf(total[HOST]));
    ASSERT_EQ(plan.predicted, total[GPU]);
    PASS();
}

/* ---- what makes no sense ---- */

TEST impossible_problems_are_refused(void) {
    planner_plan plan;
    arcl_error error;
    make_gpu_chain(3, 100);
    *cost_of(1, HOST) = *cost_of(1, GPU) = INFINITY;
    ASSERT_EQ(ARCL_INVALID, planner_solve(&memory, &d.problem, &plan, &error));
    ASSERT_STR_EQ("unit 1 can run on no device", error.message);
    make_gpu_chain(3, 100);
    d.use[1] = 2;
    ASSERT_EQ(ARCL_INVALID, planner_solve(&memory, &d.problem, &plan, &error));
    ASSERT_STR_EQ("unit 1 reads unit 2, which does not come before it", error.message);
    make_gpu_chain(3, 100);
    d.result[0] = 3;
    ASSERT_EQ(ARCL_INVALID, planner_solve(&memory, &d.problem, &plan, NULL));
    make_gpu_chain(3, 100);
    d.problem.devices = PLANNER_DEVICES + 1;
    ASSERT_EQ(ARCL_INVALID, planner_solve(&memory, &d.problem, &plan, NULL));
    PASS();
}

TEST nothing_to_do_costs_nothing(void) {
    planner_plan plan;
    begin(3);
    ASSERT(solve(&plan));
    ASSERT_EQ(0, plan.predicted);
    ASSERT(plan.exact);
    PASS();
}

SUITE(planner) {
    RUN_TEST(small_batches_stay_on_the_host);
    RUN_TEST(large_batches_go_to_the_device_together);
    RUN_TEST(chains_stay_together_and_flip_once);
    RUN_TEST(a_host_only_unit_moves_the_cut_to_the_cheapest_edge);
    RUN_TEST(a_resident_input_shifts_the_choice);
    RUN_TEST(the_start_of_a_device_must_pay);
    RUN_TEST(a_value_is_moved_once_to_many_readers);
    RUN_TEST(reading_twice_is_one_reader);
    RUN_TEST(a_unit_with_one_device_has_no_alternative);
    RUN_TEST(impossible_problems_are_refused);
    RUN_TEST(nothing_to_do_costs_nothing);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(planner);
    pool_free(&memory);
    GREATEST_MAIN_END();
}
