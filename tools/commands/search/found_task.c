#define _XOPEN_SOURCE 700 /* open_memstream */
#include "commands/search/found_task.h"

#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "data/json_file.h"

found_task *found_task_create(const arc_task *task) {
    found_task *found = allocation_get(1, sizeof *found);
    found->task = task;
    found->test_count = found_task_tests(task);
    found->attempts = hoard_get(&found->memory, (size_t)(found->test_count + 1) * sizeof *found->attempts);
    return found;
}

void found_task_free(found_task *found) {
    if (!found) return;
    hoard_free(&found->memory);
    free(found);
}

/* ---- what it amounts to ---- */

static int is_test(const task_example *example) { return strcmp(example->part, "test") == 0; }

int found_task_train(const arc_task *task) {
    int count = 0;
    for (int i = 0; i < task->count; i++) count += !is_test(&task->examples[i]) && task->examples[i].output.cells;
    return count;
}

int found_task_tests(const arc_task *task) {
    int count = 0;
    for (int i = 0; i < task->count; i++) count += is_test(&task->examples[i]);
    return count;
}

int found_task_is_solved(const found_task *found) {
    return found->program_count && found->programs[0].right == found_task_train(found->task);
}

static int is_same(const task_grid *a, const task_grid *b) { return a->cells && b->cells && task_grid_is_same(a, b); }

int found_task_tests_right(const found_task *found) {
    int right = 0;
    for (int i = 0, test = 0; i < found->task->count; i++) {
        const task_example *example = &found->task->examples[i];
        if (!is_test(example)) continue;
        int is_right = 0;
        for (int n = 0; n < ATTEMPTS; n++) is_right |= is_same(&found->attempts[test][n], &example->output);
        right += is_right;
        test++;
    }
    return right;
}

/* ---- writing ---- */

static void write_program(json_writer *w, const found_program *p) {
    json_write_open(w, '{');
    json_write_int_member(w, "right", (uint64_t)p->right);
    json_write_int_member(w, "cells", p->cells);
    json_write_int_member(w, "words", p->words);
    json_write_int_member(w, "calls", (uint64_t)p->calls);
    json_write_int_member(w, "agreement", (uint64_t)p->agreement);
    json_write_key(w, "stage");
    json_write_text(w, p->stage);
    json_write_key(w, "text");
    json_write_text(w, p->text);
    json_write_close(w, '}');
}

static void write_stage(json_writer *w, const found_stage *stage) {
    json_write_open(w, '{');
    json_write_key(w, "name");
    json_write_text(w, stage->name);
    json_write_int_member(w, "candidates", stage->candidates);
    json_write_int_member(w, "answers", stage->answers);
    json_write_close(w, '}');
}

static void write_attempts(json_writer *w, const task_grid attempts[ATTEMPTS]) {
    json_write_open(w, '[');
    for (int i = 0; i < ATTEMPTS; i++) {
        if (attempts[i].cells)
            json_write_grid(w, attempts[i].h, attempts[i].w, attempts[i].cells);
        else
            json_write_null(w);
    }
    json_write_close(w, ']');
}

void found_task_write(json_writer *w, const found_task *found) {
    json_write_key(w, "task");
    json_write_text(w, found->task->id);
    json_write_int_member(w, "candidates", found->candidates);
    json_write_int_member(w, "distinct", found->distinct);
    json_write_key(w, "stages");
    json_write_open(w, '[');
    for (int i = 0; i < found->stage_count; i++) write_stage(w, &found->stages[i]);
    json_write_close(w, ']');
    json_write_key(w, "programs");
    json_write_open(w, '[');
    for (int i = 0; i < found->program_count; i++) write_program(w, &found->programs[i]);
    json_write_close(w, ']');
    json_write_key(w, "attempts");
    json_write_open(w, '[');
    for (int i = 0; i < found->test_count; i++) write_attempts(w, found->attempts[i]);
    json_write_close(w, ']');
}

char *found_task_line(const found_task *found) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (!out) allocation_none();
    json_writer w = {.out = out};
    json_write_open(&w, '{');
    found_task_write(&w, found);
    json_write_close(&w, '}');
    json_write_end(&w);
    if (fclose(out) || !line) allocation_none();
    line[length - 1] = 0; /* its end */
    return line;
}

