/* Similarity: which variant compares, on which device, and the blocks of the matrix. How cells are compared is the
 * variants' own business (similarity_host.c, similarity_device.c). */
#include "similarity/similarity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "plan/selector.h"
#include "run/devices.h"
#include "similarity/similarity_costs.h"
#ifdef ARCL_HAVE_OPENCL
#include "opencl/opencl.h"
#endif

/* On the host: so many packed grids that packing them again for another block does not count. */
#define HOST_GRIDS 1024u
#define HOST_BYTES ((size_t)8 << 20)

typedef struct open_place {
    int device;
    struct similarity_place *place;
    struct open_place *next;
} open_place;

struct similarity {
    similarity_cost *cost;
    void *arg;
    similarity_costs costs;
    open_place *places;
};

static const struct {
    const char *name;
    int on_host;
    similarity_compare *compare;
} variants[SIMILARITY_VARIANTS] = {
#define VARIANT(name, on_host, compare) {#name, on_host, compare},
#include "base/similarity.def"
#undef VARIANT
};

/* ---- devices ---- */

#ifdef ARCL_HAVE_OPENCL

static int device_entries(arcl_context *c) { return arcl_device_count(c) - 1; }

static void describe(arcl_context *c, int device, arcl_device_info *info) {
    opencl_describe(c->opencl, device - 1, info);
}

#else

static int device_entries(arcl_context *c) { return (void)c, 0; }
static void describe(arcl_context *c, int device, arcl_device_info *info) { (void)c, (void)device, (void)info; }

arcl_status similarity_place_open(arcl_context *c, int device, struct similarity_place **place, arcl_error *error) {
    (void)c, (void)place;
    return error_set(error, ARCL_INVALID, "there is no device %d", device);
}
void similarity_place_close(struct similarity_place *place) { (void)place; }
uint64_t similarity_place_bytes(const struct similarity_place *place) { return (void)place, 0; }
similarity_limits similarity_place_limits(const struct similarity_place *place, similarity_variant variant, int h,
                                          int w) {
    (void)place, (void)variant, (void)h, (void)w;
    return (similarity_limits){1, 1};
}
int similarity_clblast_found(char *why, size_t room) { return (void)why, (void)room, 0; }
static arcl_status without_opencl(arcl_error *error) {
    return error_set(error, ARCL_INVALID, "this arcl was built without OpenCL");
}
arcl_status similarity_on_opencl(arcl_context *c, struct similarity_place *place, const similarity_block *block,
                                 arcl_error *error) {
    (void)c, (void)place, (void)block;
    return without_opencl(error);
}
arcl_status similarity_on_clblast(arcl_context *c, struct similarity_place *place, const similarity_block *block,
                                  arcl_error *error) {
    (void)c, (void)place, (void)block;
    return without_opencl(error);
}

#endif

static arcl_status state_of(arcl_context *c, struct similarity **state, arcl_error *error) {
    if (!c->similarity) c->similarity = calloc(1, sizeof *c->similarity);
    *state = c->similarity;
    return *state ? ARCL_SUCCESS : NO_MEMORY(error);
}

void similarity_free(arcl_context *c) {
    if (!c->similarity) return;
    while (c->similarity->places) {
        open_place *p = c->similarity->places;
        c->similarity->places = p->next;
        similarity_place_close(p->place);
        free(p);
    }
    free(c->similarity);
}

arcl_status similarity_use_costs(arcl_context *c, similarity_cost *cost, void *arg, arcl_error *error) {
    struct similarity *state;
    PROPAGATE(state_of(c, &state, error));
    state->cost = cost;
    state->arg = arg;
    return ARCL_SUCCESS;
}

/* The device, opened if it is not yet; NULL for the host. */
static arcl_status find_place(arcl_context *c, int device, struct similarity_place **place, arcl_error *error) {
    struct similarity *state;
    *place = NULL;
    if (device == 0) return ARCL_SUCCESS;
    PROPAGATE(state_of(c, &state, error));
    for (open_place *p = state->places; p; p = p->next)
        if (p->device == device) {
            *place = p->place;
            return ARCL_SUCCESS;
        }
    open_place *p = calloc(1, sizeof *p);
    if (!p) return NO_MEMORY(error);
    arcl_status status = similarity_place_open(c, device, &p->place, error);
    if (status != ARCL_SUCCESS) {
        free(p);
        return status;
    }
    p->device = device;
    p->next = state->places;
    state->places = p;
    *place = p->place;
    return ARCL_SUCCESS;
}

