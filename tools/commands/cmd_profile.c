/* arcl profile: measures what kernels cost on every device, op by op, and keeps that for planning. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/stopwatch.h"
#include "commands/bench/bench_op.h"
#include "data/session.h"

enum { MOST_DEVICES = 8 };

/* What an op is measured with: lanes, and the side of the grids. */
typedef struct profile_point {
    uint32_t lanes;
    int side;
} profile_point;

static const profile_point thorough[] = {{1, 10},    {4, 10},    {10, 10},    {30, 10},   {100, 10},  {300, 10},
                                         {1000, 10}, {3000, 10}, {10000, 10}, {10, 4},    {10, 25},   {100, 4},
                                         {100, 16},  {100, 25},  {1000, 4},   {1000, 25}, {100000, 4}};
/* On a simulated card: few sizes, since each takes seconds. */
static const profile_point simulated[] = {{10, 10}, {10, 15}, {1000, 10}, {1000, 15}, {4000, 10}};
static const profile_point quick[] = {{1, 10}, {10, 10}, {100, 5}, {100, 15}, {1000, 5}, {1000, 15}};

/* How thoroughly, and for how long. */
typedef struct profile_effort {
    const profile_point *points;
    int count;
    double point_seconds, most_seconds;
    int is_quick;
    const char *mark; /* behind a case's name in the profile, so that a quick one does not pass for a thorough one */
} profile_effort;

enum { THOROUGH, QUICK, SIMULATED };
#define WITHOUT_END 1e12 /* seconds */

static const profile_effort efforts[] = {
    [THOROUGH] = {thorough, sizeof thorough / sizeof thorough[0], 0.002, 100, 0, ""},
    [QUICK] = {quick, sizeof quick / sizeof quick[0], 0.0005, 12, 1, "?"},
    [SIMULATED] = {simulated, sizeof simulated / sizeof simulated[0], 0, WITHOUT_END, 0, ""},
};

#define KEEP_SECONDS 600 /* what takes hours is kept on the way */

/* Whether a list of names between commas has that one. */
static int is_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (; *list; list += strcspn(list, ",") + (list[strcspn(list, ",")] == ','))
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0) return 1;
    return 0;
}

typedef struct profiling {
    const profile_effort *effort;
    arcl_context *context;
    arcl_profile *profile;
    const char *path;
    char devices[MOST_DEVICES][16];
    int device_count;
    uint32_t card;              /* --simulated: how many times what is simulated the device is; 0: nothing is */
    const char *shape;          /* --shape, if that leaves out one that is usually measured, or adds it; else "" */
    double start, kept;         /* of everything; of what was measured since the file was written */
    int left_out[MOST_DEVICES]; /* ops that there was no time for */
} profiling;

/* The first Ctrl-C ends what is being measured, so that the rest can be kept; a second one ends the command. */
static volatile sig_atomic_t interrupted;
static arcl_context *volatile measuring;
static void on_interrupt(int signal_number) {
    interrupted = signal_number;
    arcl_cancel(measuring);
    signal(signal_number, SIG_DFL);
}

static int out_of_time(const profiling *p) {
    return interrupted || stopwatch_now() - p->start > p->effort->most_seconds;
}

/* ---- one op ---- */

/* "rot90", "rot90?", "rot90/team" */
static void case_name(const profiling *p, const char *device, const char *op, char name[64]) {
    const char *shape = strcmp(device, "host") == 0 ? "" : p->shape;
    snprintf(name, 64, "%s%s%s%s", op, p->effort->mark, *shape ? "/" : "", shape);
}

static int is_measured(const profiling *p, const char *device, const char *op) {
    char name[64];
    case_name(p, device, op, name);
    return arcl_profile_has_case(p->profile, device, name);
}

/* So few lanes that each has a multiprocessor of its own take as long on any part of a card; of others the part gets
 * its share. */
static arcl_status measure_simulated(profiling *p, const char *device, const bench_case *one,
                                     const arcl_program *program, const profile_point *point, arcl_error *error) {
    uint32_t card = point->lanes < 2 * p->card ? 1 : p->card;
    arcl_batch *batch = NULL;
    arcl_status status =
        bench_inputs_make(p->context, one->count, one->kinds, point->lanes / card, point->side, &batch, NULL, error);
    if (!status) status = arcl_profile_measure_simulated(p->profile, p->context, device, program, batch, card, error);
    arcl_batch_free(batch);
    return status == ARCL_CANCELLED ? ARCL_SUCCESS : status;
}

/* The largest batch is only for ops that are quick. */
static arcl_status measure_point(profiling *p, const char *device, const bench_case *one, const arcl_program *program,
                                 const profile_point *point, double *last, arcl_error *error) {
    arcl_batch *batch = NULL;
    if (point->lanes > 10000 && *last > 0.01) return ARCL_SUCCESS;
    arcl_status status =
        bench_inputs_make(p->context, one->count, one->kinds, point->lanes, point->side, &batch, NULL, error);
    double start = stopwatch_now();
    if (!status)
        status = arcl_profile_measure(p->profile, p->context, device, program, batch, p->effort->point_seconds, error);
    if (status == ARCL_NO_MEMORY) status = ARCL_SUCCESS; /* so many lanes do not fit; fewer do */
    if (status == ARCL_CANCELLED) status = ARCL_SUCCESS; /* measure_op leaves the op out */
    if (point->lanes == 10000) *last = stopwatch_now() - start;
    arcl_batch_free(batch);
    return status;
}

