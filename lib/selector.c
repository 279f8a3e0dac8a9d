#define _GNU_SOURCE
#include "selector.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "choose.h"
#include "devices.h"
#include "error.h"
#include "opencl/mixed.h"
#include "profile_match.h"
#include "refine.h"

/* How many lanes are looked at before a program's first plan: one in so many, but one at least, and not too many. */
#define SAMPLE_SHARE 16u
#define SAMPLE_LANES 8u
#define ARM_MARGIN 0.97 /* how much better the other way has to be */
#define LOOK_LANES 64u  /* at most, to learn from */
#define LOOK_CAUTION                                                                                                   \
    20.0 /* no device is believed to take more times as long as the one that ran: the profile may be wrong */

enum { NOT_OPEN = -1, UNUSABLE = -2 };

struct selector {
    arcl_profile *profile; /* NULL: everything runs by `fixed` */
    char notice[1024];
    int worker[PROFILE_DEVICES],
        workers[PROFILE_DEVICES];   /* of open devices, or NOT_OPEN, UNUSABLE; the host has none */
    double missed[PROFILE_DEVICES]; /* nanoseconds that runs would have saved on a device that is not open */
    uint32_t usable;                /* set of devices of the profile that plans may name */
    run_plan fixed;
    refine refine;
    char *path; /* of the profile, where what was learnt goes; NULL: nowhere */
};

/* One of the ways in which a program is run by a plan. */
typedef struct arm {
    run_plan plan;
    evidence seen; /* times of runs, as multiples of the predicted one */
} arm;

typedef struct planned_run {
    struct planned_run *next;
    int size_class;
    int corrections; /* that the profile had seen when this was planned */
    /* The way that is predicted to be the best; and, on the host, the same with the other number of threads: how well threads
     * work together depends on what else the machine does, which no profile knows. */
    arm arm[2];
    int arms;
    mixed_plan parts;
    host_kernel **kernels;
    int wish;    /* a device that is not open but would be better; 0: none */
    double gain; /* nanoseconds that it would save */
} planned_run;

struct program_plans {
    arcl_context *context;
    program_sizes *sizes;
    planned_run *first;
};

/* ---- the profile of a context ---- */

__attribute__((format(printf, 2, 3))) static void note(struct selector *s, const char *format, ...) {
    size_t used = strlen(s->notice);
    va_list args;
    if (used && used + 3 < sizeof s->notice) used += (size_t)sprintf(s->notice + used, "; ");
    va_start(args, format);
    vsnprintf(s->notice + used, sizeof s->notice - used, format, args);
    va_end(args);
}

static void drop_profile(struct selector *s) {
    arcl_profile_free(s->profile);
    s->profile = NULL;
}

/* The host is known at once. Other devices are looked at when a plan wants them. */
static void check_host(arcl_context *c, struct selector *s) {
    arcl_device_info info;
    char why[512];
    if (arcl_device_get(c, 0, &info, NULL)) return;
    profile_identity host = profile_identity_of(&info);
    profile_identity_compare(&s->profile->device[0]->identity, &host, why, sizeof why);
    if (*why) {
        note(s, "the profile is not used, because it was not measured here: %s. `arcl profile` makes a new one", why);
        drop_profile(s);
    } else if (s->profile->device[0]->workers > c->thread_count)
        s->profile->device[0]->workers = c->thread_count;
}

static void load_profile(arcl_context *c, struct selector *s) {
    char standard[4096];
    const char *path = c->options.profile;
    arcl_error error;
    if (path && !*path) return;
    if (!path) {
        path = arcl_profile_default_path(standard, sizeof standard);
        if (!*path || (access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR)))
            return; /* nobody has measured anything yet */
    }
    if (arcl_profile_load(path, &s->profile, &error)) {
        note(s, "the profile is not used: %s. `arcl profile` makes a new one", error.message);
        return;
    }
    s->path = strdup(path);
    check_host(c, s);
}

/* The devices that the options name: everything runs there, and how is what the profile says of it, if it does. */
static void restrict_to_named(arcl_context *c, struct selector *s) {
    const char *wanted = c->options.device;
    s->fixed = (run_plan){.kind = c->device_count ? ON_DEVICE : ON_HOST,
                          .workers = c->device_count ? c->device_count : c->thread_count};
    s->usable = 1;
    if (wanted && strcmp(wanted, "auto") != 0 && c->device_count) s->usable = 0;
    if (!s->profile) return;
    if (!wanted || strcmp(wanted, "auto") == 0) s->usable = (1u << s->profile->devices) - 1;
}

