/* What a JSON text says, to be looked at: nodes, which are small and passed by value. An array of small numbers, as a
 * grid has by the hundred, is one node and a byte per number. What is not there is a node too, of kind NODE_ABSENT, so
 * that one may ask for a part of a part and look at the end. */
#ifndef ARCL_JSON_NODE_H
#define ARCL_JSON_NODE_H
#include <jansson.h>
#include <stdint.h>

#include "cli/allocation.h"

typedef enum json_kind {
    NODE_ABSENT,
    NODE_NULL,
    NODE_FALSE,
    NODE_TRUE,
    NODE_INT,
    NODE_REAL,
    NODE_TEXT,
    NODE_ARRAY,
    NODE_ROW, /* an array too: of ints from 0 to ROW_LARGEST, and not empty */
    NODE_OBJECT
} json_kind;

enum { ROW_LARGEST = 127 };

typedef struct json_node {
    json_kind kind;
    uint32_t count; /* of elements, numbers or members */
    union {
        int64_t integer;
        double real;
        const char *text;
        const struct json_node *items;
        const signed char *row;
        const struct json_member *members; /* in the order of the text */
    };
} json_node;

typedef struct json_member {
    const char *key;
    json_node value;
} json_member;

static inline int node_is_there(json_node node) { return node.kind != NODE_ABSENT; }
static inline int node_is_array(json_node node) { return node.kind == NODE_ARRAY || node.kind == NODE_ROW; }
static inline int node_is_object(json_node node) { return node.kind == NODE_OBJECT; }
static inline int node_is_int(json_node node) { return node.kind == NODE_INT; }
static inline int node_is_boolean(json_node node) { return node.kind == NODE_TRUE || node.kind == NODE_FALSE; }

/* These are 0 for a node of another kind. */
static inline size_t node_size(json_node node) { return node_is_array(node) ? node.count : 0; }
static inline size_t node_member_count(json_node node) { return node_is_object(node) ? node.count : 0; }
static inline int64_t node_int(json_node node) { return node_is_int(node) ? node.integer : 0; }
static inline const char *node_text(json_node node) { return node.kind == NODE_TEXT ? node.text : NULL; }

/* An element of an array, a member of an object; absent if there is none. */
static inline json_node node_item(json_node array, size_t index) {
    if (index >= node_size(array)) return (json_node){.kind = NODE_ABSENT};
    if (array.kind == NODE_ARRAY) return array.items[index];
    return (json_node){.kind = NODE_INT, .integer = array.row[index]};
}
json_node node_member(json_node object, const char *key);

/* The same as jansson's value, in both directions: nodes in `memory`, and a new reference. */
json_node node_of_json(hoard *memory, const json_t *json);
json_t *node_to_json(json_node node);

/* What a node is, in the words of a message; the buffer is for numbers. */
const char *node_describe(json_node node, char *buf, size_t size);

#endif
