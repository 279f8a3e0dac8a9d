/* arcl show: the pairs of a task, drawn in the terminal or into a picture; with a program, what it makes
 * of them. Vectors are drawn too. */
#include <stdio.h>
#include <string.h>

#include "arcl.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "commands/vector_show.h"
#include "data/session.h"
#include "data/task_choice.h"
#include "data/task_file.h"
#include "draw/task_page.h"
#include "draw/task_show.h"

static int write_json(const char *path, const arc_task *task) {
    file_output out;
    if (file_create(&out, path)) return -1;
    json_t *object = json_pack("{s[] s[]}", "train", "test");
    for (int i = 0; i < task->count; i++) {
        const task_example *e = &task->examples[i];
        json_t *pair = json_pack("{so}", "input", grid_json_make(e->input.h, e->input.w, e->input.cells));
        if (e->output.cells)
            json_object_set_new(pair, "output", grid_json_make(e->output.h, e->output.w, e->output.cells));
        json_array_append_new(json_object_get(object, e->part), pair);
    }
    json_dumpf(object, out.stream, JSON_COMPACT);
    putc('\n', out.stream);
    json_decref(object);
    return file_commit(&out);
}

/* Instead of drawing in the terminal. */
static int wants_files(const cli_options *options) { return options->png || options->json || options->html; }

static int show_one(const cli_options *options, const arc_task *task) {
    int status = CLI_DONE;
    if (options->png && task_show_picture(options->png, task)) status = CLI_BAD;
    if (options->html && task_page_gallery(options->html, options->arguments[0], &task, 1)) status = CLI_BAD;
    if (options->json && write_json(options->json, task)) status = CLI_BAD;
    if (!wants_files(options)) task_show_print(task);
    return status;
}

/* Without a choice all tasks of a file or directory are drawn; a file holds one. */
static int show_tasks(const cli_options *options, arcl_context *context) {
    task_set tasks;
    const arc_task *task;
    int status = CLI_BAD;
    if (task_set_load(context, (const char *const *)options->arguments, 1, &tasks) == 0) {
        if (!options->task && !wants_files(options)) {
            for (int i = 0; i < tasks.count; i++) task_show_print(tasks.tasks[i]);
            status = CLI_DONE;
        } else if (!options->task && !options->png && !options->json)
            status = task_page_gallery(options->html, options->arguments[0], tasks.tasks, tasks.count) ? CLI_BAD : 0;
        else if ((task = task_set_choose(&tasks, options->arguments[0], options->task)))
            status = show_one(options, task);
    }
    task_set_free(&tasks);
    return status;
}

static int show_run(const cli_options *options, arcl_context *context) {
    task_choice choice;
    task_run run = {0};
    int status = CLI_BAD;
    if (task_choice_open(context, options->arguments[0], options->arguments[1], options, &choice) == 0)
        status = task_run_start(context, choice.task, choice.program, &run);
    if (status == CLI_DONE) {
        status = task_run_status(&run);
        if (!wants_files(options)) task_show_run(&run);
        if (options->html && task_page_run(options->html, context, choice.program, &run)) status = CLI_BAD;
        if (options->png && task_show_run_picture(options->png, &run)) status = CLI_BAD;
        if (options->json && write_json(options->json, choice.task)) status = CLI_BAD;
    }
    task_run_close(&run);
    task_choice_close(&choice);
    return status;
}

static int is_vector_file(const char *path) {
    size_t length = strlen(path);
    return length > 6 && strcmp(path + length - 6, ".jsonl") == 0;
}

static int show_vectors(const cli_options *options, arcl_context *context) {
    if (options->count == 1 && !options->json && !options->html)
        return vector_show(context, options->arguments[0], options->png);
    message_error("show: vectors are drawn in the terminal or with --png; `arcl check` runs them");
    return CLI_BAD;
}

int cmd_show(const cli_options *options) {
    arcl_context *context;
    int status = session_open(options, &context);
    if (status) return status;
    if (is_vector_file(options->arguments[0])) return session_close(options, context, show_vectors(options, context));
    return session_close(options, context,
                         options->count > 1 ? show_run(options, context) : show_tasks(options, context));
}