/* ---- reading ---- */

/* A count, or -1. */
static int64_t count_of(json_node object, const char *key) {
    json_node node = node_member(object, key);
    return node_is_int(node) && node_int(node) >= 0 ? node_int(node) : -1;
}

/* Of an array with at most INT32_MAX elements; -1: it is none. */
static int size_of(json_node array) { return node_is_array(array) ? (int)node_size(array) : -1; }

static const char *text_of(found_task *found, json_node object, const char *key) {
    const char *text = node_text(node_member(object, key));
    return text ? hoard_text(&found->memory, text) : NULL;
}

/* These return 0, or -1 if that is not what was written. */
static int read_program(found_task *found, json_node node, found_program *p) {
    int64_t right = count_of(node, "right"), cells = count_of(node, "cells"), words = count_of(node, "words"),
            calls = count_of(node, "calls"), agreement = count_of(node, "agreement");
    *p = (found_program){
        text_of(found, node, "text"), (int)right, (uint64_t)cells, (uint64_t)words, (int)calls, (int)agreement,
        text_of(found, node, "stage")};
    return p->text && p->stage && right >= 0 && cells >= 0 && words >= 0 && calls >= 0 && agreement >= 0 ? 0 : -1;
}

static int read_programs(found_task *found, json_node nodes) {
    found->program_count = size_of(nodes);
    if (found->program_count < 0) return -1;
    found->programs = hoard_get(&found->memory, node_size(nodes) * sizeof *found->programs);
    for (int i = 0; i < found->program_count; i++)
        if (read_program(found, node_item(nodes, (size_t)i), &found->programs[i])) return -1;
    return 0;
}

static int read_stages(found_task *found, json_node nodes) {
    found->stage_count = size_of(nodes);
    if (found->stage_count < 0) return -1;
    found->stages = hoard_get(&found->memory, node_size(nodes) * sizeof *found->stages);
    for (int i = 0; i < found->stage_count; i++) {
        json_node node = node_item(nodes, (size_t)i);
        int64_t candidates = count_of(node, "candidates"), answers = count_of(node, "answers");
        found->stages[i] = (found_stage){text_of(found, node, "name"), (uint64_t)candidates, (uint64_t)answers};
        if (!found->stages[i].name || candidates < 0 || answers < 0) return -1;
    }
    return 0;
}

static int read_attempts(found_task *found, json_node nodes) {
    char why[256];
    if (size_of(nodes) != found->test_count) return -1;
    for (int i = 0; i < found->test_count; i++)
        for (int n = 0; n < ATTEMPTS; n++) {
            json_node grid = node_item(node_item(nodes, (size_t)i), (size_t)n);
            if (grid.kind == NODE_NULL) continue;
            if (grid_json_read(&found->memory, "", grid, &found->attempts[i][n], why, sizeof why)) return -1;
        }
    return 0;
}

static found_task *read_node(json_node node, const task_set *tasks) {
    const char *id = node_text(node_member(node, "task"));
    int task = id ? task_set_find(tasks, id) : -1;
    int64_t candidates = count_of(node, "candidates"), distinct = count_of(node, "distinct");
    if (task < 0 || candidates < 0 || distinct < 0) return NULL;
    found_task *found = found_task_create(tasks->tasks[task]);
    found->is_finished = 1;
    found->candidates = (uint64_t)candidates;
    found->distinct = (uint64_t)distinct;
    if (read_stages(found, node_member(node, "stages")) == 0 &&
        read_programs(found, node_member(node, "programs")) == 0 &&
        read_attempts(found, node_member(node, "attempts")) == 0)
        return found;
    found_task_free(found);
    return NULL;
}

found_task *found_task_read(const char *where, const char *line, size_t length, const task_set *tasks) {
    json_error_t error;
    json_node node;
    hoard memory = {0};
    found_task *found = json_text_read(line, length, 0, &memory, &node, &error) == 0 ? read_node(node, tasks) : NULL;
    if (!found) message_error("%s: a line is not what a search writes: %.60s", where, line);
    hoard_free(&memory);
    return found;
}
