#include "data/batt.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "data/value_json.h"

int batt_is_in(const arcl_source *source) {
    for (int i = 0; i < arcl_source_count(source); i++)
        if (arcl_source_describe(source, i).kind != ARCL_SOLVER) return 1;
    return 0;
}

/* ---- what belongs together ---- */

typedef struct ranked {
    const arcl_definition_info *info;
    int program;
} ranked;

/* Ids that are the same with another differ are not the same key. */
static int compare_keys(const ranked *a, const ranked *b, int by_id) {
    if (a->info->kind != b->info->kind) return a->info->kind < b->info->kind ? -1 : 1;
    int order = strcmp(a->info->differ, b->info->differ);
    return order || !by_id ? order : strcmp(a->info->id, b->info->id);
}

static int compare_ranked(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    int order = compare_keys(a, b, 1);
    return order ? order : a->program - b->program;
}

/* In sorted order neighbours share a key or a group; the first of a group may come anywhere in it. */
static void find_keys(batt *b) {
    ranked *sorted = allocation_get((size_t)b->count, sizeof *sorted);
    for (int i = 0; i < b->count; i++) sorted[i] = (ranked){&b->infos[i], i};
    qsort(sorted, (size_t)b->count, sizeof *sorted, compare_ranked);
    for (int i = 0, end; i < b->count; i = end) {
        int first = sorted[i].program;
        for (end = i; end < b->count && !compare_keys(&sorted[i], &sorted[end], 0); end++)
            if (sorted[end].program < first) first = sorted[end].program;
        for (int k = i; k < end; k++) {
            int same = k > i && !compare_keys(&sorted[k - 1], &sorted[k], 1);
            b->key[sorted[k].program] = same ? b->key[sorted[k - 1].program] : sorted[k].program;
            b->group[sorted[k].program] = first;
        }
    }
    free(sorted);
}

batt batt_of(const arcl_source *source) {
    size_t most = (size_t)arcl_source_count(source);
    batt b = {.definitions = allocation_get(most, sizeof *b.definitions),
              .infos = allocation_get(most, sizeof *b.infos),
              .place = {allocation_get(most, sizeof(int)), allocation_get(most, sizeof(int))},
              .key = allocation_get(most, sizeof *b.key),
              .group = allocation_get(most, sizeof *b.group)};
    for (int i = 0; i < (int)most; i++) {
        arcl_definition_info info = arcl_source_describe(source, i);
        if (info.kind == ARCL_SOLVER) continue;
        b.definitions[b.count] = (arcl_definition){source, i};
        b.infos[b.count++] = info;
    }
    find_keys(&b);
    return b;
}

void batt_free(batt *b) {
    for (int i = 0; i < b->compiled; i++) arcl_result_free(b->works[i].result);
    arcl_battery_free(b->battery);
    free(b->works);
    free(b->place[BATT_ABSENT]);
    free(b->place[BATT_GIVEN]);
    free(b->key);
    free(b->group);
    free(b->infos);
    free(b->definitions);
    *b = (batt){0};
}

/* ---- compiling and running ---- */

static int is_compiled(const arcl_definition_info *info, batt_purpose purpose, batt_c c) {
    if (purpose == BATT_ALL_GIVEN) return c == BATT_GIVEN;
    return c == BATT_ABSENT || info->kind == ARCL_BATTERY_DIFFER;
}

/* Both variants of a program become neighbours: they have almost everything in common. */
static void place_programs(batt *b, batt_purpose purpose, arcl_definition *definitions, arcl_compile_options *options) {
    const arcl_compile_options usual = *options;
    b->purpose = purpose;
    b->compiled = 0;
    for (int i = 0; i < b->count; i++)
        for (int c = BATT_ABSENT; c <= BATT_GIVEN; c++) {
            b->place[c][i] = -1;
            if (!is_compiled(&b->infos[i], purpose, (batt_c)c)) continue;
            definitions[b->compiled] = b->definitions[i];
            options[b->compiled] = usual;
            options[b->compiled].expected_absent = c == BATT_ABSENT;
            b->place[c][i] = b->compiled++;
        }
}

