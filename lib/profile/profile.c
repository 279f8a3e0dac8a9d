#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

const char *const overhead_names[OVERHEADS] = {
#define OVERHEAD(name, meaning) #name,
#include "profile/overheads.def"
#undef OVERHEAD
};

const char *const profile_shapes[PROFILE_VARIANTS] = {[PROFILE_LANE] = "lane", [PROFILE_TEAM] = "team"};

arcl_status arcl_profile_create(arcl_profile **profile, arcl_error *error) {
    error_clear(error);
    NEED(profile);
    *profile = calloc(1, sizeof **profile);
    return *profile ? ARCL_SUCCESS : NO_MEMORY(error);
}

void arcl_profile_free(arcl_profile *p) {
    if (!p) return;
    for (int i = 0; i < p->devices; i++) {
        free(p->device[i]->cases);
        free(p->device[i]->sample);
        free(p->device[i]);
    }
    free(p);
}

/* ---- devices ---- */

profile_identity profile_identity_of(const arcl_device_info *info) {
    profile_identity found = {.compute_units = info->compute_units};
    snprintf(found.platform, sizeof found.platform, "%s", info->platform);
    snprintf(found.name, sizeof found.name, "%s", info->name);
    snprintf(found.driver, sizeof found.driver, "%s", info->driver);
    snprintf(found.kernels, sizeof found.kernels, "%s", kernel_identity);
    utf8_clean(found.platform); /* what is compared is what was written to a file */
    utf8_clean(found.name);
    utf8_clean(found.driver);
    return found;
}

void profile_identity_compare(const profile_identity *measured, const profile_identity *found, char *why, size_t size) {
    const struct {
        const char *what, *was, *is;
    } texts[] = {{"platform", measured->platform, found->platform},
                 {"device", measured->name, found->name},
                 {"driver", measured->driver, found->driver},
                 {"kernels", measured->kernels, found->kernels}};
    why[0] = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(texts[i].was, texts[i].is) != 0) {
            snprintf(why, size, "the %s: '%s' was measured, '%s' is there", texts[i].what, texts[i].was, texts[i].is);
            return;
        }
    if (measured->compute_units != found->compute_units)
        snprintf(why, size, "the compute units: %u were measured, %u are there", measured->compute_units,
                 found->compute_units);
}

profile_device *profile_device_get(arcl_profile *p, const char *id, const char *kind,
                                   const profile_identity *identity) {
    char why[512];
    for (int i = 0; i < p->devices; i++) {
        profile_identity_compare(&p->device[i]->identity, identity, why, sizeof why);
        if (!*why) return p->device[i];
    }
    if (p->devices == PROFILE_DEVICES) return NULL;
    profile_device *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    snprintf(d->id, sizeof d->id, "%s", id);
    snprintf(d->kind, sizeof d->kind, "%s", kind);
    d->identity = *identity;
    d->workers = (int)identity->compute_units;
    d->overhead[OVERHEAD_speedup] = 1;
    p->device[p->devices++] = d;
    return d;
}

/* ---- cases ---- */

static profile_device *device_by_id(const arcl_profile *p, const char *id) {
    for (int i = 0; i < p->devices; i++)
        if (strcmp(p->device[i]->id, id) == 0) return p->device[i];
    return NULL;
}

int arcl_profile_has_case(const arcl_profile *p, const char *device, const char *name) {
    if (!p || !device || !name) return 0;
    const profile_device *d = device_by_id(p, device);
    size_t length = strlen(name);
    for (const char *at = d && d->cases ? d->cases : ""; *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '\n') return 1;
    return 0;
}

arcl_status arcl_profile_add_case(arcl_profile *p, const char *device, const char *name, arcl_error *error) {
    error_clear(error);
    NEED(p);
    NEED(device);
    NEED(name);
    profile_device *d = device_by_id(p, device);
    if (!d) return error_set(error, ARCL_INVALID, "nothing of %s was measured", device);
    if (strchr(name, '\n') || !utf8_is_valid(name))
        return error_set(error, ARCL_INVALID, "the name of a case is one line of UTF-8");
    size_t used = d->cases ? strlen(d->cases) : 0, more = strlen(name) + 2;
    char *grown = realloc(d->cases, used + more);
    if (!grown) return NO_MEMORY(error);
    snprintf(grown + used, more, "%s\n", name);
    d->cases = grown;
    return ARCL_SUCCESS;
}

/* ---- costs ---- */

cost_estimate profile_cost(const profile_device *d, int variant, unsigned kernel, double lanes, double elements) {
    const kernel_cost *c = &d->cost[variant][kernel];
    if (!c->launch.count) return (cost_estimate){0};
    double per_lane = lanes > 0 ? elements / lanes : 0;
    double ns = (curve_at(&c->launch, lanes) + c->per_element * elements + c->in_a_row * per_lane) * c->correction;
    /* Fewer lanes than were measured cost no more than the least that was measured; few elements cost little anyway. */
    int beyond = lanes > c->launch.x[c->launch.count - 1] || per_lane > 2 * c->most_elements + 1;
    return (cost_estimate){ns, 1, beyond};
}

/* The first variant is the one that should suit the device: another has to be better than measuring may be wrong. In
 * which shape a lane takes longer depends on more than its size, so of shapes a little more is asked. */
#define CLEARLY_BETTER 0.9
#define CLEARLY_BETTER_SHAPE 0.85
#define LEAST_TELLING 200.0 /* nanoseconds: below, clocks go in steps that are as large as the differences */

int profile_best_variant(const profile_device *d, unsigned kernel, double lanes, double elements) {
    if (d->shape != ARCL_SHAPE_AUTO)
        return d->shape == ARCL_SHAPE_TEAM && kernel_has(kernel, TEAM) ? PROFILE_TEAM : PROFILE_LANE;
    int best = 0;
    double enough = strcmp(d->kind, "host") == 0 ? CLEARLY_BETTER : CLEARLY_BETTER_SHAPE;
    cost_estimate least = profile_cost(d, 0, kernel, lanes, elements);
    if (least.measured && least.ns < LEAST_TELLING) return 0;
    for (int v = 1; v < d->variants; v++) {
        cost_estimate cost = profile_cost(d, v, kernel, lanes, elements);
        if (!cost.measured || (least.measured && cost.ns >= least.ns * enough)) continue;
        least = cost;
        best = v;
    }
    return best;
}
