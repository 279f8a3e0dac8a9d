/* Who can change what lies at a path: see private_path.h. */
#define _XOPEN_SOURCE 700
#include "base/private_path.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 16 }; /* that lead to each other */

__attribute__((format(printf, 3, 4))) static int refuse(char *why, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return 0;
}

static int is_trusted_owner(uid_t owner) { return owner == geteuid() || owner == 0; }

/* The length of the beginning of a path that ends after the component at `at`; 0: there are no more. */
static size_t next_part(const char *path, size_t at) {
    at += strspn(path + at, "/");
    return path[at] ? at + strcspn(path + at, "/") : 0;
}

/* A link can be changed by its owner; what it leads to may go through others. */
static int are_links_trusted(const char *path, int depth, char *why, size_t size) {
    char part[PATH_MAX], target[PATH_MAX];
    struct stat s;
    if (depth == MOST_LINKS) return refuse(why, size, "%s: too many links", path);
    for (size_t end = next_part(path, 0); end; end = next_part(path, end)) {
        if (snprintf(part, sizeof part, "%.*s", (int)end, path) >= (int)sizeof part) return 0;
        if (lstat(part, &s)) return refuse(why, size, "%s: %s", part, strerror(errno));
        if (!S_ISLNK(s.st_mode)) continue;
        if (!is_trusted_owner(s.st_uid)) return refuse(why, size, "the link %s belongs to another user", part);
        ssize_t length = readlink(part, target, sizeof target - 1);
        if (length < 0) return refuse(why, size, "%s: %s", part, strerror(errno));
        target[length] = 0;
        char *slash = strrchr(part, '/'), whole[2 * PATH_MAX];
        if (*target == '/' || !slash)
            snprintf(whole, sizeof whole, "%s", target);
        else
            snprintf(whole, sizeof whole, "%.*s/%s", (int)(slash - part), part, target);
        if (!are_links_trusted(whole, depth + 1, why, size)) return 0;
    }
    return 1;
}

static int is_own(const char *path, const struct stat *s, char *why, size_t size) {
    if (s->st_uid != geteuid()) return refuse(why, size, "%s belongs to another user", path);
    if (s->st_mode & (S_IWGRP | S_IWOTH)) return refuse(why, size, "others may write to %s", path);
    return 1;
}

static int is_above_own(const char *path, const struct stat *s, char *why, size_t size) {
    int by_group = (s->st_mode & S_IWGRP) && s->st_gid != getegid() && s->st_gid != 0;
    if (!is_trusted_owner(s->st_uid)) return refuse(why, size, "%s belongs to another user", path);
    if (((s->st_mode & S_IWOTH) || by_group) && !(s->st_mode & S_ISVTX))
        return refuse(why, size, "others may write to %s", path);
    return 1;
}

int path_is_private(const char *directory, char *why, size_t size) {
    char real[PATH_MAX], part[PATH_MAX];
    struct stat s;
    if (!are_links_trusted(directory, 0, why, size)) return 0;
    if (!realpath(directory, real)) return refuse(why, size, "%s: %s", directory, strerror(errno));
    for (size_t end = next_part(real, 0); end; end = next_part(real, end)) {
        snprintf(part, sizeof part, "%.*s", (int)end, real);
        if (stat(part, &s)) return refuse(why, size, "%s: %s", part, strerror(errno));
        if (!(real[end] ? is_above_own : is_own)(part, &s, why, size)) return 0;
    }
    return 1;
}
