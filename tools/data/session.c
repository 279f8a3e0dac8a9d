/* Around a run: the context and its devices, and running many programs of which some may be refused. Knows nothing of
 * tasks or vectors. */
#include "data/session.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "data/report_output.h"

/* ---- opening ---- */

static int is_host(const char *device) { return strcmp(device, "host") == 0; }
static int is_named(const char *device) { return device && strcmp(device, "auto") != 0; }

/* Whether the rest of the options is fine, so that it is the device which cannot be had. */
static int works_on_the_host(arcl_options wanted) {
    arcl_context *context;
    wanted.device = "host";
    if (arcl_context_create(&wanted, &context, NULL)) return 0;
    arcl_context_free(context);
    return 1;
}

static int explain(arcl_status status, const arcl_options *wanted, const arcl_error *error) {
    int about_device = status == ARCL_INVALID && is_named(wanted->device) && works_on_the_host(*wanted);
    message_error("%s%s", error->message, about_device ? "; `arcl devices` describes what there is" : "");
    return status == ARCL_DEVICE_FAILED ? CLI_DEVICE : CLI_BAD;
}

static int keeps_results(const cli_options *options) { return options->cache || options->cache_dir; }

static int open_cache(const cli_options *options, arcl_context **context) {
    arcl_error error;
    arcl_cache_options wanted = {.directory = options->cache_dir ? options->cache_dir : ""};
    if (options->cache_dir && !*options->cache_dir)
        message_error("--cache-dir: the name is missing");
    else if (arcl_cache_enable(*context, &wanted, &error))
        message_error("--cache: %s; --cache-dir DIR does it", error.message);
    else
        return CLI_DONE;
    arcl_context_free(*context);
    *context = NULL;
    return CLI_BAD;
}

