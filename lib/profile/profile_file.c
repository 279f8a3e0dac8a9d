/* Profiles on disk: where they are, reading, and writing so that a reader sees the old one or the new one, never
 * half. */
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cache_path.h"
#include "base/error.h"
#include "base/plain_locale.h"
#include "profile/profile.h"

#define MOST_BYTES (16 << 20) /* a profile has a few hundred thousand */

char *arcl_profile_default_path(char *buf, size_t size) {
    const char *set = getenv("ARCL_PROFILE");
    int fits = set ? (size_t)snprintf(buf, size, "%s", set) < size : cache_path(buf, size, "profile.json");
    if (!fits && size) buf[0] = 0;
    return buf;
}

/* ---- reading ---- */

static arcl_status read_all(FILE *f, const char *path, char **text, size_t *length, arcl_error *error) {
    size_t room = 1 << 16, used = 0;
    char *all = malloc(room);
    while (all && (used += fread(all + used, 1, room - used, f)) == room && room < MOST_BYTES) {
        char *grown = realloc(all, room *= 2);
        if (!grown) free(all);
        all = grown;
    }
    if (!all) return NO_MEMORY(error);
    int failed = ferror(f) ? errno : 0;
    if (failed || used == room) {
        free(all);
        return error_set(error, ARCL_INVALID, "%s: %s", path, failed ? strerror(failed) : "too large for a profile");
    }
    *text = all;
    *length = used;
    return ARCL_SUCCESS;
}

arcl_status arcl_profile_load(const char *path, arcl_profile **profile, arcl_error *error) {
    error_clear(error);
    NEED(path);
    NEED(profile);
    arcl_error why = {{0}};
    char *text = NULL;
    size_t length = 0;
    FILE *f = fopen(path, "re");
    *profile = NULL;
    if (!f) return error_set(error, ARCL_INVALID, "%s: %s", path, strerror(errno));
    arcl_status status = read_all(f, path, &text, &length, error);
    fclose(f);
    PROPAGATE(status);
    status = profile_parse(text, length, profile, &why);
    free(text);
    if (status == ARCL_SUCCESS) return ARCL_SUCCESS;
    return error_set(error, status, "%s: %s", path, why.message);
}

/* ---- writing ---- */

/* The text is UTF-8: see profile_identity_of and arcl_profile_add_case. */
static void put_quoted(FILE *f, const char *text, size_t length) {
    putc('"', f);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 32 || c == '"' || c == '\\')
            fprintf(f, "\\u%04x", c);
        else
            putc(c, f);
    }
    putc('"', f);
}

static void put_text(FILE *f, const char *name, const char *text, const char *end) {
    fprintf(f, "\"%s\": ", name);
    put_quoted(f, text, strlen(text));
    fputs(end, f);
}

static void put_curve(FILE *f, const char *name, const curve *c, const char *end) {
    fprintf(f, "\"%s\": [", name);
    for (int i = 0; i < c->count; i++) fprintf(f, "%s[%.17g, %.17g]", i ? ", " : "", c->x[i], c->y[i]);
    fprintf(f, "]%s", end);
}

static void put_kernel(FILE *f, const char *name, const kernel_cost *c, int first) {
    fprintf(f, "%s\n    \"%s\": {", first ? "" : ",", name);
    put_curve(f, "launch", &c->launch, ", ");
    fprintf(f,
            "\"per_element\": %.6g, \"in_a_row\": %.6g, \"least_elements\": %.6g, \"most_elements\": %.6g, "
            "\"samples\": %u, ",
            c->per_element, c->in_a_row, c->least_elements, c->most_elements, c->samples);
    fprintf(f, "\"correction\": %.6g}", c->correction);
}

static void put_cases(FILE *f, const char *cases) {
    fprintf(f, "\"cases\": [");
    for (const char *at = cases ? cases : ""; *at; at += strcspn(at, "\n") + 1) {
        if (at != cases) fputs(", ", f);
        put_quoted(f, at, strcspn(at, "\n"));
    }
    fprintf(f, "],\n   ");
}

