#include "data/program_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/messages.h"

/* ---- folders ---- */

/* The folders that a folder is in, up to the one that was named: a link to one of them would have no end. */
typedef struct ancestry {
    const struct ancestry *parent;
    dev_t device;
    ino_t inode;
} ancestry;

static void add_path(path_list *list, hoard *memory, const char *path) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->paths = allocation_resize(list->paths, (size_t)list->room, sizeof *list->paths);
    }
    list->paths[list->count++] = hoard_text(memory, path);
}

static int is_program_file(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot != name && (strcmp(dot, ".py") == 0 || strcmp(dot, ".def") == 0);
}

static int is_within_itself(const ancestry *folder) {
    for (const ancestry *a = folder->parent; a; a = a->parent)
        if (a->device == folder->device && a->inode == folder->inode) return 1;
    return 0;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names in a folder, in order; free them, and their array. NULL after a message. */
static char **read_names(const char *path, int *count) {
    int room = 0;
    char **names = NULL;
    DIR *entries = opendir(path);
    *count = 0;
    if (!entries) {
        if (errno == ENOMEM) allocation_none();
        message_error("%s: cannot open this folder: %s", path, strerror(errno));
        return NULL;
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (*count + 1 >= room) names = allocation_resize(names, (size_t)(room = 2 * room + 16), sizeof *names);
        if (entry->d_name[0] != '.') names[(*count)++] = allocation_text(entry->d_name);
    }
    closedir(entries);
    if (!names) names = allocation_get(1, sizeof *names);
    qsort(names, (size_t)*count, sizeof *names, by_text);
    return names;
}

static void add_folder(path_list *list, hoard *memory, const char *path, const ancestry *folder);

static void add_entry(path_list *list, hoard *memory, const char *path, const char *name, const ancestry *folder) {
    struct stat info;
    size_t size = strlen(path) + strlen(name) + 2;
    char *whole = allocation_get(size, 1);
    int slashed = path[0] && path[strlen(path) - 1] == '/';
    snprintf(whole, size, "%s%s%s", path, slashed ? "" : "/", name);
    int is_known = stat(whole, &info) == 0;
    if (is_known && S_ISDIR(info.st_mode))
        add_folder(list, memory, whole, &(ancestry){folder, info.st_dev, info.st_ino});
    else if (is_program_file(name)) /* one that is not there, behind a link, is found out when it is read */
        add_path(list, memory, whole);
    free(whole);
}

static void add_folder(path_list *list, hoard *memory, const char *path, const ancestry *folder) {
    int count;
    if (is_within_itself(folder)) {
        message_error("%s: this link leads to a folder that it is in", path);
        list->bad++;
        return;
    }
    char **names = read_names(path, &count);
    list->bad += !names;
    for (int i = 0; names && i < count; i++) {
        add_entry(list, memory, path, names[i], folder);
        free(names[i]);
    }
    free(names);
}

void path_list_add(path_list *list, hoard *memory, const char *path) {
    struct stat info;
    int before = list->count, bad = list->bad;
    if (stat(path, &info) || !S_ISDIR(info.st_mode)) {
        add_path(list, memory, path);
        return;
    }
    add_folder(list, memory, path, &(ancestry){NULL, info.st_dev, info.st_ino});
    if (list->count > before || list->bad > bad) return;
    message_error("%s: no programs in this folder: no file in it or below ends in .py or .def", path);
    list->bad++;
}

/* ---- names ---- */

/* The part of a path that begins there, without what ends a file's name. */
static size_t part_length(const char *at) {
    size_t n = strcspn(at, "/");
    for (size_t i = n; at[n] == 0 && i-- > 1;)
        if (at[i] == '.') return i;
    return n;
}

const char *path_program(hoard *memory, const char *path, const char *name) {
    static const char prefix[] = "solve_";
    const char *found = NULL;
    if (strcmp(name, "solve") != 0) return name;
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (strncmp(at, prefix, sizeof prefix - 1) == 0 && part_length(at) > sizeof prefix - 1) found = at;
    if (!found) return name;
    size_t n = part_length(found);
    char *text = hoard_get(memory, n + 1);
    memcpy(text, found, n);
    return text;
}

enum { HASH_DIGITS = 32, SHOWN_DIGITS = 8 };

const char *path_shown_name(hoard *memory, const char *path, const char *name) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    if (part_length(file) != HASH_DIGITS || strspn(file, "0123456789abcdef") < HASH_DIGITS) return name;
    size_t size = strlen(name) + SHOWN_DIGITS + 2;
    char *text = hoard_get(memory, size);
    snprintf(text, size, "%s:%.*s", name, SHOWN_DIGITS, file);
    return text;
}
