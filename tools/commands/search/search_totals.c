#include "commands/search/search_totals.h"

#include <string.h>

#include "cli/text_table.h"

stage_total *search_totals_stage(search_totals *totals, const char *name) {
    for (int i = 0; i < totals->stage_count; i++)
        if (strcmp(totals->stages[i].name, name) == 0) return &totals->stages[i];
    if (totals->stage_count == TOTALS_STAGES) return NULL;
    totals->stages[totals->stage_count] = (stage_total){.name = name};
    return &totals->stages[totals->stage_count++];
}

void search_totals_add(search_totals *totals, const found_task *found) {
    for (int i = 0; i < found->stage_count; i++) {
        stage_total *stage = search_totals_stage(totals, found->stages[i].name);
        if (!stage) continue;
        stage->candidates += found->stages[i].candidates;
        stage->answers += found->stages[i].answers;
    }
    stage_total *best = found_task_is_solved(found) ? search_totals_stage(totals, found->programs[0].stage) : NULL;
    if (best) best->solved++;
    totals->searched++;
    totals->solved += found_task_is_solved(found);
    totals->candidates += found->candidates;
    totals->seconds += found->seconds;
    if (found->seconds > 0) totals->now += found->candidates;
    score_solved_count(&totals->tests, found->task);
    score_solved_attempted(&totals->tests, found->task, found_task_tests_right(found));
}

void search_totals_json(json_writer *w, const search_totals *t) {
    json_write_newline(w);
    json_write_key(w, "stages");
    json_write_open(w, '[');
    for (int i = 0; i < t->stage_count; i++) {
        json_write_open(w, '{');
        json_write_key(w, "name");
        json_write_text(w, t->stages[i].name);
        json_write_int_member(w, "candidates", t->stages[i].candidates);
        json_write_int_member(w, "answers", t->stages[i].answers);
        json_write_int_member(w, "solved", (uint64_t)t->stages[i].solved);
        json_write_close(w, '}');
    }
    json_write_close(w, ']');
    score_solved_json(w, &t->tests, 0);
    json_write_newline(w);
    json_write_key(w, "totals");
    json_write_open(w, '{');
    json_write_int_member(w, "tasks", (uint64_t)t->tasks);
    json_write_int_member(w, "searched", (uint64_t)t->searched);
    json_write_int_member(w, "train_solved", (uint64_t)t->solved);
    json_write_int_member(w, "candidates", t->candidates);
    json_write_key(w, "seconds");
    json_write_seconds(w, t->seconds);
    json_write_close(w, '}');
}

static void print_stages(const search_totals *t) {
    static const text_column columns[] = {
        {"stage", 0, 0}, {"candidates", 1, 1}, {"all train right", 1, 2}, {"tasks solved", 1, 3}};
    text_table table;
    text_table_start(&table, columns, 4, t->stage_count);
    for (int i = 0; i < t->stage_count; i++) {
        const stage_total *stage = &t->stages[i];
        snprintf(text_table_cell(&table, i, 0), TEXT_TABLE_CELL, "%s", stage->name);
        snprintf(text_table_cell(&table, i, 1), TEXT_TABLE_CELL, "%llu", (unsigned long long)stage->candidates);
        snprintf(text_table_cell(&table, i, 2), TEXT_TABLE_CELL, "%llu", (unsigned long long)stage->answers);
        snprintf(text_table_cell(&table, i, 3), TEXT_TABLE_CELL, "%d", stage->solved);
    }
    text_table_print(&table, text_table_width(), stdout);
    text_table_free(&table);
}

void search_totals_print(const search_totals *t, int quiet) {
    if (!quiet && t->stage_count) print_stages(t);
    if (!quiet && t->tests.grids) score_solved_print(&t->tests, 0);
    printf("tasks %d/%d candidates %llu\n", t->solved, t->tasks, (unsigned long long)t->candidates);
}
