/* A lane has one status in the end, and in each scope the first step that fails a lane of it decides. So after every
 * launch the statuses are looked at, and of each lane that has just failed it is noted why: by the step itself, or
 * because of a lane below, whose reason is known then. What is left at the end is the reason of the batch's lane.
 *
 * Where failures are kept apart (cl/apart.h), only what ends a lane is found: its budget, and what its result is. */
#include "run/failure_find.h"

#include "base/error.h"
#include "cl/outcome.h"
#include "run/batch_lanes.h"

/* Why a lane has failed: a step, and, if that is of a scope below, which of its lanes. */
typedef struct reason {
    uint32_t step;
    const struct reason *below; /* NULL: the step is of the lane's own scope */
    failure_level level;
} reason;

typedef struct scope_record {
    const reason **why; /* per lane; NULL: none has failed */
    uint32_t failures;  /* that are known */
    uint32_t rounds;    /* of a loop, that have begun */
} scope_record;

typedef struct finder {
    pool *memory;
    const program_graph *p;
    scope_record *scope;
    const reason **itself;     /* per step, the reason that it is; made when needed */
    const reason *over_budget; /* which used the budget up; NULL: there is some left */
    uint frame;
    int no_memory;
    word *arena;
    const run_frame *f;
} finder;

static const reason *by_step(finder *d, uint32_t step) {
    if (d->itself[step]) return d->itself[step];
    reason *r = pool_get(d->memory, sizeof *r);
    d->no_memory |= !r;
    if (r) r->step = step;
    return d->itself[step] = r;
}

static scope_state *state_of(const finder *d, uint32_t scope) { return state_at(d->arena, d->f, scope); }

/* Where the lanes below lane n of the scope above are: offset and length. */
static word range_below(const finder *d, uint32_t inner, uint32_t n) {
    const graph_scope *scope = &d->p->scopes[inner];
    return column_at(d->arena, state_of(d, scope->parent), scope->ranges)[n];
}

static uint32_t container_length(const finder *d, uint32_t scope, uint32_t step, uint32_t n) {
    return ref_length(view_at(view_of(d->arena, d->f, scope, step), n));
}

/* Of the pairs of two containers, which elements make number `index`. */
static void find_pair(const finder *d, const graph_step *opener, uint32_t above, uint32_t n, failure_level *level) {
    uint32_t width = container_length(d, above, opener->arg[1], n), row = 0, first = 0;
    int is_half = opener->imm & 1; /* none has its reverse too */
    while (row < level->count && first + width - (is_half ? row : 0) <= level->index) {
        first += width - (is_half ? row : 0);
        row++;
    }
    level->other = level->index - first + (is_half ? row : 0);
    level->index = row;
}

/* The reason of lane n above, which is that of number `index` of its lanes in `inner`. */
static const reason *through(finder *d, uint32_t inner, uint32_t n, uint32_t index, const reason *below) {
    const graph_step *opener = &d->p->steps[d->p->scopes[inner].opener];
    if (!below || opener->kind == STEP_WHEN) return below; /* it is the lane itself */
    reason *r = pool_get(d->memory, sizeof *r);
    d->no_memory |= !r;
    if (!r) return NULL;
    *r = (reason){below->step, below, {opener->kind, index, 0, (uint32_t)ref_length(range_below(d, inner, n))}};
    if (opener->kind == STEP_LOOP) {
        r->level.index = d->scope[inner].rounds; /* the first one is no part of the loop */
        r->level.count = 0;
    }
    if (opener->kind == STEP_CROSS) find_pair(d, opener, d->p->scopes[inner].parent, n, &r->level);
    return r;
}

static const reason *why_of(const finder *d, uint32_t scope, uint32_t n) {
    return d->scope[scope].why ? d->scope[scope].why[n] : NULL;
}

/* The first of the lanes below lane n that has failed; NULL: none has. */
static const reason *from_below(finder *d, uint32_t inner, uint32_t n) {
    word range = range_below(d, inner, n);
    uint32_t first = ref_offset(range), count = ref_length(range);
    for (uint32_t m = 0; m < count; m++)
        if (why_of(d, inner, first + m)) return through(d, inner, n, m, why_of(d, inner, first + m));
    return NULL;
}

/* The same of a condition whose failures are data, as of `extract`: only what comes before the first that holds
 * counts. */