static struct selector *selector_of(arcl_context *c) {
    if (c->selector) return c->selector;
    struct selector *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    for (int i = 0; i < PROFILE_DEVICES; i++) s->worker[i] = NOT_OPEN;
    load_profile(c, s);
    restrict_to_named(c, s);
    return c->selector = s;
}

/* What was learnt is for the next process, too; unless somebody has measured anew meanwhile. */
static void save_corrections(const struct selector *s) {
    arcl_profile *there;
    if (!s->profile || !s->path || !s->refine.corrections || arcl_profile_load(s->path, &there, NULL)) return;
    int same = strcmp(there->created, s->profile->created) == 0;
    arcl_profile_free(there);
    if (same) (void)!arcl_profile_save(s->profile, s->path, NULL); /* if that fails, it is learnt again */
}

void selector_close(arcl_context *c) {
    struct selector *s = c->selector;
    if (!s) return;
    save_corrections(s);
    refine_free(&s->refine);
    arcl_profile_free(s->profile);
    free(s->path);
    free(s);
    c->selector = NULL;
}

const char *arcl_profile_notice(const arcl_context *c) { return c->selector ? c->selector->notice : ""; }

const arcl_profile *selector_profile(arcl_context *c, arcl_error *why) {
    struct selector *s = selector_of(c);
    if (s && s->profile) return s->profile;
    if (s && *s->notice)
        error_set(why, ARCL_INVALID, "%s", s->notice);
    else
        error_set(why, ARCL_INVALID, "nothing was measured here yet: run `arcl profile` first");
    return NULL;
}

int selector_one_worker_suffices(arcl_context *c, double serial) {
    struct selector *s = selector_of(c);
    if (!s || !s->profile) return 0;
    const double *overhead = s->profile->device[0]->overhead;
    return serial <= overhead[OVERHEAD_wake] + serial / overhead[OVERHEAD_speedup];
}

/* ---- devices of the profile ---- */

/* Opens the device that was measured, if it is there as it was. */
static void open_device(arcl_context *c, struct selector *s, int device) {
    const profile_device *d = s->profile->device[device];
    arcl_device_info info;
    arcl_error error;
    char why[sizeof error.message];
    int found = profile_find_device(d, c, why, sizeof why);
    if (found >= 0 && arcl_device_get(c, found, &info, &error) == ARCL_SUCCESS &&
        devices_open_another(c, info.id, &s->worker[device], &s->workers[device], &error) == ARCL_SUCCESS)
        return;
    if (found >= 0) snprintf(why, sizeof why, "%s", error.message);
    s->worker[device] = UNUSABLE;
    s->usable &= ~(1u << device);
    note(s, "what was measured of %s is not used: %s", d->id, why);
}

void selector_open_all(arcl_context *c) {
    struct selector *s = selector_of(c);
    for (int d = 1; s && s->profile && d < s->profile->devices; d++)
        if (s->worker[d] == NOT_OPEN && s->usable >> d & 1) open_device(c, s, d);
}

int selector_workers(arcl_context *c, int device, int *first) {
    const struct selector *s = c->selector;
    if (!s || s->worker[device] < 0) return 0;
    *first = s->worker[device];
    return s->workers[device];
}

static uint32_t open_set(const struct selector *s) {
    uint32_t set = 1;
    for (int d = 1; d < s->profile->devices; d++)
        if (s->worker[d] >= 0) set |= 1u << d;
    return set & s->usable;
}

char *arcl_profile_mismatch(const arcl_profile *p, arcl_context *c, char *buf, size_t size) {
    arcl_device_info info;
    buf[0] = 0;
    for (int i = 0; i < p->devices && !*buf; i++) {
        const char *id = p->device[i]->id;
        snprintf(buf, size, "%s is not there", id);
        for (int d = 0; d < arcl_device_count(c); d++) {
            if (arcl_device_get(c, d, &info, NULL) || strcmp(info.id, id) != 0) continue;
            profile_identity found = profile_identity_of(&info);
            profile_identity_compare(&p->device[i]->identity, &found, buf, size);
        }
    }
    return buf;
}

/* ---- making plans ---- */

