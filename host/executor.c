/* Runs a program over one chunk of lanes: steps in order, each over all lanes of its scope, everything in the worker's
 * part of the arena, which is empty again when the next chunk comes. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host.h"

typedef struct host_column {
    word *at;
} host_column;

#define MAPS 12
typedef struct host_scope {
    uint count;
    uint failures;
    uchar *status;
    uint *parent;    /* lane -> lane of the scope above; NULL in scopes 0 and 1 */
    uint *root;      /* lane -> lane of the batch; NULL in scopes 0 and 1 */
    uint *start;     /* lane of the scope above -> its first lane here; one more entry for the end */
    word *second;    /* the second elements of ZIP and CROSS */
    uint *map[MAPS]; /* lane -> lane of the scope so many levels above, where somebody needed it */
    /* of a loop: */
    word *state; /* per lane of the scope above */
    uint *left;  /* rounds to go, likewise */
} host_scope;

typedef struct run {
    host_worker *w;
    const arcl_program *p;
    host_chunk *chunk;
    uint cursor;
    int overflow;
    uint *spent;       /* per lane of the chunk */
    uint shared_spent; /* by the steps of scope 0, which are nobody's own */
} run;

/* ---- memory ---- */

static void *reserve(run *r, uint64_t bytes) {
    uint64_t words = (bytes + 7) / 8;
    if (words > r->w->end - r->cursor) {
        r->overflow = 1;
        return NULL;
    }
    void *at = r->w->arena + r->cursor;
    guard_behind(r->w->arena, r->cursor, (uint)words, r->w->end);
    r->cursor += (uint)words;
    return at;
}

static word *reserve_words(run *r, uint count) { return reserve(r, (uint64_t)count * sizeof(word)); }
static uint *reserve_uints(run *r, uint count) { return reserve(r, (uint64_t)count * sizeof(uint)); }

static uchar *reserve_status(run *r, uint count) {
    uchar *at = reserve(r, count);
    if (at) memset(at, 0, count);
    return at;
}

/* ---- lane maps ---- */

static host_scope *scope_of(run *r, uint s) { return &r->w->scope[s]; }

static uint parent_of(const run *r, uint s) { return r->p->scopes[s].parent; }

/* The map from lanes of scope s to those of `above`, at least one level above it and below the shared scope. */
static const uint *map_to(run *r, uint s, uint above) {
    host_scope *scope = scope_of(r, s);
    if (above == SCOPE_LANES) return scope->root;
    int level = r->p->scopes[s].depth - r->p->scopes[above].depth;
    if (level == 1) return scope->parent;
    if (level <= MAPS && scope->map[level - 1]) return scope->map[level - 1];
    uint *map = reserve_uints(r, scope->count);
    if (!map) return NULL;
    uint up = parent_of(r, s);
    memcpy(map, scope->parent, scope->count * sizeof *map);
    for (; up != above; up = parent_of(r, up)) {
        const uint *next = scope_of(r, up)->parent;
        for (uint n = 0; n < scope->count; n++) map[n] = next[map[n]];
    }
    if (level <= MAPS) scope->map[level - 1] = map;
    return map;
}

/* A column as the lanes of scope s see it. */
typedef struct view {
    const word *column;
    const uint *map;
    uint mask;
} view;

static view view_from(run *r, uint s, uint step) {
    uint owner = r->p->steps[step].scope;
    view v = {r->w->column[step].at, NULL, owner == SCOPE_SHARED ? 0 : ~0u};
    if (owner != s && owner != SCOPE_SHARED) v.map = map_to(r, s, owner);
    return v;
}

static word view_at(const view *v, uint n) { return v->column[v->map ? v->map[n] : n & v->mask]; }

/* ---- scopes ---- */

static void fail_lane(host_scope *scope, uint n, int status) {
    if (scope->status[n]) return;
    scope->status[n] = (uchar)status;
    scope->failures++;
}

