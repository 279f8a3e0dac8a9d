#include "commands/score/submission_judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands/score/score_output.h"
#include "commands/score/score_solved.h"
#include "data/arc_json.h"
#include "data/attempts.h"
#include "data/json_file.h"

enum { LARGEST_SIDE = 30, MOST_MESSAGES = 20 };

typedef enum verdict { MISSING, WRONG, RIGHT } verdict;

typedef struct judging {
    const cli_options *options;
    const task_set *tasks;
    const char *file;
    json_node root;
    hoard memory;
    file_output json;
    json_writer writer; /* of that file */
    score_solved solved;
    score_totals totals;
    int faults; /* what Kaggle would refuse the file for */
} judging;

__attribute__((format(printf, 2, 3))) static void complain(judging *j, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (j->faults++ < MOST_MESSAGES) message_error("%s: %s", j->file, text);
}

/* ---- one attempt, one test input, one task ---- */

static verdict judge_attempt(judging *j, const char *where, json_node rows, const task_grid *expected) {
    char why[900];
    task_grid grid;
    if (!node_is_there(rows)) {
        complain(j, "%s is missing", where);
        return MISSING;
    }
    if (grid_json_read(&j->memory, where, rows, &grid, why, sizeof why)) {
        complain(j, "%s", why);
        return MISSING;
    }
    if (grid.h > LARGEST_SIDE || grid.w > LARGEST_SIDE) {
        complain(j, "%s has %d rows and %d columns; outputs have at most %d", where, grid.h, grid.w, LARGEST_SIDE);
        return MISSING;
    }
    return task_grid_is_same(&grid, expected) ? RIGHT : WRONG;
}

static void write_attempt(judging *j, const char *key, verdict so) {
    if (!j->json.stream) return;
    json_write_key(&j->writer, key);
    if (so == MISSING)
        json_write_null(&j->writer);
    else
        json_write_bool(&j->writer, so == RIGHT);
}

/* The better one of the two attempts. */
static verdict judge_input(judging *j, const char *id, size_t index, json_node entry, const task_grid *expected) {
    verdict best = MISSING;
    char where[300], buf[64];
    int is_there = node_is_object(entry);
    if (node_is_there(entry) && !is_there)
        complain(j, "task \"%.200s\": [%zu] is %s; expected {\"attempt_1\": GRID, \"attempt_2\": GRID}", id, index,
                 node_describe(entry, buf, sizeof buf));
    if (j->json.stream) json_write_open(&j->writer, '{');
    for (int n = 0; n < ATTEMPTS; n++) {
        snprintf(where, sizeof where, "task \"%.200s\": [%zu].%s", id, index, attempt_keys[n]);
        verdict so = is_there ? judge_attempt(j, where, node_member(entry, attempt_keys[n]), expected) : MISSING;
        write_attempt(j, attempt_keys[n], so);
        if (so > best) best = so;
    }
    if (j->json.stream) json_write_close(&j->writer, '}');
    return best;
}

static json_node entries_of(judging *j, const arc_task *task, int inputs) {
    json_node entries = node_member(j->root, task->id);
    char buf[64];
    if (!node_is_there(entries))
        complain(j, "task \"%.200s\" is missing", task->id);
    else if (!node_is_array(entries))
        complain(j, "task \"%.200s\": this is %s; expected an array of attempts, an entry per test input", task->id,
                 node_describe(entries, buf, sizeof buf));
    else if (node_size(entries) != (size_t)inputs)
        complain(j, "task \"%.200s\": %zu entr%s for %d test input%s", task->id, node_size(entries),
                 node_size(entries) == 1 ? "y" : "ies", inputs, inputs == 1 ? "" : "s");
    return entries;
}