static arcl_status measure_op(profiling *p, const char *device, const bench_case *one, arcl_error *error) {
    arcl_program *program = NULL;
    char name[64];
    double last = 0;
    arcl_status status = bench_case_compile(p->context, one, &program, error);
    for (int i = 0; !status && i < p->effort->count && !interrupted; i++)
        status = p->card ? measure_simulated(p, device, one, program, &p->effort->points[i], error)
                         : measure_point(p, device, one, program, &p->effort->points[i], &last, error);
    arcl_program_free(program);
    case_name(p, device, one->op, name);
    if (!status && !interrupted) status = arcl_profile_add_case(p->profile, device, name, error);
    return status;
}

/* ---- all of them ---- */

/* Case `index`: the ops first, then the special ones. 0 behind the last. */
static int find_case(int index, bench_case *one) {
    if (index < arcl_op_count()) {
        if (bench_case_make(index, one)) one->op = NULL; /* nobody knows what to give it */
        return 1;
    }
    return bench_case_special(index - arcl_op_count(), one) == 0;
}

static int count_cases(void) {
    bench_case one;
    int n = 0;
    while (find_case(n, &one)) n++;
    return n;
}

static int explain(arcl_status status, const arcl_error *error) {
    message_progress_end();
    message_error("%s", error->message);
    return status == ARCL_DEVICE_FAILED ? CLI_DEVICE : CLI_BAD;
}

/* Progress is kept: what was measured when time or patience is out need not be measured again. */
static int keep(profiling *p) {
    arcl_error error;
    p->kept = stopwatch_now();
    arcl_profile_finish(p->profile);
    arcl_status status = arcl_profile_save(p->profile, p->path, &error);
    return status ? explain(status, &error) : CLI_DONE;
}

static int measure_ops(profiling *p, int device, const cli_options *options) {
    const char *id = p->devices[device];
    arcl_error error;
    int count = count_cases();
    for (int i = 0; i < count; i++) {
        bench_case one;
        find_case(i, &one);
        if (!one.op || (options->op ? !is_listed(options->op, one.op) : is_measured(p, id, one.op))) continue;
        int must =
            device == 0 && options->op && !interrupted; /* what was asked for, on the device that everything needs */
        if (!must && out_of_time(p)) {
            p->left_out[device]++;
            continue;
        }
        message_progress(one.op, (uint64_t)(device * count + i), (uint64_t)(p->device_count * count));
        arcl_status status = measure_op(p, id, &one, &error);
        if (status) return explain(status, &error);
        if (interrupted) p->left_out[device]++;
        if (stopwatch_now() - p->kept > KEEP_SECONDS && keep(p)) return CLI_BAD;
    }
    return CLI_DONE;
}

/* The name under which a profile notes that comparisons were measured; no op has it. */
static const char comparisons[] = "similarity";

/* A device that cannot compare still runs programs. */
static void measure_similarity(profiling *p, const char *device) {
    char name[64];
    arcl_error error;
    if (is_measured(p, device, comparisons)) return;
    message_wait("measuring comparisons on %s", device);
    case_name(p, device, comparisons, name);
    if (arcl_profile_measure_similarity(p->profile, p->context, device, p->effort->is_quick, &error) ||
        arcl_profile_add_case(p->profile, device, name, &error))
        message_note("comparisons are not measured on %s: %s", device, error.message);
}

/* The host first, with all its ops: without it nothing can be planned. Other devices get the time that is left. */
static int measure_all(profiling *p, const cli_options *options) {
    arcl_error error;
    int status = CLI_DONE;
    for (int d = p->card ? 1 : 0; !status && d < p->device_count; d++) { /* a host is not simulated */
        if (!p->card && (d == 0 || !out_of_time(p))) {
            message_wait("measuring what %s costs besides kernels", p->devices[d]);
            arcl_status failed = arcl_profile_measure_device(p->profile, p->context, p->devices[d], &error);
            if (failed == ARCL_CANCELLED && d == 0) raise(SIGINT); /* there is nothing to keep yet */
            if (failed && failed != ARCL_CANCELLED) return explain(failed, &error);
        }
        if (d == 0 && keep(p)) return CLI_BAD; /* whether that works is better known before the long part */
        status = measure_ops(p, d, options);
        if (!status && !p->card && !out_of_time(p)) measure_similarity(p, p->devices[d]);
    }
    return status;
}

/* ---- around it ---- */

/* The first name of a list that is none of the known ones; NULL: all are known. */
static const char *first_unknown(const char *names, int (*is_known)(const profiling *, const char *),
                                 const profiling *p, char found[64]) {
    for (; *names; names += strcspn(names, ",") + (names[strcspn(names, ",")] == ',')) {
        snprintf(found, 64, "%.*s", (int)(strcspn(names, ",") < 63 ? strcspn(names, ",") : 63), names);
        if (!is_known(p, found)) return found;
    }
    return NULL;
}

