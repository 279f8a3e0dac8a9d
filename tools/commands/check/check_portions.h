/* Checking as a job of portions: its units are lines of vector files. What comes of a line is put into words where it
 * is run, so that what is printed and written is made of records alone, wherever they come from. */
#ifndef ARCL_CHECK_PORTIONS_H
#define ARCL_CHECK_PORTIONS_H
#include "cli/options.h"
#include "commands/check/check_lines.h"
#include "commands/check/check_results.h"
#include "portions/portion_job.h"

typedef struct check_portions {
    const cli_options *options;
    arcl_context *context;
    const check_lines *lines;
    check_results *results; /* NULL: records can be made but not taken */
} check_portions;

/* The job, which lasts as long as these. */
portion_job check_portions_job(check_portions *all);

#endif
