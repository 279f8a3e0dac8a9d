/* What must be kept until the device has caught up with the queue: copies of what is being written, so that writing
 * need not wait, and the events that measure launches. */
#include <stdlib.h>
#include <string.h>

#include "opencl/device.h"

#define MOST_STAGED ((size_t)64 << 10)    /* bytes of one write */
#define MOST_STAGED_ALL ((size_t)4 << 20) /* and of all */
#define MOST_TIMED ((size_t)1 << 16)

struct staged {
    struct staged *next;
    uint64_t number;
    size_t size;
    uint64_t bytes[];
};

const void *pending_copy(opencl_device *d, const void *from, size_t bytes) {
    if (bytes > MOST_STAGED || d->staged_bytes + bytes > MOST_STAGED_ALL) return NULL;
    struct staged *s = malloc(sizeof *s + bytes);
    if (!s) return NULL;
    s->next = d->staged;
    s->number = ++d->staged_count;
    s->size = bytes;
    d->staged = s;
    d->staged_bytes += bytes;
    return memcpy(s->bytes, from, bytes);
}

cl_event *pending_event(opencl_device *d, unsigned kernel) {
    if (!d->timing) return NULL;
    if (d->timed_count == d->timed_room) {
        size_t room = d->timed_room ? 2 * d->timed_room : 256;
        timed_launch *grown = room > MOST_TIMED ? NULL : realloc(d->timed, room * sizeof *grown);
        if (!grown) return NULL;
        d->timed = grown;
        d->timed_room = room;
    }
    d->timed[d->timed_count] = (timed_launch){.kernel = kernel};
    return &d->timed[d->timed_count++].event;
}

void pending_event_cancel(opencl_device *d, const cl_event *event) {
    if (event) d->timed_count--;
}

/* A driver that gives no times is no reason to fail. */
static void add_time(opencl_device *d, const timed_launch *t) {
    cl_ulong begin = 0, end = 0;
    if (!t->event) return;
    if (cl_api.clGetEventProfilingInfo(t->event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) ==
            CL_SUCCESS &&
        cl_api.clGetEventProfilingInfo(t->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS &&
        end >= begin) {
        if (t->kernel == NO_KERNEL)
            d->counters.transfer_nanoseconds += end - begin;
        else {
            d->times[t->kernel].launches++;
            d->times[t->kernel].nanoseconds += end - begin;
        }
    }
    cl_api.clReleaseEvent(t->event);
}

/* Copies that are found from `at` on, the latest first. */
static void free_copies(opencl_device *d, struct staged **at) {
    while (*at) {
        struct staged *s = *at;
        *at = s->next;
        d->staged_bytes -= s->size;
        free(s);
    }
}

void pending_written(opencl_device *d, uint64_t count) {
    struct staged **at = &d->staged;
    while (*at && (*at)->number > count) at = &(*at)->next;
    free_copies(d, at);
}

void pending_resolve(opencl_device *d) {
    free_copies(d, &d->staged);
    d->busy = 0;
    for (size_t i = 0; i < d->timed_count; i++) add_time(d, &d->timed[i]);
    d->timed_count = 0;
}
