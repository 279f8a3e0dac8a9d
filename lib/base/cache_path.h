/* The directory where arcl keeps what can be made again: $XDG_CACHE_HOME/arcl, or ~/.cache/arcl. */
#ifndef ARCL_CACHE_PATH_H
#define ARCL_CACHE_PATH_H
#include <fcntl.h>
#include <stddef.h>

/* The path of a file or directory in it; 0 if neither variable is set to an absolute path, or the path is too long. */
int cache_path(char *to, size_t size, const char *name);

/* mkdir -p, for a directory or for the one that a file is in. 0, with errno, if it is not there afterwards. */
int cache_make_directory(const char *path);
int cache_make_parent(const char *file);

#endif
