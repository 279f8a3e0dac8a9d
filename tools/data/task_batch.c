#include "data/task_batch.h"

#include <stdio.h>
#include <string.h>

static const char *const form_types[TASK_FORMS] = {"grid", "[[grid]] grid"};

static void parameter_types(const arcl_program *program, char *text, size_t size) {
    char one[64];
    size_t at = 0;
    text[0] = 0;
    for (int i = 0; i < arcl_program_parameters(program) && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "",
                               arcl_program_parameter_type(program, i, one, sizeof one));
}

int task_form_of(const arcl_program *program) {
    char types[300];
    parameter_types(program, types, sizeof types);
    for (int form = 0; form < TASK_FORMS; form++)
        if (strcmp(types, form_types[form]) == 0) return form;
    return -1;
}

arcl_status task_batch_create(arcl_context *context, int form, arcl_batch **batch, arcl_error *error) {
    arcl_status status = arcl_batch_create(context, form_types[form], batch, error);
    if (status) *batch = NULL;
    return status;
}

static arcl_status add_grid(arcl_batch *batch, const task_grid *grid, arcl_error *error) {
    return arcl_batch_add_grid(batch, grid->h, grid->w, grid->cells, error);
}

static arcl_status add_pairs(arcl_batch *batch, const arc_task *task, arcl_error *error) {
    arcl_status status = arcl_batch_open(batch, error);
    for (int i = 0; !status && i < task->count; i++) {
        const task_example *e = &task->examples[i];
        if (strcmp(e->part, "train") != 0 || !e->output.cells) continue;
        status = arcl_batch_open(batch, error);
        if (!status) status = add_grid(batch, &e->input, error);
        if (!status) status = add_grid(batch, &e->output, error);
        if (!status) status = arcl_batch_close(batch, error);
    }
    return status ? status : arcl_batch_close(batch, error);
}

arcl_status task_batch_add(arcl_batch *batch, int form, const arc_task *task, const task_example *example,
                           arcl_error *error) {
    arcl_status status = form == TASK_WITH_PAIRS ? add_pairs(batch, task, error) : ARCL_SUCCESS;
    return status ? status : add_grid(batch, &example->input, error);
}

arcl_status task_batch_of(arcl_context *context, int form, const arc_task *task, arcl_batch **batch,
                          arcl_error *error) {
    arcl_status status = task_batch_create(context, form, batch, error);
    for (int i = 0; !status && i < task->count; i++)
        status = task_batch_add(*batch, form, task, &task->examples[i], error);
    return status;
}
