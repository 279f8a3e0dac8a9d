/* What `arcl check` prints and writes, made of what came of lines, one after the other. */
#ifndef ARCL_CHECK_RESULTS_H
#define ARCL_CHECK_RESULTS_H
#include "cli/files.h"
#include "cli/options.h"
#include "commands/vector_case.h"

enum { CHECK_MOST_FAILURES = 20 }; /* that are printed, without --verbose */

/* Texts, each with a zero at its end. */
typedef struct check_failure_reader {
    const char *texts;
    uint32_t count;
} check_failure_reader;

typedef struct check_outcome {
    const char *path;
    int line;
    vector_state state;
    uint32_t lanes, failed;
    const char *error;             /* of a line that is not ready */
    check_failure_reader failures; /* of one that is: the first of them, or all */
    const char *json;              /* NULL: not wanted */
} check_outcome;

typedef struct check_results {
    const cli_options *options;
    file_output json;
    int written; /* cases in the JSON file */
    uint64_t passed, failed;
    uint64_t shown, hidden; /* failures printed, and left out */
    uint64_t malformed;     /* lines */
    int bad;                /* something malformed or rejected */
} check_results;

/* Returns 0, or -1 after a message. Free it in both cases. */
int check_results_open(check_results *all, const cli_options *options);
void check_results_free(check_results *all);

void check_results_take(check_results *all, const check_outcome *outcome);

/* When all were taken. Returns the exit status. */
int check_results_finish(check_results *all, const arcl_context *context);

#endif