/* Which shape of kernels is meant; -1: none. */
static int shape_named(const char *name) {
    static const char *const names[] = {
        [ARCL_SHAPE_AUTO] = "auto", [ARCL_SHAPE_LANE] = "lane", [ARCL_SHAPE_TEAM] = "team"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        if (strcmp(name, names[i]) == 0) return i;
    return -1;
}

int session_open(const cli_options *options, arcl_context **context) {
    arcl_error error;
    arcl_options wanted = {.threads = (int)options->threads,
                           .memory = options->memory,
                           .budget = (uint32_t)options->budget,
                           .chunk = (uint32_t)options->chunk,
                           .device = options->device,
                           .profile = options->profile,
                           .frozen = options->frozen};
    int shape = options->shape ? shape_named(options->shape) : ARCL_SHAPE_AUTO;
    *context = NULL;
    if (shape < 0) {
        message_error("--shape %s: there are lane, team and auto", options->shape);
        return CLI_BAD;
    }
    wanted.shape = (arcl_shape)shape;
    if (options->device && !*options->device) {
        message_error("--device: the name is missing; `arcl devices` lists the devices");
        return CLI_BAD;
    }
    if (options->require && !is_named(options->device)) {
        message_error("--require needs a device that is named: --device host, cl:N or a part of a name; `arcl devices` "
                      "lists them");
        return CLI_BAD;
    }
    if (is_named(options->device) && !is_host(options->device)) message_wait("opening %s", options->device);
    interrupt_hold(); /* the context's threads are not to be interrupted */
    arcl_status status = arcl_context_create(&wanted, context, &error);
    interrupt_release();
    if (*arcl_device_notice()) message_note("%s", arcl_device_notice());
    if (status) return explain(status, &wanted, &error);
    message_progress_end();
    if (options->report) arcl_report_enable(*context, 1);
    if (!keeps_results(options)) return CLI_DONE;
    return open_cache(options, context);
}

/* ---- running ---- */

/* Drivers compile a kernel when it is first used, which can take longer than everything else. */
static void announce(const arcl_context *context) {
    if (arcl_report_device_count(context))
        message_wait("running on %s%s; a kernel is compiled when it is used for the first time",
                     arcl_report_device(context, 0).device, arcl_report_device_count(context) > 1 ? " and others" : "");
}

static int device_failed(const arcl_error *error) {
    message_error("%s", error->message);
    return CLI_DEVICE;
}

/* The status of running all together; what went wrong is in *error. */
static arcl_status run_together(arcl_context *context, int count, session_work *const *works, arcl_error *error) {
    size_t n = (size_t)count;
    const arcl_program **programs = allocation_get(n, sizeof *programs);
    const arcl_batch **batches = allocation_get(n, sizeof *batches);
    const arcl_batch **expected = allocation_get(n, sizeof *expected);
    arcl_result **results = allocation_get(n, sizeof *results);
    for (int i = 0; i < count; i++) {
        programs[i] = works[i]->program;
        batches[i] = works[i]->batch;
        expected[i] = works[i]->expected;
    }
    interrupt_run_begins(context);
    arcl_status status = expected[0] ? arcl_score_many(context, count, programs, batches, expected, 0, results, error)
                                     : arcl_run_many(context, count, programs, batches, results, error);
    interrupt_run_ends();
    for (int i = 0; i < count; i++) works[i]->result = results[i];
    free(programs);
    free(batches);
    free(expected);
    free(results);
    return status;
}

int session_run(arcl_context *context, int count, session_work *const *works) {
    arcl_error error;
    if (count == 0) return CLI_DONE;
    announce(context);
    arcl_status status = run_together(context, count, works, &error);
    if (status == ARCL_DEVICE_FAILED) return device_failed(&error);
    if (status == ARCL_CANCELLED) return CLI_BAD; /* by a signal that the command has put off */
    if (status && count == 1) {
        allocation_check(&error);
        works[0]->error = error;
    }
    if (!status || count == 1) return CLI_DONE;
    for (int i = 0; i < count; i++) {
        status = run_together(context, 1, &works[i], &works[i]->error);
        if (status) allocation_check(&works[i]->error);
        if (status == ARCL_DEVICE_FAILED) return device_failed(&works[i]->error);
    }
    return CLI_DONE;
}

int session_run_battery(arcl_context *context, const arcl_battery *battery, const arcl_batch *batch,
                        const arcl_batch *expected, int outputs, session_work *const *works) {
    int count = arcl_battery_describe(battery).programs;
    arcl_result **results = allocation_get((size_t)count, sizeof *results);
    arcl_error *errors = allocation_get((size_t)count, sizeof *errors), error;
    announce(context);
    interrupt_run_begins(context);
    arcl_status status = expected || !outputs
                             ? arcl_battery_score(context, battery, batch, expected, outputs, results, errors, &error)
                             : arcl_battery_run(context, battery, batch, results, errors, &error);
    interrupt_run_ends();
    if (status) allocation_check(&error);
    for (int i = 0; i < count; i++) {
        works[i]->result = results[i];
        if (results[i]) continue; /* errors are large, and there are hundreds of programs */
        if (!status) allocation_check(&errors[i]);
        if (!*works[i]->error.message) works[i]->error = status ? error : errors[i];
    }
    free(results);
    free(errors);
    if (status == ARCL_CANCELLED) return CLI_BAD;
    return status == ARCL_DEVICE_FAILED ? device_failed(&error) : CLI_DONE;
}

/* ---- closing ---- */

/* By its design the library runs nothing elsewhere than said. This looks at what it counted, so that nobody has to
 * believe it; without --report ops are not counted, and what is left is where it was able to run. */
static int ran_elsewhere(const char *device, const arcl_context *context) {
    int on_host = is_host(device);
    if (on_host != (arcl_report_device_count(context) == 0)) return 1;
    for (int i = 0; i < arcl_report_count(context); i++)
        if (on_host != is_host(arcl_report_get(context, i).device)) return 1;
    return 0;
}

/* Results that could not be kept, or could not be used, are computed again: nothing that was asked for is missing. */
static void close_cache(arcl_context *context) {
    arcl_status ignored = arcl_cache_flush(context, NULL);
    (void)ignored; /* the notice tells */
    if (*arcl_cache_notice(context)) message_note("%s", arcl_cache_notice(context));
}

int session_close(const cli_options *options, arcl_context *context, int status) {
    message_progress_end();
    if (context && *arcl_profile_notice(context)) message_note("%s", arcl_profile_notice(context));
    interrupt_hold(); /* the library's files are finished, or not begun: it removes what it has not finished */
    if (context) close_cache(context);
    if (context && options->report) report_print(context);
    if (context && options->require && ran_elsewhere(options->device, context)) {
        message_error("--require: not everything ran on %s", options->device);
        status = CLI_DEVICE;
    }
    arcl_context_free(context);
    interrupt_release();
    return status;
}
