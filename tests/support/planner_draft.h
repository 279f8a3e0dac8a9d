/* Problems for the tests of the planner: put together piece by piece or at random, and solved by trying everything. All
 * profiles are synthetic. Each test program has one problem at a time. */
#ifndef PLANNER_DRAFT_H
#define PLANNER_DRAFT_H
#include <math.h>
#include <string.h>

#include "plan/planner.h"

enum { HOST, GPU, MOST_UNITS = 1000, MOST_USES = 4, MOST_DEVICES = PLANNER_DEVICES };

/* A problem that is being built, with its storage. */
typedef struct draft {
    planner_problem problem;
    planner_unit unit[MOST_UNITS];
    uint32_t use[MOST_UNITS * MOST_USES], result[MOST_UNITS];
    double cost[MOST_UNITS * MOST_DEVICES];
    double start[MOST_DEVICES], latency[MOST_DEVICES * MOST_DEVICES], per_byte[MOST_DEVICES * MOST_DEVICES];
    uint32_t uses;
} draft;

static draft d;
static pool memory;

static inline void begin(int devices) {
    memset(&d, 0, sizeof d);
    d.problem = (planner_problem){.devices = devices,
                                  .unit = d.unit,
                                  .use = d.use,
                                  .result = d.result,
                                  .cost = d.cost,
                                  .start = d.start,
                                  .latency = d.latency,
                                  .per_byte = d.per_byte,
                                  .input_on = 1};
    pool_reset(&memory);
}

static inline int add_unit(double bytes) {
    int unit = d.problem.units++;
    d.unit[unit] = (planner_unit){.first_use = d.uses, .bytes = bytes};
    return unit;
}

/* Of the latest unit. */
static inline void add_use(uint32_t value) {
    d.use[d.uses++] = value;
    d.unit[d.problem.units - 1].uses++;
}

static inline void add_result(int unit) { d.result[d.problem.results++] = (uint32_t)unit; }

static inline double *cost_of(int unit, int device) { return &d.cost[unit * d.problem.devices + device]; }

static inline int solve(planner_plan *plan) {
    arcl_error error;
    return planner_solve(&memory, &d.problem, plan, &error) == ARCL_SUCCESS;
}

/* ---- random problems ---- */

static uint64_t random_state;

static inline uint32_t random_below(uint32_t end) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) * end >> 32);
}

/* Evenly spread over the orders of magnitude, so that no kind of cost always decides. */
static inline double random_size(double least, double most) {
    return least * exp(random_below(1000000) / 1e6 * log(most / least));
}

/* Reads among the `window` units before, or the input. */
static inline void add_random_uses(int unit, int is_tree, int window, unsigned char *is_read) {
    int uses = (int)random_below(MOST_USES), first = unit > window ? unit - window : 0;
    for (int i = 0; i < uses; i++) {
        int value = first + (int)random_below((uint32_t)(unit - first + 1));
        if (value == unit)
            add_use(PLANNER_INPUT);
        else if (!is_tree || !is_read[value]) {
            add_use((uint32_t)value);
            is_read[value] = 1;
        }
    }
}

/* Other devices cannot run one unit in ten; the host can run most of them. */
static inline void add_random_costs(int unit) {
    int devices = d.problem.devices;
    double base = random_size(1e3, 1e5);
    for (int i = 0; i < devices; i++) {
        *cost_of(unit, i) = base * random_size(0.2, 5);
        if (i && random_below(10) == 0) *cost_of(unit, i) = INFINITY;
    }
    if (isfinite(*cost_of(unit, 1)) && random_below(30) == 0) *cost_of(unit, HOST) = INFINITY;
}

static inline void set_random_moves(int over_host) {
    int n = d.problem.devices;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            d.latency[from * n + to] = random_size(500, 2e4);
            d.per_byte[from * n + to] = random_size(0.02, 1);
        }
    for (int from = 1; over_host && from < n; from++)
        for (int to = 1; to < n; to++) {
            d.latency[from * n + to] = d.latency[from * n] + d.latency[to];
            d.per_byte[from * n + to] = d.per_byte[from * n] + d.per_byte[to];
        }
}

static inline void make_random(int devices, int units, int is_tree, int window) {
    unsigned char is_read[MOST_UNITS] = {0};
    begin(devices);
    for (int u = 0; u < units; u++) {
        add_unit(random_size(100, 1e5));
        add_random_uses(u, is_tree, window, is_read);
        add_random_costs(u);
    }
    set_random_moves(random_below(2) == 0);
    for (int i = 0; i < devices; i++) d.start[i] = random_below(2) ? random_size(1e3, 3e4) : 0;
    d.problem.input_bytes = random_size(100, 1e5);
    if (random_below(4) == 0) d.problem.input_on |= random_below(0xffffffffu) >> (32 - devices);
    add_result(units - 1);
    for (int u = 0; random_below(2) && u < units; u += 2) add_result((int)random_below((uint32_t)units));
}

/* Everything can run everywhere, so that there are single-device plans. */
static inline void lift_restrictions(void) {
    for (int i = 0; i < d.problem.units * d.problem.devices; i++)
        if (!isfinite(d.cost[i])) d.cost[i] = 1e4;
}

/* The least cost of all placements; with one unit kept where it is told, if that is not -1. */
static inline double best_of_all(int unit, int device) {
    int placement[MOST_UNITS] = {0}, i;
    uint32_t held[MOST_UNITS];
    planner_plan plan = {.device = placement, .held = held};
    double best = INFINITY;
    do {
        if (unit < 0 || placement[unit] == device) best = fmin(best, planner_cost(&d.problem, &plan));
        for (i = 0; i < d.problem.units && ++placement[i] == d.problem.devices; i++) placement[i] = 0;
    } while (i < d.problem.units);
    return best;
}

#endif
