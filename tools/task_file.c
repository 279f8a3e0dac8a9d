/* Reading tasks. Files are read in parallel, each into a source of its own; messages come afterwards, in order. Places
 * in a file are named as in train[0].input[2][3], all counted from 0. */
#include "task_file.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "allocation.h"
#include "files.h"
#include "messages.h"
#include "nearest.h"

enum { LARGEST_SIDE = 255, LARGEST_COLOUR = 9, MOST_MESSAGES = 20 };

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

/* What a JSON value is, in the words of a message. */
static const char *describe(const json_t *value, char *buf, size_t size) {
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_INTEGER: snprintf(buf, size, "%lld", (long long)json_integer_value(value)); return buf;
    case JSON_REAL: snprintf(buf, size, "%g", json_real_value(value)); return buf;
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    default: return "null";
    }
}

static int read_row(task_source *source, const char *where, const json_t *row, size_t i, size_t w, signed char *cells) {
    char buf[64];
    if (!json_is_array(row))
        return refuse(source, "%s[%zu] is %s; a row is an array of cells", where, i, describe(row, buf, sizeof buf));
    if (json_array_size(row) != w)
        return refuse(source,
                      "%s[%zu] has %zu cells, but the first row has %zu; all rows of a grid have the same length",
                      where, i, json_array_size(row), w);
    for (size_t j = 0; j < w; j++) {
        const json_t *cell = json_array_get(row, j);
        json_int_t colour = json_is_integer(cell) ? json_integer_value(cell) : -1;
        if (colour < 0 || colour > LARGEST_COLOUR)
            return refuse(source, "%s[%zu][%zu] is %s; cells are ints from 0 to %d", where, i, j,
                          describe(cell, buf, sizeof buf), LARGEST_COLOUR);
        cells[j] = (signed char)colour;
    }
    return 0;
}

static int read_grid(task_source *source, const char *where, const json_t *rows, task_grid *grid) {
    char buf[64];
    if (!json_is_array(rows))
        return refuse(source, "%s is %s; a grid is an array of rows", where, describe(rows, buf, sizeof buf));
    size_t h = json_array_size(rows);
    const json_t *first = json_array_get(rows, 0);
    size_t w = json_is_array(first) ? json_array_size(first) : 0;
    if (h == 0 || (w == 0 && json_is_array(first)))
        return refuse(source, "%s is empty; a grid has at least one row of at least one cell", where);
    if (h > LARGEST_SIDE || w > LARGEST_SIDE)
        return refuse(source, "%s is %zux%zu; a grid has at most %d rows and columns", where, h, w, LARGEST_SIDE);
    grid->h = (int)h;
    grid->w = (int)w;
    grid->cells = hoard_get(&source->memory, h * w);
    for (size_t i = 0; i < h; i++)
        if (read_row(source, where, json_array_get(rows, i), i, w, grid->cells + i * w)) return -1;
    return 0;
}

static int read_part(task_source *source, const char *prefix, const char *part, const json_t *list, arc_task *out) {
    char where[512], buf[64];
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *json = json_array_get(list, i);
        task_example *example = &out->examples[out->count++];
        *example = (task_example){.part = part, .index = (int)i};
        if (!json_is_object(json))
            return refuse(source, "%s%s[%zu] is %s; an example is an object with \"input\" and \"output\"", prefix,
                          part, i, describe(json, buf, sizeof buf));
        const json_t *input = json_object_get(json, "input"), *output = json_object_get(json, "output");
        if (!input) return refuse(source, "%s%s[%zu] has no \"input\"", prefix, part, i);
        snprintf(where, sizeof where, "%s%s[%zu].input", prefix, part, i);
        if (read_grid(source, where, input, &example->input)) return -1;
        snprintf(where, sizeof where, "%s%s[%zu].output", prefix, part, i);
        if (output && read_grid(source, where, output, &example->output)) return -1;
    }
    return 0;
}

/* Reads a task; `prefix` says where in the file it is. */
static int read_task(task_source *source, const char *prefix, const char *id, const json_t *json, arc_task *out) {
    static const char *const parts[2] = {"train", "test"};
    char buf[64];
    size_t count = 0;
    if (!json_is_object(json))
        return refuse(source, "%sthis is %s; a task is an object with \"train\" and \"test\"", prefix,
                      describe(json, buf, sizeof buf));
    for (int i = 0; i < 2; i++) {
        const json_t *list = json_object_get(json, parts[i]);
        if (list && !json_is_array(list))
            return refuse(source, "%s%s is %s; it should be an array of examples", prefix, parts[i],
                          describe(list, buf, sizeof buf));
        count += json_array_size(list);
    }
    if (count == 0)
        return refuse(source, "%sno examples; a task is an object with \"train\" and \"test\", arrays of examples",
                      prefix);
    out->id = id;
    out->file = source->path;
    out->examples = hoard_get(&source->memory, count * sizeof *out->examples);
    for (int i = 0; i < 2; i++)
        if (read_part(source, prefix, parts[i], json_object_get(json, parts[i]), out)) return -1;
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

static int read_root(task_source *source, json_t *root) {
    if (!json_is_object(root) || json_object_get(root, "train") || json_object_get(root, "test")) {
        source->tasks = hoard_get(&source->memory, sizeof *source->tasks);
        source->count = 1;
        return read_task(source, "", id_of_path(source), root, source->tasks);
    }
    if (json_object_size(root) == 0)
        return refuse(source, "no tasks; expected a task with \"train\" and \"test\", or an object of tasks by id");
    source->tasks = hoard_get(&source->memory, json_object_size(root) * sizeof *source->tasks);
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) {
        char prefix[256];
        snprintf(prefix, sizeof prefix, "task \"%.200s\": ", key);
        const char *id = hoard_text(&source->memory, key);
        if (read_task(source, prefix, id, value, &source->tasks[source->count++])) return -1;
    }
    return 0;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static void read_source(void *sources, uint32_t index) {
    task_source *source = (task_source *)sources + index;
    json_error_t error;
    size_t length;
    char *text = file_read(source->path, &length, source->error, sizeof source->error);
    if (!text) return;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    free(text);
    if (root)
        read_root(source, root);
    else
        snprintf(source->error, sizeof source->error, "%s:%d:%d: cannot be read as JSON: %s%s", source->path,
                 error.line, error.column, error.text,
                 ends_with(source->path, ".py") ? "; this looks like a file of programs, but tasks are expected here"
                                                : "");
    json_decref(root);
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

json_t *task_grid_json(int h, int w, const signed char *cells) {
    json_t *rows = json_array();
    for (int i = 0; i < h; i++) {
        json_t *row = json_array();
        for (int j = 0; j < w; j++) json_array_append_new(row, json_integer(cells[i * w + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}
