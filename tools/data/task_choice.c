#include "data/task_choice.h"

#include <string.h>

#include "cli/messages.h"
#include "cli/nearest.h"

static void refuse_name(const task_choice *choice, const char *path, const char *name) {
    const char *instead = choice->tasks.count ? "leave --program out to take the one named after the task"
                                              : "`arcl fmt` lists all of them";
    char hint[300];
    nearest search = nearest_to(name);
    for (int i = 0; i < choice->programs.count; i++) nearest_offer(&search, choice->programs.entries[i].name);
    message_error("%s: no program is named %s%s", path, name, nearest_hint(&search, instead, hint, sizeof hint));
}

/* The program of that name, or else the only one, or else the one named after the task; NULL after a message. */
static const program_entry *choose_program(const task_choice *choice, const char *path, const cli_options *options) {
    const char *name = options->program;
    const program_entry *found = NULL;
    int count = 0, only = !name && choice->programs.count == 1;
    for (int i = 0; i < choice->programs.count; i++) {
        const program_entry *entry = &choice->programs.entries[i];
        int match = only || name ? -1 : task_set_match(&choice->tasks, entry->program);
        int wanted =
            only ||
            (name ? program_entry_is_named(entry, name)
                  : match >= 0 && (!options->task || strcmp(choice->tasks.tasks[match]->id, options->task) == 0));
        if (!wanted) continue;
        found = entry;
        count++;
    }
    if (count == 1 || (name && count)) return found; /* of several definitions of a name the last holds, as in Python */
    if (choice->programs.count == 0)
        message_error("%s: no programs; expected definitions such as `def solve(I):`", path);
    else if (name)
        refuse_name(choice, path, name);
    else if (choice->tasks.count == 0)
        message_error("%s: %d programs; choose one with --program NAME", path, choice->programs.count);
    else
        message_error("%s: %d programs, %d of them named after a task given; choose one with --program NAME", path,
                      choice->programs.count, count);
    return NULL;
}

/* The task that is asked for, or the only one, or the one the program is named after; NULL after a message. */
static const arc_task *choose_task(const task_choice *choice, const char *path, const cli_options *options) {
    int match = task_set_match(&choice->tasks, choice->program->program);
    if (!options->task && choice->tasks.count > 1 && match >= 0) return choice->tasks.tasks[match];
    return task_set_choose(&choice->tasks, path, options->task);
}

int task_choice_load(arcl_context *context, const char *tasks, char *programs, const cli_options *options,
                     task_choice *choice) {
    *choice = (task_choice){0};
    if (tasks && task_set_load(context, &tasks, 1, &choice->tasks)) return -1;
    program_list_load(context, options->dialect, &programs, 1, &choice->programs);
    if (options->safe) program_list_set_policy(&choice->programs, ARCL_SAFE);
    if (choice->programs.bad) return -1;
    if (tasks && options->task && task_set_find(&choice->tasks, options->task) < 0) {
        task_set_refuse(&choice->tasks, tasks, options->task);
        return -1;
    }
    return 0;
}

int task_choice_choose_task(const char *tasks, const cli_options *options, task_choice *choice) {
    choice->task = task_set_choose(&choice->tasks, tasks, options->task);
    return choice->task ? 0 : -1;
}

int task_choice_choose(const char *tasks, const char *programs, const cli_options *options, task_choice *choice) {
    choice->program = choose_program(choice, programs, options);
    if (!choice->program || !tasks) return choice->program ? 0 : -1;
    choice->task = choose_task(choice, tasks, options);
    return choice->task ? 0 : -1;
}

int task_choice_open(arcl_context *context, const char *tasks, char *programs, const cli_options *options,
                     task_choice *choice) {
    if (task_choice_load(context, tasks, programs, options, choice)) return -1;
    return task_choice_choose(tasks, programs, options, choice);
}

void task_choice_close(task_choice *choice) {
    program_list_free(&choice->programs);
    task_set_free(&choice->tasks);
}
