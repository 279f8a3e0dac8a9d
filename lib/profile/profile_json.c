/* The text of a profile, read. It may come from anywhere: every member is checked for its type and its range before
 * anything uses it, and what is wrong is named by its path. docs/file-formats.md describes the format. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plain_locale.h"
#include "profile/profile.h"

#define MOST_NANOSECONDS 1e15 /* eleven days: nothing that was measured took longer */

typedef struct reader {
    char path[256]; /* of the member that is being read: "devices[1].costs.lanes.rot90" */
    arcl_error *error;
} reader;

__attribute__((format(printf, 2, 3))) static arcl_status wrong(reader *r, const char *format, ...) {
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return error_set(r->error, ARCL_INVALID, "%s %s", *r->path ? r->path : "the profile", what);
}

/* Goes into a member; the result is for leaving it again. */
__attribute__((format(printf, 2, 3))) static size_t enter(reader *r, const char *format, ...) {
    size_t used = strlen(r->path);
    va_list args;
    va_start(args, format);
    vsnprintf(r->path + used, sizeof r->path - used, format, args);
    va_end(args);
    return used;
}

static void leave(reader *r, size_t used) { r->path[used] = 0; }

/* ---- members ---- */

static arcl_status get_text(reader *r, const json_t *object, const char *name, char *to, size_t size) {
    const char *text = json_string_value(json_object_get(object, name));
    if (!text) return wrong(r, "has no text '%s'", name);
    if (strlen(text) >= size) return wrong(r, "has a '%s' that is too long", name);
    memcpy(to, text, strlen(text) + 1);
    return ARCL_SUCCESS;
}

static arcl_status check_number(reader *r, const json_t *value, const char *name, double *to) {
    if (!json_is_number(value)) return wrong(r, "has no number '%s'", name);
    *to = json_number_value(value);
    if (!isfinite(*to) || *to < 0 || *to > MOST_NANOSECONDS)
        return wrong(r, "has %g as '%s', which no measurement gives", *to, name);
    if (*to == 0) *to = 0; /* not -0, which would be written with its sign, and read as the integer without */
    return ARCL_SUCCESS;
}

static arcl_status get_number(reader *r, const json_t *object, const char *name, double *to) {
    return check_number(r, json_object_get(object, name), name, to);
}

static arcl_status get_count(reader *r, const json_t *object, const char *name, uint32_t *to) {
    const json_t *value = json_object_get(object, name);
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0 || n > 0x7fffffff) return wrong(r, "has no count '%s'", name);
    *to = (uint32_t)n;
    return ARCL_SUCCESS;
}

/* [[x, y], ..] */
static arcl_status get_curve(reader *r, const json_t *object, const char *name, curve *to) {
    const json_t *points = json_object_get(object, name);
    size_t count = json_array_size(points);
    if (!json_is_array(points)) return wrong(r, "has no list '%s'", name);
    if (count > CURVE_POINTS) return wrong(r, "has a '%s' of more than %d points", name, CURVE_POINTS);
    to->count = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *point = json_array_get(points, i);
        double x = 0, y = 0;
        if (json_array_size(point) != 2) return wrong(r, "has a point in '%s' that is no pair", name);
        PROPAGATE(check_number(r, json_array_get(point, 0), name, &x));
        PROPAGATE(check_number(r, json_array_get(point, 1), name, &y));
        if (to->count && (x <= to->x[i - 1] || y < to->y[i - 1])) return wrong(r, "has a '%s' that falls", name);
        curve_add(to, x, y);
    }
    return ARCL_SUCCESS;
}

/* ---- parts ---- */

static unsigned kernel_of(const char *name) {
    for (unsigned k = 1; k < KERNEL_COUNT; k++)
        if (strcmp(kernel_names[k], name) == 0) return k;
    return KERNEL_none;
}

static arcl_status get_kernel(reader *r, const json_t *object, kernel_cost *to) {
    PROPAGATE(get_curve(r, object, "launch", &to->launch));
    if (!to->launch.count) return wrong(r, "has an empty curve");
    PROPAGATE(get_number(r, object, "per_element", &to->per_element));
    PROPAGATE(get_number(r, object, "in_a_row", &to->in_a_row));
    PROPAGATE(get_number(r, object, "least_elements", &to->least_elements));
    PROPAGATE(get_number(r, object, "most_elements", &to->most_elements));
    PROPAGATE(get_count(r, object, "samples", &to->samples));
    PROPAGATE(get_number(r, object, "correction", &to->correction));
    return to->correction > 0 ? ARCL_SUCCESS : wrong(r, "has a correction of 0");
}

