/* Of every line, a record has its state; then the error of one that is malformed or rejected; the lanes, if they are
 * known, and how many of them failed; how many failures are shown, and what they say; and what the JSON file says, if
 * there is one. Lines are prepared and judged in groups, in parallel, and the lanes of a whole group run together. */
#define _DEFAULT_SOURCE /* open_memstream */
#include "commands/check/check_portions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cli/allocation.h"
#include "cli/json_text.h"
#include "cli/messages.h"
#include "commands/vector_case.h"
#include "data/value_json.h"

enum { GROUP = 256 };

typedef struct group {
    const check_portions *all;
    const check_line *lines;
    vector_case cases[GROUP];
    int shown; /* failures of the record: those behind the first few are never printed */
} group;

static void prepare(void *arg, uint32_t index) {
    group *g = arg;
    const check_line *line = &g->lines[index];
    g->cases[index] = (vector_case){.text = line->text, .length = line->length, .line = line->number};
    vector_case_prepare(g->all->context, &g->cases[index]);
}

static void judge(void *arg, uint32_t index) { vector_case_judge(&((group *)arg)->cases[index]); }

/* Returns CLI_DONE, or another exit status after a message: then the cases have no verdict. */
static int run_cases(group *g, int count) {
    arcl_context *context = g->all->context;
    session_work *works[GROUP];
    int ready = 0;
    arcl_parallel(context, (uint32_t)count, prepare, g);
    for (int i = 0; i < count; i++)
        if (g->cases[i].state == VECTOR_READY && !g->cases[i].source) works[ready++] = &g->cases[i].work;
    int status = session_run(context, ready, works);
    for (int i = 0; i < count && status == CLI_DONE; i++)
        if (g->cases[i].state == VECTOR_READY && g->cases[i].source)
            status = vector_case_run_battery(context, &g->cases[i]);
    if (status == CLI_DONE) arcl_parallel(context, (uint32_t)count, judge, g);
    return status;
}

/* ---- words ---- */

static const char *path_of(const group *g, int index) { return g->all->lines->paths[g->lines[index].file]; }

static void write_failure(const group *g, int index, uint32_t lane, FILE *out) {
    char expected[160], got[160];
    arcl_lane_status status;
    const vector_case *one = &g->cases[index];
    json_node wanted = vector_case_expected(one, lane);
    json_t *wants = node_to_json(wanted), *value = vector_case_got(one, lane, &status);
    message_put_clean(out, one->id);
    fprintf(out, " lane %u (%s:%d)\n", lane, path_of(g, index), one->line);
    fprintf(out, "  expected %s\n",
            node_is_there(wanted) ? value_json_text(wants, expected, sizeof expected) : "an error");
    fprintf(out, "  got      %s\n",
            status == ARCL_OK ? value_json_text(value, got, sizeof got) : arcl_lane_status_name(status));
    json_decref(wants);
    json_decref(value);
}

/* Everything about a case that a program might want, including all values, so that runs can be compared. */
static void write_case(const group *g, int index, FILE *out) {
    const vector_case *one = &g->cases[index];
    json_t *lanes = json_array();
    for (uint32_t i = 0; one->state == VECTOR_READY && i < vector_case_lanes(one); i++) {
        arcl_lane_status status;
        json_t *value = vector_case_got(one, i, &status);
        json_array_append_new(lanes, json_pack("{sb ss so}", "passed", one->passed[i], "status",
                                               arcl_lane_status_name(status), "value", value));
    }
    json_t *object = json_pack("{ss? so si so}", "id", one->id, "file", json_text(path_of(g, index)), "line", one->line,
                               "lanes", lanes);
    if (object && one->state != VECTOR_READY) json_object_set_new(object, "error", json_text(one->work.error.message));
    if (object) json_dumpf(object, out, JSON_COMPACT);
    json_decref(object);
}

/* Puts what is written as a text. */
static FILE *open_text(char **text, size_t *length) {
    FILE *out = open_memstream(text, length);
    if (!out) allocation_none();
    return out;
}

/* Without memory for its last bytes there may be no text, though closing went well. */
static void close_text(FILE *out, char *const *text) {
    if (fclose(out) || !*text) allocation_none();
}

static void put_text(byte_list *record, FILE *out, char **text) {
    close_text(out, text);
    bytes_put_text(record, *text);
    free(*text);
}

/* ---- records ---- */