static void judge_task(judging *j, const arc_task *task) {
    static const char *const names[] = {[MISSING] = "missing", [WRONG] = "wrong"};
    char wrong[400] = "";
    int inputs = 0, right = 0, tests = score_solved_tests(task);
    for (int i = 0; i < task->count; i++) inputs += strcmp(task->examples[i].part, "test") == 0;
    json_node entries = entries_of(j, task, inputs);
    if (j->json.stream) {
        json_write_newline(&j->writer);
        json_write_open(&j->writer, '{');
        json_write_key(&j->writer, "id");
        json_write_text(&j->writer, task->id);
        json_write_key(&j->writer, "test");
        json_write_open(&j->writer, '[');
    }
    for (int i = 0; i < task->count; i++) {
        const task_example *example = &task->examples[i];
        if (strcmp(example->part, "test") != 0 || !example->output.cells) continue;
        size_t index = (size_t)example->index, used = strlen(wrong);
        verdict so = judge_input(j, task->id, index, node_item(entries, index), &example->output);
        right += so == RIGHT;
        j->totals.errors += so == MISSING;
        if (so != RIGHT) snprintf(wrong + used, sizeof wrong - used, " test[%zu]:%s", index, names[so]);
    }
    if (j->json.stream) {
        json_write_close(&j->writer, ']');
        json_write_key(&j->writer, "solved");
        json_write_bool(&j->writer, right == tests);
        json_write_close(&j->writer, '}');
    }
    score_solved_attempted(&j->solved, task, right);
    if (right == tests || j->options->quiet) return;
    message_put_clean(stdout, task->id);
    printf(" %d/%d%s\n", right, tests, wrong);
}

/* ---- the file ---- */

/* Returns 0, or -1 after a message. */
static int check_ids(const judging *j) {
    size_t ids = node_member_count(j->root), strange = 0;
    const char *example = NULL;
    for (size_t i = 0; i < ids; i++) {
        const char *id = j->root.members[i].key;
        if (task_set_find(j->tasks, id) >= 0) continue;
        if (!strange++) example = id;
    }
    if (ids && strange == ids) {
        message_error("%s: none of its %zu ids is that of a task here, \"%.200s\" for example", j->file, ids, example);
        return -1;
    }
    if (strange)
        message_note("%s: %zu of %zu ids are those of no task here, \"%.200s\" for example", j->file, strange, ids,
                     example);
    return 0;
}

static int read_file(judging *j) {
    char why[1024];
    if (json_file_read(j->options->submission_file, &j->memory, &j->root, why, sizeof why)) {
        message_error("%s", why);
        return -1;
    }
    arc_json kind = arc_json_kind(j->root);
    if (kind == ARC_JSON_SUBMISSION) return check_ids(j);
    message_error("%s: this is %s; a submission is {ID: [{\"attempt_1\": GRID, \"attempt_2\": GRID}, ..], ..}", j->file,
                  arc_json_name(kind));
    return -1;
}

static int judge_tasks(judging *j) {
    for (int i = 0; i < j->tasks->count; i++) score_solved_count(&j->solved, j->tasks->tasks[i]);
    if (!j->solved.grids) {
        message_error("nothing to compare with: no task here has an output of its test; --solutions FILE gives them");
        return -1;
    }
    if (j->options->json) {
        if (file_create(&j->json, j->options->json)) return -1;
        j->writer.out = j->json.stream;
        json_write_open(&j->writer, '{');
        json_write_key(&j->writer, "tasks");
        json_write_open(&j->writer, '[');
    }
    for (int i = 0; i < j->tasks->count; i++)
        if (score_solved_tests(j->tasks->tasks[i])) judge_task(j, j->tasks->tasks[i]);
    if (j->faults > MOST_MESSAGES) message_error("and %d more like these", j->faults - MOST_MESSAGES);
    return 0;
}

static int write_end(judging *j) {
    if (!j->json.stream) return 0;
    json_write_close(&j->writer, ']');
    score_solved_json(&j->writer, &j->solved, 0);
    json_write_int_member(&j->writer, "errors", j->totals.errors);
    json_write_close(&j->writer, '}');
    json_write_end(&j->writer);
    return file_commit(&j->json);
}

int submission_judge(const cli_options *options, const task_set *tasks) {
    judging j = {.options = options, .tasks = tasks, .file = file_shown_name(options->submission_file)};
    int status = CLI_BAD;
    if (read_file(&j) == 0 && judge_tasks(&j) == 0 && write_end(&j) == 0) {
        j.totals.unit = "tasks";
        j.totals.tasks = j.solved.tested;
        j.totals.tasks_right = j.solved.by_attempts;
        j.totals.examples = j.solved.grids;
        j.totals.examples_right = j.solved.grids_right;
        if (!options->quiet) score_solved_print(&j.solved, 0);
        score_output_totals(&j.totals);
        status = j.faults ? CLI_BAD : j.solved.grids_right < j.solved.grids ? CLI_MISMATCH : CLI_DONE;
    }
    file_discard(&j.json);
    hoard_free(&j.memory);
    return status;
}