/* Draws on the budget of lane n of the scope; 0 if it is used up: the lane has failed then. */
static int spend(run *r, host_scope *scope, uint n, uint64_t words) {
    uint root = scope->root ? scope->root[n] : n;
    if (words > r->w->budget - r->spent[root]) {
        r->spent[root] = r->w->budget;
        fail_lane(scope, n, LANE_BUDGET);
        return 0;
    }
    r->spent[root] += (uint)words;
    return 1;
}

/* Makes room for a scope of `count` lanes below `above`. */
static host_scope *start_scope(run *r, uint s, uint count) {
    host_scope *scope = scope_of(r, s);
    memset(scope, 0, sizeof *scope);
    scope->count = count;
    scope->status = reserve_status(r, count);
    scope->parent = reserve_uints(r, count);
    scope->root = reserve_uints(r, count);
    return scope;
}

static void fill_root(run *r, host_scope *scope, uint above) {
    const uint *up = scope_of(r, above)->root;
    for (uint n = 0; n < scope->count; n++) scope->root[n] = up ? up[scope->parent[n]] : scope->parent[n];
}

static uint64_t pair_count(int kind, word a, word b) {
    uint64_t x = ref_length(a), y = ref_length(b);
    return kind == STEP_ZIP ? (x < y ? x : y) : x * y;
}

/* EACH, ZIP and CROSS: lanes for the elements of all containers of the scope above. */
static void open_elements(run *r, uint index, const graph_step *s) {
    uint above_id = s->parent;
    host_scope *above = scope_of(r, above_id);
    view a = view_from(r, above_id, s->arg[0]);
    view b = s->args > 1 ? view_from(r, above_id, s->arg[1]) : a;
    uint *start = reserve_uints(r, above->count + 1);
    uint64_t total = 0;
    if (!start) return;
    for (uint n = 0; n < above->count; n++) {
        start[n] = (uint)total;
        if (above->status[n]) continue;
        uint64_t count =
            s->kind == STEP_EACH ? ref_length(view_at(&a, n)) : pair_count(s->kind, view_at(&a, n), view_at(&b, n));
        if (count && spend(r, above, n, count * r->p->scopes[s->scope].weight)) total += count;
        if (total > 0x7fffffff) {
            r->overflow = 1;
            return;
        }
    }
    start[above->count] = (uint)total;
    host_scope *scope = start_scope(r, s->scope, (uint)total);
    word *first = reserve_words(r, scope->count), *second = s->args > 1 ? reserve_words(r, scope->count) : NULL;
    scope->start = start;
    scope->second = second;
    r->w->column[index].at = first;
    if (r->overflow) return;
    for (uint n = 0; n < above->count; n++) {
        uint count = start[n + 1] - start[n];
        if (!count) continue;
        const word *x = r->w->arena + ref_offset(view_at(&a, n));
        for (uint m = start[n]; m < start[n + 1]; m++) scope->parent[m] = n;
        if (s->kind == STEP_CROSS) {
            const word *y = r->w->arena + ref_offset(view_at(&b, n));
            uint width = ref_length(view_at(&b, n)), m = start[n];
            for (uint i = 0; i < count / width; i++)
                for (uint j = 0; j < width; j++, m++) {
                    first[m] = x[i];
                    second[m] = y[j];
                }
            continue;
        }
        memcpy(first + start[n], x, count * sizeof *x);
        if (second) memcpy(second + start[n], r->w->arena + ref_offset(view_at(&b, n)), count * sizeof *x);
    }
    fill_root(r, scope, above_id);
}

/* ALONG: elements of another list of the scope above, in step with the scope's own. */
static void follow(run *r, uint index, const graph_step *s) {
    host_scope *scope = scope_of(r, s->scope);
    const graph_step *opener = &r->p->steps[r->p->scopes[s->scope].opener];
    uint above_id = opener->parent;
    host_scope *above = scope_of(r, above_id);
    view items = view_from(r, above_id, s->arg[0]);
    view second = view_from(r, above_id, opener->arg[opener->args - 1]);
    word *out = r->w->column[index].at = reserve_words(r, scope->count);
    if (r->overflow) return;
    for (uint n = 0; n < above->count; n++) {
        const word *from = r->w->arena + ref_offset(view_at(&items, n));
        uint first = scope->start[n], count = scope->start[n + 1] - first;
        uint width = opener->kind == STEP_CROSS ? ref_length(view_at(&second, n)) : 1;
        for (uint m = 0; m < count; m++)
            out[first + m] = from[opener->kind != STEP_CROSS ? m : s->imm ? m % width : m / width];
    }
}

