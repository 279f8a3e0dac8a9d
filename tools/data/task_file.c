/* Reading tasks. Files are read in parallel, each into a source of its own; messages come afterwards, in order. Places
 * in a file are named as in train[0].input[2][3], all counted from 0. */
#include "data/task_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/nearest.h"
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
    int used = snprintf(source->error, sizeof source->error, "%s: ", source->path);
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

/* Reads a task; `prefix` says where in the file it is. */
static int read_task(task_source *source, const char *prefix, const char *id, json_node json, arc_task *out) {
    static const char *const parts[2] = {"train", "test"};
    char buf[64];
    size_t count = 0;
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
    if (count == 0)
        return refuse(source, "%sno examples; a task is an object with \"train\" and \"test\", arrays of examples",
                      prefix);
    out->id = id;
    out->file = source->path;
    out->examples = hoard_get(&source->memory, count * sizeof *out->examples);
    for (int i = 0; i < 2; i++)
        if (read_part(source, prefix, parts[i], node_member(json, parts[i]), out)) return -1;
    return 0;
}

/* The file's name without folders and .json. */
static char *id_of_path(task_source *source) {
    const char *slash = strrchr(source->path, '/');
    char *id = hoard_text(&source->memory, slash ? slash + 1 : source->path);
    char *dot = strrchr(id, '.');
    if (dot && dot != id) *dot = 0;
    return id;
}

static int read_root(task_source *source, json_node root) {
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

static int is_task_name(const struct dirent *entry) {
    return entry->d_name[0] != '.' && ends_with(entry->d_name, ".json");
}

/* People name the folder above. */
static void refuse_directory(const char *path) {
    struct dirent **folders, **names;
    char below[1024] = "";
    int count = scandir(path, &folders, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char folder[1024];
        int tasks = 0;
        snprintf(folder, sizeof folder, "%.700s/%s", path, folders[i]->d_name);
        if (!*below && *folders[i]->d_name != '.' && (tasks = scandir(folder, &names, is_task_name, NULL)) > 0)
            memcpy(below, folder, sizeof below);
        for (int j = 0; j < tasks; j++) free(names[j]);
        if (tasks > 0) free(names);
        free(folders[i]);
    }
    if (count >= 0) free(folders);
    message_error("%s: no tasks in this directory; expected files that end in .json%s%s", path,
                  *below ? ", as there are in " : "", below);
}

static int list_directory(const char *path, task_set *set) {
    struct dirent **names;
    int count = scandir(path, &names, is_task_name, alphasort);
    if (count < 0) {
        if (errno == ENOMEM) allocation_none();
        message_error("%s: cannot read this directory", path);
        return -1;
    }
    set->sources = allocation_get((size_t)count, sizeof *set->sources);
    set->source_count = count;
    for (int i = 0; i < count; i++) {
        size_t size = strlen(path) + strlen(names[i]->d_name) + 2;
        set->sources[i].path = allocation_get(size, 1);
        snprintf(set->sources[i].path, size, "%s/%s", path, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    if (count == 0) refuse_directory(path);
    return count ? 0 : -1;
}

static int by_id(const void *a, const void *b) {
    return strcmp((*(arc_task *const *)a)->id, (*(arc_task *const *)b)->id);
}

/* Makes the sorted list of all tasks. Two tasks with one id would be scored as one, so they are refused. */
static int index_tasks(task_set *set) {
    for (int i = 0; i < set->source_count; i++) set->count += set->sources[i].count;
    set->tasks = allocation_get((size_t)set->count, sizeof *set->tasks);
    int n = 0;
    for (int i = 0; i < set->source_count; i++)
        for (int j = 0; j < set->sources[i].count; j++) set->tasks[n++] = &set->sources[i].tasks[j];
    qsort(set->tasks, (size_t)n, sizeof *set->tasks, by_id);
    for (int i = 1; i < n; i++)
        if (strcmp(set->tasks[i - 1]->id, set->tasks[i]->id) == 0) {
            message_error("task %s is in two files, %s and %s; leave one out", set->tasks[i]->id,
                          set->tasks[i - 1]->file, set->tasks[i]->file);
            return -1;
        }
    return 0;
}

int task_set_load(arcl_context *context, const char *path, task_set *set) {
    struct stat info;
    size_t length = strlen(path);
    int bad = 0;
    *set = (task_set){0};
    while (length > 1 && path[length - 1] == '/') length--;
    char *trimmed = allocation_get(length + 1, 1);
    memcpy(trimmed, path, length);
    if (stat(trimmed, &info) == 0 && S_ISDIR(info.st_mode)) {
        int failed = list_directory(trimmed, set);
        free(trimmed);
        if (failed) return -1;
    } else {
        set->sources = allocation_get(1, sizeof *set->sources);
        set->source_count = 1;
        set->sources[0].path = trimmed;
    }
    arcl_parallel(context, (uint32_t)set->source_count, read_source, set->sources);
    for (int i = 0; i < set->source_count; i++)
        if (set->sources[i].error[0] && bad++ < MOST_MESSAGES) message_error("%s", set->sources[i].error);
    if (bad > MOST_MESSAGES) message_error("and %d more files like these", bad - MOST_MESSAGES);
    return bad ? -1 : index_tasks(set);
}

/* ---- solutions ---- */

static int is_same(const task_grid *a, const task_grid *b) {
    return a->h == b->h && a->w == b->w && memcmp(a->cells, b->cells, (size_t)a->h * (size_t)a->w) == 0;
}

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
        if (example->output.cells && !is_same(&grid, &example->output))
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
    *source = (task_source){.path = allocation_get(strlen(path) + 1, 1)};
    strcpy(source->path, path);
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
    message_error("%s: no task %s%s", path, id, nearest_hint(&search, example, hint, sizeof hint));
}

const arc_task *task_set_choose(const task_set *set, const char *path, const char *id) {
    int found = id ? task_set_find(set, id) : set->count == 1 ? 0 : -1;
    if (found >= 0) return set->tasks[found];
    if (id)
        task_set_refuse(set, path, id);
    else
        message_error("%s: %d tasks; choose one with --task ID, for example --task %s", path, set->count,
                      set->tasks[0]->id);
    return NULL;
}