int batt_compile(arcl_context *context, batt *b, batt_purpose purpose, const char *const *types, int count,
                 arcl_error *error) {
    size_t most = 2 * (size_t)b->count;
    arcl_definition *definitions = allocation_get(most, sizeof *definitions);
    arcl_compile_options *options = allocation_get(most, sizeof *options);
    arcl_error *errors = allocation_get(most, sizeof *errors);
    options[0] = (arcl_compile_options){.types = types, .type_count = count, .policy = ARCL_SAFE};
    options[0].counts_only = purpose == BATT_FOR_SCORES;
    place_programs(b, purpose, definitions, options);
    b->works = allocation_get((size_t)b->compiled, sizeof *b->works);
    arcl_status status =
        arcl_battery_compile_each(context, definitions, options, b->compiled, &b->battery, errors, error);
    if (status) allocation_check(error);
    for (int i = 0; i < b->compiled && !status; i++) {
        if (arcl_battery_program(b->battery, i)) continue;
        allocation_check(&errors[i]);
        b->works[i].error = errors[i];
    }
    free(errors);
    free(options);
    free(definitions);
    return status ? -1 : 0;
}

int batt_start(arcl_context *context, batt *b, const arcl_batch *batch) {
    session_work **works = allocation_get((size_t)b->compiled, sizeof *works);
    for (int i = 0; i < b->compiled; i++) {
        arcl_result_free(b->works[i].result); /* of what was run before */
        b->works[i].result = NULL;
        works[i] = &b->works[i];
    }
    int status = session_run_battery(context, b->battery, batch, NULL, 1, works);
    free(works);
    return status;
}

/* ---- what came out ---- */

const arcl_result *batt_result(const batt *b, int program, batt_c c) {
    int place = b->place[c][program];
    return place < 0 ? NULL : b->works[place].result;
}

const char *batt_rejection(const batt *b, int program) {
    for (int c = BATT_ABSENT; c <= BATT_GIVEN; c++) {
        int place = b->place[c][program];
        if (place >= 0 && !b->works[place].result) return b->works[place].error.message;
    }
    return NULL;
}

int batt_has_value(const batt *b, int program, batt_c c, uint32_t lane) {
    const arcl_result *result = batt_result(b, program, c);
    return result && arcl_result_status(result, lane) == ARCL_OK;
}

/* A lane without a value has none, as Python would say. */
static json_t *value_of(const batt *b, int program, batt_c c, uint32_t lane) {
    if (!batt_has_value(b, program, c, lane)) return json_null();
    return value_json_make(arcl_result_value(batt_result(b, program, c), lane));
}

json_t *batt_list_json(const batt *b, arcl_definition_kind kind, batt_c c, uint32_t lane) {
    json_t *list = json_array();
    for (int i = 0; i < b->count; i++) {
        const arcl_definition_info *info = &b->infos[i];
        if (info->kind != kind) continue;
        json_t *value = value_of(b, i, c, lane);
        json_array_append_new(list, kind == ARCL_BATTERY_RESULT
                                        ? json_pack("[ibso]", info->number, info->mutated, info->id, value)
                                        : json_pack("[isso]", info->number, info->id, info->differ, value));
    }
    return list;
}

json_t *batt_lane_json(const batt *b, uint32_t lane) {
    return json_pack("{soso}", "o", batt_list_json(b, ARCL_BATTERY_RESULT, BATT_GIVEN, lane), "s",
                     batt_list_json(b, ARCL_BATTERY_DIFFER, BATT_GIVEN, lane));
}

static int is_text(json_node node, const char *text) { return node_text(node) && strcmp(node_text(node), text) == 0; }

static int is_entry(const arcl_definition_info *info, json_node entry) {
    json_node second = node_item(entry, 1), third = node_item(entry, 2);
    if (node_size(entry) != 4 || node_int(node_item(entry, 0)) != info->number) return 0;
    if (info->kind == ARCL_BATTERY_DIFFER) return is_text(second, info->id) && is_text(third, info->differ);
    return node_is_boolean(second) && (second.kind == NODE_TRUE) == info->mutated && is_text(third, info->id);
}

static int is_equal(const batt *b, int program, uint32_t lane, json_node entry) {
    json_node value = node_item(entry, 3);
    if (!is_entry(&b->infos[program], entry)) return 0;
    if (!batt_has_value(b, program, BATT_GIVEN, lane)) return value.kind == NODE_NULL;
    return value_json_equal(arcl_result_value(batt_result(b, program, BATT_GIVEN), lane), value);
}

int batt_lane_equal(const batt *b, uint32_t lane, json_node expected) {
    json_node o = node_member(expected, "o"), s = node_member(expected, "s");
    size_t results = 0, differs = 0;
    for (int i = 0; i < b->count; i++) {
        int is_result = b->infos[i].kind == ARCL_BATTERY_RESULT;
        json_node entry = is_result ? node_item(o, results++) : node_item(s, differs++);
        if (!is_equal(b, i, lane, entry)) return 0;
    }
    return node_size(o) == results && node_size(s) == differs;
}
