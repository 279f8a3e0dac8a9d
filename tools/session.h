/* What every command that runs programs does around it: open a context as the options say, run, report. */
#ifndef ARCL_SESSION_H
#define ARCL_SESSION_H
#include <jansson.h>

#include "arcl.h"
#include "command_line.h"

/* Returns 0, or -1 after a message. Free the context with session_close, which also prints the report that --report asks
 * for. */
int session_open(const cli_options *options, arcl_context **context);
void session_close(const cli_options *options, arcl_context *context);

/* A program to run on a batch. */
typedef struct session_work {
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result; /* NULL: not run, or it could not be run */
    arcl_error error;    /* why */
} session_work;

/* Runs all of them together. One that cannot be run does not spoil the others. */
void session_run(arcl_context *context, int count, session_work *const *works);

/* The report as JSON, a new reference. */
json_t *session_report(const arcl_context *context);

#endif