static void put_similarity(FILE *f, const profile_device *d) {
    fprintf(f, "\"similarity\": {");
    for (int v = 0, first = 1; v < SIMILARITY_VARIANTS; v++) {
        if (!d->similarity[v].compare.count) continue;
        fprintf(f, "%s\"%s\": {\"first\": %.17g, ", first ? "" : ", ", similarity_variant_name((similarity_variant)v),
                d->similarity[v].first);
        put_curve(f, "compare", &d->similarity[v].compare, "}");
        first = 0;
    }
    fprintf(f, "},\n   ");
}

static void put_device(FILE *f, const profile_device *d) {
    fprintf(f, "  {");
    put_text(f, "id", d->id, ", ");
    put_text(f, "kind", d->kind, ",\n   \"identity\": {");
    put_text(f, "platform", d->identity.platform, ", ");
    put_text(f, "name", d->identity.name, ", ");
    put_text(f, "driver", d->identity.driver, ", ");
    fprintf(f, "\"compute_units\": %u, ", d->identity.compute_units);
    put_text(f, "kernels", d->identity.kernels, "},\n   \"overheads\": {");
    for (int i = 0; i < OVERHEADS; i++) fprintf(f, "%s\"%s\": %.6g", i ? ", " : "", overhead_names[i], d->overhead[i]);
    fprintf(f, "},\n   \"chunk_words\": %.17g,\n   ", d->chunk_words);
    put_curve(f, "up", &d->up, ",\n   ");
    put_curve(f, "down", &d->down, ",\n   ");
    put_cases(f, d->cases);
    put_similarity(f, d);
    fprintf(f, "\"costs\": {\n");
    for (int v = 0, first = 1; v < d->variants; v++, first = 1) {
        fputs(v ? ",\n   " : "   ", f);
        put_quoted(f, d->variant[v], strlen(d->variant[v]));
        fputs(": {", f);
        for (unsigned k = 1; k < KERNEL_COUNT; k++)
            if (d->cost[v][k].launch.count) {
                put_kernel(f, kernel_names[k], &d->cost[v][k], first);
                first = 0;
            }
        fprintf(f, "}");
    }
    fprintf(f, "}}");
}

static void put_profile(FILE *f, const arcl_profile *p) {
    locale_t before = plain_locale_begin();
    fprintf(f, "{\"format\": %d, ", PROFILE_FORMAT);
    put_text(f, "arcl", ARCL_VERSION, ", ");
    put_text(f, "created", p->created, ",\n \"devices\": [\n");
    for (int i = 0; i < p->devices; i++) {
        put_device(f, p->device[i]);
        fprintf(f, "%s\n", i + 1 < p->devices ? "," : "");
    }
    fprintf(f, " ]}\n");
    plain_locale_end(before);
}

static arcl_status write_failed(const char *path, arcl_error *error) {
    return error_set(error, ARCL_INVALID, "the profile cannot be written to %s: %s", path, strerror(errno));
}

arcl_status arcl_profile_save(const arcl_profile *p, const char *path, arcl_error *error) {
    error_clear(error);
    NEED(p);
    NEED(path);
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *temporary = malloc(size);
    if (!temporary) return NO_MEMORY(error);
    snprintf(temporary, size, "%s.XXXXXX", path);
    cache_make_parent(path);
    int file = mkostemp(temporary, O_CLOEXEC);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");
    arcl_status status = ARCL_SUCCESS;
    if (!f)
        status = write_failed(path, error);
    else {
        put_profile(f, p);
        int wrong = ferror(f) || fflush(f) || fchmod(file, 0644) || fsync(file);
        if (fclose(f) || wrong || rename(temporary, path)) status = write_failed(path, error);
    }
    if (status != ARCL_SUCCESS && file >= 0) unlink(temporary);
    free(temporary);
    return status;
}

void profile_stamp(arcl_profile *p) {
    time_t now = time(NULL);
    struct tm parts;
    strftime(p->created, sizeof p->created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
}
