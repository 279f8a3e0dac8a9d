/* Lines of `arcl score`. Everything is derived from the tallies of an outcome. */
#include "commands/score/score_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/messages.h"

enum { BEST = 3, MOST_EXAMPLES = 12 };

static const char *verdict(const arcl_score *score) {
    if (score->status != ARCL_OK) return arcl_lane_status_name(score->status);
    return score->same_shape ? "differs" : "shape";
}

/* "solve_00d62c1b 4/6 train[0]:EMPTY test[0]:differs" */
static void print_examples(const score_outcome *outcome, const score_tally *tally) {
    int printed = 0;
    printf("%s %d/%d", outcome->program->name, score_tally_right(tally), score_tally_all(tally));
    for (int i = 0; tally->scores && i < tally->task->count; i++) {
        const task_example *example = &tally->task->examples[i];
        if (example->output.cells && !tally->scores[i].match && printed++ < MOST_EXAMPLES)
            printf(" %s[%d]:%s", example->part, example->index, verdict(&tally->scores[i]));
    }
    puts(!tally->scores ? " rejected" : printed > MOST_EXAMPLES ? " ..." : "");
}

/* By all examples, and then by cells, both as a share of what there is: the tasks differ. */
static int is_better(const score_tally *a, const score_tally *b) {
    int64_t ahead =
        (int64_t)score_tally_right(a) * score_tally_all(b) - (int64_t)score_tally_right(b) * score_tally_all(a);
    return ahead ? ahead > 0 : a->cells * b->all_cells > b->cells * a->all_cells;
}

/* Keeps the best few in order; earlier ones win ties. */
static void keep_best(const score_tally **best, int *count, const score_tally *tally) {
    int at = *count;
    while (at > 0 && is_better(tally, best[at - 1])) at--;
    if (at == BEST) return;
    if (*count < BEST) ++*count;
    for (int i = *count - 1; i > at; i--) best[i] = best[i - 1];
    best[at] = tally;
}

/* "solve_00d62c1b solves 1 of 400 tasks; best: 00d62c1b 6/6, a5313dff 1/4, 4258a5f9 0/3" */
static void print_best(const score_outcome *outcome, const score_tally *const *best, int count, int solved) {
    if (outcome->rejection) {
        printf("%s rejected\n", outcome->program->name);
        return;
    }
    printf("%s solves %d of %d tasks; best:", outcome->program->name, solved, outcome->tasks->count);
    for (int i = 0; i < count; i++) {
        printf("%s ", i ? "," : "");
        message_put_clean(stdout, best[i]->task->id);
        printf(" %d/%d", score_tally_right(best[i]), score_tally_all(best[i]));
    }
    putchar('\n');
}

void score_output_program(const score_outcome *outcome, const score_tally *tallies, int all_pairs, int print,
                          score_totals *totals) {
    const score_tally *best[BEST];
    int count = 0, solved = 0;
    for (int i = 0; i < outcome->tasks->count; i++) {
        const score_tally *tally = &tallies[i];
        int right = score_tally_right(tally), all = score_tally_all(tally);
        if (all == 0) continue;
        solved += right == all;
        totals->tasks++;
        totals->examples += (uint64_t)all;
        totals->examples_right += (uint64_t)right;
        totals->errors += (uint64_t)tally->errors;
        keep_best(best, &count, tally);
    }
    totals->tasks_right += (uint64_t)solved;
    if (!print) return;
    if (all_pairs || !solved) message_progress_end();
    if (all_pairs)
        print_best(outcome, best, count, solved);
    else if (!solved)
        print_examples(outcome, best[0]);
}

/* "task 2ec01042: 12 programs, 9 behaviours", and a line for each of the best of these. */
void score_output_ranking(const arc_task *task, const score_ranking *ranking, const program_list *programs) {
    int count;
    score_behaviour *best = score_ranking_best(ranking, &count);
    fputs("task ", stdout);
    message_put_clean(stdout, task->id);
    printf(": %d program%s, %d behaviour%s\n", ranking->programs, ranking->programs == 1 ? "" : "s", ranking->count,
           ranking->count == 1 ? "" : "s");
    for (int i = 0; i < count; i++) {
        const score_behaviour *b = &best[i];
        printf("  %d. %s train %d/%d test %d/%d cells %llu/%llu words %llu", i + 1,
               programs->entries[b->merit.program].name, b->train.right, b->train.all, b->test.right, b->test.all,
               (unsigned long long)b->cells, (unsigned long long)b->all_cells, (unsigned long long)b->merit.words);
        if (b->programs > 1) printf(" and %d alike", b->programs - 1);
        putchar('\n');
    }
    free(best);
}

void score_output_times(const score_times *times) {
    const char *before = "";
#define PUT_TIME(name)                                                                                                 \
    fprintf(stderr, "%s" #name " %.3f s", before, times->name);                                                        \
    before = ", ";
    SCORE_PHASES(PUT_TIME)
#undef PUT_TIME
    fputc('\n', stderr);
}

void score_output_totals(const score_totals *totals) {
    printf("%s %llu/%llu examples %llu/%llu errors %llu\n", totals->unit, (unsigned long long)totals->tasks_right,
           (unsigned long long)totals->tasks, (unsigned long long)totals->examples_right,
           (unsigned long long)totals->examples, (unsigned long long)totals->errors);
}