static void put_failures(group *g, int index, byte_list *record) {
    const vector_case *one = &g->cases[index];
    uint32_t shown = 0;
    size_t length;
    char *text;
    FILE *out = open_text(&text, &length);
    for (uint32_t i = 0; one->failures && i < vector_case_lanes(one); i++) {
        if (one->passed[i] || (!g->all->options->verbose && g->shown == CHECK_MOST_FAILURES)) continue;
        write_failure(g, index, i, out);
        fputc(0, out); /* the end of one */
        g->shown++;
        shown++;
    }
    close_text(out, &text);
    bytes_put_number(record, shown);
    bytes_put_number(record, length);
    bytes_put(record, text, length);
    free(text);
}

static void put_case(group *g, int index, byte_list *record) {
    const vector_case *one = &g->cases[index];
    bytes_put_number(record, (uint64_t)one->state);
    bytes_put_number(record, one->state == VECTOR_MALFORMED ? 0 : vector_case_lanes(one));
    bytes_put_number(record, one->state == VECTOR_MALFORMED ? 0 : one->failures);
    if (one->state != VECTOR_READY) bytes_put_text(record, one->work.error.message);
    if (one->state == VECTOR_READY) put_failures(g, index, record);
    if (!g->all->options->json) return;
    size_t length;
    char *text;
    FILE *out = open_text(&text, &length);
    write_case(g, index, out);
    put_text(record, out, &text);
}

static int run(void *self, portion units, byte_list *record) {
    group *g = allocation_get(1, sizeof *g);
    int status = CLI_DONE;
    g->all = self;
    for (uint64_t next; units.first < units.end && status == CLI_DONE; units.first = next) {
        next = units.end - units.first < GROUP ? units.end : units.first + GROUP;
        int count = (int)(next - units.first);
        g->lines = g->all->lines->list + units.first;
        status = run_cases(g, count);
        for (int i = 0; i < count; i++) {
            if (status == CLI_DONE) put_case(g, i, record);
            vector_case_free(&g->cases[i]);
        }
    }
    free(g);
    return status;
}

static check_failure_reader failures_of(byte_reader *from) {
    check_failure_reader failures = {.count = (uint32_t)bytes_get_number(from)};
    uint64_t length = bytes_get_number(from);
    failures.texts = (const char *)bytes_get(from, (size_t)length);
    from->is_bad |= length && failures.texts && failures.texts[length - 1];
    return failures;
}

static int take(void *self, portion units, const unsigned char *record, size_t length) {
    const check_portions *all = self;
    byte_reader from = {.at = record, .end = record + length};
    for (; units.first < units.end && !from.is_bad; units.first++) {
        const check_line *line = &all->lines->list[units.first];
        check_outcome o = {.path = all->lines->paths[line->file], .line = line->number};
        o.state = (vector_state)bytes_get_number(&from);
        o.lanes = (uint32_t)bytes_get_number(&from);
        o.failed = (uint32_t)bytes_get_number(&from);
        if (o.state == VECTOR_READY)
            o.failures = failures_of(&from);
        else
            o.error = bytes_get_text(&from);
        if (all->options->json) o.json = bytes_get_text(&from);
        if (!from.is_bad) check_results_take(all->results, &o);
    }
    return from.is_bad || from.at != from.end ? -1 : 0;
}

/* ---- the job ---- */

/* Bytes of a line say more of what it costs than nothing. */
static double cost(const void *self, portion units) {
    const check_portions *all = self;
    double sum = 0;
    for (; units.first < units.end; units.first++) sum += (double)all->lines->list[units.first].length;
    return sum;
}

/* What is in records depends on whether there is a JSON file and how many failures are shown. */
static void make_key(const check_portions *all, uint64_t key[2]) {
    XXH3_state_t *state = XXH3_createState();
    if (!state) allocation_none();
    XXH3_128bits_reset(state);
    const cli_options *o = all->options;
    uint64_t numbers[] = {all->lines->count, o->budget, o->json != NULL, (uint64_t)o->verbose};
    XXH3_128bits_update(state, "check", sizeof "check");
    XXH3_128bits_update(state, arcl_version(), strlen(arcl_version()));
    XXH3_128bits_update(state, numbers, sizeof numbers);
    for (size_t i = 0; i < all->lines->count; i++) {
        const check_line *line = &all->lines->list[i];
        XXH3_128bits_update(state, all->lines->paths[line->file], strlen(all->lines->paths[line->file]));
        XXH3_128bits_update(state, &line->number, sizeof line->number);
        XXH3_128bits_update(state, line->text, line->length);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    key[0] = hash.high64;
    key[1] = hash.low64;
}

portion_job check_portions_job(check_portions *all) {
    portion_job job = {.self = all,
                       .context = all->context,
                       .what = "lines",
                       .units = all->lines->count,
                       .each = 1,
                       .usual = 1 << 18,
                       .cost = cost,
                       .run = run,
                       .take = take};
    make_key(all, job.key);
    return job;
}
