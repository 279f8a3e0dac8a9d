/* Plans any program by going through its units once, with many partial plans at a time.
 *
 * What later units can notice of a partial plan is its state: which devices are started, and for each value that still
 * has readers, who made it and who holds it. Of partial plans with the same state only the cheapest goes on, and that
 * only if it can become better than the best known plan, as planner_bound.c tells. Usually few are left. If there are
 * more than the width of the sweep, the less promising ones are dropped, and the outcome is not known to be the best
 * any more.
 *
 * A state is a few words of bits, divided into fields of equal size:
 *
 *     | field 0: started | field 1: a value | field 2: a value | ...
 *                        | holders | maker  | holders | maker  |
 *
 * A field is used again once the last reader of its value has run. */
#include <limits.h>
#include <string.h>

#include "plan/planner_view.h"

/* A narrow sweep finds a plan with which a wide one can drop more. The wide one is as wide as the effort allows: so
 * many partial plans are some milliseconds' work. */
#define NARROW 16
#define WIDE 128
#define EFFORT 25000

typedef struct field {
    int word, shift;
} field;

typedef struct state {
    double cost, rest; /* so far; from here on, at least */
    int parent;        /* among the states before */
    int device;        /* of the latest unit */
} state;

typedef struct states {
    int count;
    state *state;
    uint64_t *bits; /* [state * words] */
} states;

/* How a state came about. */
typedef struct step {
    uint16_t parent, device;
} step;

typedef struct sweep {
    const planner_view *view;
    planner_bound bound;
    field *field; /* [value] */
    int field_bits, words;
    uint64_t *expiring; /* fields of values that the present unit is the last to read */
    int width;
    states now, next;
    uint32_t *table, table_size; /* finds states of `next` by their bits: index + 1, or 0 */
    double *totals;              /* room to find the most promising ones in */
    step **history;              /* [unit]: the steps to the states after it */
    double limit;                /* the best known plan's cost */
    int complete;                /* nothing was dropped for want of room */
} sweep;

/* ---- fields ---- */

static const field started = {0, 0};

static uint64_t get_field(const sweep *s, const uint64_t *bits, field f) {
    return bits[f.word] >> f.shift & (((uint64_t)1 << s->field_bits) - 1);
}

static void add_to_field(uint64_t *bits, field f, uint64_t what) { bits[f.word] |= what << f.shift; }

static int maker_device(const sweep *s, const uint64_t *bits, int value) {
    return (int)(get_field(s, bits, s->field[value]) >> s->view->problem->devices);
}

static int last_reader(const planner_view *v, int value) { return (int)v->reader[v->first_reader[value + 1] - 1]; }

/* The first field whose value is not read after the maker has run. */
static void choose_field(sweep *s, int value, int maker, int *busy_until, int *count) {
    int i = 0, per_word = 64 / s->field_bits;
    if (!planner_readers(s->view, value)) return;
    while (i < *count && busy_until[i] > maker) i++;
    if (i == *count) ++*count;
    busy_until[i] = last_reader(s->view, value);
    s->field[value] = (field){i / per_word, i % per_word * s->field_bits};
}

static int choose_fields(pool *memory, sweep *s) {
    const planner_problem *p = s->view->problem;
    size_t values = (size_t)p->units + 1;
    int *busy_until = pool_get(memory, (values + 1) * sizeof *busy_until), count = 1;
    s->field = pool_get(memory, values * sizeof *s->field);
    if (!busy_until || !s->field) return 0;
    int device_bits = 0;
    while (1 << device_bits < p->devices) device_bits++;
    s->field_bits = p->devices + device_bits;
    busy_until[0] = INT_MAX;
    choose_field(s, p->units, -1, busy_until, &count);
    for (int u = 0; u < p->units; u++) choose_field(s, u, u, busy_until, &count);
    s->words = (count - 1) / (64 / s->field_bits) + 1;
    return 1;
}

static void find_expiring(sweep *s, int unit) {
    const planner_problem *p = s->view->problem;
    memset(s->expiring, 0, (size_t)s->words * sizeof *s->expiring);
    for (uint32_t i = 0; i < p->unit[unit].uses; i++) {
        int value = planner_value_of(p, p->use[p->unit[unit].first_use + i]);
        if (last_reader(s->view, value) == unit)
            add_to_field(s->expiring, s->field[value], ((uint64_t)1 << s->field_bits) - 1);
    }
}

/* ---- from one state to the next ---- */

static int is_promising(const sweep *s, const state *next) { return next->cost + next->rest < s->limit; }