/* The builds of the kernels that are fastest for what the program does; NULL if that is the default. */
static host_kernel **choose_builds(const profile_device *host, const program_sizes *s, uint32_t chunk) {
    host_kernel **table = NULL;
    int build_of[PROFILE_VARIANTS] = {0};
    for (int v = 0; v < host->variants; v++)
        for (int b = 0; b < host_builds(); b++)
            if (strcmp(host->variant[v], host_build_name(b)) == 0) build_of[v] = b;
    for (int i = 0; i < s->count; i++) {
        const launch_size *l = &s->launch[i];
        double lanes = l->shared ? 1 : l->lanes * chunk, elements = l->shared ? 0 : l->elements * chunk;
        int build = build_of[profile_best_variant(host, l->kernel, lanes, elements)];
        if (build == 0) continue;
        if (!table) {
            table = malloc(KERNEL_COUNT * sizeof *table);
            if (!table) return NULL;
            memcpy(table, host_kernels(0), KERNEL_COUNT * sizeof *table);
        }
        table[l->kernel] = host_kernels(build)[l->kernel];
    }
    return table;
}

static uint32_t rounded(double value) { return value < 1 ? 1 : value > 0x7fffffff ? 0x7fffffff : (uint32_t)value; }

static void add_other_width(const arcl_context *c, const profile_device *host, const arcl_program *p,
                            const program_sizes *sizes, uint32_t lanes, planned_run *run) {
    run_plan *other = &run->arm[1].plan;
    *other = run->arm[0].plan;
    other->workers = other->workers > 1 ? 1 : c->thread_count;
    if (other->workers > 1) { /* every thread should get something to do */
        uint32_t share = (lanes + (uint32_t)c->thread_count - 1) / (uint32_t)c->thread_count;
        if (other->chunk > share) other->chunk = share;
    }
    if (other->workers == run->arm[0].plan.workers || lanes < 2) return;
    other->predicted = cost_of_way(host, sizes, p->count, lanes, other->chunk, other->workers).total;
    run->arms = 2;
}

/* A choice as a run by it. */
static arcl_status write_plan(arcl_context *c, struct selector *s, const arcl_program *p, const program_sizes *sizes,
                              uint32_t lanes, const choice *chosen, planned_run *run, arcl_error *error) {
    const cost_way *way = &chosen->way[chosen->device];
    const profile_device *device = s->profile->device[chosen->device];
    run_plan *plan = &run->arm[0].plan;
    run->arms = 1;
    *plan = (run_plan){.kind = chosen->device ? ON_DEVICE : ON_HOST,
                       .workers = way->workers,
                       .chunk = way->chunk,
                       .chunk_words = device->chunk_words > 0 ? rounded(device->chunk_words) : 0,
                       .lane_words = sizes->sampled ? rounded(sizes->words) : 0,
                       .predicted = chosen->predicted,
                       .serial = way->serial};
    if (chosen->unit_device) {
        int *places = malloc((size_t)chosen->units * sizeof *places);
        if (!places) return NO_MEMORY(error);
        for (int u = 0; u < chosen->units; u++) {
            int d = chosen->unit_device[u];
            places[u] = d ? s->worker[d] : MIXED_HOST;
        }
        arcl_status status = mixed_plan_make(c, p, places, &run->parts, error);
        free(places);
        PROPAGATE(status);
        plan->kind = IN_PARTS;
        plan->workers = c->thread_count;
        plan->parts = &run->parts;
        return ARCL_SUCCESS;
    }
    if (chosen->device) {
        plan->worker = s->worker[chosen->device];
        if (plan->workers > s->workers[chosen->device]) plan->workers = s->workers[chosen->device];
        return ARCL_SUCCESS;
    }
    if (plan->workers > c->thread_count) plan->workers = c->thread_count;
    run->kernels = choose_builds(device, sizes, way->chunk);
    plan->kernels = (host_kernel *const *)run->kernels;
    add_other_width(c, device, p, sizes, lanes, run);
    return ARCL_SUCCESS;
}

/* Sizes that are only typical are replaced by what some lanes of the batch do. */
static void look_at_lanes(arcl_context *c, const arcl_program *p, const arcl_batch *b, struct program_plans *plans) {
    uint32_t lanes = b->lanes / SAMPLE_SHARE < SAMPLE_LANES ? b->lanes / SAMPLE_SHARE : SAMPLE_LANES;
    if (!lanes) lanes = b->lanes > 1; /* a single lane is run rather than looked at */
    if (plans->sizes->sampled || !lanes) return;
    program_sizes *seen = sizes_sample(c, p, b, 0, lanes);
    if (!seen) return;
    sizes_free(plans->sizes);
    plans->sizes = seen;
}

/* What nobody has looked at stays on the host: typical values are too rough to move anything. */
static uint32_t trusted_set(const struct selector *s, const struct program_plans *plans) {
    return plans->sizes->sampled ? s->usable : 1;
}

