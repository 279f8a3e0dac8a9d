/* Running a job in this process alone, with a journal. */
#ifndef ARCL_PORTIONS_HERE_H
#define ARCL_PORTIONS_HERE_H
#include "cli/options.h"
#include "portions/portion_engine.h"
#include "portions/portion_plan.h"
#include "portions/record_journal.h"

extern const portion_engine portions_here;

/* What the command line says about journals. Returns CLI_DONE, or CLI_BAD after a message. */
int portions_check_usage(const cli_options *options, const char *command);

/* What is to be done: all of the job or the part that was asked for, less what the journal has. Free it. */
portion_list portions_to_do(const portion_job *job, const cli_options *options, const record_journal *j);

/* Hands a record to the job. Returns CLI_DONE, or CLI_BAD after a message. */
int portions_take(const portion_job *job, portion units, const unsigned char *bytes, size_t length);

#endif
