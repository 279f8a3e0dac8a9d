/* Values of the language as JSON: tuples are arrays, sets are {"set":[..]} in their order. */
#ifndef ARCL_VALUE_JSON_H
#define ARCL_VALUE_JSON_H
#include <jansson.h>

#include "arcl.h"

/* Adds one argument to a batch. */
ARCL_CHECKED arcl_status value_json_add(arcl_batch *batch, const json_t *json, arcl_error *error);

/* Equal as Python has it: true is 1, a tuple is never a set. */
int value_json_equal(arcl_value value, const json_t *json);

/* A new reference. */
json_t *value_json_make(arcl_value value);

/* The text of a JSON value, shortened to fit the buffer. Returns buf. */
char *value_json_text(const json_t *json, char *buf, size_t size);

#endif