/* Lanes of the scope above for which `chosen` says so. */
static host_scope *open_subset(run *r, const graph_step *s, const uchar *chosen, uint count) {
    host_scope *above = scope_of(r, s->parent), *scope = start_scope(r, s->scope, count);
    uint m = 0;
    if (r->overflow) return scope;
    for (uint n = 0; n < above->count; n++)
        if (chosen[n]) scope->parent[m++] = n;
    fill_root(r, scope, s->parent);
    return scope;
}

static void open_when(run *r, const graph_step *s) {
    host_scope *above = scope_of(r, s->parent);
    view condition = view_from(r, s->parent, s->arg[0]);
    uchar *chosen = reserve_status(r, above->count);
    uint count = 0;
    if (r->overflow) return;
    for (uint n = 0; n < above->count; n++) {
        chosen[n] = !above->status[n] && (view_at(&condition, n) != 0) == (s->imm != 0);
        count += chosen[n];
    }
    open_subset(r, s, chosen, count);
}

/* Failures in a scope become failures of the lanes above that the failed lanes belong to; the first one counts. */
static void pass_failures_up(run *r, uint s) {
    host_scope *scope = scope_of(r, s), *above = scope_of(r, parent_of(r, s));
    for (uint n = 0; scope->failures && n < scope->count; n++)
        if (scope->status[n]) fail_lane(above, scope->parent[n], scope->status[n]);
}

static void close_scope(run *r, uint index, const graph_step *s) {
    uint inner = r->p->steps[s->arg[0]].scope;
    host_scope *scope = scope_of(r, inner), *above = scope_of(r, s->scope);
    word *column = r->w->column[s->arg[0]].at;
    word *out = r->w->column[index].at = reserve_words(r, above->count);
    if (!out) return;
    if (s->imm && scope->failures) { /* the op itself decides which failures matter */
        word *marked = reserve_words(r, scope->count);
        if (!marked) return;
        for (uint n = 0; n < scope->count; n++) marked[n] = scope->status[n] ? -(word)scope->status[n] : column[n];
        column = marked;
    } else
        pass_failures_up(r, inner);
    uint base = (uint)(column - r->w->arena);
    for (uint n = 0; n < above->count; n++) {
        uint count = scope->start[n + 1] - scope->start[n];
        out[n] = count && !above->status[n] ? made_ref(base + scope->start[n], count) : 0;
    }
}

/* JOIN and SPREAD: the values of one or two WHEN scopes, in the lanes that they came from. */
static void gather(run *r, uint index, const graph_step *s) {
    host_scope *above = scope_of(r, s->scope);
    word *out = r->w->column[index].at = reserve_words(r, above->count);
    if (!out) return;
    memset(out, 0, above->count * sizeof *out);
    for (int i = s->kind == STEP_JOIN ? 1 : 0; i < s->args; i++) {
        uint inner = r->p->steps[s->arg[i]].scope;
        const host_scope *scope = scope_of(r, inner);
        const word *column = r->w->column[s->arg[i]].at;
        for (uint n = 0; n < scope->count; n++)
            if (!scope->status[n]) out[scope->parent[n]] = column[n];
        pass_failures_up(r, inner);
    }
}

/* ---- loops ---- */

/* Every round costs so much of the budget, lest a huge count takes forever on next to nothing. */
#define ROUND_WORDS 4096

