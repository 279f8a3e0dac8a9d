#include "profile/sizes.h"

#include <stdlib.h>
#include <string.h>

#include "cl/copy.h"
#include "program/execute.h"

/* What containers hold where nobody has looked: the middle of what tasks have. Good enough to tell a small batch from a
 * large one; where it matters more, lanes are sampled. */
#define TYPICAL_LENGTH 10.0
#define TYPICAL_GRID_WORDS 16.0

/* ---- which launches there are ---- */

static int add_launch(program_sizes *s, unsigned kernel, uint32_t step, int shared) {
    s->launch[s->count++] = (launch_size){.kernel = (uint16_t)kernel, .step = step, .shared = shared, .launches = 1};
    return 1;
}

static program_sizes *sizes_start(const program_graph *p) {
    program_sizes *s = calloc(1, sizeof *s);
    uint16_t kernel[MOST_STEP_KERNELS];
    if (!s) return NULL;
    s->launch = calloc((size_t)p->count * MOST_STEP_KERNELS + 3, sizeof *s->launch);
    s->bytes = calloc((size_t)p->count + 1, sizeof *s->bytes);
    if (!s->launch || !s->bytes) {
        sizes_free(s);
        return NULL;
    }
    if (starts_by_launch(p, 0)) add_launch(s, KERNEL_run_start, SIZES_NO_STEP, 0);
    for (int i = 0; i < p->count; i++)
        for (int k = 0, n = step_kernels(&p->steps[i], kernel); k < n; k++)
            add_launch(s, kernel[k], (uint32_t)i, p->steps[i].scope == SCOPE_SHARED);
    add_launch(s, KERNEL_pack_count, SIZES_NO_STEP, 0);
    add_launch(s, KERNEL_pack_fill, SIZES_NO_STEP, 0);
    return s;
}

void sizes_free(program_sizes *s) {
    if (!s) return;
    free(s->launch);
    free(s->bytes);
    free(s);
}

/* The scope that a step's launches have to do with below the one whose lanes they go over; the same one if there is
 * none. */
static uint32_t scope_below(const program_graph *p, const graph_step *s) {
    return s->kind == STEP_CLOSE || s->kind == STEP_REPEAT ? p->steps[s->arg[0]].scope : s->scope;
}

/* Whether how long an argument is makes a difference to the kernel. */
static int reads_all(unsigned kernel, type_code argument) {
    return !kernel_has(kernel, READS_A_PART) || type_head(argument) != T_GRID;
}

/* ---- without looking ---- */

static double typical_words(type_code t) {
    switch (type_head(t)) {
    case T_GRID: return TYPICAL_GRID_WORDS;
    case T_SET:
    case T_TUPLE: return TYPICAL_LENGTH;
    case T_RECORD: return 2;
    default: return 0;
    }
}

static double typical_bytes(type_code t) {
    double words = 1 + typical_words(t);
    if (type_is_container(t)) words = 1 + TYPICAL_LENGTH * (1 + typical_words(type_element(t)));
    return words * sizeof(word);
}

/* Lanes of the scope that a step opens, per lane above. */
static double typical_fan_out(const graph_step *s) {
    switch (s->kind) {
    case STEP_CROSS: return s->imm ? TYPICAL_LENGTH * (TYPICAL_LENGTH + 1) / 2 : TYPICAL_LENGTH * TYPICAL_LENGTH;
    case STEP_WHEN: return 0.5;
    case STEP_LOOP: return 1;
    default: return TYPICAL_LENGTH;
    }
}

program_sizes *sizes_estimate(const program_graph *p) {
    program_sizes *s = sizes_start(p);
    double *lanes = calloc((size_t)p->scope_count, sizeof *lanes);
    if (!s || !lanes) {
        free(lanes);
        sizes_free(s);
        return NULL;
    }
    lanes[SCOPE_LANES] = 1;
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].parent)
            lanes[p->steps[i].scope] = lanes[p->scopes[p->steps[i].scope].parent] * typical_fan_out(&p->steps[i]);
    for (int n = 0; n < s->count; n++) {
        launch_size *l = &s->launch[n];
        if (l->step == SIZES_NO_STEP) {
            l->lanes = 1;
            l->elements = typical_bytes(p->result_type[0]) / sizeof(word);
            continue;
        }
        const graph_step *step = &p->steps[l->step];
        uint32_t scope = step_lanes_scope(p, step), below = scope_below(p, step);
        l->lanes = l->shared ? 0 : lanes[scope];
        if (below != scope && l->kernel != KERNEL_scope_count) l->elements = lanes[below];
        if (step->kind == STEP_KERNEL) {
            for (int a = 0; a < step->args; a++)
                if (reads_all(l->kernel, p->steps[step->arg[a]].type))
                    l->elements += l->lanes * typical_words(p->steps[step->arg[a]].type);
            l->elements += l->lanes * typical_words(step->type);
        }
        s->words += l->elements + l->lanes;
        s->bytes[l->step] = typical_bytes(step->type);
    }
    for (int i = 0; i < p->parameters; i++) s->input_bytes += typical_bytes(p->parameter[i]);
    s->result_bytes = typical_bytes(p->result_type[0]);
    free(lanes);
    return s;
}

