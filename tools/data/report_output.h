/* What --report says: per op where it was planned, where it ran and what it cost, and what each OpenCL device had to do
 * with its host. */
#ifndef ARCL_REPORT_OUTPUT_H
#define ARCL_REPORT_OUTPUT_H
#include <jansson.h>

#include "arcl.h"

/* The entries per op, the most expensive first; free() them. */
arcl_op_report *report_sorted(const arcl_context *context, int *count);

/* On standard error. */
void report_print(const arcl_context *context);

/* {"ops": [..], "devices": [..]}, a new reference. */
json_t *report_json(const arcl_context *context);

#endif
