/* What each step of a plan costs, what it would cost elsewhere, and what it is called. The rows of a plan and its fixed
 * part add up to what was predicted for it. */
#include <math.h>

#include "base/error.h"
#include "plan/plan_view.h"
#include "plan/planner_view.h"
#include "program/execute.h"
#include "program/step_words.h"

/* ---- costs ---- */

/* How the launches of one chunk go into the predicted time. */
typedef struct sharing {
    uint32_t chunk;
    double whole, rest;      /* chunks of that size; lanes of the last one, if it is smaller */
    double queue, execution; /* what workers beside each other leave of these */
} sharing;

static double ratio(double part, double of) { return of > 0 ? part / of : 1; }

static sharing share_of(const arcl_plan *p, int device) {
    const profile_device *d = p->profile->device[device];
    const cost_way *way = &p->chosen.way[p->chosen.device];
    sharing s = {.chunk = way->chunk};
    if (p->chosen.unit_device) {
        s.whole = ceil(p->lanes / (double)s.chunk);
        s.queue = s.execution = 1 / d->overhead[OVERHEAD_speedup];
        return s;
    }
    cost_way alone = cost_of_way(d, p->sizes, p->program->count, p->lanes, s.chunk, 1);
    s.whole = p->lanes / s.chunk;
    s.rest = p->lanes % s.chunk;
    s.queue = ratio(way->parts.queue, alone.parts.queue);
    s.execution = ratio(way->parts.execution, alone.parts.execution);
    return s;
}

static void add_costs(const arcl_plan *p, const profile_device *d, const sharing *s, arcl_plan_op *op) {
    cost_parts one = cost_of_steps(d, p->sizes, op->step, op->step + 1, 0, s->chunk), last = {0};
    if (s->rest > 0) last = cost_of_steps(d, p->sizes, op->step, op->step + 1, 0, s->rest);
    op->queue = (s->whole * one.queue + last.queue) * s->queue;
    op->execution = (s->whole * one.execution + last.execution) * s->execution;
    op->measured = !one.unmeasured;
    op->extrapolated = one.extrapolated > 0;
}

static void describe_launches(const arcl_plan *p, const profile_device *d, const sharing *s, arcl_plan_op *op) {
    op->variant = d->variant[0];
    for (int i = 0; i < p->sizes->count; i++) {
        const launch_size *l = &p->sizes->launch[i];
        if (l->step != op->step) continue;
        op->launches += l->launches * (s->whole + (s->rest > 0));
        if (l->kernel != step_main_kernel(&p->program->steps[op->step])) continue;
        op->lanes = l->shared ? 1 : l->lanes * p->lanes;
        op->elements = l->shared ? 0 : l->elements * p->lanes;
        if (p->program->steps[op->step].parent) op->lanes = op->elements; /* those that it opens */
        op->variant = d->variant[cost_of_launch(d, l, s->chunk).variant];
    }
}

/* ---- moves ---- */

static double chunks_moved(const sharing *s, const curve *c, double lane_bytes) {
    double last = s->rest > 0 ? curve_at(c, lane_bytes * s->rest) : 0;
    return s->whole * curve_at(c, lane_bytes * s->chunk) + last;
}

static int is_result(const program_graph *p, uint32_t step) {
    for (int i = 0; i < p->results; i++)
        if (p->result[i] == step) return 1;
    return 0;
}

/* On one device the input goes up and the result comes down. */
static void add_moves_of_one(arcl_plan *p) {
    const choice *c = &p->chosen;
    const profile_device *d = p->profile->device[c->device];
    if (!c->device) return;
    sharing s = share_of(p, c->device);
    double up = chunks_moved(&s, &d->up, p->sizes->input_bytes), down;
    down = chunks_moved(&s, &d->down, p->sizes->result_bytes);
    double share = ratio(c->way[c->device].parts.transfer, up + down);
    p->input_bytes = p->sizes->input_bytes * p->lanes;
    p->input_transfer = up * share;
    for (int i = p->rows - 1; i >= 0; i--)
        if (is_result(p->program, p->row[i].step)) {
            p->row[i].bytes = p->sizes->result_bytes * p->lanes;
            p->row[i].transfer = down * share;
            return;
        }
}

static double move_cost(const planner_problem *problem, double bytes, int from, uint32_t held) {
    double sum = 0;
    for (int to = 0; to < problem->devices; to++)
        if (held >> to & 1) sum += planner_move_cost(problem, bytes, from, to);
    return sum;
}

/* In parts, what a unit makes goes to whoever reads it: it is shown with the last step of the unit. */
static void add_moves_of_parts(arcl_plan *p) {
    const choice *c = &p->chosen;
    uint32_t moved = c->plan.input_held & ~planner_input_free(&c->problem);
    p->input_bytes = moved ? c->problem.input_bytes : 0;
    p->input_transfer = move_cost(&c->problem, c->problem.input_bytes, 0, moved);
    for (int i = 0; i < p->rows; i++) {
        int unit = (int)p->unit_of[p->row[i].step];
        uint32_t others = c->plan.held[unit] & ~(1u << c->unit_device[unit]);
        int is_last = i + 1 == p->rows || (int)p->unit_of[p->row[i + 1].step] != unit;
        if (!others || !is_last) continue;
        p->row[i].bytes = c->problem.unit[unit].bytes;
        p->row[i].transfer = move_cost(&c->problem, c->problem.unit[unit].bytes, c->unit_device[unit], others);
    }
}

