/* arcl show: the pairs of a task, drawn in the terminal or into a picture. */
#include <stdio.h>

#include "arcl.h"
#include "command_line.h"
#include "files.h"
#include "grid_drawing.h"
#include "messages.h"
#include "picture.h"
#include "session.h"
#include "task_file.h"

static void print_size(const task_grid *grid) {
    if (grid->cells)
        printf("%dx%d", grid->h, grid->w);
    else
        putchar('?');
}

static void print_task(const arc_task *task) {
    message_put_clean(stdout, task->id);
    putchar('\n');
    for (int i = 0; i < task->count; i++) {
        const task_example *example = &task->examples[i];
        printf("%s[%d] ", example->part, example->index);
        print_size(&example->input);
        fputs(" -> ", stdout);
        print_size(&example->output);
        putchar('\n');
        drawing_print((task_grid[]){example->input, example->output}, 2);
    }
}

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

int cmd_show(const cli_options *options) {
    arcl_context *context = NULL;
    task_set tasks = {0};
    int status = session_open(options, &context);
    if (status) return status;
    status = CLI_BAD;
    if (task_set_load(context, options->arguments[0], &tasks)) goto done;
    if (!options->task && !options->png && !options->json) {
        for (int i = 0; i < tasks.count; i++) print_task(tasks.tasks[i]);
        status = CLI_DONE;
        goto done;
    }
    const arc_task *task = task_set_choose(&tasks, options->arguments[0], options->task);
    if (!task) goto done;
    if (!options->png && !options->json) print_task(task);
    status = CLI_DONE;
    if (options->png && picture_write(options->png, task)) status = CLI_BAD;
    if (options->json && write_json(options->json, task)) status = CLI_BAD;
done:
    task_set_free(&tasks);
    return session_close(options, context, status);
}
