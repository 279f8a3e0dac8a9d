/* arcl explain: where a program would run, and why, before it does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/options.h"
#include "commands/explain/explain.h"
#include "data/session.h"
#include "data/task_batch.h"
#include "data/task_choice.h"

enum { DEFAULT_LANES = 1000, MOST_LANES = 1000000000 };

typedef struct explaining {
    const cli_options *options;
    arcl_context *context;
    arcl_profile *profile; /* the one that was named; else NULL */
    task_choice choice;    /* without --in there is no task */
    arcl_program *program;
    arcl_batch *batch;
    arcl_plan *plan;
} explaining;

/* ---- what is asked for ---- */

/* 0 after a message. */
static uint32_t parse_lanes(const char *text) {
    char *end;
    errno = 0;
    unsigned long value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (value >= 1 && value <= MOST_LANES && !errno && !*end) return (uint32_t)value;
    message_error("--lanes %s: expected one whole number from 1 to %d", text, MOST_LANES);
    return 0;
}

static int open_files(explaining *all) {
    arcl_error error;
    const cli_options *options = all->options;
    if (options->profile && arcl_profile_load(options->profile, &all->profile, &error)) {
        message_error("%s", error.message);
        return -1;
    }
    return task_choice_open(all->context, options->in, options->arguments[0], options, &all->choice);
}

/* ---- the plan ---- */

static int make_plan(explaining *all) {
    arcl_error error;
    arcl_status status = ARCL_SUCCESS;
    uint32_t lanes = DEFAULT_LANES;
    const arc_task *task = all->choice.task;
    int is_grid;
    if (program_entry_compile_any(all->context, all->choice.program, &all->program, &is_grid, &error)) {
        message_error("%s", error.message);
        return -1;
    }
    if (all->options->lanes && !(lanes = parse_lanes(all->options->lanes))) return -1;
    if (!all->options->lanes && task) lanes = (uint32_t)task->count;
    message_wait("looking at devices");
    if (task) /* its examples show the sizes of things */
        status = task_batch_of(all->context, task_form_of(all->program), task, &all->batch, &error);
    if (!status)
        status = arcl_plan_create(all->context, all->profile, all->program, all->batch, lanes, &all->plan, &error);
    message_progress_end();
    if (status) message_error("%s", error.message);
    return status ? -1 : 0;
}

static int show(const explaining *all) {
    const cli_options *options = all->options;
    explained e = {all->choice.program->name, all->choice.program->file, options->profile, all->plan};
    if (options->dot && explain_dot(&e, options->dot)) return -1;
    if (options->json && explain_json(&e, options->json)) return -1;
    if (!options->dot || strcmp(options->dot, "-") != 0) explain_text(&e, stdout);
    return 0;
}

int cmd_explain(const cli_options *options) {
    explaining all = {.options = options};
    cli_options plain = *options;
    plain.profile = options->profile ? "" : NULL; /* one that is named may be another machine's */
    if (options->device && strcmp(options->device, "auto") != 0) {
        message_error("explain: --device %s: what is explained is the choice among all devices; leave --device out",
                      options->device);
        return CLI_BAD;
    }
    int status = session_open(&plain, &all.context);
    if (status) return status;
    status = open_files(&all) || make_plan(&all) || show(&all) ? CLI_BAD : CLI_DONE;
    arcl_plan_free(all.plan);
    arcl_batch_free(all.batch);
    arcl_program_free(all.program);
    task_choice_close(&all.choice);
    arcl_profile_free(all.profile);
    arcl_context_free(all.context); /* nothing was run that there would be a report of */
    return status;
}
