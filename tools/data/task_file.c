/* Reading tasks. Files are read in parallel, each into a source of its own; messages come afterwards, in order. Places
 * in a file are named as in train[0].input[2][3], all counted from 0. */
#include "data/task_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/nearest.h"
#include "data/arc_json.h"
#include "data/json_file.h"

enum { MOST_MESSAGES = 20 };

/* One file, read by one thread: what it holds, or why it is refused. */
typedef struct task_source {
    char *path;
    hoard memory; /* of the tasks */
    arc_task *tasks;
    int count;
    char error[1024];
} task_source;

__attribute__((format(printf, 2, 3))) static int refuse(task_source *source, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int used = snprintf(source->error, sizeof source->error, "%s: ", file_shown_name(source->path));
    if (used >= 0 && (size_t)used < sizeof source->error)
        vsnprintf(source->error + used, sizeof source->error - (size_t)used, format, arguments);
    va_end(arguments);
    return -1;
}

static int read_grid(task_source *source, const char *where, json_node rows, task_grid *grid) {
    char why[900];
    return grid_json_read(&source->memory, where, rows, grid, why, sizeof why) ? refuse(source, "%s", why) : 0;
}

static int read_part(task_source *source, const char *prefix, const char *part, json_node list, arc_task *out) {
    char where[512], buf[64];
    for (size_t i = 0; i < node_size(list); i++) {
        json_node json = node_item(list, i);
        task_example *example = &out->examples[out->count++];
        *example = (task_example){.part = part, .index = (int)i};
        if (!node_is_object(json))
            return refuse(source, "%s%s[%zu] is %s; an example is an object with \"input\" and \"output\"", prefix,
                          part, i, node_describe(json, buf, sizeof buf));
        json_node input = node_member(json, "input"), output = node_member(json, "output");
        if (!node_is_there(input)) return refuse(source, "%s%s[%zu] has no \"input\"", prefix, part, i);
        snprintf(where, sizeof where, "%s%s[%zu].input", prefix, part, i);
        if (read_grid(source, where, input, &example->input)) return -1;
        snprintf(where, sizeof where, "%s%s[%zu].output", prefix, part, i);
        if (node_is_there(output) && read_grid(source, where, output, &example->output)) return -1;
    }
    return 0;
}

static int start_task(task_source *source, const char *prefix, const char *id, size_t count, arc_task *out) {
    if (count == 0)
        return refuse(source, "%sno examples; a task is an object with \"train\" and \"test\", arrays of examples",
                      prefix);
    out->id = id;
    out->file = source->path;
    out->examples = hoard_get(&source->memory, count * sizeof *out->examples);
    return 0;
}

/* Reads a task; `prefix` says where in the file it is. Examples that are in no part are of the first. */
static int read_task(task_source *source, const char *prefix, const char *id, json_node json, arc_task *out) {
    static const char *const parts[2] = {"train", "test"};
    char buf[64];
    size_t count = 0;
    if (node_is_object(node_item(json, 0)))
        return start_task(source, prefix, id, node_size(json), out) || read_part(source, prefix, parts[0], json, out);
    if (!node_is_object(json))
        return refuse(source, "%sthis is %s; a task is an object with \"train\" and \"test\"", prefix,
                      node_describe(json, buf, sizeof buf));
    for (int i = 0; i < 2; i++) {
        json_node list = node_member(json, parts[i]);
        if (node_is_there(list) && !node_is_array(list))
            return refuse(source, "%s%s is %s; it should be an array of examples", prefix, parts[i],
                          node_describe(list, buf, sizeof buf));
        count += node_size(list);
    }
    if (start_task(source, prefix, id, count, out)) return -1;
    for (int i = 0; i < 2; i++)
        if (read_part(source, prefix, parts[i], node_member(json, parts[i]), out)) return -1;
    return 0;
}

/* The file's name without folders and .json. */
static char *id_of_path(task_source *source) {
    if (file_is_standard_input(source->path)) return hoard_text(&source->memory, "stdin");
    const char *slash = strrchr(source->path, '/');
    char *id = hoard_text(&source->memory, slash ? slash + 1 : source->path);
    char *dot = strrchr(id, '.');
    if (dot && dot != id) *dot = 0;
    return id;
}