/* ---- the next best ---- */

/* Everything runs on one device: the alternatives are another one for everything, or for this unit alone. The latter
 * may seem to save a little, which is not enough to go by (choose.c): then it costs nothing more. */
static arcl_status extra_beside_one(const arcl_plan *p, int unit, pool *memory, double *extra, arcl_error *error) {
    const choice *c = &p->chosen;
    planner_plan one = {.device = pool_get(memory, (size_t)c->units * sizeof *one.device),
                        .held = pool_get(memory, (size_t)c->units * sizeof *one.held)};
    if (!one.device || !one.held) return NO_MEMORY(error);
    for (int i = 0; i < c->units; i++) one.device[i] = c->device;
    for (int d = 0; d < p->profile->devices; d++) {
        double everything = c->able[d] ? c->way[d].total : INFINITY;
        one.device[unit] = d;
        extra[d] = fmax(fmin(everything, planner_cost(&c->problem, &one)) - c->predicted, 0);
    }
    return ARCL_SUCCESS;
}

static arcl_status find_next_best(const arcl_plan *p, int unit, int *next, double *next_extra, arcl_error *error) {
    const choice *c = &p->chosen;
    double extra[PROFILE_DEVICES];
    *next = -1;
    if (c->unit_device) {
        PROPAGATE(planner_next_best(&c->problem, &c->plan, unit, extra, next, error));
        if (*next >= 0) *next_extra = extra[*next] - c->plan.predicted;
        return ARCL_SUCCESS;
    }
    pool memory = {0};
    arcl_status status = extra_beside_one(p, unit, &memory, extra, error);
    pool_free(&memory);
    PROPAGATE(status);
    for (int d = 0; d < p->profile->devices; d++)
        if (d != c->device && isfinite(extra[d]) && (*next < 0 || extra[d] < extra[*next])) *next = d;
    if (*next >= 0) *next_extra = extra[*next];
    return ARCL_SUCCESS;
}

static arcl_status add_alternatives(arcl_plan *p, arcl_error *error) {
    int next = -1, before = -1;
    double extra = 0;
    for (int i = 0; i < p->rows; i++) {
        arcl_plan_op *op = &p->row[i];
        int unit = (int)p->unit_of[op->step];
        if (unit != before) PROPAGATE(find_next_best(p, unit, &next, &extra, error));
        before = unit;
        if (next >= 0) {
            op->next_device = p->profile->device[next]->id;
            op->next_extra = extra;
        }
        if (p->flips_at[unit]) {
            op->flips_at = p->flips_at[unit];
            op->flips_to = p->profile->device[p->flips_to[unit]]->id;
        }
    }
    return ARCL_SUCCESS;
}

/* ---- rows ---- */

/* The row of a step, or of the one whose column it shows another side of. */
static int reads_from(const program_graph *p, const int *row_of, uint32_t step) {
    while (p->steps[step].kind == STEP_SECOND) step = p->steps[step].arg[0];
    return p->steps[step].kind == STEP_INPUT ? ARCL_PLAN_INPUT : row_of[step];
}

static void describe(const arcl_plan *p, const int *row_of, arcl_plan_op *op) {
    const graph_step *s = &p->program->steps[op->step];
    const graph_scope *scope = &p->program->scopes[s->scope];
    op->op = step_words(s);
    op->kernel = kernel_names[step_main_kernel(s)];
    op->scope = s->scope;
    op->scope_above = scope->parent;
    op->depth = (int)scope->depth;
    op->is_result = is_result(p->program, op->step);
    op->next_device = op->flips_to = "";
    for (int a = 0; a < s->args; a++) {
        uint32_t from = s->arg[a];
        if (p->program->steps[from].kind != STEP_CONST) op->input[op->inputs++] = reads_from(p->program, row_of, from);
    }
}

arcl_status plan_fill_rows(arcl_plan *p, arcl_error *error) {
    size_t steps = (size_t)p->program->count;
    int *row_of = pool_get(&p->memory, (steps + 1) * sizeof *row_of);
    p->row = pool_get(&p->memory, (steps + 1) * sizeof *p->row);
    if (!row_of || !p->row) return NO_MEMORY(error);
    for (uint32_t i = 0; i < steps; i++)
        if (step_main_kernel(&p->program->steps[i]) != KERNEL_none) {
            row_of[i] = p->rows;
            p->row[p->rows++].step = i;
        }
    for (int i = 0; i < p->rows; i++) {
        arcl_plan_op *op = &p->row[i];
        int device = plan_device_of(&p->chosen, (int)p->unit_of[op->step]);
        const profile_device *d = p->profile->device[device];
        sharing s = share_of(p, device);
        describe(p, row_of, op);
        op->device = d->id;
        add_costs(p, d, &s, op);
        describe_launches(p, d, &s, op);
    }
    if (p->chosen.unit_device)
        add_moves_of_parts(p);
    else
        add_moves_of_one(p);
    p->fixed = p->chosen.predicted - p->input_transfer;
    for (int i = 0; i < p->rows; i++) p->fixed -= p->row[i].queue + p->row[i].execution + p->row[i].transfer;
    return p->chosen.units ? add_alternatives(p, error) : ARCL_SUCCESS;
}
