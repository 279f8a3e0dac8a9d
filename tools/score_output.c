/* Lines and JSON of `arcl score`. Everything is derived from the tallies of a job. */
#include "score_output.h"

#include <stdio.h>

#include "messages.h"

enum { BEST = 3, MOST_EXAMPLES = 12 };

static const char *verdict(const score_lane *lane) {
    if (!lane) return "rejected";
    if (lane->status != ARCL_OK) return arcl_lane_status_name(lane->status);
    return lane->same_shape ? "differs" : "shape";
}

/* "solve_00d62c1b 4/6 train[0]:EMPTY test[0]:differs" */
static void print_examples(const score_job *job, const score_tally *tally) {
    int lane = 0, printed = 0;
    printf("%s %d/%d", job->program->name, tally->right, tally->all);
    for (int i = 0; tally->lanes && i < tally->task->count; i++) {
        const task_example *example = &tally->task->examples[i];
        if (!example->output.cells) continue;
        const score_lane *score = &tally->lanes[lane++];
        if (!score->match && printed++ < MOST_EXAMPLES)
            printf(" %s[%d]:%s", example->part, example->index, verdict(score));
    }
    puts(!tally->lanes ? " rejected" : printed > MOST_EXAMPLES ? " ..." : "");
}

static int is_better(const score_tally *a, const score_tally *b) {
    int64_t ahead = (int64_t)a->right * b->all - (int64_t)b->right * a->all;
    return ahead ? ahead > 0 : a->cells * b->all_cells > b->cells * a->all_cells;
}

/* Keeps the best few in order; earlier ones win ties. */
static void keep_best(score_tally *best, int *count, const score_tally *tally) {
    int at = *count;
    while (at > 0 && is_better(tally, &best[at - 1])) at--;
    if (at == BEST) return;
    if (*count < BEST) ++*count;
    for (int i = *count - 1; i > at; i--) best[i] = best[i - 1];
    best[at] = *tally;
}

/* "solve_00d62c1b solves 1 of 400 tasks; best: 00d62c1b 6/6, a5313dff 1/4, 4258a5f9 0/3" */
static void print_best(const score_job *job, const score_tally *best, int count, int solved) {
    if (!job->lanes) {
        printf("%s rejected\n", job->program->name);
        return;
    }
    printf("%s solves %d of %d tasks; best:", job->program->name, solved, job->target->count);
    for (int i = 0; i < count; i++) {
        printf("%s ", i ? "," : "");
        message_put_clean(stdout, best[i].task->id);
        printf(" %d/%d", best[i].right, best[i].all);
    }
    putchar('\n');
}

void score_output_job(const score_job *job, int all_pairs, int print, score_totals *totals) {
    score_tally best[BEST];
    int count = 0, solved = 0;
    uint32_t lane = 0;
    for (int i = 0; i < job->target->count; i++) {
        score_tally tally = score_job_tally(job, i, &lane);
        if (tally.all == 0) continue;
        solved += tally.right == tally.all;
        totals->tasks++;
        totals->examples += (uint64_t)tally.all;
        totals->examples_right += (uint64_t)tally.right;
        totals->errors += (uint64_t)tally.errors;
        keep_best(best, &count, &tally);
    }
    totals->tasks_right += (uint64_t)solved;
    if (!print) return;
    message_progress_end();
    if (all_pairs)
        print_best(job, best, count, solved);
    else if (!solved)
        print_examples(job, &best[0]);
}

void score_output_totals(const score_totals *totals) {
    printf("tasks %llu/%llu examples %llu/%llu errors %llu\n", (unsigned long long)totals->tasks_right,
           (unsigned long long)totals->tasks, (unsigned long long)totals->examples_right,
           (unsigned long long)totals->examples, (unsigned long long)totals->errors);
}

void score_json_begin(FILE *out) { fputs("{\"programs\":[\n", out); }

static json_t *examples_json(const score_tally *tally) {
    json_t *list = json_array();
    int lane = 0;
    for (int i = 0; tally->lanes && i < tally->task->count; i++) {
        const task_example *example = &tally->task->examples[i];
        if (!example->output.cells) continue;
        const score_lane *score = &tally->lanes[lane++];
        json_array_append_new(list, json_pack("{ss si ss sb sb sI sI}", "part", example->part, "index", example->index,
                                              "status", arcl_lane_status_name(score->status), "match", score->match,
                                              "same_shape", score->same_shape, "cells", (json_int_t)score->cells,
                                              "all_cells", (json_int_t)(example->output.h * example->output.w)));
    }
    return list;
}

static void put_object(FILE *out, json_t *object, int *written) {
    fputs((*written)++ ? ",\n" : "", out);
    if (object) json_dumpf(object, out, JSON_COMPACT);
    json_decref(object);
}

void score_json_job(FILE *out, const score_job *job, int *written) {
    const char *error = job->rejected ? job->work.error.message : NULL;
    uint32_t lane = 0;
    if (!job->target)
        put_object(
            out,
            json_pack("{ss ss sn ss?}", "name", job->program->name, "file", job->program->file, "task", "error", error),
            written);
    for (int i = 0; job->target && i < job->target->count; i++) {
        score_tally tally = score_job_tally(job, i, &lane);
        if (tally.all == 0) continue;
        put_object(out,
                   json_pack("{ss ss ss ss? si si so}", "name", job->program->name, "file", job->program->file, "task",
                             tally.task->id, "error", error, "right", tally.right, "all", tally.all, "examples",
                             examples_json(&tally)),
                   written);
    }
}

void score_json_end(FILE *out, const score_totals *totals, const score_times *times, json_t *report) {
    fputs("],\n\"totals\":", out);
    json_t *sums = json_pack("{sI sI sI sI sI}", "tasks_right", (json_int_t)totals->tasks_right, "tasks",
                             (json_int_t)totals->tasks, "examples_right", (json_int_t)totals->examples_right,
                             "examples", (json_int_t)totals->examples, "errors", (json_int_t)totals->errors);
    json_dumpf(sums, out, JSON_COMPACT);
    json_decref(sums);
    fprintf(out, ",\n\"seconds\":{\"load\":%.6f,\"compile\":%.6f,\"run\":%.6f}", times->load, times->compile,
            times->run);
    if (report) {
        fputs(",\n\"report\":", out);
        json_dumpf(report, out, JSON_COMPACT);
        json_decref(report);
    }
    fputs("}\n", out);
}