/* What has to be moved for a unit on a device. */
static double fetch(const sweep *s, uint64_t *bits, int unit, int device) {
    const planner_problem *p = s->view->problem;
    double cost = 0;
    for (uint32_t i = 0; i < p->unit[unit].uses; i++) {
        int value = planner_value_of(p, p->use[p->unit[unit].first_use + i]);
        uint64_t code = get_field(s, bits, s->field[value]);
        if (code >> device & 1) continue;
        double bytes = value == p->units ? p->input_bytes : p->unit[value].bytes;
        cost += planner_move_cost(p, bytes, (int)(code >> p->devices), device);
        add_to_field(bits, s->field[value], (uint64_t)1 << device);
    }
    return cost;
}

/* Runs a unit on a device after a state; 0 if that leads to nothing. */
static int extend(const sweep *s, int unit, int device, int from, state *next, uint64_t *bits) {
    const planner_problem *p = s->view->problem;
    const state *before = &s->now.state[from];
    const uint64_t *bits_before = &s->now.bits[from * s->words];
    int lead = s->bound.lead[unit], lead_device = lead == p->units ? 0 : maker_device(s, bits_before, lead);
    *next = (state){.cost = before->cost + planner_unit_cost(p, unit, device),
                    .rest = before->rest - s->bound.with[unit * p->devices + lead_device] +
                            s->bound.after[unit * p->devices + device],
                    .parent = from,
                    .device = device};
    if (!is_promising(s, next)) return 0;

    memcpy(bits, bits_before, (size_t)s->words * sizeof *bits);
    if (!(get_field(s, bits, started) >> device & 1)) next->cost += p->start[device];
    add_to_field(bits, started, (uint64_t)1 << device);
    next->cost += fetch(s, bits, unit, device);
    for (int i = 0; i < s->words; i++) bits[i] &= ~s->expiring[i];
    uint64_t holders = (uint64_t)1 << device;
    if (s->view->is_result[unit]) {
        next->cost += planner_move_cost(p, p->unit[unit].bytes, device, 0);
        holders |= 1;
    }
    if (planner_readers(s->view, unit)) add_to_field(bits, s->field[unit], holders | (uint64_t)device << p->devices);
    return is_promising(s, next);
}

/* ---- all states after a unit ---- */