/* ---- candidates ---- */

/* Whether the devices that the options name have this one among them. */
static int is_named(const arcl_context *c, const char *id) {
    for (int i = 0; i < c->named_count; i++)
        if (strcmp(device_report(c, i).device, id) == 0) return 1;
    return 0;
}

static void judge_host(const arcl_context *c, similarity_candidate *k) {
    snprintf(k->id, sizeof k->id, "host");
    if (c->named_count)
        snprintf(k->reason, sizeof k->reason, "everything runs on %s, as the device option says",
                 device_report(c, 0).device);
}

static void judge_device(arcl_context *c, int devices, similarity_candidate *k) {
    arcl_device_info info = {.state = ARCL_DEVICE_ABSENT, .reason = "this arcl was built without OpenCL"};
    if (devices) describe(c, k->device, &info);
    snprintf(k->id, sizeof k->id, "%s", info.id);
    if (info.state != ARCL_DEVICE_READY)
        snprintf(k->reason, sizeof k->reason, "%s", info.reason);
    else if (c->host_only)
        snprintf(k->reason, sizeof k->reason, "everything runs on the host, as the device option says");
    else if (c->named_count && !is_named(c, info.id))
        snprintf(k->reason, sizeof k->reason, "%s is not among the devices that the options name", info.id);
    else if (k->variant == SIMILARITY_clblast)
        similarity_clblast_found(k->reason, sizeof k->reason);
}

int similarity_candidate_get(arcl_context *c, int number, similarity_candidate *k) {
    int devices = -1, at = 0;
    for (int v = 0; v < SIMILARITY_VARIANTS; v++) {
        if (!variants[v].on_host && devices < 0) devices = device_entries(c);
        /* where there is no device, one entry tells that */
        int places = variants[v].on_host ? 1 : devices ? devices : 1;
        if (number - at < places) {
            *k = (similarity_candidate){.variant = (similarity_variant)v};
            if (variants[v].on_host) {
                judge_host(c, k);
            } else {
                k->device = 1 + number - at;
                judge_device(c, devices, k);
            }
            return 1;
        }
        at += places;
    }
    return 0;
}

static arcl_status unknown_variant(const char *name, arcl_error *error) {
    char names[128] = "auto";
    size_t used = strlen(names);
    for (int v = 0; v < SIMILARITY_VARIANTS; v++)
        used += (size_t)snprintf(names + used, sizeof names - used, ", %s", variants[v].name);
    return error_set(error, ARCL_INVALID, "there is no similarity variant '%.60s'; there are: %s", name, names);
}

static int is_variant(const char *name) {
    for (int v = 0; v < SIMILARITY_VARIANTS; v++)
        if (strcmp(variants[v].name, name) == 0) return 1;
    return 0;
}

/* ---- choosing ---- */

/* The candidate's device in the profile; -1: it has none. */
static int profiled_device(arcl_context *c, const arcl_profile *p, const similarity_candidate *k) {
    arcl_device_info info = {.state = ARCL_DEVICE_ABSENT};
    if (k->device == 0) return 0; /* which is the host's: a profile of another is not used */
    describe(c, k->device, &info);
    return similarity_costs_device(p, &info);
}

static double cost_of(arcl_context *c, const arcl_profile *p, const similarity_candidate *k,
                      const similarity_size *size) {
    struct similarity *s = c->similarity;
    if (s->cost) return s->cost(s->arg, k, size);
    return p ? similarity_costs_now(&s->costs, p, profiled_device(c, p, k), k->variant, size) : -1;
}

/* Whoever was not chosen because nobody has used it yet, but would have been better, comes nearer to being chosen. */
static void note_choice(arcl_context *c, const arcl_profile *p, const similarity_candidate *chosen,
                        const similarity_size *size) {
    similarity_costs *costs = &c->similarity->costs;
    similarity_candidate k;
    int device = profiled_device(c, p, chosen);
    double cost = similarity_costs_run(p, device, chosen->variant, size);
    for (int n = 0; similarity_candidate_get(c, n, &k); n++)
        if (!k.reason[0]) similarity_costs_miss(costs, p, profiled_device(c, p, &k), k.variant, size, cost);
    similarity_costs_use(costs, device, chosen->variant);
}

