/* A device that computes wrongly: preloaded before the OpenCL loader, it lets the first $READS reads of a device's
 * memory pass, which the self-test needs, and then changes the middle of long ones, which is some lane's result: more
 * bytes than lie between two grids. cli_bench_test.py compiles it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 4000, CHANGED = 8 }; /* bytes */

typedef int (*read_function)(void *queue, void *buffer, unsigned blocking, size_t at, size_t bytes, void *to,
                             unsigned waits, void *const *wait, void **event);

int clEnqueueReadBuffer(void *queue, void *buffer, unsigned blocking, size_t at, size_t bytes, void *to, unsigned waits,
                        void *const *wait, void **event) {
    static int done;
    read_function next;
    void *found = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
    memcpy(&next, &found, sizeof next); /* C has no such conversion */
    int is_changed = done++ >= atoi(getenv("READS")) && bytes >= LONG;
    int status = next(queue, buffer, is_changed ? 1 : blocking, at, bytes, to, waits, wait, event);
    for (size_t i = 0; i < CHANGED && status == 0 && is_changed; i++) ((char *)to)[bytes / 2 + i] ^= 1;
    return status;
}
