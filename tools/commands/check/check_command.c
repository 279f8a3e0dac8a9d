#include "commands/check/check_command.h"

#include <stdlib.h>

#include "cli/messages.h"
#include "commands/check/check_portions.h"
#include "data/session.h"
#include "portions/portions_here.h"
#include "portions/shared_files.h"

enum { AT_ONCE = 256 }; /* lines, where nothing is kept */

/* In this process, and nothing is kept. */
static int run_here(const portion_job *job) {
    byte_list record = {0};
    int status = CLI_DONE;
    for (portion units = {0, 0}; units.end < job->units && status == CLI_DONE; units.first = units.end) {
        units.end = job->units - units.first < AT_ONCE ? job->units : units.first + AT_ONCE;
        record.length = 0;
        status = job->run(job->self, units, &record);
        if (status == CLI_DONE) status = portions_take(job, units, record.bytes, record.length);
        message_progress(job->what, units.end, job->units);
    }
    bytes_free(&record);
    message_progress_end();
    return status;
}

static int run(const portion_engine *engine, check_portions *all) {
    check_results results;
    int is_part = 0, status = CLI_DONE;
    if (engine->is_writer) {
        all->results = &results;
        if (check_results_open(&results, all->options)) status = CLI_BAD;
    }
    status = engine->agree(engine->self, status);
    if (status == CLI_DONE) {
        portion_job job = check_portions_job(all);
        status = engine->is_alone && !all->options->journal.count
                     ? run_here(&job)
                     : engine->run(engine->self, &job, all->options, &is_part);
    }
    if (engine->is_writer && status == CLI_DONE && !is_part) status = check_results_finish(&results, all->context);
    if (engine->is_writer) check_results_free(&results);
    return status;
}

/* The writer reads the files, once for all. */
static int load(const portion_engine *engine, const cli_options *options, shared_files *shared, check_lines *lines) {
    if (!engine->is_alone) {
        shared_files_put(shared, (const char *const *)options->arguments, options->count);
        shared_files_share(shared, engine);
    }
    return check_lines_read(lines, (const char *const *)options->arguments, options->count) ? CLI_BAD : CLI_DONE;
}

/* What is the same in all processes is said by the writer alone. */
int check_command(const cli_options *options, const portion_engine *engine) {
    check_lines lines = {0};
    shared_files shared = {0};
    check_portions all = {.options = options, .lines = &lines};
    cli_options closing = *options;
    closing.report &= engine->is_writer;
    message_set_mute(!engine->is_writer);
    int status = portions_check_usage(options, "check");
    message_set_mute(0);
    if (status) return status;
    status = engine->agree(engine->self, session_open(options, &all.context));
    message_set_mute(!engine->is_writer);
    if (status == CLI_DONE) status = load(engine, options, &shared, &lines);
    message_set_mute(0);
    if (status == CLI_DONE) status = run(engine, &all);
    check_lines_free(&lines);
    status = session_close(&closing, all.context, status);
    shared_files_free(&shared);
    return status;
}