/* The candidate that costs least by measured costs; if none was measured, the first that can be had. */
/* What a search among candidates has found so far. */
typedef struct search {
    const char *wanted; /* the only variant that will do; NULL: any */
    int found;
    similarity_candidate best;
    double cost;      /* of it; below 0: nobody knows */
    char reason[256]; /* why the first one that will not do cannot be had */
} search;

/* Looks at a candidate. Returns whether it can be had. */
static int consider(search *s, arcl_context *c, const arcl_profile *profile, const similarity_candidate *k,
                    const similarity_size *size) {
    if (s->wanted && strcmp(variants[k->variant].name, s->wanted) != 0) return 0;
    if (k->reason[0]) {
        if (!s->reason[0]) memcpy(s->reason, k->reason, sizeof s->reason);
        return 0;
    }
    double cost = cost_of(c, profile, k, size);
    if (!s->found || (cost >= 0 && (s->cost < 0 || cost < s->cost))) {
        s->best = *k;
        s->cost = cost;
    }
    s->found = 1;
    return 1;
}

static arcl_status choose(arcl_context *c, const char *variant, const similarity_size *size,
                          similarity_candidate *chosen, int *measured, arcl_error *error) {
    search s = {.wanted = variant && strcmp(variant, "auto") != 0 ? variant : NULL, .cost = -1};
    similarity_candidate k;
    struct similarity *state;
    if (s.wanted && !is_variant(s.wanted)) return unknown_variant(s.wanted, error);
    PROPAGATE(state_of(c, &state, error));
    const arcl_profile *profile = state->cost ? NULL : selector_profile(c, NULL);
    int by_costs = state->cost || (profile && similarity_costs_known(profile));
    for (int n = 0; similarity_candidate_get(c, n, &k); n++)
        if (consider(&s, c, profile, &k, size) && !by_costs) break; /* no drivers are looked for without need */
    if (!s.found)
        return error_set(error, ARCL_INVALID, "the similarity variant %s cannot be had: %s",
                         s.wanted ? s.wanted : "auto", s.reason);
    *chosen = s.best;
    *measured = s.cost >= 0;
    if (profile && by_costs) note_choice(c, profile, chosen, size);
    return ARCL_SUCCESS;
}

/* ---- the matrix ---- */

typedef struct comparison {
    const arcl_grid *outputs, *expected;
    similarity_size size;
    uint32_t *matrix;
} comparison;

static arcl_status check_grids(const arcl_grid *grids, uint32_t count, int *h, int *w, arcl_error *error) {
    *h = *w = 0;
    for (uint32_t n = 0; n < count; n++) {
        const arcl_grid *g = &grids[n];
        if (g->h < 0 || g->w < 0 || g->h > MAX_SIDE || g->w > MAX_SIDE || (!g->cells && g->h && g->w))
            return error_set(error, ARCL_INVALID, "grid %u is %d by %d%s: grids have at most %d rows and columns", n,
                             g->h, g->w, g->cells ? "" : " without cells", MAX_SIDE);
        if (g->h > *h) *h = g->h;
        if (g->w > *w) *w = g->w;
    }
    return ARCL_SUCCESS;
}

/* Checks all grids; the sides that matter are the smaller of both. */
static arcl_status measure_sides(comparison *m, arcl_error *error) {
    int h, w;
    PROPAGATE(check_grids(m->outputs, m->size.outputs, &m->size.h, &m->size.w, error));
    PROPAGATE(check_grids(m->expected, m->size.expected, &h, &w, error));
    if (h < m->size.h) m->size.h = h;
    if (w < m->size.w) m->size.w = w;
    return ARCL_SUCCESS;
}

/* All outputs with the expected grids that the block has packed, from `column` on. */
static arcl_status compare_columns(arcl_context *c, const similarity_candidate *k, struct similarity_place *place,
                                   const comparison *m, similarity_limits limits, uint32_t column, similarity_block *b,
                                   arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    for (uint32_t row = 0; row < m->size.outputs && status == ARCL_SUCCESS;) {
        uint32_t rows = grid_pack_fit(m->outputs + row, m->size.outputs - row, b->h, b->w, limits);
        status = grid_pack_make(c, m->outputs + row, rows, b->h, b->w, &b->outputs, error);
        b->counts = m->matrix + (size_t)row * b->columns + column;
        if (status == ARCL_SUCCESS) status = variants[k->variant].compare(c, place, b, error);
        grid_pack_free(&b->outputs);
        row += rows;
    }
    return status;
}

