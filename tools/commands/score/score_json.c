#include "commands/score/score_json.h"

#include <stdio.h>
#include <stdlib.h>

static void write_count(json_writer *w, const char *key, score_count count) {
    json_write_key(w, key);
    json_write_open(w, '{');
    json_write_int_member(w, "right", (uint64_t)count.right);
    json_write_int_member(w, "all", (uint64_t)count.all);
    json_write_close(w, '}');
}

static void write_program(json_writer *w, const program_entry *program) {
    json_write_key(w, "name");
    json_write_text(w, program->name);
    json_write_key(w, "file");
    json_write_text(w, program->file);
}

void score_json_begin(json_writer *w) {
    json_write_open(w, '{');
    json_write_key(w, "programs");
    json_write_open(w, '[');
}

/* ---- a program on a task ---- */

/* What there is nothing to compare with is null. */
static void write_verdict(json_writer *w, const char *key, int compared, int truth) {
    json_write_key(w, key);
    if (compared)
        json_write_bool(w, truth);
    else
        json_write_null(w);
}

static void write_example(json_writer *w, const task_example *example, const arcl_score *score) {
    int compared = example->output.cells != NULL;
    json_write_open(w, '{');
    json_write_key(w, "part");
    json_write_text(w, example->part);
    json_write_int_member(w, "index", (uint64_t)example->index);
    json_write_key(w, "status");
    json_write_text(w, arcl_lane_status_name(score->status));
    write_verdict(w, "match", compared, score->match);
    write_verdict(w, "same_shape", compared, score->same_shape);
    json_write_int_member(w, "cells", score->cells);
    json_write_int_member(w, "all_cells", compared ? (uint64_t)(example->output.h * example->output.w) : 0);
    json_write_int_member(w, "words", score->words);
    json_write_key(w, "fingerprint");
    json_write_hex(w, score->fingerprint);
    json_write_close(w, '}');
}

static void write_examples(json_writer *w, const score_tally *t) {
    json_write_key(w, "examples");
    json_write_open(w, '[');
    for (int i = 0; t->scores && i < t->task->count; i++) write_example(w, &t->task->examples[i], &t->scores[i]);
    json_write_close(w, ']');
}

static void begin_entry(json_writer *w, const score_outcome *outcome, const char *task) {
    json_write_newline(w);
    json_write_open(w, '{');
    write_program(w, outcome->program);
    json_write_key(w, "task");
    json_write_text_or_null(w, task);
    json_write_key(w, "error");
    json_write_text_or_null(w, outcome->rejection);
}

static void write_tally(json_writer *w, const score_outcome *outcome, const score_tally *t, int behaviour) {
    begin_entry(w, outcome, t->task->id);
    json_write_int_member(w, "right", (uint64_t)score_tally_right(t));
    json_write_int_member(w, "all", (uint64_t)score_tally_all(t));
    write_count(w, "train", t->train);
    write_count(w, "test", t->test);
    json_write_int_member(w, "cells", t->cells);
    json_write_int_member(w, "all_cells", t->all_cells);
    json_write_int_member(w, "words", t->merit.words);
    json_write_key(w, "behaviour");
    if (t->scores)
        json_write_int(w, behaviour);
    else
        json_write_null(w);
    write_examples(w, t);
    json_write_close(w, '}');
}

void score_json_program(json_writer *w, const score_outcome *outcome, const score_tally *tallies,
                        const int *behaviours) {
    if (!outcome->tasks) {
        begin_entry(w, outcome, NULL);
        json_write_close(w, '}');
        return;
    }
    for (int i = 0; i < outcome->tasks->count; i++)
        if (score_tally_all(&tallies[i])) write_tally(w, outcome, &tallies[i], behaviours[i]);
}

/* ---- a task ---- */

void score_json_tasks(json_writer *w) {
    json_write_close(w, ']');
    json_write_newline(w);
    json_write_key(w, "tasks");
    json_write_open(w, '[');
}

void score_json_ranking(json_writer *w, const arc_task *task, const score_ranking *ranking,
                        const program_list *programs) {
    int count;
    score_behaviour *best = score_ranking_best(ranking, &count);
    json_write_newline(w);
    json_write_open(w, '{');
    json_write_key(w, "id");
    json_write_text(w, task->id);
    json_write_int_member(w, "programs", (uint64_t)ranking->programs);
    json_write_int_member(w, "behaviours", (uint64_t)ranking->count);
    json_write_key(w, "solved");
    json_write_bool(w, ranking->is_solved);
    json_write_key(w, "best");
    json_write_open(w, '[');
    for (int i = 0; i < count; i++) {
        const score_behaviour *b = &best[i];
        json_write_open(w, '{');
        write_program(w, &programs->entries[b->merit.program]);
        json_write_int_member(w, "behaviour", (uint64_t)b->place);
        json_write_int_member(w, "programs", (uint64_t)b->programs);
        write_count(w, "train", b->train);
        write_count(w, "test", b->test);
        json_write_int_member(w, "cells", b->cells);
        json_write_int_member(w, "all_cells", b->all_cells);
        json_write_int_member(w, "words", b->merit.words);
        json_write_close(w, '}');
    }
    json_write_close(w, ']');
    json_write_close(w, '}');
    free(best);
}

void score_json_end(json_writer *w, const score_solved *solved, const score_totals *totals, const score_times *times,
                    json_t *report) {
    json_write_close(w, ']');
    score_solved_json(w, solved, 1);
    score_json_totals(w, totals, times, report);
}

void score_json_totals(json_writer *w, const score_totals *totals, const score_times *times, json_t *report) {
    json_write_newline(w);
    json_write_key(w, "totals");
    json_write_open(w, '{');
    char right[32];
    snprintf(right, sizeof right, "%s_right", totals->unit);
    json_write_int_member(w, right, totals->tasks_right);
    json_write_int_member(w, totals->unit, totals->tasks);
    json_write_int_member(w, "examples_right", totals->examples_right);
    json_write_int_member(w, "examples", totals->examples);
    json_write_int_member(w, "errors", totals->errors);
    json_write_close(w, '}');
    json_write_newline(w);
    json_write_key(w, "seconds");
    json_write_open(w, '{');
#define WRITE_TIME(name)                                                                                               \
    json_write_key(w, #name);                                                                                          \
    json_write_seconds(w, times->name);
    SCORE_PHASES(WRITE_TIME)
#undef WRITE_TIME
    json_write_close(w, '}');
    if (report) {
        json_write_newline(w);
        json_write_key(w, "report");
        json_write_value(w, report);
    }
    json_write_close(w, '}');
    json_write_end(w);
}
