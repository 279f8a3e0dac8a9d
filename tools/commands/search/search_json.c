/* The submission and the JSON of a search. */
#include <string.h>

#include "cli/files.h"
#include "commands/search/found_files.h"
#include "commands/search/search_files.h"

static int is_test(const task_example *example) { return strcmp(example->part, "test") == 0; }

int search_submission_write(const char *path, const task_set *tasks, found_task *const *found) {
    static const task_grid none[ATTEMPTS];
    file_output file;
    if (file_create(&file, path)) return -1;
    json_writer w = {.out = file.stream};
    json_write_open(&w, '{');
    for (int i = 0; i < tasks->count; i++) {
        const arc_task *task = tasks->tasks[i];
        json_write_newline(&w);
        json_write_name(&w, task->id);
        json_write_open(&w, '[');
        for (int j = 0, test = 0; j < task->count; j++) {
            if (!is_test(&task->examples[j])) continue;
            attempts_write(&w, found[i] ? found[i]->attempts[test] : none, &task->examples[j].input);
            test++;
        }
        json_write_close(&w, ']');
    }
    json_write_close(&w, '}');
    json_write_end(&w);
    return file_commit(&file);
}

static void write_task(json_writer *w, const found_task *found) {
    hoard memory = {0};
    json_write_newline(w);
    json_write_open(w, '{');
    found_task_write(w, found);
    json_write_key(w, "files");
    json_write_open(w, '[');
    for (int i = 0; i < found->program_count; i++)
        json_write_text(w, found_files_path(&memory, found, &found->programs[i]));
    json_write_close(w, ']');
    json_write_key(w, "finished");
    json_write_bool(w, found->is_finished);
    json_write_key(w, "train_solved");
    json_write_bool(w, found_task_is_solved(found));
    if (score_solved_tests(found->task)) {
        json_write_int_member(w, "tests", (uint64_t)score_solved_tests(found->task));
        json_write_int_member(w, "tests_right", (uint64_t)found_task_tests_right(found));
    }
    json_write_close(w, '}');
    hoard_free(&memory);
}

int search_json_write(const char *path, const task_set *tasks, found_task *const *found, const search_totals *totals) {
    file_output file;
    if (file_create(&file, path)) return -1;
    json_writer w = {.out = file.stream};
    json_write_open(&w, '{');
    json_write_key(&w, "tasks");
    json_write_open(&w, '[');
    for (int i = 0; i < tasks->count; i++)
        if (found[i]) write_task(&w, found[i]);
    json_write_close(&w, ']');
    search_totals_json(&w, totals);
    json_write_close(&w, '}');
    json_write_end(&w);
    return file_commit(&file);
}
