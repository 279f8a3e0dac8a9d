/* Values of the language as JSON: tuples are arrays, sets are {"set":[..]} in their order. */
#ifndef ARCL_VALUE_JSON_H
#define ARCL_VALUE_JSON_H
#include "arcl.h"
#include "data/json_node.h"

/* Adds one argument to a batch. */
ARCL_CHECKED arcl_status value_json_add(arcl_batch *batch, json_node json, arcl_error *error);

/* The same for an argument whose type is `type`: that of a grid goes at once. */
ARCL_CHECKED arcl_status value_json_add_typed(arcl_batch *batch, const char *type, json_node json, arcl_error *error);

/* Equal as Python has it: true is 1, a tuple is never a set. */
int value_json_equal(arcl_value value, json_node json);

/* The same for the value of a lane: a grid is compared at once. */
int value_json_equal_lane(const arcl_result *result, uint32_t lane, json_node json);

/* A new reference. */
json_t *value_json_make(arcl_value value);

/* The text of a JSON value, shortened to fit the buffer. Returns buf. */
char *value_json_text(const json_t *json, char *buf, size_t size);

#endif
