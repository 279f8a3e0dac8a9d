/* Tests of lib/plan/planner.h with random problems and synthetic profiles: against the best of all placements, the
 * methods against each other, and against the clock. */
#include <time.h>

#include "greatest.h"
#include "plan/planner_view.h"
#include "support/planner_draft.h"

enum { RANDOM_GRAPHS = 1000 };

TEST random_trees_are_planned_best(void) {
    random_state = 88172645463325252u;
    for (int i = 0; i < RANDOM_GRAPHS; i++) {
        planner_plan plan;
        make_random(2 + i % 2, 1 + (int)random_below(10), 1, 100);
        ASSERT(solve(&plan));
        ASSERT(plan.exact);
        ASSERT(plan.predicted <= best_of_all(-1, 0) * (1 + 1e-9));
    }
    PASS();
}

TEST random_graphs_are_planned_within_5_percent(void) {
    double worst = 1;
    int exact = 0;
    random_state = 2463534242u;
    for (int i = 0; i < RANDOM_GRAPHS; i++) {
        planner_plan plan;
        make_random(2 + i % 2, 1 + (int)random_below(10), 0, i % 4 < 2 ? 3 : 100);
        ASSERT(solve(&plan));
        double ratio = plan.predicted / best_of_all(-1, 0);
        ASSERT(ratio <= (plan.exact ? 1 + 1e-9 : 1.05));
        worst = fmax(worst, ratio);
        exact += plan.exact;
    }
    printf("  random graphs: worst %.4f of the best, %d of %d proven\n", worst, exact, RANDOM_GRAPHS);
    PASS();
}

/* Above five devices a tree has too many sets of fees; and as many devices as there may be. */
TEST many_devices_are_no_obstacle(void) {
    random_state = 6220331u;
    for (int i = 0; i < 200; i++) {
        planner_plan plan;
        int few = i % 10 > 0;
        make_random(few ? 4 + i % 4 : PLANNER_DEVICES, few ? 1 + (int)random_below(5) : 2, i % 2, 100);
        ASSERT(solve(&plan));
        ASSERT(plan.predicted <= best_of_all(-1, 0) * (plan.exact ? 1 + 1e-9 : 1.05));
    }
    PASS();
}

/* The two methods know nothing of each other, and what they agree on is too large to try all placements. */
TEST the_sweep_agrees_with_the_tree(void) {
    int proven = 0;
    random_state = 521288629u;
    for (int i = 0; i < 300; i++) {
        planner_plan plan;
        planner_view view;
        make_random(2 + i % 3, 80, 1, 3);
        ASSERT(solve(&plan));
        double expected = plan.predicted;
        ASSERT(planner_view_make(&memory, &d.problem, &view));
        for (int u = 0; u < d.problem.units; u++)
            if (isfinite(*cost_of(u, HOST))) plan.device[u] = HOST;
        planner_cost(&d.problem, &plan);
        ASSERT(planner_sweep(&memory, &view, &plan));
        ASSERT(plan.predicted >= expected * (1 - 1e-9));
        if (!plan.exact) continue;
        ASSERT(plan.predicted <= expected * (1 + 1e-9));
        proven++;
    }
    ASSERT(proven >= 200);
    PASS();
}

/* From anywhere, to where no single unit's move helps. */
TEST climbing_ends_at_the_top(void) {
    random_state = 314159265u;
    for (int i = 0; i < 200; i++) {
        planner_plan plan;
        planner_view view;
        make_random(3, 15, 0, 1 + i % 15);
        lift_restrictions();
        ASSERT(solve(&plan));
        ASSERT(planner_view_make(&memory, &d.problem, &view));
        for (int u = 0; u < d.problem.units; u++) plan.device[u] = (int)random_below(3);
        double before = planner_cost(&d.problem, &plan);
        planner_climb(&view, &plan);
        double top = plan.predicted;
        ASSERT(top <= before);
        for (int u = 0; u < d.problem.units; u++) {
            int device = plan.device[u];
            for (plan.device[u] = 0; plan.device[u] < 3; plan.device[u]++)
                ASSERT(planner_cost(&d.problem, &plan) >= top * (1 - 1e-9));
            plan.device[u] = device;
        }
    }
    PASS();
}

static double single_device_cost(int device) {
    int placement[MOST_UNITS];
    uint32_t held[MOST_UNITS];
    planner_plan plan = {.device = placement, .held = held};
    for (int u = 0; u < d.problem.units; u++) placement[u] = device;
    return planner_cost(&d.problem, &plan);
}

TEST no_single_device_is_better(void) {
    random_state = 362436069u;
    for (int i = 0; i < 300; i++) {
        planner_plan plan;
        make_random(2 + i % 3, 40, i % 5 == 0, 3 + i % 40);
        lift_restrictions();
        ASSERT(solve(&plan));
        for (int device = 0; device < d.problem.devices; device++)
            ASSERT(plan.predicted <= single_device_cost(device) * (1 + 1e-9));
    }
    PASS();
}

TEST the_same_problem_has_the_same_plan(void) {
    random_state = 123456789u;
    for (int i = 0; i < 50; i++) {
        planner_plan one, two;
        make_random(3, 60, 0, 10);
        ASSERT(solve(&one));
        ASSERT(solve(&two));
        ASSERT_EQ(0, memcmp(one.device, two.device, 60 * sizeof *one.device));
        ASSERT_EQ(one.predicted, two.predicted);
    }
    PASS();
}

