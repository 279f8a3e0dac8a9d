/* Preloaded, it stops the process at a write to a file that was chosen, before that is done, so that a test can do
 * something at that moment, however fast or slow the machine is. Files are told by the last part of their path.
 * tests/support/preload.py compiles it.
 *
 *   STOP_FILE   its name
 *   STOP_AT     the number of the write to it at which the process stops, from 1
 *   STOP_MARK   a file that is made before it stops, with its process number */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_chosen(int file) {
    char link[64], path[4096];
    const char *wanted = getenv("STOP_FILE");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = wanted ? readlink(link, path, sizeof path - 1) : -1;
    if (length < 0) return 0;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    return name && strcmp(name + 1, wanted) == 0;
}

/* The mark is there with all that it says or not at all. */
static void stop(const char *mark) {
    char other[4096], text[32];
    snprintf(other, sizeof other, "%s.new", mark);
    int file = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (file < 0 || write(file, text, (size_t)length) != length || close(file) || rename(other, mark)) abort();
    raise(SIGSTOP);
}

static void stop_if_chosen(int file) {
    static long calls;
    const char *at = getenv("STOP_AT"), *mark = getenv("STOP_MARK");
    if (at && mark && is_chosen(file) && ++calls == atol(at)) stop(mark);
}

/* Makes `next` the function that the present one stands before. C has no conversion from what dlsym gives. */
#define NEXT(name, ...)                                                                                                \
    static ssize_t (*next)(__VA_ARGS__);                                                                               \
    if (!next) {                                                                                                       \
        void *found = dlsym(RTLD_NEXT, #name);                                                                         \
        memcpy(&next, &found, sizeof next);                                                                            \
    }

ssize_t write(int file, const void *from, size_t size) {
    NEXT(write, int, const void *, size_t)
    stop_if_chosen(file);
    return next(file, from, size);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t offset) {
    NEXT(pwrite, int, const void *, size_t, off_t)
    stop_if_chosen(file);
    return next(file, from, size, offset);
}

ssize_t pwrite64(int file, const void *from, size_t size, off64_t offset) { return pwrite(file, from, size, offset); }
