/* A group becomes one batch, and its result the answers to its submissions. If that fails, its submissions are run one
 * by one, so that the one at fault is found and the others have their results. */
#include <stdlib.h>

#include "accumulator/accumulator.h"
#include "base/clock.h"
#include "base/error.h"
#include "plan/selector.h"
#include "run/result.h"

static void answer_error(submission *s, arcl_status status, const arcl_error *error) {
    s->status = status;
    s->error = malloc(sizeof *s->error);
    if (s->error) *s->error = *error;
}

static void answer_errors(submission_list *all, arcl_status status, const arcl_error *error) {
    for (submission *s = all->first; s; s = s->next) answer_error(s, status, error);
}

/* Takes the result. */
static void answer_results(submission_list *all, arcl_result *whole) {
    uint32_t first = 0;
    arcl_error error;
    if (all->count == 1) {
        all->first->result = whole;
        return;
    }
    for (submission *s = all->first; s; s = s->next) {
        s->result = result_view(whole, first, s->lanes);
        if (!s->result) answer_error(s, NO_MEMORY(&error), &error);
        first += s->lanes;
    }
    arcl_result_free(whole);
}

/* The lanes of all submissions in one batch; of a single one, its own. */
static arcl_status merge(arcl_context *c, const submission_list *all, arcl_batch **merged, arcl_error *error) {
    const arcl_batch *like = all->first->batch;
    *merged = all->first->batch;
    if (all->count == 1) return ARCL_SUCCESS;
    PROPAGATE(batch_create_like(c, like, merged, error));
    for (const submission *s = all->first; s; s = s->next) {
        arcl_status status = batch_append(*merged, s->batch, error);
        if (status == ARCL_SUCCESS) continue;
        arcl_batch_free(*merged);
        *merged = NULL;
        return status;
    }
    return ARCL_SUCCESS;
}

/* One run of all groups; nothing is answered if it fails. */
static arcl_status run_together(arcl_context *c, group_run *runs, int count, arcl_error *error) {
    const arcl_program *programs[MOST_RUNS];
    arcl_batch *batches[MOST_RUNS] = {NULL};
    arcl_result *results[MOST_RUNS];
    arcl_status status = ARCL_SUCCESS;
    for (int i = 0; i < count && status == ARCL_SUCCESS; i++) {
        programs[i] = runs[i].submissions.first->program;
        status = merge(c, &runs[i].submissions, &batches[i], error);
    }
    double start = clock_now();
    if (status == ARCL_SUCCESS)
        status = arcl_run_many(c, count, programs, (const arcl_batch *const *)batches, results, error);
    double took = clock_now() - start;
    if (status == ARCL_SUCCESS && count == 1) runs->nanoseconds = took;
    for (int i = 0; i < count; i++) {
        if (status == ARCL_SUCCESS) answer_results(&runs[i].submissions, results[i]);
        if (runs[i].submissions.count > 1) arcl_batch_free(batches[i]);
    }
    return status;
}

/* Submission by submission. */
static void run_one_by_one(arcl_context *c, group_run *run) {
    for (submission *s = run->submissions.first; s; s = s->next) {
        arcl_error error;
        s->status = arcl_run(c, s->program, s->batch, &s->result, &error);
        if (s->status != ARCL_SUCCESS) answer_error(s, s->status, &error);
    }
}

static void free_batches(group_run *runs, int count) {
    for (int i = 0; i < count; i++)
        for (submission *s = runs[i].submissions.first; s; s = s->next) {
            arcl_batch_free(s->batch);
            s->batch = NULL;
        }
}

void runs_cancel(group_run *runs, int count) {
    arcl_error error;
    for (int i = 0; i < count; i++) {
        runs[i].nanoseconds = -1;
        runs[i].predicted = runs[i].group->predicted;
        answer_errors(&runs[i].submissions, error_set(&error, ARCL_CANCELLED, "cancelled"), &error);
    }
    free_batches(runs, count);
}

/* Whether a failure is all submissions' own, and running them one by one would not help. */
static int concerns_all(arcl_status status) { return status == ARCL_DEVICE_FAILED || status == ARCL_CANCELLED; }

int runs_execute(arcl_context *c, group_run *runs, int count) {
    arcl_error error;
    for (int i = 0; i < count; i++) runs[i].nanoseconds = -1;
    arcl_status status = run_together(c, runs, count, &error);
    for (int i = 0; i < count && status != ARCL_SUCCESS; i++)
        if (concerns_all(status) || (count == 1 && runs[i].submissions.count == 1))
            answer_errors(&runs[i].submissions, status, &error);
        else if (count > 1)
            runs_execute(c, &runs[i], 1);
        else
            run_one_by_one(c, &runs[i]);
    free_batches(runs, count);
    return status != ARCL_CANCELLED;
}

static void predict(arcl_context *c, const arcl_program *program, curve *predicted) {
    predicted->count = 0;
    for (int i = 0; i < CURVE_POINTS; i++) {
        double ns = selector_cost(c, program, 1u << i);
        if (ns <= 0) return;
        curve_add(predicted, 1u << i, ns);
    }
}

void runs_predict(arcl_context *c, group_run *runs, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t had = runs[i].group->runs + 1;
        runs[i].predicted = runs[i].group->predicted;
        if (had > 1 && (had & (had - 1)) == 0) predict(c, runs[i].submissions.first->program, &runs[i].predicted);
    }
}