/* ---- by looking ---- */

typedef struct observer {
    program_sizes *sizes;
    const program_graph *p;
    int *first;  /* per step: its first launch in sizes->launch */
    uint *times; /* per launch: how often it was seen */
} observer;

/* Words that the values of a step refer to directly, over all lanes of a scope that reads them. */
static double words_read(word *arena, const run_frame *f, uint scope, uint step) {
    /* What a scope leaves are lists of whatever its lanes have; nobody notes that type, since kernels know it. */
    ulong type = step_at(arena, f, step)->kind == STEP_CLOSE ? TYPE_INT_TUPLE : step_at(arena, f, step)->type;
    double sum = 0;
    if (!has_parts(type) || type == TYPE_VARIOUS) return 0;
    view v = view_of(arena, f, scope, step);
    uint count = state_at(arena, f, scope)->count, words;
    for (uint n = 0; n < count; n++) {
        storage_form(type, view_at(v, n), &words);
        sum += words;
    }
    return sum;
}

static double bytes_held(word *arena, const run_frame *f, uint step) {
    ulong type = step_at(arena, f, step)->type;
    double words = f->lanes;
    if (!type || type == TYPE_VARIOUS) return words * sizeof(word);
    view v = view_of(arena, f, SCOPE_LANES, step);
    for (uint n = 0; n < f->lanes; n++) words += (double)copy_extent(arena, type, view_at(v, n), f->limit);
    return words * sizeof(word);
}

static launch_size *launch_seen(observer *o, unsigned kernel, uint step) {
    int n = kernel == KERNEL_run_start    ? 0
            : kernel == KERNEL_pack_count ? o->sizes->count - 2
            : kernel == KERNEL_pack_fill  ? o->sizes->count - 1
                                          : o->first[step];
    while (o->sizes->launch[n].kernel != kernel) n++;
    o->times[n]++;
    return &o->sizes->launch[n];
}

static void count_lanes(const observer *o, word *arena, const run_frame *f, const graph_step *s, launch_size *l) {
    uint scope = step_lanes_scope(o->p, s), below = scope_below(o->p, s);
    const scope_state *lanes = state_at(arena, f, scope);
    l->lanes += lanes->count - lanes->failures; /* lanes that have failed are passed over */
    if (below != scope && l->kernel != KERNEL_scope_count) l->elements += state_at(arena, f, below)->count;
}

static void watch(void *watcher, word *arena, uint frame, unsigned kernel, uint step) {
    observer *o = watcher;
    const run_frame *f = frame_at(arena, frame);
    launch_size *l = launch_seen(o, kernel, step);
    if (l->step == SIZES_NO_STEP) {
        l->lanes += f->lanes;
        if (kernel == KERNEL_pack_fill) { /* only now is it known how much there was to pack */
            l->elements += f->packed_words;
            l[-1].elements += f->packed_words;
        }
        return;
    }
    const graph_step *s = &o->p->steps[step];
    count_lanes(o, arena, f, s, l);
    if (s->kind == STEP_KERNEL)
        for (int a = 0; a < s->args; a++)
            if (reads_all(kernel, o->p->steps[s->arg[a]].type))
                l->elements += words_read(arena, f, s->scope, s->arg[a]);
    if (s->scope == SCOPE_LANES && o->sizes->bytes[step] == 0) o->sizes->bytes[step] = bytes_held(arena, f, step);
}

/* What was counted, per lane and launch. */
static void finish(observer *o, const step_counter *made, uint lanes) {
    program_sizes *s = o->sizes;
    for (int n = 0; n < s->count; n++) {
        launch_size *l = &s->launch[n];
        double times = o->times[n] ? o->times[n] : 1;
        if (l->step != SIZES_NO_STEP && o->p->steps[l->step].kind == STEP_KERNEL)
            l->elements += made[l->step].words - made[l->step].lanes;
        l->launches = times;
        l->lanes /= times * lanes;
        l->elements /= times * lanes;
    }
    for (int i = 0; i < o->p->count; i++) s->bytes[i] /= lanes;
}

