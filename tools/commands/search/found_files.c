#include "commands/search/found_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "data/md5.h"

/* ---- names ---- */

int found_files_can_name(const char *id) {
    return *id && *id != '.' && strlen(id) < 200 &&
           !id[strspn(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.")];
}

/* In tokpidjin's folders this is 11 - ln(seconds), without what follows the point. Seconds would differ from run to
 * run, so a word stands for a microsecond. */
static int speed(uint64_t words) {
    double seconds = (double)(words ? words : 1) * 1e-6;
    int logarithm = 0;
    for (; seconds >= 2.718281828459045; seconds /= 2.718281828459045) logarithm++;
    for (; seconds <= 1 / 2.718281828459045; seconds *= 2.718281828459045) logarithm--;
    return logarithm > 11 ? 0 : 11 - logarithm;
}

char *found_files_path(hoard *memory, const found_task *found, const found_program *program) {
    char digits[MD5_DIGITS + 1];
    size_t size = strlen(found->task->id) + MD5_DIGITS + 64;
    char *path = hoard_get(memory, size);
    md5_text(program->text, strlen(program->text), digits);
    snprintf(path, size, "solve_%s/%d/%d/%s.py", found->task->id, program->right, speed(program->words), digits);
    return path;
}

static char *joined(hoard *memory, const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = hoard_get(memory, size);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* ---- writing ---- */

/* The folders that a path below `folder` is in. */
static int make_folders(const char *folder, char *path) {
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        int failed = mkdir(path, 0777) && errno != EEXIST;
        if (failed) message_error("%s: cannot make this folder: %s", path, strerror(errno));
        *slash = '/';
        if (failed) return -1;
    }
    return 0;
}

static int is_there(const char *path, const char *text) {
    char why[1024];
    size_t length;
    char *there = access(path, R_OK) == 0 ? file_read(path, &length, why, sizeof why) : NULL;
    int same = there && length == strlen(text) && memcmp(there, text, length) == 0;
    free(there);
    return same;
}

static int write_file(const char *folder, char *path, const char *text) {
    file_output file;
    if (is_there(path, text)) return 0;
    if (make_folders(folder, path) || file_create(&file, path)) return -1;
    fputs(text, file.stream);
    return file_commit(&file);
}

/* ---- what was found before ---- */

enum { LEVELS = 3 }; /* RIGHT, SPEED, MD5.py */

static int is_kept(const char *path, char *const *kept, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(path, kept[i]) == 0) return 1;
    return 0;
}

/* Whether we could have made that: numbers, and a hash that ends in .py, or what was being written when a process was
 * killed. */
static int is_ours(const char *name, int level) {
    if (level < LEVELS) return strlen(name) == strspn(name, "0123456789");
    if (strspn(name, "0123456789abcdef") != MD5_DIGITS || strncmp(name + MD5_DIGITS, ".py", 3) != 0) return 0;
    return !name[MD5_DIGITS + 3] || file_is_temporary(name);
}

/* What cannot be removed stays: it is a program that was found, if not among the best. */
static void remove_others(hoard *memory, const char *path, int level, char *const *kept, int count) {
    DIR *entries = opendir(path);
    if (!entries) return;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!is_ours(entry->d_name, level)) continue;
        char *below = joined(memory, path, entry->d_name);
        if (level < LEVELS) {
            remove_others(memory, below, level + 1, kept, count);
            rmdir(below); /* if it is empty now */
        } else if (!is_kept(below, kept, count))
            unlink(below);
    }
    closedir(entries);
}

int found_files_write(const char *folder, const found_task *found) {
    hoard memory = {0};
    char **paths = allocation_get((size_t)found->program_count, sizeof *paths), name[256];
    int status = 0;
    for (int i = 0; i < found->program_count && status == 0; i++) {
        paths[i] = joined(&memory, folder, found_files_path(&memory, found, &found->programs[i]));
        status = write_file(folder, paths[i], found->programs[i].text);
    }
    snprintf(name, sizeof name, "solve_%s", found->task->id);
    if (status == 0) remove_others(&memory, joined(&memory, folder, name), 1, paths, found->program_count);
    free(paths);
    hoard_free(&memory);
    return status;
}
