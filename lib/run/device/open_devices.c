/* OpenCL's devices for a context: opened, one worker a queue, and asked what they have done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/device/worker.h"
#include "run/devices.h"

static opencl *opencl_of(arcl_context *c) {
    if (!c->opencl) c->opencl = opencl_create();
    return c->opencl;
}

/* Where there is no memory to ask, that is what the only entry says. */
int devices_others(arcl_context *c) { return opencl_of(c) ? opencl_count(c->opencl) : 1; }

void devices_other_info(arcl_context *c, int index, arcl_device_info *info) {
    if (c->opencl)
        opencl_info(c->opencl, index, info);
    else
        *info = (arcl_device_info){.platform = "OpenCL", .state = ARCL_DEVICE_ABSENT, .reason = "out of memory"};
}

const char *arcl_device_notice(void) { return opencl_notice(); }

arcl_status devices_check_process(arcl_error *error) { return opencl_check_process(error); }

/* A worker for a queue of the device. */
static arcl_status add_worker(arcl_context *c, opencl_device *queue, arcl_error *error) {
    device_worker *grown = realloc(c->device, (size_t)(c->device_count + 1) * sizeof *grown);
    if (!grown) {
        opencl_device_close(queue);
        return NO_MEMORY(error);
    }
    c->device = grown;
    c->device[c->device_count++] = (device_worker){.device = queue,
                                                   .shape = c->options.shape,
                                                   .batches_begin = OPENCL_ZERO_WORDS,
                                                   .batches_cursor = OPENCL_ZERO_WORDS,
                                                   .batches_end = opencl_arena_words(queue) / 2};
    return ARCL_SUCCESS;
}

static int is_open(const arcl_context *c, const char *id) {
    for (int i = 0; i < c->device_count; i++)
        if (strcmp(opencl_device_id(c->device[i].device), id) == 0) return 1;
    return 0;
}

static arcl_status open_one(arcl_context *c, const char *wanted, arcl_error *error) {
    opencl_device *first, *another;
    arcl_device_info info;
    int index = opencl_find(c->opencl, wanted, error);
    if (index < 0) return ARCL_INVALID;
    opencl_describe(c->opencl, index, &info);
    if (is_open(c, info.id)) return error_set(error, ARCL_INVALID, "device %s is named twice", info.id);
    int queues = opencl_queues(&info);
    uint64_t memory = c->options.memory / (uint64_t)queues;
    PROPAGATE(opencl_device_open(c->opencl, index, memory, &first, error));
    PROPAGATE(add_worker(c, first, error));
    for (int i = 1; i < queues; i++) {
        PROPAGATE(opencl_device_open_another(first, memory, &another, error));
        PROPAGATE(add_worker(c, another, error));
    }
    return ARCL_SUCCESS;
}

/* One name, or several between commas; a device's own name may have commas too. */
arcl_status devices_open_list(arcl_context *c, const char *names, arcl_error *error) {
    char one[128];
    PROPAGATE(opencl_check_process(error));
    if (!opencl_of(c)) return NO_MEMORY(error);
    if (!*names) return error_set(error, ARCL_INVALID, "the name of a device is missing");
    if (opencl_find(c->opencl, names, NULL) >= 0) return open_one(c, names, error);
    do {
        size_t n = strcspn(names, ",");
        snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one - 1), names);
        PROPAGATE(open_one(c, one, error));
        names += n;
    } while (*names++);
    return ARCL_SUCCESS;
}

static int find_workers(const arcl_context *c, const char *id, int *worker) {
    int n = 0;
    for (int i = c->device_count - 1; i >= 0; i--)
        if (strcmp(opencl_device_id(c->device[i].device), id) == 0) {
            *worker = i;
            n++;
        }
    return n;
}

arcl_status devices_open_another(arcl_context *c, const char *id, int *worker, int *workers, arcl_error *error) {
    PROPAGATE(opencl_check_process(error));
    if (!opencl_of(c)) return NO_MEMORY(error);
    if (!is_open(c, id)) PROPAGATE(open_one(c, id, error));
    *workers = find_workers(c, id, worker);
    if (c->worker[0].counting) devices_count(c, 1);
    return ARCL_SUCCESS;
}

int devices_are(const arcl_context *c, const char *id) {
    for (int i = 0; i < c->device_count; i++)
        if (strcmp(opencl_device_id(c->device[i].device), id) != 0) return 0;
    return c->device_count > 0;
}

/* On a CPU teams are for tests: who wants them there says so. */
int device_shapes(const arcl_context *c, int worker) {
    const device_worker *w = &c->device[worker];
    int wanted = w->shape == ARCL_SHAPE_TEAM || (w->shape == ARCL_SHAPE_AUTO && opencl_interleaved(w->device));
    return wanted && opencl_teams(w->device) ? 2 : 1;
}

void devices_count(arcl_context *c, int on) {
    for (int i = 0; i < c->device_count; i++) {
        arcl_error error; /* a device that has failed says so when it is used */
        c->device[i].counting = on;
        (void)!opencl_timing(c->device[i].device, on, &error);
    }
}

void devices_reset_counts(arcl_context *c) {
    for (int i = 0; i < c->device_count; i++) {
        memset(c->device[i].count, 0, sizeof c->device[i].count);
        opencl_counters_reset(c->device[i].device);
    }
}

op_count device_count_of(const arcl_context *c, int worker, int kernel, const char **id) {
    const device_worker *w = &c->device[worker];
    op_count count = w->count[kernel];
    count.nanoseconds = opencl_timed(w->device, (unsigned)kernel).nanoseconds;
    *id = opencl_device_id(w->device);
    return count;
}

arcl_device_report device_report(const arcl_context *c, int device) {
    const device_worker *w = &c->device[device];
    opencl_counters n = opencl_counted(w->device);
    return (arcl_device_report){opencl_device_id(w->device),
                                n.launches,
                                n.synchronisations,
                                n.bytes_up,
                                n.bytes_down,
                                n.builds,
                                n.build_nanoseconds,
                                n.transfer_nanoseconds};
}

void devices_close(arcl_context *c) {
    for (int i = 0; i < c->device_count; i++) opencl_device_close(c->device[i].device);
    free(c->device);
    opencl_free(c->opencl);
}
