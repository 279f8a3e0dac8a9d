#include "data/json_node.h"

#include <stdio.h>
#include <string.h>

json_node node_member(json_node object, const char *key) {
    for (size_t i = 0; i < node_member_count(object); i++)
        if (strcmp(object.members[i].key, key) == 0) return object.members[i].value;
    return (json_node){.kind = NODE_ABSENT};
}

/* ---- from jansson ---- */

static json_node node_of_array(hoard *memory, const json_t *json) {
    size_t count = json_array_size(json);
    json_node *items = hoard_take(memory, count * sizeof *items);
    for (size_t i = 0; i < count; i++) items[i] = node_of_json(memory, json_array_get(json, i));
    return (json_node){.kind = NODE_ARRAY, .count = (uint32_t)count, .items = items};
}

static json_node node_of_object(hoard *memory, const json_t *json) {
    json_member *members = hoard_take(memory, json_object_size(json) * sizeof *members);
    json_node node = {.kind = NODE_OBJECT, .members = members};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json, key, value) {
        members[node.count++] = (json_member){hoard_text(memory, key), node_of_json(memory, value)};
    }
    return node;
}

json_node node_of_json(hoard *memory, const json_t *json) {
    switch (json_typeof(json)) {
    case JSON_OBJECT: return node_of_object(memory, json);
    case JSON_ARRAY: return node_of_array(memory, json);
    case JSON_STRING: return (json_node){.kind = NODE_TEXT, .text = hoard_text(memory, json_string_value(json))};
    case JSON_INTEGER: return (json_node){.kind = NODE_INT, .integer = json_integer_value(json)};
    case JSON_REAL: return (json_node){.kind = NODE_REAL, .real = json_real_value(json)};
    case JSON_TRUE: return (json_node){.kind = NODE_TRUE};
    case JSON_FALSE: return (json_node){.kind = NODE_FALSE};
    default: return (json_node){.kind = NODE_NULL};
    }
}

/* ---- to jansson ---- */

json_t *node_to_json(json_node node) {
    json_t *json;
    switch (node.kind) {
    case NODE_FALSE:
    case NODE_TRUE: return json_boolean(node.kind == NODE_TRUE);
    case NODE_INT: return json_integer(node.integer);
    case NODE_REAL: return json_real(node.real);
    case NODE_TEXT: return json_string(node.text);
    case NODE_ARRAY:
    case NODE_ROW:
        json = json_array();
        for (size_t i = 0; i < node.count; i++) json_array_append_new(json, node_to_json(node_item(node, i)));
        return json;
    case NODE_OBJECT:
        json = json_object();
        for (size_t i = 0; i < node.count; i++)
            json_object_set_new(json, node.members[i].key, node_to_json(node.members[i].value));
        return json;
    case NODE_ABSENT:
    case NODE_NULL: break;
    }
    return json_null();
}

/* ---- messages ---- */

const char *node_describe(json_node node, char *buf, size_t size) {
    switch (node.kind) {
    case NODE_OBJECT: return "an object";
    case NODE_ARRAY:
    case NODE_ROW: return "an array";
    case NODE_TEXT: return "a string";
    case NODE_INT: snprintf(buf, size, "%lld", (long long)node.integer); return buf;
    case NODE_REAL: snprintf(buf, size, "%g", node.real); return buf;
    case NODE_TRUE: return "true";
    case NODE_FALSE: return "false";
    case NODE_ABSENT:
    case NODE_NULL: break;
    }
    return "null";
}
