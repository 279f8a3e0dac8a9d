/* arcl check: golden vectors. Lines are prepared and judged in groups, in parallel; the lanes of a whole group run
 * together; what is printed and written comes in the order of the lines. */
#include <stdlib.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/json_text.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "commands/vector_case.h"
#include "data/report_output.h"
#include "data/session.h"
#include "data/value_json.h"

enum { GROUP = 256, MOST_FAILURES = 20 };

typedef struct check {
    const cli_options *options;
    arcl_context *context;
    file_output json;
    const char *path; /* of the file being checked */
    vector_case cases[GROUP];
    uint64_t passed, failed;
    uint64_t shown, hidden; /* failures printed, and left out */
    int written;            /* cases in the JSON file */
    uint64_t malformed;     /* lines */
    int bad;                /* something malformed or rejected */
} check;

static void prepare(void *arg, uint32_t index) {
    check *all = arg;
    vector_case_prepare(all->context, &all->cases[index]);
}

static void judge(void *arg, uint32_t index) { vector_case_judge(&((check *)arg)->cases[index]); }

/* Whether one more failure may be printed. */
static int may_show(check *all) {
    int may = all->options->verbose || all->shown < MOST_FAILURES;
    ++*(may ? &all->shown : &all->hidden);
    return may;
}

static void print_failure(check *all, const vector_case *one, uint32_t lane) {
    char expected[160], got[160];
    arcl_lane_status status;
    json_node out = vector_case_expected(one, lane);
    json_t *wanted = node_to_json(out), *value = vector_case_got(one, lane, &status);
    message_progress_end();
    message_put_clean(stdout, one->id);
    printf(" lane %u (%s:%d)\n", lane, all->path, one->line);
    printf("  expected %s\n", node_is_there(out) ? value_json_text(wanted, expected, sizeof expected) : "an error");
    printf("  got      %s\n",
           status == ARCL_OK ? value_json_text(value, got, sizeof got) : arcl_lane_status_name(status));
    json_decref(wanted);
    json_decref(value);
}

static void report_case(check *all, const vector_case *one) {
    if (one->state == VECTOR_MALFORMED) {
        all->bad = 1;
        if (++all->malformed <= MOST_FAILURES || all->options->verbose)
            message_error("%s:%d: %s", all->path, one->line, one->work.error.message);
        return;
    }
    uint32_t lanes = vector_case_lanes(one);
    all->passed += lanes - one->failures;
    all->failed += one->failures;
    if (one->state == VECTOR_REJECTED) {
        all->bad = 1;
        if (may_show(all))
            message_error("%s:%d: %u lanes failed: %s", all->path, one->line, lanes, one->work.error.message);
        return;
    }
    for (uint32_t i = 0; one->failures && i < lanes; i++)
        if (!one->passed[i] && may_show(all) && !all->options->quiet) print_failure(all, one, i);
}

/* Everything about a case that a program might want, including all values, so that runs can be compared. */
static void write_case(check *all, const vector_case *one) {
    json_t *lanes = json_array();
    for (uint32_t i = 0; one->state == VECTOR_READY && i < vector_case_lanes(one); i++) {
        arcl_lane_status status;
        json_t *value = vector_case_got(one, i, &status);
        json_array_append_new(lanes, json_pack("{sb ss so}", "passed", one->passed[i], "status",
                                               arcl_lane_status_name(status), "value", value));
    }
    json_t *object =
        json_pack("{ss? so si so}", "id", one->id, "file", json_text(all->path), "line", one->line, "lanes", lanes);
    if (object && one->state != VECTOR_READY) json_object_set_new(object, "error", json_text(one->work.error.message));
    fputs(all->written++ ? ",\n" : "", all->json.stream);
    if (object) json_dumpf(object, all->json.stream, JSON_COMPACT);
    json_decref(object);
}

/* Returns CLI_DONE, or CLI_DEVICE after a message: then the cases of the group have no verdict. */
static int check_group(check *all, int count) {
    session_work *works[GROUP];
    int ready = 0;
    arcl_parallel(all->context, (uint32_t)count, prepare, all);
    for (int i = 0; i < count; i++)
        if (all->cases[i].state == VECTOR_READY && !all->cases[i].source) works[ready++] = &all->cases[i].work;
    int status = session_run(all->context, ready, works);
    for (int i = 0; i < count && status == CLI_DONE; i++)
        if (all->cases[i].state == VECTOR_READY && all->cases[i].source)
            status = vector_case_run_battery(all->context, &all->cases[i]);
    if (status == CLI_DONE) arcl_parallel(all->context, (uint32_t)count, judge, all);
    for (int i = 0; i < count; i++) {
        if (status == CLI_DONE) report_case(all, &all->cases[i]);
        if (status == CLI_DONE && all->json.stream) write_case(all, &all->cases[i]);
        vector_case_free(&all->cases[i]);
    }
    return status;
}

static int check_text(check *all, const char *text, size_t length) {
    const char *end = text + length, *at = text;
    int count = 0, line = 0;
    while (vector_case_next(&at, end, &line, &all->cases[count])) {
        if (++count < GROUP) continue;
        int status = check_group(all, count);
        if (status != CLI_DONE) return status;
        count = 0;
        message_progress(all->path, (uint64_t)(at - text), length);
    }
    return count ? check_group(all, count) : CLI_DONE;
}

static void finish_json(check *all) {
    fprintf(all->json.stream, "],\n\"passed\":%llu,\"failed\":%llu", (unsigned long long)all->passed,
            (unsigned long long)all->failed);
    if (all->options->report) {
        json_t *report = report_json(all->context);
        fputs(",\n\"report\":", all->json.stream);
        json_dumpf(report, all->json.stream, JSON_COMPACT);
        json_decref(report);
    }
    fputs("}\n", all->json.stream);
    if (file_commit(&all->json)) all->bad = 1;
}

int cmd_check(const cli_options *options) {
    char why[1024];
    check *all = allocation_get(1, sizeof *all);
    all->options = options;
    int status = session_open(options, &all->context);
    if (status) goto done;
    status = CLI_BAD;
    if (options->json) {
        if (file_create(&all->json, options->json)) goto done;
        fputs("{\"cases\":[\n", all->json.stream);
    }
    for (int i = 0; i < options->count; i++) {
        size_t length;
        char *text = file_read(all->path = options->arguments[i], &length, why, sizeof why);
        if (!text) {
            message_error("%s", why);
            goto done;
        }
        int checked = check_text(all, text, length);
        free(text);
        if (checked != CLI_DONE) {
            status = checked;
            goto done;
        }
    }
    message_progress_end();
    if (all->hidden && !options->quiet)
        printf("... and %llu more failures; --verbose prints all\n", (unsigned long long)all->hidden);
    if (all->malformed > MOST_FAILURES && !options->verbose)
        message_error("... and %llu more lines like these; a vector file has a JSON object on every line",
                      (unsigned long long)(all->malformed - MOST_FAILURES));
    if (all->passed + all->failed == 0 && !all->bad) {
        message_error("nothing to check: no vectors in what was given; a vector file has a JSON object on every line");
        all->bad = 1;
    }
    if (all->json.stream) finish_json(all);
    printf("%llu passed, %llu failed\n", (unsigned long long)all->passed, (unsigned long long)all->failed);
    status = all->bad ? CLI_BAD : all->failed ? CLI_MISMATCH : CLI_DONE;
done:
    file_discard(&all->json);
    status = session_close(options, all->context, status);
    free(all);
    return status;
}
