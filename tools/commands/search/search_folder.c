#include "commands/search/search_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands/search/found_files.h"

static const char whole_name[] = "journal", part_prefix[] = "journal-";

static int is_whole(const search_folder *f) { return f->part.of == 1; }

/* The path of a journal in the folder. Free it. */
static char *path_in(const search_folder *f, const char *name) {
    size_t size = strlen(f->path) + strlen(name) + 2;
    char *path = allocation_get(size, 1);
    snprintf(path, size, "%s/%s", f->path, name);
    return path;
}

static void own_name(const search_folder *f, char *name, size_t size) {
    if (is_whole(f))
        snprintf(name, size, "%s", whole_name);
    else
        snprintf(name, size, "%s%d-of-%d", part_prefix, f->part.part, f->part.of);
}

/* ---- what is in the folder ---- */

typedef struct content {
    char **parts; /* names of their journals */
    int part_count;
    int has_own, has_whole, has_others; /* others: what is no journal */
} content;

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* A journal that was being put in order when its process was killed. */
static int is_left_over(const char *name) {
    return strncmp(name, whole_name, sizeof whole_name - 1) == 0 && file_is_temporary(name);
}

/* Once the journal is ours, nobody writes to what is left of its own. */
static void remove_left_over(const search_folder *f, const char *own) {
    DIR *entries = opendir(f->path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(own);
        if (!is_left_over(entry->d_name) || strncmp(entry->d_name, own, length) != 0 || entry->d_name[length] != '.')
            continue;
        char *path = path_in(f, entry->d_name);
        unlink(path);
        free(path);
    }
    if (entries) closedir(entries);
}

/* A folder that is not there is empty. Returns 0, or -1 after a message. */
static int look(const search_folder *f, content *c) {
    char own[64];
    own_name(f, own, sizeof own);
    DIR *entries = opendir(f->path);
    if (!entries && errno == ENOENT) return 0;
    if (!entries) {
        message_error("%s: cannot open this folder: %s", f->path, strerror(errno));
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        const char *name = entry->d_name;
        if (*name == '.' || is_left_over(name)) continue;
        c->has_own |= strcmp(name, own) == 0;
        c->has_whole |= strcmp(name, whole_name) == 0;
        if (strncmp(name, part_prefix, sizeof part_prefix - 1) == 0) {
            c->parts = allocation_resize(c->parts, (size_t)c->part_count + 1, sizeof *c->parts);
            c->parts[c->part_count++] = allocation_text(name);
        } else
            c->has_others |= strcmp(name, whole_name) != 0;
    }
    closedir(entries);
    if (c->part_count) qsort(c->parts, (size_t)c->part_count, sizeof *c->parts, by_text);
    return 0;
}

static void forget(content *c) {
    for (int i = 0; i < c->part_count; i++) free(c->parts[i]);
    free(c->parts);
}

/* Whether it may be ours. Returns 0, or -1 after a message. */
static int check(const search_folder *f, const content *c, int resume) {
    if (c->has_others && !c->has_whole && !c->part_count)
        message_error("%s: there is something in this folder, and no journal of a search; --out wants a new folder, or "
                      "that of a search",
                      f->path);
    else if (c->has_own && !resume)
        message_error("%s: a search was here before; --resume goes on with it", f->path);
    else
        return 0;
    return -1;
}

/* ---- what is finished ---- */

/* Of several that are there, the first one counts: they are the same. */
static int take_line(void *folder, char *line, size_t length) {
    search_folder *f = folder;
    found_task *found = found_task_read(f->path, line, length, f->tasks);
    if (!found) return -1;
    int task = task_set_find(f->tasks, found->task->id);
    if (f->found[task] || !search_part_has(f->part, task))
        found_task_free(found);
    else
        f->found[task] = found;
    return 0;
}

static int pass_line(void *folder, char *line, size_t length) {
    (void)folder;
    (void)line;
    (void)length;
    return 0;
}

/* Parts and all tasks at the same time would do things twice. Each has its own journal before it looks at the others',
 * so that one of two that begin together finds the other's locked. */
static int read_others(search_folder *f, const content *c) {
    int status = 0;
    if (!is_whole(f) && !c->has_whole) return 0;
    for (int i = 0; i < (is_whole(f) ? c->part_count : 1) && status == 0; i++) {
        char *path = path_in(f, is_whole(f) ? c->parts[i] : whole_name);
        status = journal_read(path, f->job, is_whole(f) ? take_line : pass_line, f);
        free(path);
    }
    return status;
}

static int make_folder(const search_folder *f) {
    if (mkdir(f->path, 0777) == 0 || errno == EEXIST) return 0;
    message_error("%s: cannot make this folder: %s", f->path, strerror(errno));
    return -1;
}

/* What a kill or a power cut has left out, and what was copied without them. */
static int write_files(const search_folder *f) {
    for (int i = 0; i < f->tasks->count; i++)
        if (f->found[i] && found_files_write(f->path, f->found[i])) return -1;
    return 0;
}

int search_folder_open(search_folder *f, int resume) {
    content before = {0}, now = {0};
    char name[64];
    own_name(f, name, sizeof name);
    char *path = path_in(f, name);
    int status = look(f, &before) || check(f, &before, resume) || make_folder(f) ||
                         journal_open(&f->journal, path, f->job, take_line, f) || look(f, &now) ||
                         read_others(f, &now) || write_files(f)
                     ? -1
                     : 0;
    if (status == 0) remove_left_over(f, name);
    forget(&before);
    forget(&now);
    free(path);
    return status;
}

void search_folder_close(search_folder *f) { journal_close(&f->journal); }

/* ---- keeping ---- */

/* The line comes last: a task whose files are not all there is not finished. */
int search_folder_keep(search_folder *f, const found_task *found) {
    if (found_files_write(f->path, found)) return -1;
    if (!found->is_finished) return 0;
    char *line = found_task_line(found);
    int status = journal_append(&f->journal, line);
    free(line);
    return status;
}

int search_folder_finish(search_folder *f) {
    int count = 0, status;
    char **lines = allocation_get((size_t)f->tasks->count, sizeof *lines);
    for (int i = 0; i < f->tasks->count; i++)
        if (f->found[i] && search_part_has(f->part, i)) lines[count++] = found_task_line(f->found[i]);
    status = journal_replace(&f->journal, f->job, (const char *const *)lines, count);
    for (int i = 0; i < count; i++) free(lines[i]);
    free(lines);
    return status;
}