/* Which lane of the batch is number n of those that are looked at: they are spread over all of it, because neighbours
 * are of one task and alike. */
static uint32_t spread_lane(const arcl_batch *b, uint32_t lanes, uint32_t n) {
    return (uint32_t)((uint64_t)b->lanes * n / lanes);
}

static double input_bytes(const arcl_batch *b, uint32_t lanes) {
    double words = (double)b->arguments * lanes;
    for (int i = 0; i < b->arguments; i++)
        for (uint32_t n = 0; n < lanes; n++)
            words += (double)copy_extent(b->data.at, b->type[i], b->column[i].at[spread_lane(b, lanes, n)], ANY_EXTENT);
    return words * sizeof(word) / lanes;
}

/* The columns of the lanes that are looked at, one after the other; what they refer to stays where it is. NULL when
 * there is no room. */
static region *gather_lanes(arcl_context *c, const arcl_batch *b, uint32_t lanes, uint *input) {
    region *r = context_region_take(c, 2 * (uint)b->arguments * lanes);
    for (int i = 0; r && i < 2 * b->arguments; i++) {
        uint from = i < b->arguments ? b->placed[i] : b->masks[i - b->arguments];
        input[i] = r->begin + (uint)i * lanes;
        for (uint32_t n = 0; n < lanes; n++) c->arena[input[i] + n] = c->arena[from + spread_lane(b, lanes, n)];
    }
    return r;
}

typedef struct looking {
    observer observer;
    const step_counter *made;
} looking;

/* Like watch, and remembers where the counters are: they live until the worker runs again. */
static void watch_and_count(void *watcher, word *arena, uint frame, unsigned kernel, uint step) {
    looking *l = watcher;
    watch(&l->observer, arena, frame, kernel, step);
    l->made = (const step_counter *)(arena + frame_at(arena, frame)->counters);
}

static int look(arcl_context *c, const arcl_batch *b, uint32_t lanes, looking *l) {
    uint input[2 * MAX_PARAMETERS] = {0};
    host_worker *w = &c->worker[0];
    op_count *counted = malloc(sizeof w->count);
    region *gathered = counted ? gather_lanes(c, b, lanes, input) : NULL;
    int counting = w->counting;
    host_chunk chunk = {.lanes = lanes, .input = input};
    if (!gathered) {
        free(counted);
        return 0;
    }
    memcpy(counted, w->count, sizeof w->count); /* what is only a sample does not show in the report */
    w->counting = 1;
    w->watch = watch_and_count;
    w->watcher = l;
    int done = host_run(w, l->observer.p, &chunk);
    w->counting = counting;
    w->watch = NULL;
    memcpy(w->count, counted, sizeof w->count);
    free(counted);
    context_region_give(c, gathered);
    if (!done) return 0;
    finish(&l->observer, l->made, lanes);
    l->observer.sizes->words = (double)chunk.used / lanes;
    l->observer.sizes->result_bytes = (double)chunk.packed_words * sizeof(word) / lanes;
    l->observer.sizes->input_bytes = input_bytes(b, lanes);
    l->observer.sizes->sampled = lanes;
    return 1;
}

program_sizes *sizes_sample(arcl_context *c, const program_graph *p, const arcl_batch *b, uint32_t lanes) {
    looking l = {.observer = {.sizes = sizes_start(p), .p = p}};
    l.observer.first = calloc((size_t)p->count + 1, sizeof *l.observer.first);
    l.observer.times = l.observer.sizes ? calloc((size_t)l.observer.sizes->count, sizeof *l.observer.times) : NULL;
    int done = 0;
    if (lanes && l.observer.times && l.observer.first && batch_place((arcl_batch *)b, NULL) == ARCL_SUCCESS) {
        for (int n = l.observer.sizes->count - 1; n >= 0; n--)
            if (l.observer.sizes->launch[n].step != SIZES_NO_STEP)
                l.observer.first[l.observer.sizes->launch[n].step] = n;
        done = look(c, b, lanes, &l);
    }
    free(l.observer.first);
    free(l.observer.times);
    if (done) return l.observer.sizes;
    sizes_free(l.observer.sizes);
    return NULL;
}
