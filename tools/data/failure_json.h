/* Where a lane has failed, as JSON. */
#ifndef ARCL_FAILURE_JSON_H
#define ARCL_FAILURE_JSON_H
#include <jansson.h>

#include "arcl.h"

/* A new reference. */
json_t *failure_json_make(const arcl_failure *failure);

#endif