static arcl_status make_plan(arcl_context *c, struct selector *s, const arcl_program *p, const arcl_batch *b,
                             struct program_plans *plans, planned_run *run, arcl_error *error) {
    pool *memory = context_pool_take(c);
    choice all, open;
    if (!memory) return NO_MEMORY(error);
    look_at_lanes(c, p, b, plans);
    uint32_t usable = trusted_set(s, plans);
    choice_request request = {
        .profile = s->profile, .usable = usable, .input_on = 1, .program = p, .sizes = plans->sizes, .lanes = b->lanes};
    arcl_status status = choose(&request, memory, &all, error);
    request.usable = open_set(s) & usable;
    if (status == ARCL_SUCCESS) status = choose(&request, memory, &open, error);
    if (status == ARCL_SUCCESS) {
        run->gain = open.predicted - all.predicted;
        for (int d = 1; run->gain > 0 && d < s->profile->devices; d++) {
            int wanted = all.device == d;
            for (int u = 0; all.unit_device && u < all.units; u++) wanted |= all.unit_device[u] == d;
            if (wanted && s->worker[d] == NOT_OPEN) run->wish = d;
        }
        status = write_plan(c, s, p, plans->sizes, b->lanes, &open, run, error);
    }
    context_pool_give(c, memory);
    return status;
}

/* ---- plans kept with programs ---- */

/* Two classes per doubling of the lanes. */
static int class_of(uint32_t lanes) { return lanes ? (int)(2 * log2((double)lanes)) : 0; }

static struct program_plans *plans_of(arcl_context *c, const arcl_program *p) {
    arcl_program *owner = (arcl_program *)p; /* plans are no part of what the program is */
    if (owner->plans && owner->plans->context != c) {
        selector_forget(owner->plans);
        owner->plans = NULL;
    }
    if (!owner->plans && (owner->plans = calloc(1, sizeof *owner->plans))) owner->plans->context = c;
    if (owner->plans && !owner->plans->sizes) owner->plans->sizes = sizes_estimate(p);
    return owner->plans && owner->plans->sizes ? owner->plans : NULL;
}

static void free_planned(planned_run *run) {
    mixed_plan_free(&run->parts);
    free(run->kernels);
    free(run);
}

void selector_forget(struct program_plans *plans) {
    if (!plans) return;
    while (plans->first) {
        planned_run *next = plans->first->next;
        free_planned(plans->first);
        plans->first = next;
    }
    sizes_free(plans->sizes);
    free(plans);
}

/* A device that is not open costs time to open. It is opened when runs have lost as much by not using it. */
static int wish_is_due(arcl_context *c, struct selector *s, const planned_run *run) {
    int d = run->wish;
    if (!d || s->worker[d] != NOT_OPEN) return 0;
    const double *overhead = s->profile->device[d]->overhead;
    s->missed[d] += run->gain;
    if (s->missed[d] < overhead[OVERHEAD_open] + overhead[OVERHEAD_build]) return 0;
    open_device(c, s, d);
    return 1;
}

/* What an arm is expected to take, by what it is predicted to and has been seen to. */
static double expected(const arm *a) {
    double factor;
    return evidence_speaks(&a->seen, &factor) ? a->plan.predicted * factor : a->plan.predicted;
}

/* The arm for the next run: the better one; now and then the other, as long as that is cheap. */
static arm *pull(const arcl_context *c, struct selector *s, planned_run *run) {
    if (run->arms < 2 || c->options.frozen) return &run->arm[0];
    int best = expected(&run->arm[1]) < expected(&run->arm[0]) * ARM_MARGIN;
    arm *other = &run->arm[1 - best];
    double price = expected(other) - expected(&run->arm[best]);
    if (other->seen.count < EVIDENCE_LEAST && run->arm[best].seen.count > other->seen.count &&
        price <= refine_budget(&s->refine)) {
        if (price > 0) s->refine.spent_ns += price;
        return other;
    }
    return &run->arm[best];
}

arcl_status selector_plan(arcl_context *c, const arcl_program *p, const arcl_batch *b, const run_plan **plan,
                          arcl_error *error) {
    struct selector *s = selector_of(c);
    if (!s) return NO_MEMORY(error);
    *plan = &s->fixed;
    if (!s->profile || !s->usable || !b->lanes) return ARCL_SUCCESS;
    struct program_plans *plans = plans_of(c, p);
    if (!plans) return NO_MEMORY(error);
    int size_class = class_of(b->lanes);
    planned_run **at = &plans->first;
    while (*at && (*at)->size_class != size_class) at = &(*at)->next;
    while (!*at || (*at)->corrections != s->refine.corrections || wish_is_due(c, s, *at)) {
        planned_run *run = calloc(1, sizeof *run);
        if (!run) return NO_MEMORY(error);
        run->size_class = size_class;
        run->corrections = s->refine.corrections;
        arcl_status status = make_plan(c, s, p, b, plans, run, error);
        if (status != ARCL_SUCCESS) {
            free_planned(run);
            return status;
        }
        if (*at) {
            run->next = (*at)->next;
            free_planned(*at);
        }
        *at = run;
    }
    *plan = &pull(c, s, *at)->plan;
    return ARCL_SUCCESS;
}

