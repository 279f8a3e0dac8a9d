/* Compiling and counting for one program. Prints nothing about programs: score_output.c does. */
#include "commands/score/score_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

score_target score_target_of(const task_set *set, int first, int count) {
    score_target target = {.tasks = set->tasks + first, .first = first, .count = count};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < target.tasks[i]->count; j++)
            target.counting += target.tasks[i]->examples[j].output.cells != NULL;
    return target;
}

/* Where the output is not known, an empty grid says so. */
static arcl_status add_expected(arcl_batch *batch, const task_grid *output, arcl_error *error) {
    return arcl_batch_add_grid(batch, output->cells ? output->h : 0, output->cells ? output->w : 0, output->cells,
                               error);
}

/* Adds every example of the target: for programs of a form, or what is expected of them (form -1). */
static arcl_status add_examples(arcl_batch *batch, const score_target *target, int form, arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    for (int i = 0; i < target->count; i++)
        for (int j = 0; !status && j < target->tasks[i]->count; j++) {
            const task_example *example = &target->tasks[i]->examples[j];
            status = form < 0 ? add_expected(batch, &example->output, error)
                              : task_batch_add(batch, form, target->tasks[i], example, error);
        }
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

int score_merit_is_better(const score_merit *a, const score_merit *b) {
    if (a->train_right != b->train_right) return a->train_right > b->train_right;
    if (a->train_cells != b->train_cells) return a->train_cells > b->train_cells;
    if (a->train_errors != b->train_errors) return a->train_errors < b->train_errors;
    if (a->words != b->words) return a->words < b->words;
    return a->program < b->program;
}

/* One number for a sequence of fingerprints, each of which is as good as random. */
static uint64_t joined(uint64_t all, uint64_t next) {
    all = (all ^ next) * 0x9e3779b97f4a7c15u;
    return all ^ all >> 29;
}

static void add_lane(score_tally *t, const task_example *example, const arcl_score *score) {
    int is_train = strcmp(example->part, "train") == 0;
    if (score) {
        t->merit.words += score->words;
        t->behaviour = joined(t->behaviour, score->fingerprint);
    }
    if (!example->output.cells) return;
    score_count *count = is_train ? &t->train : &t->test;
    count->all++;
    t->all_cells += (uint64_t)(example->output.h * example->output.w);
    t->errors += !score || score->status != ARCL_OK;
    if (!score) return;
    count->right += score->match;
    t->cells += score->cells;
    if (!is_train) return;
    t->merit.train_right += score->match;
    t->merit.train_cells += score->cells;
    t->merit.train_errors += score->status != ARCL_OK;
}

score_tally *score_job_tallies(const score_job *job) {
    score_tally *tallies = allocation_get((size_t)job->target->count, sizeof *tallies);
    const arcl_result *result = job->rejected ? NULL : job->work.result;
    uint32_t lane = 0;
    for (int i = 0; i < job->target->count; i++) {
        const arc_task *task = job->target->tasks[i];
        tallies[i] = (score_tally){.task = task, .result = result, .first = lane, .merit.program = job->number};
        for (int j = 0; j < task->count; j++, lane++) {
            arcl_score score;
            if (result) score = arcl_result_score(result, lane);
            add_lane(&tallies[i], &task->examples[j], result ? &score : NULL);
        }
    }
    return tallies;
}