/* Opens the loop's scope for the lanes that have rounds left; in the first round takes over the state. */
static void open_loop(run *r, uint index, const graph_step *s, int again) {
    host_scope *above = scope_of(r, s->parent), before = *scope_of(r, s->scope);
    uchar *chosen = reserve_status(r, above->count);
    uint count = 0;
    if (!again) {
        view state = view_from(r, s->parent, s->arg[0]), rounds = view_from(r, s->parent, s->arg[1]);
        before.state = reserve_words(r, above->count);
        before.left = reserve_uints(r, above->count);
        if (r->overflow) return;
        for (uint n = 0; n < above->count; n++) {
            before.state[n] = view_at(&state, n);
            before.left[n] = (uint)view_at(&rounds, n);
        }
    }
    if (r->overflow) return;
    for (uint n = 0; n < above->count; n++) {
        chosen[n] =
            !above->status[n] && before.left[n] && spend(r, above, n, ROUND_WORDS + r->p->scopes[s->scope].weight);
        count += chosen[n];
    }
    host_scope *scope = open_subset(r, s, chosen, count);
    word *column = r->w->column[index].at = reserve_words(r, count);
    scope->state = before.state;
    scope->left = before.left;
    if (r->overflow) return;
    for (uint n = 0; n < count; n++) column[n] = before.state[scope->parent[n]];
}

/* Takes over the new states; 1 if some lane has rounds left. */
static int end_round(run *r, uint index, const graph_step *s) {
    const graph_step *loop = &r->p->steps[s->arg[1]];
    host_scope *scope = scope_of(r, loop->scope), *above = scope_of(r, s->scope);
    const word *column = r->w->column[s->arg[0]].at;
    int more = 0;
    for (uint n = 0; n < scope->count; n++) {
        uint up = scope->parent[n];
        scope->state[up] = scope->status[n] ? 0 : column[n];
        scope->left[up]--;
    }
    pass_failures_up(r, loop->scope);
    for (uint n = 0; n < above->count && !more; n++) more = scope->left[n] && !above->status[n];
    r->w->column[index].at = scope->state;
    return more;
}

/* ---- kernels ---- */

static void run_kernel(run *r, uint index, const graph_step *s) {
    host_scope *scope = scope_of(r, s->scope);
    launch l = {.arena = r->w->arena, .count = scope->count, .imm = s->imm, .status = scope->status};
    l.out = r->w->column[index].at = reserve_words(r, scope->count);
    for (int i = 0; i < s->args; i++) {
        view v = view_from(r, s->scope, s->arg[i]);
        l.column[i] = v.column;
        l.map[i] = v.map;
        l.mask[i] = v.mask;
    }
    if (r->overflow) return;
    l.failures = scope->failures;
    l.cursor = r->cursor;
    l.limit = r->w->end;
    l.root = scope->root;
    l.spent = s->scope == SCOPE_SHARED ? &r->shared_spent : r->spent;
    l.budget = r->w->budget;
    r->w->kernels[s->kernel](&l);
    scope->failures = l.failures;
    r->cursor = l.cursor;
    r->overflow = l.overflow;
}

/* ---- a whole program ---- */

static void run_step(run *r, uint index, const graph_step *s) {
    switch (s->kind) {
    case STEP_INPUT: r->w->column[index].at = (word *)(uintptr_t)(r->chunk->input[s->imm] + r->chunk->first); break;
    case STEP_KERNEL: run_kernel(r, index, s); break;
    case STEP_EACH:
    case STEP_ZIP:
    case STEP_CROSS: open_elements(r, index, s); break;
    case STEP_WHEN: open_when(r, s); break;
    case STEP_SECOND: r->w->column[index].at = scope_of(r, s->scope)->second; break;
    case STEP_ALONG: follow(r, index, s); break;
    case STEP_CLOSE: close_scope(r, index, s); break;
    case STEP_JOIN:
    case STEP_SPREAD: gather(r, index, s); break;
    case STEP_LOOP: open_loop(r, index, s, 0); break;
    default: break; /* CONST is set up before; REPEAT is the caller's */
    }
}