static int read_root(task_source *source, json_node root) {
    arc_json kind = arc_json_kind(root);
    if (kind == ARC_JSON_SOLUTIONS || kind == ARC_JSON_SUBMISSION)
        return refuse(source, "this is %s, and tasks are expected here%s", arc_json_name(kind), arc_json_place(kind));
    if (!node_is_object(root) || node_is_there(node_member(root, "train")) ||
        node_is_there(node_member(root, "test"))) {
        source->tasks = hoard_get(&source->memory, sizeof *source->tasks);
        source->count = 1;
        return read_task(source, "", id_of_path(source), root, source->tasks);
    }
    if (node_member_count(root) == 0)
        return refuse(source, "no tasks; expected a task with \"train\" and \"test\", or an object of tasks by id");
    source->tasks = hoard_get(&source->memory, node_member_count(root) * sizeof *source->tasks);
    for (size_t i = 0; i < node_member_count(root); i++) {
        const json_member *member = &root.members[i];
        char prefix[256];
        snprintf(prefix, sizeof prefix, "task \"%.200s\": ", member->key);
        const char *id = hoard_text(&source->memory, member->key);
        if (read_task(source, prefix, id, member->value, &source->tasks[source->count++])) return -1;
    }
    return 0;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* The JSON of the source's file, in `memory`. */
static int open_source(task_source *source, hoard *memory, json_node *root) {
    int status = json_file_read(source->path, memory, root, source->error, sizeof source->error);
    size_t used = strlen(source->error);
    if (status && ends_with(source->path, ".py"))
        snprintf(source->error + used, sizeof source->error - used,
                 "; this looks like a file of programs, but tasks are expected here");
    return status;
}

static void read_source(void *sources, uint32_t index) {
    task_source *source = (task_source *)sources + index;
    hoard memory = {0};
    json_node root;
    if (open_source(source, &memory, &root) == 0) read_root(source, root);
    hoard_free(&memory);
}

static int by_id(const void *a, const void *b) {
    return strcmp((*(arc_task *const *)a)->id, (*(arc_task *const *)b)->id);
}

/* ---- all tasks ---- */

int task_grid_is_same(const task_grid *a, const task_grid *b) {
    return a->h == b->h && a->w == b->w && memcmp(a->cells, b->cells, (size_t)a->h * (size_t)a->w) == 0;
}

static int is_same_example(const task_example *a, const task_example *b) {
    return strcmp(a->part, b->part) == 0 && task_grid_is_same(&a->input, &b->input) &&
           (!a->output.cells || !b->output.cells || task_grid_is_same(&a->output, &b->output));
}

/* Takes outputs that only `other` has. Returns -1 if the two are not the same task. */
static int unite(const arc_task *task, const arc_task *other) {
    if (task->count != other->count) return -1;
    for (int i = 0; i < task->count; i++)
        if (!is_same_example(&task->examples[i], &other->examples[i])) return -1;
    for (int i = 0; i < task->count; i++)
        if (!task->examples[i].output.cells) task->examples[i].output = other->examples[i].output;
    return 0;
}

/* Makes the sorted list of all tasks. One that is in several files counts once; two with one id would be scored as one,
 * so they are refused. */
static int index_tasks(task_set *set) {
    int all = 0;
    for (int i = 0; i < set->source_count; i++) all += set->sources[i].count;
    const arc_task **tasks = set->tasks = allocation_get((size_t)all, sizeof *set->tasks);
    for (int i = 0, n = 0; i < set->source_count; i++)
        for (int j = 0; j < set->sources[i].count; j++) tasks[n++] = &set->sources[i].tasks[j];
    qsort(tasks, (size_t)all, sizeof *tasks, by_id);
    for (int i = 0; i < all; i++) {
        const arc_task *last = set->count ? tasks[set->count - 1] : NULL;
        if (!last || strcmp(last->id, tasks[i]->id) != 0)
            tasks[set->count++] = tasks[i];
        else if (unite(last, tasks[i])) {
            message_error("task %s is in two files and not the same in both, %s and %s; leave one out", last->id,
                          last->file, tasks[i]->file);
            return -1;
        }
    }
    return 0;
}

static int read_sources(arcl_context *context, task_set *set, const task_paths *paths) {
    int bad = 0;
    set->sources = allocation_get((size_t)paths->task_count, sizeof *set->sources);
    set->source_count = paths->task_count;
    for (int i = 0; i < set->source_count; i++) set->sources[i].path = allocation_text(paths->tasks[i]);
    arcl_parallel(context, (uint32_t)set->source_count, read_source, set->sources);
    for (int i = 0; i < set->source_count; i++)
        if (set->sources[i].error[0] && bad++ < MOST_MESSAGES) message_error("%s", set->sources[i].error);
    if (bad > MOST_MESSAGES) message_error("and %d more files like these", bad - MOST_MESSAGES);
    return bad ? -1 : index_tasks(set);
}

int task_set_load_files(arcl_context *context, const task_paths *files, task_set *set) {
    *set = (task_set){0};
    int bad = read_sources(context, set, files);
    for (int i = 0; i < files->solution_count && !bad; i++) bad = task_set_add_solutions(set, files->solutions[i]);
    return bad;
}

int task_set_load(arcl_context *context, const char *const *paths, int count, task_set *set) {
    task_paths files = {0};
    int bad = 0;
    *set = (task_set){0};
    for (int i = 0; i < count; i++) bad |= task_paths_add(&files, paths[i]);
    if (!bad) bad = task_set_load_files(context, &files, set);
    task_paths_free(&files);
    return bad;
}

/* ---- solutions ---- */

static int add_solution(task_source *source, const char *id, json_node list, const arc_task *task) {
    char where[512], buf[64];
    size_t tests = 0, at = 0;
    for (int i = 0; i < task->count; i++) tests += strcmp(task->examples[i].part, "test") == 0;
    if (!node_is_array(list))
        return refuse(source, "task \"%.200s\": this is %s; expected an array of grids, one per test example", id,
                      node_describe(list, buf, sizeof buf));
    if (node_size(list) != tests)
        return refuse(source, "task \"%.200s\": %zu outputs for %zu test examples (%s)", id, node_size(list), tests,
                      task->file);
    for (int i = 0; i < task->count; i++) {
        task_example *example = &task->examples[i];
        task_grid grid = {0};
        if (strcmp(example->part, "test") != 0) continue;
        snprintf(where, sizeof where, "task \"%.200s\": [%zu]", id, at);
        if (read_grid(source, where, node_item(list, at++), &grid)) return -1;
        if (example->output.cells && !task_grid_is_same(&grid, &example->output))
            return refuse(source, "%s differs from the output that %s gives", where, task->file);
        example->output = grid;
    }
    return 0;
}

static int add_solutions(task_set *set, task_source *source, json_node root) {
    int used = 0;
    char buf[64];
    if (!node_is_object(root))
        return refuse(source, "this is %s; solutions are an object of outputs by id: {ID: [GRID, ..]}",
                      node_describe(root, buf, sizeof buf));
    for (size_t i = 0; i < node_member_count(root); i++) {
        const json_member *member = &root.members[i];
        int found = task_set_find(set, member->key);
        if (found < 0) continue;
        if (add_solution(source, member->key, member->value, set->tasks[found])) return -1;
        used++;
    }
    if (!used) return refuse(source, "none of its %zu ids is that of a task here", node_member_count(root));
    if ((size_t)used < node_member_count(root))
        message_note("%s: %zu of %zu ids are those of no task here", source->path,
                     node_member_count(root) - (size_t)used, node_member_count(root));
    return 0;
}

int task_set_add_solutions(task_set *set, const char *path) {
    set->sources = allocation_resize(set->sources, (size_t)set->source_count + 1, sizeof *set->sources);
    task_source *source = &set->sources[set->source_count++];
    *source = (task_source){.path = allocation_text(path)};
    hoard memory = {0};
    json_node root;
    if (open_source(source, &memory, &root) == 0) add_solutions(set, source, root);
    hoard_free(&memory);
    if (!source->error[0]) return 0;
    message_error("%s", source->error);
    return -1;
}

void task_set_free(task_set *set) {
    for (int i = 0; i < set->source_count; i++) {
        free(set->sources[i].path);
        hoard_free(&set->sources[i].memory);
    }
    free(set->sources);
    free(set->tasks);
    *set = (task_set){0};
}

int task_set_find(const task_set *set, const char *id) {
    arc_task key = {.id = id};
    const arc_task *wanted = &key;
    const arc_task **found =
        set->count ? bsearch(&wanted, set->tasks, (size_t)set->count, sizeof *set->tasks, by_id) : NULL;
    return found ? (int)(found - set->tasks) : -1;
}

int task_set_match(const task_set *set, const char *program) {
    int found = task_set_find(set, program);
    for (const char *at = program; found < 0 && (at = strchr(at, '_'));) found = task_set_find(set, ++at);
    return found;
}

void task_set_refuse(const task_set *set, const char *path, const char *id) {
    char hint[300], example[200];
    nearest search = nearest_to(id);
    for (int i = 0; i < set->count; i++) nearest_offer(&search, set->tasks[i]->id);
    snprintf(example, sizeof example, "there is for example %.100s", set->tasks[0]->id);
    message_error("%s: no task %s%s", file_shown_name(path), id, nearest_hint(&search, example, hint, sizeof hint));
}

const arc_task *task_set_choose(const task_set *set, const char *path, const char *id) {
    int found = id ? task_set_find(set, id) : set->count == 1 ? 0 : -1;
    if (found >= 0) return set->tasks[found];
    if (id)
        task_set_refuse(set, path, id);
    else
        message_error("%s: %d tasks; choose one with --task ID, for example --task %s", file_shown_name(path),
                      set->count, set->tasks[0]->id);
    return NULL;
}
