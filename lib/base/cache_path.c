#include "base/cache_path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cache_path(char *to, size_t size, const char *name) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int used = -1;
    if (base && *base == '/')
        used = snprintf(to, size, "%s/arcl/%s", base, name);
    else if (home && *home == '/')
        used = snprintf(to, size, "%s/.cache/arcl/%s", home, name);
    return used > 0 && (size_t)used < size;
}

int cache_make_directory(const char *path) {
    char part[PATH_MAX];
    struct stat s;
    if (strlen(path) >= sizeof part) return errno = ENAMETOOLONG, 0;
    strcpy(part, path);
    for (char *c = part + 1; *c; c++)
        if (*c == '/') {
            *c = 0;
            mkdir(part, 0755); /* what matters is whether the last one exists; others never write to it */
            *c = '/';
        }
    if (mkdir(part, 0700) == 0) return 1;
    if (errno != EEXIST || stat(part, &s)) return 0;
    return S_ISDIR(s.st_mode) ? 1 : (errno = ENOTDIR, 0);
}

int cache_make_parent(const char *file) {
    char parent[PATH_MAX];
    const char *end = strrchr(file, '/');
    if (!end || end == file) return 1;
    if ((size_t)(end - file) >= sizeof parent) return errno = ENAMETOOLONG, 0;
    snprintf(parent, sizeof parent, "%.*s", (int)(end - file), file);
    return cache_make_directory(parent);
}
