/* What every command that runs programs does around it: open a context as the options say, run, report. */
#ifndef ARCL_SESSION_H
#define ARCL_SESSION_H
#include "arcl.h"
#include "cli/options.h"

/* Returns CLI_DONE, or another exit status after a message; then there is no context. */
int session_open(const cli_options *options, arcl_context **context);

/* Says why a profile was not used, prints the report that --report asks for and frees the context, which may be NULL.
 * Returns the exit status: the one given, or CLI_DEVICE after a message if it shows that something ran elsewhere than
 * --require allows. */
int session_close(const cli_options *options, arcl_context *context, int status);

/* A program to run on a batch. */
typedef struct session_work {
    arcl_program *program;
    arcl_batch *batch;
    /* NULL: the outputs are wanted. Else scores instead, by comparing with these; all that are run together or none. */
    arcl_batch *expected;
    arcl_result *result; /* NULL: not run, or it could not be run */
    arcl_error error;    /* why */
} session_work;

/* Runs all of them together. One that cannot be run does not spoil the others. Returns CLI_DONE, or CLI_DEVICE after a
 * message if a device has failed: then nothing can be run any more. */
int session_run(arcl_context *context, int count, session_work *const *works);

/* The same for the programs of a battery, of which works[i] is program i's; of these, only results
 * and errors are used; an error that is there already stays. Scores are made; with `outputs`
 * there are these as well, and if nothing is expected only these. */
int session_run_battery(arcl_context *context, const arcl_battery *battery, const arcl_batch *batch,
                        const arcl_batch *expected, int outputs, session_work *const *works);

#endif