TEST alternatives_are_the_best_with_the_unit_elsewhere(void) {
    random_state = 987654321u;
    for (int i = 0; i < 100; i++) {
        planner_plan plan;
        double total[MOST_DEVICES];
        int next;
        make_random(3, 2 + (int)random_below(5), i % 2, 100);
        int unit = (int)random_below((uint32_t)d.problem.units);
        ASSERT(solve(&plan));
        ASSERT_EQ(ARCL_SUCCESS, planner_next_best(&d.problem, &plan, unit, total, &next, NULL));
        for (int device = 0; device < 3; device++) {
            double expected = best_of_all(unit, device);
            ASSERT(total[device] == expected || fabs(total[device] - expected) <= 1e-9 * expected);
            if (device != plan.device[unit] && isfinite(total[device]))
                ASSERT(next >= 0 && total[next] <= total[device]);
        }
        ASSERT_NEQ(next, plan.device[unit]);
    }
    PASS();
}

/* ---- time ---- */

/* Microseconds of processor time. */
static double microseconds_to_solve(planner_plan *plan) {
    clock_t before = clock();
    int solved = solve(plan);
    return solved ? (double)(clock() - before) * 1e6 / CLOCKS_PER_SEC : INFINITY;
}

/* Synthetic profile of a machine with three devices, the host, a GPU and a processor with an OpenCL driver, and a graph
 * such as programs have: most units read what has just been made. */
static void make_program_like(int units, double lanes) {
    static const double launch[3] = {300, 10e3, 3e3}, speed[3] = {1, 50, 2}, latency[3] = {0, 10e3, 1e3};
    unsigned char is_read[MOST_UNITS] = {0};
    begin(3);
    for (int u = 0; u < units; u++) {
        double work = lanes * random_size(50, 5000);
        add_unit(lanes * random_size(4, 1000));
        add_use(u && random_below(10) ? (uint32_t)u - 1 : PLANNER_INPUT);
        if (random_below(3) == 0) add_random_uses(u, 0, 4, is_read);
        for (int i = 0; i < 3; i++) *cost_of(u, i) = launch[i] + work / speed[i] * (i ? random_size(0.5, 4) : 1);
    }
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++) {
            d.latency[from * 3 + to] = latency[from] + latency[to];
            d.per_byte[from * 3 + to] = (double)((from == GPU) + (to == GPU)) / 12 + 0.05;
        }
    d.problem.input_bytes = lanes * 100;
    add_result(units - 1);
}

TEST programs_are_planned_quickly(void) {
    double sum = 0, worst = 0;
    int plans = 0, exact = 0;
    random_state = 77777u;
    for (double lanes = 1; lanes < 2e5; lanes *= 10)
        for (int i = 0; i < 50; i++) {
            planner_plan plan;
            make_program_like(60, lanes);
            double time = microseconds_to_solve(&plan);
            ASSERT(time < 1e5);
            sum += time;
            worst = fmax(worst, time);
            exact += plan.exact;
            plans++;
        }
    printf("  like programs, 60 units, 3 devices: %.0f us on average, %.0f at most, %d of %d proven\n", sum / plans,
           worst, exact, plans);
    ASSERT(exact * 10 >= plans * 9);
    PASS();
}

/* The limits have room for sanitizers and slow machines; the figures are for reading. */
TEST planning_is_quick(const char *what, int units, int is_tree, int window, double most) {
    double sum = 0, worst = 0;
    int rounds = 20;
    random_state = 5783321u;
    for (int i = 0; i < rounds; i++) {
        planner_plan plan;
        make_random(3, units, is_tree, window);
        double time = microseconds_to_solve(&plan);
        ASSERT(time < most);
        ASSERT(plan.predicted < INFINITY);
        sum += time;
        worst = fmax(worst, time);
    }
    printf("  %s, %d units, 3 devices: %.0f us on average, %.0f at most\n", what, units, sum / rounds, worst);
    PASS();
}

SUITE(random_problems) {
    RUN_TEST(random_trees_are_planned_best);
    RUN_TEST(random_graphs_are_planned_within_5_percent);
    RUN_TEST(many_devices_are_no_obstacle);
    RUN_TEST(the_sweep_agrees_with_the_tree);
    RUN_TEST(climbing_ends_at_the_top);
    RUN_TEST(no_single_device_is_better);
    RUN_TEST(the_same_problem_has_the_same_plan);
    RUN_TEST(alternatives_are_the_best_with_the_unit_elsewhere);
}

SUITE(time_to_plan) {
    RUN_TEST(programs_are_planned_quickly);
    RUN_TESTp(planning_is_quick, "trees", 60, 1, 8, 1e5);
    RUN_TESTp(planning_is_quick, "narrow graphs", 60, 0, 3, 1e5);
    RUN_TESTp(planning_is_quick, "wide graphs", 60, 0, 60, 1e6);
    RUN_TESTp(planning_is_quick, "narrow graphs", 1000, 0, 3, 1e6);
    RUN_TESTp(planning_is_quick, "wide graphs", 1000, 0, 1000, 5e6);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(random_problems);
    RUN_SUITE(time_to_plan);
    pool_free(&memory);
    GREATEST_MAIN_END();
}