static uint64_t nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void run_counted(run *r, uint index, const graph_step *s) {
    uint64_t before = nanoseconds();
    uint cursor = r->cursor;
    host_count *count = &r->w->count[s->kind == STEP_KERNEL ? s->kernel : KERNEL_COUNT + s->kind];
    uint failures = s->kind == STEP_KERNEL ? scope_of(r, s->scope)->failures : 0;
    run_step(r, index, s);
    count->nanoseconds += nanoseconds() - before;
    count->launches++;
    count->lanes += scope_of(r, s->scope)->count;
    count->words += r->cursor - cursor;
    if (s->kind == STEP_KERNEL) count->failures += scope_of(r, s->scope)->failures - failures;
}

static void run_steps(run *r) {
    const graph_step *steps = r->p->steps;
    for (uint i = 0; i < (uint)r->p->count && !r->overflow; i++) {
        const graph_step *s = &steps[i];
        if (s->kind == STEP_REPEAT && end_round(r, i, s)) {
            open_loop(r, s->arg[1], &steps[s->arg[1]], 1);
            i = s->arg[1];
        } else if (r->w->counting)
            run_counted(r, i, s);
        else
            run_step(r, i, s);
    }
}

static int make_room(host_worker *w, const arcl_program *p) {
    if (w->columns < p->count) {
        host_column *grown = realloc(w->column, (size_t)p->count * sizeof *grown);
        if (!grown) return 0;
        w->column = grown;
        w->columns = p->count;
    }
    if (w->scopes < p->scope_count) {
        host_scope *grown = realloc(w->scope, (size_t)p->scope_count * sizeof *grown);
        if (!grown) return 0;
        w->scope = grown;
        w->scopes = p->scope_count;
    }
    return 1;
}

static void start_lanes(run *r) {
    host_scope *shared = scope_of(r, SCOPE_SHARED), *all = scope_of(r, SCOPE_LANES);
    memset(shared, 0, sizeof *shared);
    memset(all, 0, sizeof *all);
    shared->count = 1;
    all->count = r->chunk->lanes;
    shared->status = reserve_status(r, 1);
    all->status = reserve_status(r, all->count);
    r->spent = reserve_uints(r, all->count ? all->count : 1);
    if (r->overflow) return;
    memset(r->spent, 0, (all->count ? all->count : 1) * sizeof *r->spent);
    for (int i = 0; i < r->p->count; i++) {
        if (r->p->steps[i].kind != STEP_CONST) continue;
        word *at = reserve_words(r, 1);
        if (!at) return;
        *at = (word)r->p->steps[i].imm;
        r->w->column[i].at = at;
    }
}

/* The result in the scope of the lanes, and statuses with what failed for all lanes at once. */
static void finish(run *r) {
    host_scope *shared = scope_of(r, SCOPE_SHARED), *all = scope_of(r, SCOPE_LANES);
    view result[MAX_RESULTS], which = {NULL, NULL, 0};
    word *out = reserve_words(r, all->count);
    uchar *chosen = reserve_status(r, all->count);
    if (r->overflow) return;
    for (int i = 0; i < r->p->results; i++) result[i] = view_from(r, SCOPE_LANES, r->p->result[i]);
    if (r->p->results > 1) which = view_from(r, SCOPE_LANES, r->p->which);
    for (uint n = 0; n < all->count; n++) {
        if (shared->failures && !all->status[n]) all->status[n] = shared->status[0];
        if (which.column && !all->status[n]) chosen[n] = (uchar)view_at(&which, n);
        out[n] = all->status[n] ? 0 : view_at(&result[chosen[n]], n);
    }
    r->chunk->result = out;
    r->chunk->status = all->status;
    r->chunk->which = chosen;
}

enum host_outcome host_run(host_worker *w, const arcl_program *p, host_chunk *chunk) {
    run r = {.w = w, .p = p, .chunk = chunk, .cursor = w->begin};
    if (!make_room(w, p)) return HOST_NO_MEMORY;
    start_lanes(&r);
    if (!r.overflow) run_steps(&r);
    if (!r.overflow) finish(&r);
    chunk->used = r.cursor - w->begin;
    return r.overflow ? HOST_OVERFLOW : HOST_DONE;
}

void host_worker_free(host_worker *w) {
    free(w->column);
    free(w->scope);
    w->column = NULL;
    w->scope = NULL;
}
