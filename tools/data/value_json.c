/* Between values and JSON, in both directions, part by part. */
#include "data/value_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

/* The elements of a tuple or a set; NULL if json is neither. */
static const json_t *elements(const json_t *json) {
    if (json_is_array(json)) return json;
    const json_t *set = json_object_size(json) == 1 ? json_object_get(json, "set") : NULL;
    return json_is_array(set) ? set : NULL;
}

static int is_number(const json_t *json) { return json_is_integer(json) || json_is_boolean(json); }

static json_int_t number(const json_t *json) {
    return json_is_boolean(json) ? json_boolean_value(json) : json_integer_value(json);
}

arcl_status value_json_add(arcl_batch *batch, const json_t *json, arcl_error *error) {
    if (is_number(json)) return arcl_batch_add_int(batch, number(json), error);
    const json_t *parts = elements(json);
    if (!parts) {
        if (error)
            snprintf(error->message, sizeof error->message,
                     "an argument is an int, true, false, an array or {\"set\":[..]}");
        return ARCL_INVALID;
    }
    arcl_status status = arcl_batch_open(batch, error);
    for (size_t i = 0; !status && i < json_array_size(parts); i++)
        status = value_json_add(batch, json_array_get(parts, i), error);
    return status ? status : arcl_batch_close(batch, error);
}

/* Whether two sets are equal though their elements come in another order than here, as cells of another dialect do. */
static int same_elements(arcl_value set, const json_t *parts, uint32_t count) {
    unsigned char *taken = allocation_get(count, 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found == i; i++)
        for (uint32_t j = 0; j < count && found == i; j++)
            if (!taken[j] && value_json_equal(arcl_value_item(set, i), json_array_get(parts, j))) {
                taken[j] = 1;
                found++;
            }
    free(taken);
    return found == count;
}

int value_json_equal(arcl_value value, const json_t *json) {
    arcl_kind kind = arcl_value_kind(value);
    if (kind == ARCL_NONE) return json_is_null(json);
    if (kind == ARCL_INT || kind == ARCL_BOOL) return is_number(json) && number(json) == arcl_value_int(value);
    const json_t *parts = elements(json);
    if (!parts || json_is_array(json) != (kind == ARCL_TUPLE)) return 0;
    uint32_t count = arcl_value_count(value);
    if (json_array_size(parts) != count) return 0;
    for (uint32_t i = 0; i < count; i++)
        if (!value_json_equal(arcl_value_item(value, i), json_array_get(parts, i)))
            return kind == ARCL_SET && same_elements(value, parts, count);
    return 1;
}

json_t *value_json_make(arcl_value value) {
    switch (arcl_value_kind(value)) {
    case ARCL_INT: return json_integer(arcl_value_int(value));
    case ARCL_BOOL: return json_boolean(arcl_value_int(value));
    case ARCL_NONE: return json_null();
    case ARCL_TUPLE:
    case ARCL_SET: break;
    }
    json_t *parts = json_array();
    uint32_t count = arcl_value_count(value);
    for (uint32_t i = 0; i < count; i++) json_array_append_new(parts, value_json_make(arcl_value_item(value, i)));
    return arcl_value_kind(value) == ARCL_SET ? json_pack("{so}", "set", parts) : parts;
}

char *value_json_text(const json_t *json, char *buf, size_t size) {
    memset(buf, 0, size);
    if (json_dumpb(json, buf, size, JSON_COMPACT | JSON_ENCODE_ANY) >= size) {
        size_t length = strnlen(buf, size - sizeof "...");
        memcpy(buf + length, "...", sizeof "...");
    }
    return buf;
}
