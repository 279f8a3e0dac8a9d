#include "commands/score/score_solved.h"

#include <stdio.h>
#include <string.h>

int score_solved_tests(const arc_task *task) {
    int tests = 0;
    for (int i = 0; i < task->count; i++)
        tests += strcmp(task->examples[i].part, "test") == 0 && task->examples[i].output.cells;
    return tests;
}

void score_solved_count(score_solved *solved, const arc_task *task) {
    int known = 0, tests = score_solved_tests(task);
    for (int i = 0; i < task->count && !known; i++) known = task->examples[i].output.cells != NULL;
    solved->tasks += known != 0;
    solved->tested += tests > 0;
    solved->grids += (uint64_t)tests;
}

void score_solved_attempted(score_solved *solved, const arc_task *task, int right) {
    int tests = score_solved_tests(task);
    solved->grids_right += (uint64_t)right;
    solved->by_attempts += tests > 0 && right == tests;
}

void score_solved_print(const score_solved *s, int has_programs) {
    if (has_programs)
        printf("solved by some program: %llu of %llu tasks%s\n", (unsigned long long)s->by_program,
               (unsigned long long)s->tasks, s->grids ? "" : ", as far as train examples tell");
    if (s->grids)
        printf("two attempts: %llu test grid%s, %llu right; %llu of %llu tasks solved\n", (unsigned long long)s->grids,
               s->grids == 1 ? "" : "s", (unsigned long long)s->grids_right, (unsigned long long)s->by_attempts,
               (unsigned long long)s->tested);
}

void score_solved_json(json_writer *w, const score_solved *s, int has_programs) {
    json_write_newline(w);
    json_write_key(w, "solved");
    json_write_open(w, '{');
    if (has_programs) {
        json_write_int_member(w, "tasks", s->tasks);
        json_write_int_member(w, "by_some_program", s->by_program);
    }
    json_write_int_member(w, "tasks_with_test_outputs", s->tested);
    json_write_int_member(w, "by_two_attempts", s->by_attempts);
    json_write_int_member(w, "test_grids", s->grids);
    json_write_int_member(w, "test_grids_right", s->grids_right);
    json_write_close(w, '}');
}