/* Instead of a curve, what it is to be drawn from: [[lanes, elements, nanoseconds], ..]. */
static arcl_status get_measured(reader *r, const json_t *list, profile_sample sample, profile_device *d) {
    const json_t *one;
    size_t i;
    if (!json_is_array(list) || !json_array_size(list)) return wrong(r, "has no list 'measured'");
    json_array_foreach(list, i, one) {
        if (json_array_size(one) != 3) return wrong(r, "has an entry in 'measured' that is not of three numbers");
        PROPAGATE(check_number(r, json_array_get(one, 0), "measured", &sample.lanes));
        PROPAGATE(check_number(r, json_array_get(one, 1), "measured", &sample.elements));
        PROPAGATE(check_number(r, json_array_get(one, 2), "measured", &sample.ns));
        if (sample.lanes < 1 || sample.ns <= 0) return wrong(r, "has an entry in 'measured' of no lanes or no time");
        if (!profile_add_sample(d, &sample)) return NO_MEMORY(r->error);
    }
    return ARCL_SUCCESS;
}

/* Variants of the host are builds, whichever it has; those of a device are shapes, lanes first. */
static arcl_status check_variant(reader *r, const profile_device *d, const char *name) {
    if (d->variants == PROFILE_VARIANTS) return wrong(r, "is one variant too many");
    if (strlen(name) >= sizeof d->variant[0]) return wrong(r, "has too long a name");
    if (strcmp(d->kind, "host") != 0 && strcmp(name, profile_shapes[d->variants]) != 0)
        return wrong(r, "is no shape of kernels: there are lane and then team");
    return ARCL_SUCCESS;
}

static arcl_status get_variant(reader *r, json_t *kernels, profile_device *d) {
    const char *name;
    json_t *object;
    int teams = strcmp(d->kind, "host") != 0 && d->variants == PROFILE_TEAM;
    if (!json_is_object(kernels)) return wrong(r, "is no object");
    json_object_foreach(kernels, name, object) {
        size_t before = enter(r, ".%s", name);
        unsigned kernel = kernel_of(name);
        if (!kernel) return wrong(r, "is no kernel of this arcl");
        if (teams && !kernel_has(kernel, TEAM)) return wrong(r, "has no shape for teams");
        const json_t *measured = json_object_get(object, "measured");
        profile_sample sample = {.variant = (uint8_t)d->variants, .kernel = (uint16_t)kernel};
        PROPAGATE(measured ? get_measured(r, measured, sample, d)
                           : get_kernel(r, object, &d->cost[d->variants][kernel]));
        leave(r, before);
    }
    return ARCL_SUCCESS;
}

static arcl_status get_costs(reader *r, json_t *costs, profile_device *d) {
    const char *variant;
    json_t *kernels;
    if (!json_is_object(costs)) return wrong(r, "has no object 'costs'");
    json_object_foreach(costs, variant, kernels) {
        size_t before = enter(r, ".costs.%s", variant);
        PROPAGATE(check_variant(r, d, variant));
        PROPAGATE(get_variant(r, kernels, d));
        strcpy(d->variant[d->variants++], variant);
        leave(r, before);
    }
    return d->variants ? ARCL_SUCCESS : wrong(r, "has no costs");
}

/* Profiles from before this was measured have none. */
static arcl_status get_similarity(reader *r, json_t *variants, profile_device *d) {
    const char *name;
    json_t *object;
    if (variants && !json_is_object(variants)) return wrong(r, "has a 'similarity' that is no object");
    json_object_foreach(variants, name, object) {
        size_t before = enter(r, ".similarity.%s", name);
        int v = 0;
        while (v < SIMILARITY_VARIANTS && strcmp(similarity_variant_name((similarity_variant)v), name) != 0) v++;
        if (v == SIMILARITY_VARIANTS) return wrong(r, "is no variant of this arcl");
        PROPAGATE(get_number(r, object, "first", &d->similarity[v].first));
        PROPAGATE(get_curve(r, object, "compare", &d->similarity[v].compare));
        if (!d->similarity[v].compare.count) return wrong(r, "has an empty curve");
        leave(r, before);
    }
    return ARCL_SUCCESS;
}

static arcl_status get_cases(reader *r, const json_t *cases, profile_device *d) {
    size_t count = json_array_size(cases), used = 0;
    if (!json_is_array(cases)) return wrong(r, "has no list 'cases'");
    for (size_t i = 0; i < count; i++) used += json_string_length(json_array_get(cases, i)) + 1;
    d->cases = calloc(used + 1, 1);
    if (!d->cases) return NO_MEMORY(r->error);
    for (size_t i = 0, at = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(cases, i));
        if (!name || strchr(name, '\n')) return wrong(r, "has a case that is no name");
        at += (size_t)snprintf(d->cases + at, used + 1 - at, "%s\n", name);
    }
    return ARCL_SUCCESS;
}

