/* Compiling one program, and the batches it runs on. Prints nothing about programs: score_output.c does. */
#include "commands/score/score_job.h"

#include <stdio.h>

#include "cli/messages.h"

/* Where the output is not known, an empty grid says so. */
static arcl_status add_expected(arcl_batch *batch, const task_grid *output, arcl_error *error) {
    return arcl_batch_add_grid(batch, output->cells ? output->h : 0, output->cells ? output->w : 0, output->cells,
                               error);
}

static arcl_status add_example(arcl_batch *batch, const arc_task *task, int number, int form, arcl_error *error) {
    const task_example *example = &task->examples[number];
    return form < 0 ? add_expected(batch, &example->output, error) : task_batch_add(batch, form, task, example, error);
}

/* Adds every example of the target: for programs of a form, or what is expected of them (form -1). */
static arcl_status add_examples(arcl_batch *batch, const score_target *target, int form, arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    for (uint32_t i = 0; target->some && !status && i < target->of.lanes; i++)
        status = add_example(batch, target->of.tasks[target->some[i].task], target->some[i].example, form, error);
    for (int i = 0; !target->some && i < target->of.count; i++)
        for (int j = 0; !status && j < target->of.tasks[i]->count; j++)
            status = add_example(batch, target->of.tasks[i], j, form, error);
    return status;
}

arcl_batch *score_target_batch(arcl_context *context, score_target *target, int form) {
    arcl_error error;
    arcl_status status = ARCL_SUCCESS;
    if (!target->expected) {
        status = arcl_batch_create(context, "grid", &target->expected, &error);
        if (!status) status = add_examples(target->expected, target, -1, &error);
    }
    if (!status && !target->batch[form]) {
        status = task_batch_create(context, form, &target->batch[form], &error);
        if (!status) status = add_examples(target->batch[form], target, form, &error);
    }
    if (!status) return target->batch[form];
    message_error("%s", error.message);
    score_target_close(target);
    return NULL;
}

void score_target_close(score_target *target) {
    for (int form = 0; form < TASK_FORMS; form++) {
        arcl_batch_free(target->batch[form]);
        target->batch[form] = NULL;
    }
    arcl_batch_free(target->expected);
    target->expected = NULL;
}

void score_job_compile(arcl_context *context, score_job *job) {
    job->rejected = program_entry_compile(context, job->program, 1, &job->work.program, &job->work.error) != 0;
}

void score_job_judge(score_job *job) {
    if (!job->target || job->rejected || job->work.result) return;
    arcl_error why = job->work.error;
    snprintf(job->work.error.message, sizeof job->work.error.message, "%s: %s: %.700s", job->program->file,
             job->program->name, why.message);
    job->rejected = 1;
}

void score_job_free(score_job *job) {
    arcl_result_free(job->work.result);
    arcl_program_free(job->work.program);
}

score_outcome score_job_outcome(const score_job *job, arcl_score *scores) {
    const arcl_result *result = job->rejected ? NULL : job->work.result;
    for (uint32_t i = 0; result && i < job->target->of.lanes; i++) scores[i] = arcl_result_score(result, i);
    return (score_outcome){.program = job->program,
                           .number = job->number,
                           .tasks = job->target ? &job->target->of : NULL,
                           .scores = result ? scores : NULL,
                           .rejection = job->rejected ? job->work.error.message : NULL};
}
