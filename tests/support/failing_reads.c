/* A device that dies: preloaded before the OpenCL loader, it lets the first $READS reads of a device's memory pass and
 * fails every later one. cli_devices_test.py compiles it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_RESOURCES = -5 }; /* how drivers say that a kernel went wrong */

typedef int (*read_function)(void *queue, void *buffer, unsigned blocking, size_t at, size_t bytes, void *to,
                             unsigned waits, void *const *wait, void **event);

int clEnqueueReadBuffer(void *queue, void *buffer, unsigned blocking, size_t at, size_t bytes, void *to, unsigned waits,
                        void *const *wait, void **event) {
    static int done;
    read_function next;
    void *found = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
    memcpy(&next, &found, sizeof next); /* C has no such conversion */
    if (done++ >= atoi(getenv("READS"))) return OUT_OF_RESOURCES;
    return next(queue, buffer, blocking, at, bytes, to, waits, wait, event);
}