static arcl_status get_device(reader *r, const json_t *object, profile_device *d) {
    const json_t *identity = json_object_get(object, "identity"), *overheads = json_object_get(object, "overheads");
    PROPAGATE(get_text(r, object, "id", d->id, sizeof d->id));
    PROPAGATE(get_text(r, object, "kind", d->kind, sizeof d->kind));
    size_t before = enter(r, ".identity");
    PROPAGATE(get_text(r, identity, "platform", d->identity.platform, sizeof d->identity.platform));
    PROPAGATE(get_text(r, identity, "name", d->identity.name, sizeof d->identity.name));
    PROPAGATE(get_text(r, identity, "driver", d->identity.driver, sizeof d->identity.driver));
    PROPAGATE(get_text(r, identity, "kernels", d->identity.kernels, sizeof d->identity.kernels));
    PROPAGATE(get_count(r, identity, "compute_units", &d->identity.compute_units));
    d->workers = (int)d->identity.compute_units;
    leave(r, before);
    for (int i = 0; i < OVERHEADS; i++) PROPAGATE(get_number(r, overheads, overhead_names[i], &d->overhead[i]));
    if (d->overhead[OVERHEAD_speedup] < 1) return wrong(r, "has a speedup below 1");
    PROPAGATE(get_number(r, object, "chunk_words", &d->chunk_words));
    PROPAGATE(get_curve(r, object, "up", &d->up));
    PROPAGATE(get_curve(r, object, "down", &d->down));
    PROPAGATE(get_cases(r, json_object_get(object, "cases"), d));
    PROPAGATE(get_similarity(r, json_object_get(object, "similarity"), d));
    return get_costs(r, json_object_get(object, "costs"), d);
}

/* The last device may stand where it does: the host is the first one and no other, and no id is there twice. */
static arcl_status check_place(reader *r, const arcl_profile *p) {
    int last = p->devices - 1;
    int id = strcmp(p->device[last]->id, "host") == 0, kind = strcmp(p->device[last]->kind, "host") == 0;
    if (last == 0) return id && kind ? ARCL_SUCCESS : wrong(r, "is not the host");
    if (id || kind) return wrong(r, "is one host too many");
    for (int i = 1; i < last; i++)
        if (strcmp(p->device[i]->id, p->device[last]->id) == 0) return wrong(r, "has the id of another device");
    return ARCL_SUCCESS;
}

static arcl_status get_profile(reader *r, const json_t *root, arcl_profile *p) {
    const json_t *devices = json_object_get(root, "devices");
    const json_t *format = json_object_get(root, "format");
    if (!json_is_integer(format)) return wrong(r, "has no 'format'");
    if (json_integer_value(format) != PROFILE_FORMAT)
        return wrong(r, "has format %lld, this arcl reads format %d", (long long)json_integer_value(format),
                     PROFILE_FORMAT);
    PROPAGATE(get_text(r, root, "created", p->created, sizeof p->created));
    if (!json_is_array(devices) || !json_array_size(devices)) return wrong(r, "has no devices");
    if (json_array_size(devices) > PROFILE_DEVICES) return wrong(r, "has more than %d devices", PROFILE_DEVICES);
    for (size_t i = 0; i < json_array_size(devices); i++) {
        profile_device *d = calloc(1, sizeof *d);
        if (!d) return NO_MEMORY(r->error);
        p->device[p->devices++] = d;
        size_t before = enter(r, "devices[%zu]", i);
        PROPAGATE(get_device(r, json_array_get(devices, i), d));
        PROPAGATE(check_place(r, p));
        leave(r, before);
    }
    return ARCL_SUCCESS;
}

arcl_status profile_parse(const char *text, size_t length, arcl_profile **profile, arcl_error *error) {
    json_error_t where;
    reader r = {.error = error};
    *profile = NULL;
    locale_t before = plain_locale_begin();
    errno = 0;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    int no_memory = !root && errno == ENOMEM; /* where jansson blames the text, if anything */
    plain_locale_end(before);
    if (no_memory) return NO_MEMORY(error);
    if (!root) return error_set(error, ARCL_INVALID, "line %d: %s", where.line, where.text);
    arcl_status status = arcl_profile_create(profile, error);
    if (status == ARCL_SUCCESS) status = get_profile(&r, root, *profile);
    if (status == ARCL_SUCCESS) profile_draw(*profile);
    json_decref(root);
    if (status != ARCL_SUCCESS) {
        arcl_profile_free(*profile);
        *profile = NULL;
    }
    return status;
}