double selector_predict(arcl_context *c, const run_plan *const *plans, int count) {
    const struct selector *s = c->selector;
    double sum = 0, serial = 0;
    int on_host = 0;
    for (int i = 0; i < count; i++) {
        if (plans[i]->predicted == 0) return 0;
        int here = plans[i]->kind == ON_HOST;
        on_host += here;
        serial += here ? plans[i]->serial : 0;
        sum += here ? 0 : plans[i]->predicted;
    }
    if (on_host == 1)
        for (int i = 0; i < count; i++) sum += plans[i]->kind == ON_HOST ? plans[i]->predicted : 0;
    if (on_host < 2 || !s || !s->profile) return sum;
    const double *overhead = s->profile->device[0]->overhead;
    if (selector_one_worker_suffices(c, serial)) return sum + serial;
    return sum + overhead[OVERHEAD_wake] + serial / overhead[OVERHEAD_speedup];
}

double selector_cost(arcl_context *c, const arcl_program *p, uint32_t lanes) {
    struct selector *s = selector_of(c);
    struct program_plans *plans = s && s->profile && s->usable && lanes ? plans_of(c, p) : NULL;
    double least = 0;
    if (!plans) return 0;
    uint32_t candidates = open_set(s) & trusted_set(s, plans);
    for (int d = 0; d < s->profile->devices; d++) {
        if (!(candidates >> d & 1)) continue;
        cost_way way = cost_best_way(s->profile->device[d], plans->sizes, p->count, lanes);
        if (!way.parts.unmeasured && (least == 0 || way.total < least)) least = way.total;
    }
    return least;
}

/* ---- learning ---- */

/* How many lanes of a run may be looked at on a device, so that it stays within the budget: by what is predicted, but a
 * prediction that is far above what the run itself took is not believed. */
static uint32_t lanes_to_look_at(const struct selector *s, int device, const arcl_program *p,
                                 const program_sizes *sizes, uint32_t lanes, double ns) {
    double budget = refine_budget(&s->refine);
    for (uint32_t n = lanes < LOOK_LANES ? lanes : LOOK_LANES; n; n /= 2) {
        double most = LOOK_CAUTION * ns * n / lanes;
        double host = cost_of_way(s->profile->device[0], sizes, p->count, n, n, 1).total;
        double there = cost_of_way(s->profile->device[device], sizes, p->count, n, n, 1).total;
        /* twice on the device, once on the host to see what there is to do */
        if (2 * fmin(there, most) + fmin(host, most) <= budget) return n;
    }
    return 0;
}

static void look_closer(arcl_context *c, struct selector *s, const arcl_program *p, const arcl_batch *b,
                        const program_sizes *sizes, double ns) {
    int device = s->refine.turn % s->profile->devices;
    int open = device == 0 || s->worker[device] >= 0;
    uint32_t lanes = open && s->usable >> device & 1 ? lanes_to_look_at(s, device, p, sizes, b->lanes, ns) : 0;
    if (!open || !(s->usable >> device & 1)) s->refine.turn++;
    if (!lanes) return;
    measured_device m = {c, s->profile->device[device], device ? s->worker[device] : -1,
                         device ? s->workers[device] : c->thread_count};
    refine_look(&s->refine, s->profile, device, &m, p, b, lanes);
    s->refine.turn++;
}

void selector_learn(arcl_context *c, const arcl_program *p, const arcl_batch *b, const run_plan *plan, double ns) {
    struct selector *s = c->selector;
    if (!s || !s->profile || c->options.frozen || c->worker[0].counting || !p->plans) return;
    s->refine.run_ns += ns;
    for (planned_run *run = p->plans->first; run; run = run->next)
        for (int i = 0; i < run->arms; i++)
            if (plan == &run->arm[i].plan) {
                evidence_add(&run->arm[i].seen, ns / plan->predicted);
                look_closer(c, s, p, b, p->plans->sizes, ns);
                return;
            }
}
