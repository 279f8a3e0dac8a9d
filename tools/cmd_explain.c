/* arcl explain: where a program would run, and why, before it does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "explain.h"
#include "messages.h"
#include "program_files.h"
#include "session.h"
#include "task_batch.h"
#include "task_file.h"

enum { DEFAULT_LANES = 1000, MOST_LANES = 1000000000 };

typedef struct explaining {
    const cli_options *options;
    arcl_context *context;
    arcl_profile *profile; /* the one that was named; else NULL */
    task_set tasks;        /* empty without --in */
    program_list programs;
    const program_entry *entry;
    const arc_task *task;
    arcl_program *program;
    arcl_batch *batch;
    arcl_plan *plan;
} explaining;

/* ---- what is asked for ---- */

/* The program of that name, or else the only one, or else the one named after the task; NULL after a message. */
static const program_entry *choose_program(const explaining *all) {
    const char *path = all->options->arguments[0], *name = all->options->program;
    const program_entry *found = NULL;
    int count = 0;
    for (int i = 0; i < all->programs.count; i++) {
        const program_entry *entry = &all->programs.entries[i];
        int wanted = name ? strcmp(entry->name, name) == 0
                          : all->programs.count == 1 || task_set_match(&all->tasks, entry->name) >= 0;
        if (!wanted) continue;
        found = entry;
        count++;
    }
    if (count == 1 || (name && count)) return found; /* of several definitions of a name the last holds, as in Python */
    if (all->programs.count == 0)
        message_error("%s: no programs; expected definitions such as `def solve(I):`", path);
    else if (name)
        message_error("%s: no program %s", path, name);
    else
        message_error("%s: %d programs; choose one with --program NAME", path, all->programs.count);
    return NULL;
}

static int choose_task(explaining *all) {
    int match = task_set_match(&all->tasks, all->entry->name);
    if (!all->options->in) return 0;
    if (!all->options->task && all->tasks.count > 1 && match >= 0)
        all->task = all->tasks.tasks[match];
    else
        all->task = task_set_choose(&all->tasks, all->options->in, all->options->task);
    return all->task ? 0 : -1;
}

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
    if (options->in && task_set_load(all->context, options->in, &all->tasks)) return -1;
    program_list_load(all->context, options->arguments, options->count, &all->programs);
    if (all->programs.bad || !(all->entry = choose_program(all))) return -1;
    return choose_task(all);
}

/* ---- the plan ---- */

/* The examples of the task, so that their sizes can be seen. */
static arcl_status fill_batch(explaining *all, arcl_error *error) {
    int form = task_form_of(all->program);
    if (!all->task) return ARCL_SUCCESS;
    arcl_status status = task_batch_create(all->context, form, &all->batch, error);
    for (int i = 0; !status && i < all->task->count; i++)
        status = task_batch_add(all->batch, form, all->task, &all->task->examples[i], error);
    return status;
}

static int make_plan(explaining *all) {
    arcl_error error, ignored;
    uint32_t lanes = DEFAULT_LANES;
    if (program_entry_compile(all->context, all->entry, 1, &all->program, &error) &&
        program_entry_compile(all->context, all->entry, 0, &all->program, &ignored)) {
        message_error("%s", error.message);
        return -1;
    }
    if (all->options->lanes && !(lanes = parse_lanes(all->options->lanes))) return -1;
    if (!all->options->lanes && all->task) lanes = (uint32_t)all->task->count;
    message_wait("looking at devices");
    arcl_status status = fill_batch(all, &error);
    if (!status)
        status = arcl_plan_create(all->context, all->profile, all->program, all->batch, lanes, &all->plan, &error);
    message_progress_end();
    if (status) message_error("%s", error.message);
    return status ? -1 : 0;
}

static int show(const explaining *all) {
    const cli_options *options = all->options;
    explained e = {all->entry->name, all->entry->file, options->profile, all->plan};
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
    program_list_free(&all.programs);
    task_set_free(&all.tasks);
    arcl_profile_free(all.profile);
    arcl_context_free(all.context); /* nothing was run that there would be a report of */
    return status;
}
