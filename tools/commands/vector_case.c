/* A line of a vector file, from text to verdict. Prepares and judges without printing, so that threads may do it. */
#include "commands/vector_case.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "data/json_file.h"
#include "data/value_json.h"

enum { MOST_TYPES = 16 };

static int is_blank(const char *at, const char *stop) {
    while (at < stop && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at == stop;
}

int vector_case_next(const char **at, const char *end, int *line, vector_case *one) {
    while (*at < end) {
        const char *start = *at, *stop = memchr(start, '\n', (size_t)(end - start));
        if (!stop) stop = end;
        *at = stop < end ? stop + 1 : end;
        ++*line;
        if (is_blank(start, stop)) continue;
        *one = (vector_case){.text = start, .length = (size_t)(stop - start), .line = *line};
        return 1;
    }
    return 0;
}

__attribute__((format(printf, 3, 4))) static void refuse(vector_case *one, vector_state state, const char *format,
                                                         ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(one->work.error.message, sizeof one->work.error.message, format, arguments);
    va_end(arguments);
    one->state = state;
}

/* Looks whether the line has the form, so that nobody later has to. */
static int examine(vector_case *one, const char **program, const char **types) {
    json_node list = node_member(one->json, "types");
    one->id = node_text(node_member(one->json, "id"));
    one->lanes = node_member(one->json, "lanes");
    *program = node_text(node_member(one->json, "program"));
    if (!one->id || !*program || !node_is_array(list) || !node_is_array(one->lanes)) {
        refuse(one, VECTOR_MALFORMED, "expected {\"id\":\"..\",\"program\":\"..\",\"types\":[..],\"lanes\":[..]}");
        return -1;
    }
    size_t count = node_size(list);
    for (size_t i = 0; i < MOST_TYPES && i < count; i++) types[i] = node_text(node_item(list, i));
    for (size_t i = 0; i < count; i++)
        if (count > MOST_TYPES || !types[i] || strpbrk(types[i], " \t\n")) {
            refuse(one, VECTOR_MALFORMED, "\"types\" is at most %d strings, a type without blanks each", MOST_TYPES);
            return -1;
        }
    json_node dialect = node_member(one->json, "dialect"), policy = node_member(one->json, "policy");
    int found = node_is_there(dialect) ? arcl_dialect_find(node_text(dialect)) : ARCL_ARC_DSL;
    if (found <= ARCL_DIALECT_AUTO) {
        refuse(one, VECTOR_MALFORMED, "\"dialect\" is \"arc-dsl\" or \"tokpidjin\"");
        return -1;
    }
    one->dialect = (arcl_dialect)found;
    /* No op of tokpidjin fails, so defaults are what its vectors expect. */
    const char *usual = one->dialect == ARCL_TOKPIDJIN ? "safe" : "strict";
    const char *name = node_is_there(policy) ? node_text(policy) : usual;
    one->policy = name && strcmp(name, "safe") == 0 ? ARCL_SAFE : ARCL_STRICT;
    if (!name || (one->policy == ARCL_STRICT && strcmp(name, "strict") != 0)) {
        refuse(one, VECTOR_MALFORMED, "\"policy\" is \"strict\" or \"safe\"");
        return -1;
    }
    for (uint32_t i = 0; i < vector_case_lanes(one); i++) {
        json_node lane = node_item(one->lanes, i), in = node_member(lane, "in");
        int expectations = node_is_there(node_member(lane, "out")) + node_is_there(node_member(lane, "error"));
        if (!node_is_array(in) || node_size(in) != count || expectations != 1) {
            refuse(one, VECTOR_MALFORMED,
                   "lanes[%u]: expected \"in\" with %zu arguments, and one of \"out\" and \"error\"", i, count);
            return -1;
        }
    }
    return (int)count;
}

static void compile(arcl_context *context, vector_case *one, const char *program, const char *const *types, int count) {
    arcl_source *source = NULL;
    arcl_compile_options options = {.types = types, .type_count = count, .policy = one->policy};
    if (arcl_source_parse_dialect(context, program, strlen(program), one->id, one->dialect, &source,
                                  &one->work.error)) {
        allocation_check(&one->work.error);
        one->state = VECTOR_REJECTED;
        return;
    }
    int definitions = arcl_source_count(source);
    if (batt_is_in(source)) {
        one->source = source;
        one->battery = batt_of(source);
        return;
    }
    if (definitions != 1)
        refuse(one, VECTOR_REJECTED, "%s: \"program\" has %d definitions; expected one", one->id, definitions);
    else if (arcl_program_compile(context, source, 0, &options, &one->work.program, &one->work.error)) {
        allocation_check(&one->work.error);
        one->state = VECTOR_REJECTED;
    }
    arcl_source_free(source);
}

/* In tokpidjin a cell is written [i, j, c]: that is another type to a batch. */
static void write_as_triples(char *types) {
    static const char cell[] = "cell";
    for (char *at = types; (at = strstr(at, cell)); at += strlen("ijc")) {
        memcpy(at, "ijc", strlen("ijc"));
        memmove(at + strlen("ijc"), at + strlen(cell), strlen(at + strlen(cell)) + 1);
    }
}

static void fill(arcl_context *context, vector_case *one, const char *const *types, int count) {
    arcl_error error;
    size_t size = 1;
    for (int i = 0; i < count; i++) size += strlen(types[i]) + 1;
    char *joined = allocation_get(size, 1), *end = joined;
    for (int i = 0; i < count; i++) {
        if (i) *end++ = ' ';
        end = stpcpy(end, types[i]);
    }
    if (one->dialect == ARCL_TOKPIDJIN) write_as_triples(joined);
    if (arcl_batch_create(context, joined, &one->work.batch, &error)) {
        allocation_check(&error);
        one->work.batch = NULL;
        refuse(one, VECTOR_REJECTED, "%s: %.900s", one->id, error.message);
    }
    free(joined);
    for (uint32_t i = 0; one->state == VECTOR_READY && i < vector_case_lanes(one); i++)
        for (int j = 0; one->state == VECTOR_READY && j < count; j++) {
            json_node in = node_member(node_item(one->lanes, i), "in");
            if (value_json_add_typed(one->work.batch, types[j], node_item(in, (size_t)j), &error)) {
                allocation_check(&error);
                refuse(one, VECTOR_REJECTED, "%s: lanes[%u]: argument %d: %.900s", one->id, i, j + 1, error.message);
            }
        }
}

void vector_case_prepare(arcl_context *context, vector_case *one) {
    json_error_t error;
    const char *program, *types[MOST_TYPES];
    if (json_text_read(one->text, one->length, 0, &one->memory, &one->json, &error)) {
        refuse(one, VECTOR_MALFORMED, "column %d: %s", error.column, error.text);
        return;
    }
    int count = examine(one, &program, types);
    if (count < 0) return;
    one->passed = allocation_get(vector_case_lanes(one), 1);
    one->failures = vector_case_lanes(one); /* until they have run */
    compile(context, one, program, types, count);
    if (one->state == VECTOR_READY) fill(context, one, types, count);
}

int vector_case_run_battery(arcl_context *context, vector_case *one) {
    json_node list = node_member(one->json, "types");
    const char *types[MOST_TYPES];
    int count = (int)node_size(list);
    for (int i = 0; i < count; i++) types[i] = node_text(node_item(list, (size_t)i));
    if (batt_compile(context, &one->battery, BATT_ALL_GIVEN, types, count, &one->work.error)) {
        one->state = VECTOR_REJECTED;
        return CLI_DONE;
    }
    for (int i = 0; i < one->battery.count && one->state == VECTOR_READY; i++)
        if (!arcl_battery_program(one->battery.battery, i))
            refuse(one, VECTOR_REJECTED, "%s", one->battery.works[i].error.message);
    return one->state == VECTOR_READY ? batt_start(context, &one->battery, one->work.batch) : CLI_DONE;
}

uint32_t vector_case_lanes(const vector_case *one) { return (uint32_t)node_size(one->lanes); }

json_node vector_case_expected(const vector_case *one, uint32_t lane) {
    return node_member(node_item(one->lanes, lane), "out");
}

json_t *vector_case_got(const vector_case *one, uint32_t lane, arcl_lane_status *status) {
    *status = ARCL_OK;
    if (one->source) return batt_lane_json(&one->battery, lane);
    *status = arcl_result_status(one->work.result, lane);
    return *status == ARCL_OK ? value_json_make(arcl_result_value(one->work.result, lane)) : json_null();
}

void vector_case_judge(vector_case *one) {
    if (one->state != VECTOR_READY) return;
    if (!one->work.result && !one->source) {
        arcl_error why = one->work.error;
        refuse(one, VECTOR_REJECTED, "%s: %.900s", one->id, why.message);
        return;
    }
    one->failures = 0;
    for (uint32_t i = 0; i < vector_case_lanes(one); i++) {
        json_node out = vector_case_expected(one, i);
        if (one->source) {
            one->passed[i] = node_is_there(out) && batt_lane_equal(&one->battery, i, out);
            one->failures += !one->passed[i];
            continue;
        }
        int ok = arcl_result_status(one->work.result, i) == ARCL_OK;
        one->passed[i] = node_is_there(out) ? ok && value_json_equal_lane(one->work.result, i, out) : !ok;
        one->failures += !one->passed[i];
    }
}

void vector_case_free(vector_case *one) {
    arcl_result_free(one->work.result);
    arcl_batch_free(one->work.batch);
    arcl_program_free(one->work.program);
    batt_free(&one->battery);
    arcl_source_free(one->source);
    hoard_free(&one->memory);
    free(one->passed);
}
