/* Threads and forked children under the sanitizers, which know less of fork than the library does.
 *
 * The thread sanitizer does not know threads that a child of a process with threads starts, and ends the child. The
 * address sanitizer's allocator keeps a lock for good in the child if a thread that is just starting had it when the
 * process was forked. */
#ifndef ARCL_CHILD_THREADS_H
#define ARCL_CHILD_THREADS_H

/* How many threads a context of a forked child has in tests. */
#ifdef __SANITIZE_THREAD__
enum { CHILD_THREADS = 1 };
#else
enum { CHILD_THREADS = 2 };
#endif

#ifdef __SANITIZE_ADDRESS__
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether all threads of this process but the caller sleep. */
static inline int others_sleep(void) {
    DIR *threads = opendir("/proc/self/task");
    int running = 0;
    for (const struct dirent *d; threads && (d = readdir(threads));) {
        char path[300], line[600] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/stat", d->d_name);
        FILE *f = d->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!f) continue;
        const char *name_end = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
        running += !name_end || name_end[2] != 'S';
        fclose(f);
    }
    if (threads) closedir(threads);
    return running <= 1;
}

/* Before a fork: waits until all threads have started and have nothing to do. */
static inline void settle_threads(void) {
    for (int quiet = 0, looks = 0; quiet < 5 && looks < 5000; looks++) {
        quiet = others_sleep() ? quiet + 1 : 0;
        usleep(1000);
    }
}

#else
static inline void settle_threads(void) {}
#endif

#endif
