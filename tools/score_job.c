/* Compiling, comparing and counting for one program. Prints nothing about programs: score_output.c does. */
#include "score_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "messages.h"

score_target score_target_of(const arc_task *const *tasks, int count) {
    score_target target = {.tasks = tasks, .count = count};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < tasks[i]->count; j++) target.lanes += tasks[i]->examples[j].output.cells != NULL;
    return target;
}

arcl_batch *score_target_batch(arcl_context *context, score_target *target, int form) {
    arcl_error error;
    arcl_batch *batch = target->batch[form];
    if (batch) return batch;
    arcl_status status = task_batch_create(context, form, &batch, &error);
    for (int i = 0; !status && i < target->count; i++)
        for (int j = 0; !status && j < target->tasks[i]->count; j++) {
            const task_example *example = &target->tasks[i]->examples[j];
            if (example->output.cells) status = task_batch_add(batch, form, target->tasks[i], example, &error);
        }
    if (status) {
        message_error("%s", error.message);
        arcl_batch_free(batch);
        return NULL;
    }
    return target->batch[form] = batch;
}

void score_target_close(score_target *target) {
    for (int form = 0; form < TASK_FORMS; form++) {
        arcl_batch_free(target->batch[form]);
        target->batch[form] = NULL;
    }
}

void score_job_compile(arcl_context *context, score_job *job) {
    job->rejected = program_entry_compile(context, job->program, 1, &job->work.program, &job->work.error) != 0;
}

static score_lane compare(const arcl_result *result, uint32_t lane, const task_grid *expected) {
    score_lane score = {.status = arcl_result_status(result, lane)};
    if (score.status != ARCL_OK) return score;
    int h, w;
    const signed char *cells = arcl_result_grid(result, lane, &h, &w);
    score.same_shape = h == expected->h && w == expected->w;
    if (!score.same_shape) return score;
    for (int i = 0; i < h * w; i++) score.cells += cells[i] == expected->cells[i];
    score.match = score.cells == (uint32_t)(h * w);
    return score;
}

void score_job_judge(score_job *job) {
    const score_target *target = job->target;
    if (target && !job->rejected && job->work.result) {
        uint32_t lane = 0;
        job->lanes = allocation_get(target->lanes, sizeof *job->lanes);
        for (int i = 0; i < target->count; i++)
            for (int j = 0; j < target->tasks[i]->count; j++) {
                const task_grid *expected = &target->tasks[i]->examples[j].output;
                if (!expected->cells) continue;
                job->lanes[lane] = compare(job->work.result, lane, expected);
                lane++;
            }
    } else if (target && !job->rejected) {
        arcl_error why = job->work.error;
        snprintf(job->work.error.message, sizeof job->work.error.message, "%s: %s: %.700s", job->program->file,
                 job->program->name, why.message);
        job->rejected = 1;
    }
}

void score_job_free(score_job *job) {
    arcl_result_free(job->work.result);
    arcl_program_free(job->work.program);
    free(job->lanes);
}

score_tally score_job_tally(const score_job *job, int index, uint32_t *lane) {
    score_tally tally = {.task = job->target->tasks[index], .lanes = job->lanes ? job->lanes + *lane : NULL};
    for (int i = 0; i < tally.task->count; i++) {
        const task_grid *expected = &tally.task->examples[i].output;
        if (!expected->cells) continue;
        const score_lane *score = tally.lanes ? &tally.lanes[tally.all] : NULL;
        tally.all++;
        tally.all_cells += (uint64_t)(expected->h * expected->w);
        tally.errors += !score || score->status != ARCL_OK;
        tally.right += score && score->match;
        tally.cells += score ? score->cells : 0;
    }
    *lane += (uint32_t)tally.all;
    return tally;
}