static const reason *from_condition(finder *d, const graph_step *closed, uint32_t n) {
    const graph_step *condition = &d->p->steps[closed->arg[0]];
    word range = range_below(d, condition->scope, n);
    const word *holds = column_at(d->arena, state_of(d, condition->scope), condition->slot) + ref_offset(range);
    for (uint32_t m = 0; m < ref_length(range) && holds[m] <= 0; m++)
        if (holds[m] < 0)
            return through(d, condition->scope, n, m, why_of(d, condition->scope, (uint32_t)ref_offset(range) + m));
    return NULL;
}

/* Which lane above lane m of a scope it belongs to, and which of its lanes it is. */
static uint32_t lane_above(const finder *d, uint32_t scope, uint32_t m, uint32_t *index) {
    uint32_t n = 0, lanes = state_of(d, d->p->scopes[scope].parent)->count;
    for (; n + 1 < lanes; n++) {
        word range = range_below(d, scope, n);
        if (m >= ref_offset(range) && m - ref_offset(range) < ref_length(range)) break;
    }
    *index = m - (uint32_t)ref_offset(range_below(d, scope, n));
    return n;
}

/* What was found out further above of the same element (cl/scope.cl: scope_again). */
static const reason *from_precedent(finder *d, const graph_step *s, uint32_t m) {
    const graph_step *made = &d->p->steps[s->arg[0]];
    const graph_scope *near = &d->p->scopes[d->p->scopes[s->scope].parent], *far = &d->p->scopes[made->scope];
    uint32_t index, n = lane_above(d, s->scope, m, &index);
    const uint *map = map_at(d->arena, near, state_of(d, d->p->scopes[s->scope].parent), near->depth + 1 - far->depth);
    return why_of(d, made->scope, (uint32_t)ref_offset(range_below(d, made->scope, map[n])) + index);
}

/* Why lane n, of the scope that the step's launch went over, has failed in it. */
static const reason *blame(finder *d, uint32_t step, uint32_t n) {
    const graph_step *s = &d->p->steps[step], *steps = d->p->steps;
    const reason *found = NULL;
    switch (s->kind) {
    case STEP_CLOSE:
    case STEP_SPREAD:
    case STEP_REPEAT: found = from_below(d, steps[s->arg[0]].scope, n); break;
    case STEP_JOIN:
        found = from_below(d, steps[s->arg[1]].scope, n);
        if (!found) found = from_below(d, steps[s->arg[2]].scope, n);
        break;
    case STEP_AGAIN: found = from_precedent(d, s, n); break;
    case STEP_KERNEL:
        if (s->kernel_id == KERNEL_extract && steps[s->arg[1]].kind == STEP_CLOSE && steps[s->arg[1]].imm)
            found = from_condition(d, &steps[s->arg[1]], n);
        break;
    default: break;
    }
    return found ? found : by_step(d, step);
}

/* Lanes of the scope that have failed since it was looked at last have failed in this step. */
static void note_failures(finder *d, uint32_t scope, uint32_t step) {
    scope_record *r = &d->scope[scope];
    const scope_state *state = state_of(d, scope);
    const uchar *status = status_at(d->arena, state);
    if (state->failures == r->failures) return;
    r->failures = state->failures;
    if (!r->why) r->why = pool_get(d->memory, state->count * sizeof *r->why);
    d->no_memory |= !r->why;
    for (uint32_t n = 0; r->why && n < state->count; n++)
        if (status[n] && !r->why[n]) r->why[n] = blame(d, step, n);
}

/* The element at which a budget was used up is the first one that was refused. */
static const reason *refused(finder *d, uint32_t scope, uint32_t step) {
    const scope_state *state = state_of(d, scope);
    const uchar *status = status_at(d->arena, state);
    const reason *why = by_step(d, step);
    uint32_t n = 0, index;
    while (!d->p->apart && n < state->count && status[n] != LANE_BUDGET) n++;
    if (d->p->apart || n == state->count) return why;
    for (; scope != SCOPE_LANES && why; scope = d->p->scopes[scope].parent) {
        uint32_t above = lane_above(d, scope, n, &index);
        why = through(d, scope, above, index, why);
        n = above;
    }
    return why;
}

static int is_over_budget(const finder *d) {
    if (!d->p->apart) return *(const uint *)(d->arena + d->f->spent) > d->f->budget;
    ulong all = ~(ulong)0;
    return spent_by(d->arena, d->f, all, 0) > d->f->budget || spent_by(d->arena, d->f, all, d->f->lanes) > d->f->budget;
}