static arcl_status compare_all(arcl_context *c, const similarity_candidate *k, const comparison *m, uint64_t *moved,
                               arcl_error *error) {
    similarity_block b = {.h = m->size.h, .w = m->size.w, .columns = m->size.expected};
    similarity_limits limits = {HOST_GRIDS, HOST_BYTES};
    struct similarity_place *place;
    PROPAGATE(find_place(c, k->device, &place, error));
    uint64_t before = place ? similarity_place_bytes(place) : 0;
    if (place) limits = similarity_place_limits(place, k->variant, b.h, b.w);
    if (!m->size.outputs || !b.columns) return ARCL_SUCCESS; /* there is no matrix */
    if (!b.h || !b.w) {
        memset(m->matrix, 0, (size_t)m->size.outputs * b.columns * sizeof *m->matrix);
        return ARCL_SUCCESS;
    }
    arcl_status status = ARCL_SUCCESS;
    for (uint32_t column = 0; column < m->size.expected && status == ARCL_SUCCESS;) {
        uint32_t columns = grid_pack_fit(m->expected + column, m->size.expected - column, b.h, b.w, limits);
        status = grid_pack_make(c, m->expected + column, columns, b.h, b.w, &b.expected, error);
        if (status == ARCL_SUCCESS) status = compare_columns(c, k, place, m, limits, column, &b, error);
        grid_pack_free(&b.expected);
        column += columns;
    }
    *moved = place ? similarity_place_bytes(place) - before : 0;
    return status;
}

arcl_status arcl_similarity(arcl_context *c, const char *variant, const arcl_grid *outputs, uint32_t output_count,
                            const arcl_grid *expected, uint32_t expected_count, uint32_t *matrix,
                            arcl_similarity_report *report, arcl_error *error) {
    error_clear(error);
    NEED(c);
    if (output_count) NEED(outputs);
    if (expected_count) NEED(expected);
    if (output_count && expected_count) NEED(matrix);
    comparison m = {outputs, expected, {output_count, expected_count, 0, 0}, matrix};
    similarity_candidate chosen;
    int measured = 0;
    int64_t start = clock_nanoseconds();
    uint64_t moved = 0;
    PROPAGATE(measure_sides(&m, error));
    PROPAGATE(choose(c, variant, &m.size, &chosen, &measured, error));
    PROPAGATE(compare_all(c, &chosen, &m, &moved, error));
    if (!report) return ARCL_SUCCESS;
    *report =
        (arcl_similarity_report){.variant = variants[chosen.variant].name, .measured = measured, .bytes_moved = moved};
    memcpy(report->device, chosen.id, sizeof report->device);
    report->nanoseconds = clock_since(start);
    return ARCL_SUCCESS;
}

/* ---- measuring ---- */

arcl_status similarity_measure(arcl_context *c, const similarity_candidate *candidate, const similarity_size *size,
                               double *nanoseconds, arcl_error *error) {
    size_t all = (size_t)size->outputs + size->expected, cells = (size_t)size->h * (size_t)size->w;
    comparison m = {.size = *size, .matrix = malloc((size_t)size->outputs * size->expected * sizeof *m.matrix + 1)};
    signed char *made = malloc(all * cells + 1);
    arcl_grid *grids = calloc(all + 1, sizeof *grids);
    uint32_t random = 1;
    uint64_t moved;
    arcl_status status = made && grids && m.matrix ? ARCL_SUCCESS : NO_MEMORY(error);
    for (size_t n = 0; status == ARCL_SUCCESS && n < all * cells; n++) {
        random = random * 1664525u + 1013904223u;
        made[n] = (signed char)((random >> 16) % 10);
    }
    for (size_t n = 0; status == ARCL_SUCCESS && n < all; n++)
        grids[n] = (arcl_grid){size->h, size->w, made + n * cells};
    if (status == ARCL_SUCCESS) {
        double start = clock_now();
        m.outputs = grids;
        m.expected = grids + size->outputs;
        status = compare_all(c, candidate, &m, &moved, error);
        *nanoseconds = clock_now() - start;
    }
    free(grids);
    free(made);
    free(m.matrix);
    return status;
}