static uint32_t hash(const uint64_t *bits, int words) {
    uint64_t h = 0;
    for (int i = 0; i < words; i++) h = (h ^ bits[i] ^ h >> 29) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

/* Where the state is in the table, or could be. */
static uint32_t find(const sweep *s, const uint64_t *bits) {
    size_t size = (size_t)s->words * sizeof *bits;
    uint32_t mask = s->table_size - 1, i = hash(bits, s->words) & mask;
    while (s->table[i] && memcmp(&s->next.bits[(s->table[i] - 1) * (uint32_t)s->words], bits, size) != 0)
        i = (i + 1) & mask;
    return i;
}

static void clear_table(sweep *s) {
    s->table_size = 16;
    while (s->table_size < 2 * (uint32_t)(s->now.count * s->view->problem->devices)) s->table_size *= 2;
    memset(s->table, 0, s->table_size * sizeof *s->table);
}

static void make_next(sweep *s, int unit) {
    states *next = &s->next;
    next->count = 0;
    clear_table(s);
    find_expiring(s, unit);
    for (int from = 0; from < s->now.count; from++)
        for (int d = 0; d < s->view->problem->devices; d++) {
            state *made = &next->state[next->count];
            uint64_t *bits = &next->bits[next->count * s->words];
            if (!extend(s, unit, d, from, made, bits)) continue;
            uint32_t *at = &s->table[find(s, bits)];
            if (!*at)
                *at = (uint32_t)++next->count;
            else if (made->cost < next->state[*at - 1].cost)
                next->state[*at - 1] = *made;
        }
}

/* The total that is number n of `count` in ascending order. Hoare's way; it moves them about. */
static double nth_total(double *total, int count, int n) {
    int low = 0, high = count - 1;
    while (low < high) {
        double pivot = total[n];
        int i = low, j = high;
        while (i <= j) {
            while (total[i] < pivot) i++;
            while (total[j] > pivot) j--;
            if (i > j) break;
            double t = total[i];
            total[i++] = total[j];
            total[j--] = t;
        }
        if (j < n) low = i;
        if (i > n) high = j;
    }
    return total[n];
}

/* Keeps the most promising states, as many as the width; of equal ones the first. */
static void narrow(sweep *s) {
    states *next = &s->next;
    int kept = 0, ties = s->width;
    if (next->count <= s->width) return;
    for (int i = 0; i < next->count; i++) s->totals[i] = next->state[i].cost + next->state[i].rest;
    double worst = nth_total(s->totals, next->count, s->width - 1);
    for (int i = 0; i < next->count; i++) ties -= next->state[i].cost + next->state[i].rest < worst;
    for (int i = 0; i < next->count; i++) {
        double total = next->state[i].cost + next->state[i].rest;
        if (total > worst || (total == worst && ties-- <= 0)) continue;
        next->state[kept] = next->state[i];
        memmove(&next->bits[kept * s->words], &next->bits[i * s->words], (size_t)s->words * sizeof *next->bits);
        kept++;
    }
    next->count = kept;
    s->complete = 0;
}

/* ---- one sweep ---- */

static void begin(sweep *s) {
    const planner_problem *p = s->view->problem;
    uint64_t free_starts = 1, all = ((uint64_t)1 << p->devices) - 1;
    for (int d = 0; d < p->devices; d++)
        if (!(p->start[d] > 0)) free_starts |= (uint64_t)1 << d;
    s->complete = 1;
    s->now.count = 1;
    s->now.state[0] = (state){.cost = p->start[0], .rest = s->bound.after[p->units * p->devices]};
    memset(s->now.bits, 0, (size_t)s->words * sizeof *s->now.bits);
    add_to_field(s->now.bits, started, free_starts);
    if (planner_readers(s->view, p->units)) add_to_field(s->now.bits, s->field[p->units], planner_input_free(p) & all);
}

static int note_steps(pool *memory, sweep *s, int unit) {
    step *steps = pool_get(memory, (size_t)s->next.count * sizeof *steps);
    if (!steps) return 0;
    for (int i = 0; i < s->next.count; i++)
        steps[i] = (step){(uint16_t)s->next.state[i].parent, (uint16_t)s->next.state[i].device};
    s->history[unit] = steps;
    return 1;
}

/* The states that are left at the end differ in the devices that are started. There is none if nothing is better than
 * the plan. */
static void take_plan(sweep *s, planner_plan *plan) {
    int at = 0;
    if (!s->now.count) return;
    for (int i = 1; i < s->now.count; i++)
        if (s->now.state[i].cost < s->now.state[at].cost) at = i;
    for (int u = s->view->problem->units - 1; u >= 0; u--) {
        plan->device[u] = s->history[u][at].device;
        at = s->history[u][at].parent;
    }
    planner_cost(s->view->problem, plan);
}

static int sweep_once(pool *memory, sweep *s, int width, planner_plan *plan) {
    s->width = width;
    begin(s);
    for (int u = 0; u < s->view->problem->units && s->now.count; u++) {
        make_next(s, u);
        narrow(s);
        if (!note_steps(memory, s, u)) return 0;
        states swap = s->now;
        s->now = s->next;
        s->next = swap;
    }
    take_plan(s, plan);
    if (!s->complete) planner_climb(s->view, plan);
    s->limit = plan->predicted;
    return 1;
}

static int reserve(pool *memory, sweep *s, size_t width) {
    size_t units = (size_t)s->view->problem->units, count = width * (size_t)s->view->problem->devices + 1;
    size_t words = (size_t)s->words;
    s->now = (states){0, pool_get(memory, count * sizeof(state)), pool_get(memory, count * words * sizeof(uint64_t))};
    s->next = (states){0, pool_get(memory, count * sizeof(state)), pool_get(memory, count * words * sizeof(uint64_t))};
    s->table = pool_get(memory, (4 * count + 16) * sizeof *s->table);
    s->totals = pool_get(memory, count * sizeof *s->totals);
    s->expiring = pool_get(memory, words * sizeof *s->expiring);
    s->history = pool_get(memory, units * sizeof *s->history);
    return s->now.state && s->now.bits && s->next.state && s->next.bits && s->table && s->totals && s->expiring &&
           s->history;
}

static int wide_width(const planner_problem *p) {
    int width = EFFORT / (p->units * p->devices + 1);
    return width > WIDE ? WIDE : width;
}

int planner_sweep(pool *memory, const planner_view *v, planner_plan *plan) {
    sweep s = {.view = v, .limit = plan->predicted};
    int wide = wide_width(v->problem);
    if (!planner_bound_make(memory, v, &s.bound) || !choose_fields(memory, &s)) return 0;
    if (!reserve(memory, &s, NARROW) || !sweep_once(memory, &s, NARROW, plan)) return 0;
    if (!s.complete && wide > NARROW && (!reserve(memory, &s, (size_t)wide) || !sweep_once(memory, &s, wide, plan)))
        return 0;
    planner_cost(v->problem, plan);
    plan->exact = s.complete;
    return 1;
}
