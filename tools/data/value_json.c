/* Between values and JSON, in both directions, part by part. */
#include "data/value_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

/* The elements of a tuple or a set; no array if json is neither. */
static json_node elements(json_node json) { return node_member_count(json) == 1 ? node_member(json, "set") : json; }

static int is_number(json_node json) { return node_is_int(json) || node_is_boolean(json); }

static int64_t number(json_node json) { return node_is_boolean(json) ? json.kind == NODE_TRUE : node_int(json); }

arcl_status value_json_add(arcl_batch *batch, json_node json, arcl_error *error) {
    if (is_number(json)) return arcl_batch_add_int(batch, number(json), error);
    json_node parts = elements(json);
    if (!node_is_array(parts)) {
        if (error)
            snprintf(error->message, sizeof error->message,
                     "an argument is an int, true, false, an array or {\"set\":[..]}");
        return ARCL_INVALID;
    }
    arcl_status status = arcl_batch_open(batch, error);
    for (size_t i = 0; !status && i < node_size(parts); i++) status = value_json_add(batch, node_item(parts, i), error);
    return status ? status : arcl_batch_close(batch, error);
}

/* ---- grids: rows of bytes on both sides, most of the time ---- */

static int is_row(json_node json, size_t w) { return json.kind == NODE_ROW && json.count == w; }

/* The cells row by row, if the rows are of one length and there is room. Returns whether that is so. */
static int read_cells(json_node json, signed char *cells, size_t room, int *h, int *w) {
    size_t rows = node_size(json), columns = node_item(json, 0).count;
    if (json.kind != NODE_ARRAY || rows == 0 || columns == 0 || columns > room / rows) return 0;
    for (size_t i = 0; i < rows; i++) {
        if (!is_row(json.items[i], columns)) return 0;
        memcpy(cells + i * columns, json.items[i].row, columns);
    }
    *h = (int)rows;
    *w = (int)columns;
    return 1;
}

arcl_status value_json_add_typed(arcl_batch *batch, const char *type, json_node json, arcl_error *error) {
    signed char cells[4096]; /* grids of tasks have up to 900 */
    int h, w;
    if (strcmp(type, "grid") == 0 && read_cells(json, cells, sizeof cells, &h, &w))
        return arcl_batch_add_grid(batch, h, w, cells, error);
    return value_json_add(batch, json, error);
}

static int is_grid_of(json_node json, int h, int w, const signed char *cells) {
    size_t rows = (size_t)h, columns = (size_t)w;
    if (json.kind != NODE_ARRAY || json.count != rows) return 0;
    for (size_t i = 0; i < rows; i++)
        if (!is_row(json.items[i], columns) || memcmp(json.items[i].row, cells + i * columns, columns) != 0) return 0;
    return 1;
}

int value_json_equal_lane(const arcl_result *result, uint32_t lane, json_node json) {
    int h, w;
    const signed char *cells = arcl_result_grid(result, lane, &h, &w);
    return (cells && is_grid_of(json, h, w, cells)) || value_json_equal(arcl_result_value(result, lane), json);
}

/* ---- values of any type ---- */

/* Whether two sets are equal though their elements come in another order than here, as cells of another dialect do. */
static int same_elements(arcl_value set, json_node parts, uint32_t count) {
    unsigned char *taken = allocation_get(count, 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found == i; i++)
        for (uint32_t j = 0; j < count && found == i; j++)
            if (!taken[j] && value_json_equal(arcl_value_item(set, i), node_item(parts, j))) {
                taken[j] = 1;
                found++;
            }
    free(taken);
    return found == count;
}

int value_json_equal(arcl_value value, json_node json) {
    arcl_kind kind = arcl_value_kind(value);
    if (kind == ARCL_NONE) return json.kind == NODE_NULL;
    if (kind == ARCL_FUNCTION) return node_member_count(json) == 1 && node_member(json, "function").kind == NODE_NULL;
    if (kind == ARCL_INT || kind == ARCL_BOOL) return is_number(json) && number(json) == arcl_value_int(value);
    json_node parts = elements(json);
    if (!node_is_array(parts) || node_is_array(json) != (kind == ARCL_TUPLE)) return 0;
    uint32_t count = arcl_value_count(value);
    if (node_size(parts) != count) return 0;
    for (uint32_t i = 0; i < count; i++)
        if (!value_json_equal(arcl_value_item(value, i), node_item(parts, i)))
            return kind == ARCL_SET && same_elements(value, parts, count);
    return 1;
}

json_t *value_json_make(arcl_value value) {
    switch (arcl_value_kind(value)) {
    case ARCL_INT: return json_integer(arcl_value_int(value));
    case ARCL_BOOL: return json_boolean(arcl_value_int(value));
    case ARCL_NONE: return json_null();
    case ARCL_FUNCTION: return json_pack("{sn}", "function");
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
