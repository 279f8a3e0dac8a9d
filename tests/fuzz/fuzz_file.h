/* An input as a file, for readers that want one: in a folder of the process's own, which goes when it ends. */
#ifndef ARCL_FUZZ_FILE_H
#define ARCL_FUZZ_FILE_H
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fuzz_directory[64];

static inline void fuzz_remove_files(void) {
    DIR *d = opendir(fuzz_directory);
    char path[512];
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", fuzz_directory, e->d_name);
        if (e->d_name[0] != '.') unlink(path);
    }
    if (d) closedir(d);
    rmdir(fuzz_directory);
}

/* The path of a file in the folder. Stays valid until the next call with the same name. */
static inline const char *fuzz_path(const char *name) {
    static char path[2][128];
    static int next;
    if (!*fuzz_directory) {
        const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(fuzz_directory, sizeof fuzz_directory, "%s/arcl_fuzz_XXXXXX", parent);
        if (!mkdtemp(fuzz_directory)) abort();
        atexit(fuzz_remove_files);
    }
    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", fuzz_directory, name);
    return path[next];
}

static inline const char *fuzz_file(const char *name, const void *data, size_t size) {
    const char *path = fuzz_path(name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) abort();
    if (chmod(path, 0600)) abort();
    return path;
}

/* What readers say about inputs that are wrong is nobody's business here. */
static inline void fuzz_keep_quiet(void) {
    static int quiet;
    if (!quiet && (!freopen("/dev/null", "w", stdout))) abort();
    quiet = 1;
}

#endif
