#include "data/task_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/messages.h"

#define CHALLENGES "_challenges.json"
#define SOLUTIONS "_solutions.json"

typedef struct folder {
    const char *path;
    struct dirent **names; /* of the files that may be tasks', in order */
    int count;
} folder;

/* ---- paths ---- */

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static char *join(hoard *memory, const char *path, const char *name) {
    size_t size = strlen(path) + strlen(name) + 2;
    char *whole = hoard_get(memory, size);
    snprintf(whole, size, "%s/%s", path, name);
    return whole;
}

static int is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void add(char ***list, int *count, char *path) {
    *list = allocation_resize(*list, (size_t)*count + 1, sizeof **list);
    (*list)[(*count)++] = path;
}

/* ---- folders ---- */

static int is_task_name(const struct dirent *entry) {
    return entry->d_name[0] != '.' && ends_with(entry->d_name, ".json");
}

/* Returns 0; -1 if the folder cannot be read. Close it in both cases. */
static int folder_open(folder *f, const char *path) {
    *f = (folder){.path = path};
    int count = scandir(path, &f->names, is_task_name, alphasort);
    if (count < 0 && errno == ENOMEM) allocation_none();
    if (count < 0) return -1;
    f->count = count;
    return 0;
}

static void folder_close(folder *f) {
    for (int i = 0; i < f->count; i++) free(f->names[i]);
    free(f->names);
    *f = (folder){0};
}

static int has_name(const folder *f, const char *name) {
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->names[i]->d_name, name) == 0) return 1;
    return 0;
}

/* All that ends in .json. */
static int add_files(task_paths *paths, const folder *f) {
    for (int i = 0; i < f->count; i++)
        add(&paths->tasks, &paths->task_count, join(&paths->memory, f->path, f->names[i]->d_name));
    return f->count;
}

/* ---- layouts: each adds what it knows of, and returns how many files that is ---- */

static void append(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", more);
}

/* Several sets are all taken: what is to be submitted is mostly a set of its own, and tasks that are in two of them
 * count once. */
static int add_kaggle(task_paths *paths, const folder *f) {
    char with[400] = "", without[400] = "";
    int found = 0;
    for (int i = 0; i < f->count; i++) {
        const char *name = f->names[i]->d_name;
        char set[300], solutions[300 + sizeof SOLUTIONS];
        if (!ends_with(name, CHALLENGES)) continue;
        snprintf(set, sizeof set, "%.*s", (int)(strlen(name) - strlen(CHALLENGES)), name);
        snprintf(solutions, sizeof solutions, "%s%s", set, SOLUTIONS);
        int is_solved = has_name(f, solutions);
        add(&paths->tasks, &paths->task_count, join(&paths->memory, f->path, name));
        if (is_solved) add(&paths->solutions, &paths->solution_count, join(&paths->memory, f->path, solutions));
        append(is_solved ? with : without, sizeof with, set);
        found++;
    }
    if (found)
        message_note("%s: challenges%s%s%s%s%s", f->path, *with ? " with solutions: " : "", with,
                     *with && *without ? ";" : "", *without ? " without: " : "", without);
    return found;
}

static int add_plain(task_paths *paths, const folder *f) {
    return f->count == 1 && has_name(f, "metadata.json") ? 0 : add_files(paths, f);
}

/* Tasks in folders of the given names, one behind the other. */
static int add_below(task_paths *paths, const char *path, const char *const *names, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        folder below;
        if (folder_open(&below, join(&paths->memory, path, names[i])) == 0) found += add_files(paths, &below);
        folder_close(&below);
    }
    return found;
}

static int add_layout(task_paths *paths, const folder *f) {
    static const char *const examples[] = {"tasks"};
    static const char *const sets[] = {"training", "evaluation"};
    int found = add_kaggle(paths, f);
    if (!found) found = add_plain(paths, f);
    if (!found) found = add_below(paths, f->path, examples, 1);
    if (!found) found = add_below(paths, f->path, sets, 2);
    if (!found) found = add_below(paths, join(&paths->memory, f->path, "data"), sets, 2);
    return found;
}

/* People name the folder above. */
static void refuse_folder(const char *path) {
    struct dirent **entries;
    char hint[1200] = "";
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char below[1024];
        folder f;
        snprintf(below, sizeof below, "%.700s/%s", path, entries[i]->d_name);
        if (!*hint && entries[i]->d_name[0] != '.' && folder_open(&f, below) == 0) {
            if (f.count) snprintf(hint, sizeof hint, ", as there are in %s", below);
            folder_close(&f);
        }
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    message_error("%s: no tasks in this directory; expected files that end in .json%s", path, hint);
}

int task_paths_add(task_paths *paths, const char *path) {
    folder f;
    char *trimmed = hoard_text(&paths->memory, path);
    for (size_t n = strlen(trimmed); n > 1 && trimmed[n - 1] == '/'; n--) trimmed[n - 1] = 0;
    if (!is_folder(trimmed)) {
        add(&paths->tasks, &paths->task_count, trimmed);
        return 0;
    }
    int unread = folder_open(&f, trimmed), found = unread ? 0 : add_layout(paths, &f);
    folder_close(&f);
    if (unread)
        message_error("%s: cannot read this directory", trimmed);
    else if (!found)
        refuse_folder(trimmed);
    return found ? 0 : -1;
}

void task_paths_free(task_paths *paths) {
    free(paths->tasks);
    free(paths->solutions);
    hoard_free(&paths->memory);
    *paths = (task_paths){0};
}
