/* The profile of a context: loaded when something is first to be run, checked against the machine, saved if it has
 * learnt; and its devices, opened when a plan has begun to pay for that. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/selector_state.h"
#include "profile/profile_match.h"
#include "run/devices.h"

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

/* Only a GPU has something to plan where everything runs on one device, and only if that was measured as it is. */
static void find_named(arcl_context *c, struct selector *s) {
    char why[512];
    arcl_device_info info;
    for (int d = 1; d < s->profile->devices; d++) {
        const profile_device *measured = s->profile->device[d];
        int found = measured->variants > PROFILE_TEAM ? profile_find_device(measured, c, why, sizeof why) : -1;
        if (found >= 0 && arcl_device_get(c, found, &info, NULL) == ARCL_SUCCESS && devices_are(c, info.id))
            s->named = d;
    }
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
    for (int d = 1; d < s->profile->devices; d++) s->profile->device[d]->shape = c->options.shape;
    if (!s->usable) find_named(c, s);
}

struct selector *selector_of(arcl_context *c) {
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

const char *arcl_profile_notice(const arcl_context *c) { return c && c->selector ? c->selector->notice : ""; }

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

void selector_open_device(arcl_context *c, struct selector *s, int device) {
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
        if (s->worker[d] == NOT_OPEN && s->usable >> d & 1) selector_open_device(c, s, d);
}

int selector_workers(arcl_context *c, int device, int *first) {
    const struct selector *s = c->selector;
    if (!s || s->worker[device] < 0) return 0;
    *first = s->worker[device];
    return s->workers[device];
}

uint32_t selector_open_set(const struct selector *s) {
    uint32_t set = 1;
    for (int d = 1; d < s->profile->devices; d++)
        if (s->worker[d] >= 0) set |= 1u << d;
    return set & s->usable;
}

char *arcl_profile_mismatch(const arcl_profile *p, arcl_context *c, char *buf, size_t size) {
    arcl_device_info info;
    if (!size) return buf;
    buf[0] = 0;
    for (int i = 0; p && c && i < p->devices && !*buf; i++) {
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
