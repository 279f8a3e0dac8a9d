/* Counting for one program. */
#include "commands/score/score_tally.h"

#include <string.h>

#include "cli/allocation.h"

score_tasks score_tasks_of(const task_set *set, int first, int count) {
    score_tasks all = {.tasks = set->tasks + first, .first = first, .count = count};
    for (int i = 0; i < count; i++) {
        all.lanes += (uint32_t)all.tasks[i]->count;
        for (int j = 0; j < all.tasks[i]->count; j++) all.counting += all.tasks[i]->examples[j].output.cells != NULL;
    }
    return all;
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

score_tally *score_outcome_tallies(const score_outcome *outcome) {
    const score_tasks *all = outcome->tasks;
    score_tally *tallies = allocation_get((size_t)all->count, sizeof *tallies);
    const arcl_score *scores = outcome->scores;
    for (int i = 0; i < all->count; i++) {
        const arc_task *task = all->tasks[i];
        tallies[i] = (score_tally){.task = task, .scores = scores, .merit.program = outcome->number};
        for (int j = 0; j < task->count; j++) add_lane(&tallies[i], &task->examples[j], scores ? &scores[j] : NULL);
        if (scores) scores += task->count;
    }
    return tallies;
}