static void watch(void *watcher, word *arena, uint frame, unsigned kernel, uint step) {
    finder *d = watcher;
    d->arena = arena;
    d->f = frame_at(arena, frame);
    if (kernel == KERNEL_run_start || kernel == KERNEL_score_lanes) return;
    const graph_step *s = &d->p->steps[step];
    uint32_t lanes = step_lanes_scope(d->p, s);
    if (kernel == KERNEL_loop_start) d->scope[s->scope].rounds = 0;
    if (kernel == KERNEL_scope_fill) {
        scope_record *opened = &d->scope[s->scope];
        *opened = (scope_record){.rounds = opened->rounds + 1};
    }
    if (!d->p->apart && kernel != KERNEL_scope_fill) {
        note_failures(d, lanes, step);
        if (s->kind == STEP_AGAIN) note_failures(d, s->scope, step);
    }
    if (!d->over_budget && is_over_budget(d)) d->over_budget = refused(d, lanes, step);
}

/* ---- the run ---- */

/* In all of the threads' memory, as a lane gets that finds its own part too small. */
static arcl_status run_watched(arcl_context *c, finder *d, const uint *input, arcl_lane_status *status,
                               arcl_error *error) {
    host_worker *w = &c->worker[0];
    uint end = w->end;
    int counting = w->counting;
    host_chunk chunk = {.lanes = 1, .input = input, .yield = YIELD_SCORES};
    w->end = c->worker[c->thread_count - 1].end;
    w->counting = 0; /* what is only looked at does not show in the report */
    w->watch = watch;
    w->watcher = d;
    int done = host_run(w, d->p, &chunk);
    w->watch = NULL;
    w->counting = counting;
    w->end = end;
    if (context_take_cancel(c, error)) return ARCL_CANCELLED;
    if (d->no_memory) return NO_MEMORY(error);
    if (!done)
        return error_set(error, ARCL_NO_MEMORY,
                         "one lane alone needs more memory than the limit of %llu bytes: raise it",
                         (unsigned long long)c->options.memory);
    *status = (arcl_lane_status)((const lane_score *)(w->arena + chunk.scores))->status;
    return ARCL_SUCCESS;
}

/* As settle_status (cl/outcome.h) has decided. */
static const reason *decisive(finder *d) {
    const reason *shared = why_of(d, SCOPE_SHARED, 0);
    if (shared) return shared;
    if (d->over_budget) return d->over_budget;
    return d->p->apart ? by_step(d, d->p->result[0]) : why_of(d, SCOPE_LANES, 0);
}

static arcl_status search(arcl_context *c, finder *d, const uint *input, lane_failure *found, arcl_error *error) {
    const program_graph *p = d->p;
    d->scope = pool_get(d->memory, (size_t)p->scope_count * sizeof *d->scope);
    d->itself = pool_get(d->memory, (size_t)p->count * sizeof *d->itself);
    if (!d->scope || !d->itself) return NO_MEMORY(error);
    PROPAGATE(run_watched(c, d, input, &found->status, error));
    const reason *why = found->status == ARCL_OK ? NULL : decisive(d);
    if (d->no_memory) return NO_MEMORY(error);
    if (!why) return ARCL_SUCCESS;
    found->step = why->step;
    for (; why->below; why = why->below)
        if (found->depth < ARCL_FAILURE_LEVELS) found->level[found->depth++] = why->level;
    return ARCL_SUCCESS;
}

arcl_status failure_find(arcl_context *c, const program_graph *p, const arcl_batch *b, uint32_t lane_number,
                         lane_failure *found, arcl_error *error) {
    uint input[2 * MAX_PARAMETERS] = {0};
    *found = (lane_failure){.status = ARCL_OK};
    PROPAGATE(batch_place((arcl_batch *)b, error)); /* which is the context's own business */
    for (int i = 0; i < p->parameters; i++) {
        int argument = batch_find_argument(b->type, b->arguments, p->parameter[i], i);
        if (argument < 0)
            return error_set(error, ARCL_INVALID, "the batch has no argument for parameter %d of the program", i + 1);
        input[i] = b->placed[argument] + lane_number;
        input[p->parameters + i] = b->masks[argument] + lane_number;
    }
    finder d = {.memory = context_pool_take(c), .p = p};
    if (!d.memory) return NO_MEMORY(error);
    arcl_status status = search(c, &d, input, found, error);
    context_pool_give(c, d.memory);
    return status;
}