static int is_case(const profiling *p, const char *name) {
    bench_case one;
    (void)p;
    for (int i = 0; find_case(i, &one); i++)
        if (one.op && strcmp(one.op, name) == 0) return 1;
    return 0;
}

static int is_measured_device(const profiling *p, const char *name) {
    for (int d = 0; d < p->device_count; d++)
        if (strcmp(p->devices[d], name) == 0) return 1;
    return 0;
}

static int check_names(const profiling *p, const cli_options *options) {
    char name[64];
    if (options->op && first_unknown(options->op, is_case, p, name)) {
        message_error("--op: no op is named %s; `arcl ops` lists them all", name);
        return CLI_BAD;
    }
    if (options->device && first_unknown(options->device, is_measured_device, p, name)) {
        message_error("--device: %s cannot be measured; `arcl devices` tells what there is and why", name);
        return CLI_BAD;
    }
    return CLI_DONE;
}

static void list_devices(profiling *p, const cli_options *options) {
    arcl_device_info info;
    snprintf(p->devices[p->device_count++], 16, "host"); /* everything is compared with it */
    for (int i = 1; i < arcl_device_count(p->context) && p->device_count < MOST_DEVICES; i++) {
        if (arcl_device_get(p->context, i, &info, NULL) || info.state != ARCL_DEVICE_READY) continue;
        if (options->device && !is_listed(options->device, info.id)) continue;
        snprintf(p->devices[p->device_count++], 16, "%s", info.id);
    }
}

/* A profile that is there is gone on with if it is of these devices and something is missing in it. */
static int begin(profiling *p, const cli_options *options) {
    arcl_error error;
    char why[512];
    int missing = 0;
    int is_there = !options->fresh && access(p->path, F_OK) == 0;
    if (is_there && arcl_profile_load(p->path, &p->profile, &error)) {
        if (options->profile) { /* who knows what it is */
            message_error("%s; --fresh replaces it", error.message);
            return CLI_BAD;
        }
        message_note("the profile that is there is replaced: %s", error.message);
    } else if (is_there) {
        bench_case one;
        for (int d = 0; d < p->device_count; d++) {
            missing |= !p->card && !is_measured(p, p->devices[d], comparisons);
            for (int i = 0; find_case(i, &one); i++) missing |= one.op && !is_measured(p, p->devices[d], one.op);
        }
        if (!*arcl_profile_mismatch(p->profile, p->context, why, sizeof why) && (missing || options->op))
            return CLI_DONE;
        if (*why) message_note("the profile that is there is replaced: %s", why);
        arcl_profile_free(p->profile);
    }
    arcl_status status = arcl_profile_create(&p->profile, &error);
    return status ? explain(status, &error) : CLI_DONE;
}

static void say_what_was_done(const profiling *p) {
    char list[256] = "";
    for (int d = 0, used = 0; d < p->device_count; d++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%s", d ? ", " : "", p->devices[d]);
    printf("measured %s in %.1f s: %s\n", list, stopwatch_now() - p->start, p->path);
    for (int d = 0; d < p->device_count; d++)
        if (p->left_out[d])
            printf("%d ops are not measured on %s yet, and %s until they are: `arcl profile` goes on with them\n",
                   p->left_out[d], p->devices[d], d ? "do not run there" : "nobody knows what they take");
    for (int d = 0; d < p->device_count; d++)
        if (!p->card && !is_measured(p, p->devices[d], comparisons))
            printf("comparisons are not measured on %s yet: `arcl profile` goes on with them\n", p->devices[d]);
}

int cmd_profile(const cli_options *options) {
    char standard[4096];
    cli_options plain = *options;
    profiling p = {.effort = &efforts[options->simulated ? SIMULATED
                                      : options->quick   ? QUICK
                                                         : THOROUGH],
                   .card = (uint32_t)options->simulated,
                   .shape = options->shape && strcmp(options->shape, "auto") != 0 ? options->shape : "",
                   .start = stopwatch_now()};
    p.kept = p.start;
    p.path = options->profile ? options->profile : arcl_profile_default_path(standard, sizeof standard);
    plain.device = "host";
    plain.profile = "";
    if (!*p.path) {
        message_error("profile: neither HOME nor XDG_CACHE_HOME is set: name a file with --profile FILE");
        return CLI_BAD;
    }
    int status = session_open(&plain, &p.context);
    if (!status) list_devices(&p, options);
    if (!status) status = check_names(&p, options);
    if (!status) status = begin(&p, options);
    if (!status) {
        measuring = p.context;
        void (*before)(int) = signal(SIGINT, on_interrupt);
        status = measure_all(&p, options);
        if (!status) status = keep(&p);
        signal(SIGINT, before);
    }
    message_progress_end();
    if (!status) say_what_was_done(&p);
    arcl_profile_free(p.profile);
    arcl_context_free(p.context);
    return status;
}
