#define _GNU_SOURCE
#include "keep/result_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cache_path.h"

#define SUFFIX ".results"
#define MOST_FILES 16                   /* before they are joined */
#define LARGE_FILE ((uint64_t)64 << 20) /* is left as it is */
#define MOST_OPEN 200                   /* files; more are not looked at */
#define STALE_SECONDS 3600              /* a file on its way that is older was left by a process that ended early */

static void note(result_store *s) {
    size_t used = 0;
    s->notice[0] = 0;
    if (s->files_refused)
        used += (size_t)snprintf(s->notice, sizeof s->notice,
                                 "%llu of the kept results in %.180s are damaged, or may have been written by somebody "
                                 "else: they are not used",
                                 (unsigned long long)s->files_refused, s->directory);
    if (s->unwritable)
        snprintf(s->notice + used, sizeof s->notice - used, "%sresults cannot be kept in %.180s (%s)", used ? "; " : "",
                 s->directory, strerror(s->unwritable));
}

static void refused(result_store *s) {
    s->files_refused++;
    note(s);
}

static int failed(result_store *s) {
    if (!s->unwritable) s->unwritable = errno ? errno : EIO;
    note(s);
    return 0;
}

/* ---- which files there are ---- */

static int has_suffix(const char *name) {
    size_t n = strlen(name), m = sizeof SUFFIX - 1;
    return n > m && strcmp(name + n - m, SUFFIX) == 0;
}

static int is_open(const result_store *s, const char *path) {
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->file[i].path, path) == 0) return 1;
    return 0;
}

static void drop_file(result_store *s, int i, int remove_it) {
    if (remove_it) unlink(s->file[i].path);
    result_file_close(&s->file[i]);
    s->file[i] = s->file[--s->count];
}

static void add_file(result_store *s, const char *path, int remove_damaged) {
    result_file f;
    file_outcome outcome = s->count < MOST_OPEN && !is_open(s, path) ? result_file_open(path, &f) : FILE_ABSENT;
    if (outcome == FILE_REFUSED || outcome == FILE_DAMAGED) refused(s);
    if (outcome == FILE_DAMAGED && remove_damaged) unlink(path);
    if (outcome != FILE_DONE) return;
    result_file *grown = realloc(s->file, ((size_t)s->count + 1) * sizeof *grown);
    if (!grown) {
        result_file_close(&f);
        return;
    }
    s->file = grown;
    s->file[s->count++] = f;
}

static void list_files(result_store *s, int remove_damaged) {
    char path[PATH_MAX];
    DIR *d = opendir(s->directory);
    s->is_listed = 1;
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));)
        if (has_suffix(e->d_name) && snprintf(path, sizeof path, "%s/%s", s->directory, e->d_name) < (int)sizeof path)
            add_file(s, path, remove_damaged);
    closedir(d);
}

void result_store_read(result_store *s, const result_owner *owner, size_t most_bytes, result_set *set) {
    if (!s->directory) return;
    if (!s->is_listed) list_files(s, 0);
    for (int i = 0; i < s->count; i++) {
        file_outcome outcome = result_file_read(&s->file[i], owner, most_bytes, &s->buffer, set);
        s->sections_read += outcome == FILE_DONE;
        if (outcome == FILE_DAMAGED) refused(s);
    }
}

/* ---- writing ---- */

int result_store_write_begin(result_store *s, result_writer *w) {
    char path[PATH_MAX];
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t number = ((uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec) ^ (uint64_t)getpid() << 44;
    *w = (result_writer){.failed = ENAMETOOLONG};
    if (snprintf(path, sizeof path, "%s/%016llx" SUFFIX, s->directory, (unsigned long long)number) >= (int)sizeof path)
        return errno = ENAMETOOLONG, failed(s);
    return (cache_make_directory(s->directory) && result_writer_begin(w, path)) || failed(s);
}

int result_store_write_end(result_store *s, result_writer *w) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", w->path ? w->path : "");
    if (!result_writer_end(w)) return failed(s);
    s->files_written++;
    add_file(s, path, 0); /* it may be wanted again when it is no longer in memory */
    return 1;
}

/* ---- joining and removing ---- */

static int is_to_join(const result_file *f) { return f->damaged || f->bytes < LARGE_FILE; }

/* Sections that are damaged are left out of the new file. */
static void join_files(result_store *s) {
    int small = 0, damaged = 0, count = s->count;
    result_writer w;
    for (int i = 0; i < count; i++) {
        small += is_to_join(&s->file[i]);
        damaged |= s->file[i].damaged;
    }
    if ((small <= MOST_FILES && !damaged) || !result_store_write_begin(s, &w)) return;
    for (int i = 0; i < count; i++)
        for (size_t n = 0; is_to_join(&s->file[i]) && n < s->file[i].sections; n++)
            result_writer_add_section(&w, &s->file[i], &s->file[i].section[n], &s->buffer);
    if (!result_store_write_end(s, &w)) return;
    for (int i = count - 1; i >= 0; i--)
        if (is_to_join(&s->file[i])) drop_file(s, i, 1);
}

static time_t last_use(const result_file *f) {
    struct stat info;
    return fstat(f->file, &info) ? 0 : info.st_mtime;
}

static void remove_oldest(result_store *s) {
    uint64_t bytes = 0;
    for (int i = 0; i < s->count; i++) bytes += s->file[i].bytes;
    if (bytes <= s->most_bytes) return;
    while (s->count && bytes > s->most_bytes / 4 * 3) {
        int oldest = 0;
        for (int i = 1; i < s->count; i++)
            if (last_use(&s->file[i]) < last_use(&s->file[oldest])) oldest = i;
        bytes -= s->file[oldest].bytes;
        drop_file(s, oldest, 1);
    }
}

static void remove_unfinished(const result_store *s) {
    struct stat info;
    DIR *d = opendir(s->directory);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));)
        if (strstr(e->d_name, SUFFIX ".") && fstatat(dirfd(d), e->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && time(NULL) - info.st_mtime > STALE_SECONDS)
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
}

/* Other processes have written files since, and may have removed some. What is damaged is of no use to anybody. */
static void list_again(result_store *s) {
    uint64_t known = s->files_refused;
    for (int i = s->count - 1; i >= 0; i--)
        if (access(s->file[i].path, F_OK)) drop_file(s, i, 0);
    list_files(s, 1);
    s->files_refused = known; /* those that were there have been counted before */
    note(s);
}

void result_store_tidy(result_store *s) {
    char path[PATH_MAX];
    if (!s->directory || s->unwritable || snprintf(path, sizeof path, "%s/lock", s->directory) >= (int)sizeof path)
        return;
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) {
        list_again(s);
        remove_unfinished(s);
        join_files(s);
        remove_oldest(s);
    }
    if (lock >= 0) close(lock);
}

void result_store_end(result_store *s) {
    while (s->count) drop_file(s, s->count - 1, 0);
    free(s->file);
    free(s->buffer.at);
    free(s->directory);
    *s = (result_store){0};
}
