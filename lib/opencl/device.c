#define _GNU_SOURCE
#include "opencl/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "opencl/driver_cache.h"
#include "opencl/opencl.h"
#include "opencl/sources.h"

#define WORD_BYTES ((uint64_t)8)
#define MOST_WORDS ((uint64_t)1 << 31)
#define LEAST_ARENA ((uint64_t)16 << 20) /* bytes; what is halved for want of memory is not halved below this */
#define RECORD_NANOSECONDS 2000000000    /* between two updates of the cache's manifest */
#define MOST_QUEUES 64                   /* on a CPU */
#define GROUP 64u                        /* on a GPU */
#define GROUPS_PER_UNIT 16u
#define TEAMS_PER_UNIT 32u            /* likewise */
#define MUCH_LOCAL_MEMORY (48u << 10) /* bytes that a unit needs for some teams with the largest room at a time */

/* ---- failing ---- */

arcl_status device_die(opencl_device *d, const arcl_error *why, arcl_error *error) {
    d->dead = ARCL_DEVICE_FAILED;
    d->why = *why;
    return error_set(error, d->dead, "%s", d->why.message);
}

arcl_status device_failed(opencl_device *d, const char *call, cl_int code, arcl_error *error) {
    arcl_error why;
    if (opencl_code_is_memory(code)) return opencl_failure(d->entry, ARCL_NO_MEMORY, call, code, error);
    opencl_failure(d->entry, ARCL_DEVICE_FAILED, call, code, &why);
    return device_die(d, &why, error);
}

/* Where a call waits, "out of resources" is how drivers say that a kernel went wrong. */
static arcl_status wait_failed(opencl_device *d, const char *call, cl_int code, arcl_error *error) {
    arcl_error why;
    if (code != CL_OUT_OF_RESOURCES) return device_failed(d, call, code, error);
    opencl_failure(d->entry, ARCL_DEVICE_FAILED, call, code, &why);
    return device_die(d, &why, error);
}

#define REQUIRE_ALIVE(d, error)                                                                                        \
    do {                                                                                                               \
        if ((d)->dead) return error_set(error, (d)->dead, "%s", (d)->why.message);                                     \
    } while (0)

/* ---- opening and closing ---- */

static arcl_status create_queue(opencl_device *d, arcl_error *error) {
    cl_int code = CL_SUCCESS;
    d->queue =
        cl_api.clCreateCommandQueue(d->context, d->entry->device, d->timing ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    return d->queue ? ARCL_SUCCESS : device_failed(d, "clCreateCommandQueue", code, error);
}

/* Whether the device really gives the buffer that it promised: many find out only when it is used. */
static cl_int touch_arena(opencl_device *d, const char **call) {
    static const uint64_t zeros[OPENCL_ZERO_WORDS];
    *call = "clEnqueueWriteBuffer";
    cl_int code = cl_api.clEnqueueWriteBuffer(d->queue, d->arena, CL_TRUE, ((size_t)d->words - 1) * WORD_BYTES,
                                              WORD_BYTES, zeros, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = cl_api.clEnqueueWriteBuffer(d->queue, d->arena, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL);
    if (code != CL_SUCCESS) return code;
    *call = "clFinish";
    return cl_api.clFinish(d->queue);
}

static void release_arena(opencl_device *d) {
    if (d->arena) cl_api.clReleaseMemObject(d->arena);
    if (d->backing) munmap(d->backing, d->words * WORD_BYTES);
    d->arena = NULL;
    d->backing = NULL;
}

/* A device that computes in the host's memory gets memory of ours: PoCL promises any amount, allocates it at the first
 * use, and ends the process if that fails. */
static cl_int try_arena(opencl_device *d, const char **call) {
    cl_int code = CL_SUCCESS;
    if (!d->interleaved) {
        *call = "mmap";
        d->backing = mmap(NULL, d->words * WORD_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (d->backing == MAP_FAILED) {
            d->backing = NULL;
            return CL_MEM_OBJECT_ALLOCATION_FAILURE;
        }
#ifdef MADV_HUGEPAGE
        madvise(d->backing, d->words * WORD_BYTES, MADV_HUGEPAGE); /* fewer page faults; the kernel may refuse */
#endif
    }
    *call = "clCreateBuffer";
    d->arena = cl_api.clCreateBuffer(d->context, CL_MEM_READ_WRITE | (d->backing ? CL_MEM_USE_HOST_PTR : 0),
                                     d->words * WORD_BYTES, d->backing, &code);
    return d->arena ? touch_arena(d, call) : code;
}

static arcl_status create_arena(opencl_device *d, uint64_t memory, arcl_error *error) {
    const arcl_device_info *i = &d->entry->info;
    const char *call;
    uint64_t bytes = memory < i->largest_buffer ? memory : i->largest_buffer;
    if (bytes > i->memory) bytes = i->memory;
    if (bytes > MOST_WORDS * WORD_BYTES) bytes = MOST_WORDS * WORD_BYTES;
    uint64_t least = bytes < LEAST_ARENA ? bytes : LEAST_ARENA;
    if (least < 2 * OPENCL_ZERO_WORDS * WORD_BYTES)
        return error_set(error, ARCL_INVALID, "a memory limit of %llu bytes is too small for %s (%s)",
                         (unsigned long long)memory, i->id, i->name);
    for (;; bytes = bytes / 2 < least ? least : bytes / 2) {
        d->words = (uint32_t)(bytes / WORD_BYTES);
        cl_int code = try_arena(d, &call);
        if (code == CL_SUCCESS) return ARCL_SUCCESS;
        release_arena(d);
        if (!opencl_code_is_memory(code)) return device_failed(d, call, code, error);
        if (bytes == least)
            return error_set(error, ARCL_NO_MEMORY, "%s (%s) does not give %llu bytes of memory: %s gives %s", i->id,
                             i->name, (unsigned long long)bytes, call, opencl_code_name(code).text);
    }
}

static int is_cpu(const arcl_device_info *info) { return strcmp(info->kind, "cpu") == 0; }

static void choose_sizes(opencl_device *d) {
    const arcl_device_info *i = &d->entry->info;
    d->interleaved = !is_cpu(i);
    d->local = !d->interleaved ? 1 : i->largest_group < GROUP ? i->largest_group : GROUP;
    uint64_t items = d->interleaved ? (uint64_t)i->compute_units * GROUP * GROUPS_PER_UNIT : 1;
    d->items = items > 1 << 20 ? 1 << 20 : (uint32_t)items;
}

static arcl_status start(opencl_device *d, uint64_t memory, arcl_error *error) {
    if (!d->base) PROPAGATE(device_base_create(d, error));
    PROPAGATE(create_queue(d, error));
    PROPAGATE(create_arena(d, memory, error));
    if (d->entry->verdict == UNTESTED) PROPAGATE(device_selftest(d, error));
    return ARCL_SUCCESS;
}

static arcl_status open_queue(opencl_entry *entry, opencl_base *base, uint64_t memory, opencl_device **device,
                              arcl_error *error) {
    opencl_device *d = calloc(1, sizeof *d);
    if (!d) return NO_MEMORY(error);
    d->entry = entry;
    if (base) device_base_join(d, base);
    choose_sizes(d);
    arcl_status status = start(d, memory, error);
    if (status != ARCL_SUCCESS) {
        opencl_device_close(d);
        return status;
    }
    opencl_counters_reset(d);
    *device = d;
    return ARCL_SUCCESS;
}

arcl_status opencl_device_open(opencl *o, int index, uint64_t memory, opencl_device **device, arcl_error *error) {
    opencl_entry *entry;
    *device = NULL;
    PROPAGATE(opencl_entry_get(o, index, &entry, error));
    return open_queue(entry, NULL, memory, device, error);
}

arcl_status opencl_device_open_another(opencl_device *d, uint64_t memory, opencl_device **device, arcl_error *error) {
    *device = NULL;
    return open_queue(d->entry, d->base, memory, device, error);
}

/* Drivers write what they compiled when a kernel first runs, so that is complete when the device has caught up. */
static void record(opencl_device *d, int now) {
    if (!d->unrecorded || (!now && clock_since(d->recorded) < RECORD_NANOSECONDS)) return;
    cache_record();
    d->unrecorded = 0;
    d->recorded = clock_nanoseconds();
}

/* A call may fail by itself. */
int opencl_becomes_idle(opencl_device *d) {
    return cl_api.clFinish(d->queue) == CL_SUCCESS || cl_api.clFinish(d->queue) == CL_SUCCESS;
}

/* A device that cannot be waited for may be at work for ever: the memory that it works in is then left to it. */
void opencl_device_close(opencl_device *d) {
    if (!d || opencl_check_process(NULL)) return;
    int idle = !d->queue || opencl_becomes_idle(d);
    if (idle) record(d, 1);
    if (idle) {
        pending_resolve(d);
        release_arena(d);
    }
    if (d->queue) cl_api.clReleaseCommandQueue(d->queue);
    device_base_leave(d);
    free(d->timed);
    free(d);
}

/* ---- data ---- */

static arcl_status require_inside(const opencl_device *d, uint32_t at, uint32_t words, arcl_error *error) {
    if (at <= d->words && words <= d->words - at) return ARCL_SUCCESS;
    return error_set(error, ARCL_INVALID, "words %u to %llu are not in an arena of %u", at,
                     (unsigned long long)at + words, d->words);
}

static void caught_up(opencl_device *d) {
    d->counters.synchronisations++;
    pending_resolve(d);
    record(d, 0);
}

arcl_status opencl_write(opencl_device *d, uint32_t at, const void *from, uint32_t words, arcl_error *error) {
    size_t bytes = (size_t)words * WORD_BYTES;
    REQUIRE_ALIVE(d, error);
    PROPAGATE(require_inside(d, at, words, error));
    if (!words) return ARCL_SUCCESS;
    const void *copy = pending_copy(d, from, bytes);
    int was_busy = d->busy;
    cl_event *event = pending_event(d, NO_KERNEL);
    cl_int code = cl_api.clEnqueueWriteBuffer(d->queue, d->arena, copy ? CL_FALSE : CL_TRUE, (size_t)at * WORD_BYTES,
                                              bytes, copy ? copy : from, 0, NULL, event);
    if (code != CL_SUCCESS) pending_event_cancel(d, event);
    if (code != CL_SUCCESS)
        return copy ? device_failed(d, "clEnqueueWriteBuffer", code, error)
                    : wait_failed(d, "clEnqueueWriteBuffer", code, error);
    d->counters.bytes_up += bytes;
    d->busy = 1;
    if (!copy && was_busy) caught_up(d);
    return ARCL_SUCCESS;
}

arcl_status opencl_read(opencl_device *d, uint32_t at, void *to, uint32_t words, arcl_error *error) {
    size_t bytes = (size_t)words * WORD_BYTES;
    REQUIRE_ALIVE(d, error);
    PROPAGATE(require_inside(d, at, words, error));
    if (!words) return ARCL_SUCCESS;
    cl_event *event = pending_event(d, NO_KERNEL);
    cl_int code =
        cl_api.clEnqueueReadBuffer(d->queue, d->arena, CL_TRUE, (size_t)at * WORD_BYTES, bytes, to, 0, NULL, event);
    if (code != CL_SUCCESS) pending_event_cancel(d, event);
    if (code != CL_SUCCESS) return wait_failed(d, "clEnqueueReadBuffer", code, error);
    d->counters.bytes_down += bytes;
    caught_up(d);
    return ARCL_SUCCESS;
}

arcl_status opencl_read_later(opencl_device *d, uint32_t at, void *to, uint32_t words, opencl_mark *mark,
                              arcl_error *error) {
    cl_event event = NULL;
    size_t bytes = (size_t)words * WORD_BYTES;
    REQUIRE_ALIVE(d, error);
    PROPAGATE(require_inside(d, at, words, error));
    if (!words && !mark) return ARCL_SUCCESS;
    cl_int code = cl_api.clEnqueueReadBuffer(d->queue, d->arena, CL_FALSE, (size_t)at * WORD_BYTES, bytes, to, 0, NULL,
                                             mark ? &event : NULL);
    if (code != CL_SUCCESS) return wait_failed(d, "clEnqueueReadBuffer", code, error);
    if (mark) *mark = (opencl_mark){event, d->staged_count};
    d->counters.bytes_down += bytes;
    d->busy = 1;
    return ARCL_SUCCESS;
}

void opencl_forget(opencl_mark *mark) {
    if (mark->event) cl_api.clReleaseEvent(mark->event);
    *mark = (opencl_mark){NULL, 0};
}

arcl_status opencl_reach(opencl_device *d, opencl_mark *mark, arcl_error *error) {
    opencl_mark reached = *mark;
    cl_event event = reached.event;
    cl_int code = d->dead ? CL_SUCCESS : cl_api.clWaitForEvents(1, &event);
    opencl_forget(mark);
    REQUIRE_ALIVE(d, error);
    if (code != CL_SUCCESS) return wait_failed(d, "clWaitForEvents", code, error);
    d->counters.synchronisations++;
    pending_written(d, reached.written);
    return ARCL_SUCCESS;
}

arcl_status opencl_finish(opencl_device *d, arcl_error *error) {
    REQUIRE_ALIVE(d, error);
    cl_int code = cl_api.clFinish(d->queue);
    if (code != CL_SUCCESS) return wait_failed(d, "clFinish", code, error);
    caught_up(d);
    return ARCL_SUCCESS;
}

/* ---- launching ---- */

static cl_int set_frame(opencl_kernel *k, uint32_t frame) {
    if (k->frame == frame && frame) return CL_SUCCESS;
    cl_int code = cl_api.clSetKernelArg(k->kernel, 1, sizeof frame, &frame);
    k->frame = code == CL_SUCCESS ? frame : 0;
    return code;
}

static arcl_status enqueue(opencl_device *d, unsigned id, opencl_kernel *k, uint32_t frame, uint32_t step, size_t all,
                           size_t local, arcl_error *error) {
    cl_int code = set_frame(k, frame);
    if (code == CL_SUCCESS) code = cl_api.clSetKernelArg(k->kernel, 2, sizeof step, &step);
    if (code != CL_SUCCESS) return device_failed(d, "clSetKernelArg", code, error);
    cl_event *event = pending_event(d, id);
    code = cl_api.clEnqueueNDRangeKernel(d->queue, k->kernel, 1, NULL, &all, &local, 0, NULL, event);
    if (code != CL_SUCCESS) {
        pending_event_cancel(d, event);
        return device_failed(d, "clEnqueueNDRangeKernel", code, error);
    }
    d->counters.launches++;
    d->busy = 1;
    return ARCL_SUCCESS;
}

arcl_status device_launch(opencl_device *d, unsigned id, uint32_t frame, uint32_t step, uint32_t items, size_t local,
                          arcl_error *error) {
    opencl_kernel *k;
    REQUIRE_ALIVE(d, error);
    PROPAGATE(device_kernel(d, id, SHAPE_LANE, &k, error));
    if (!local) local = k->local;
    return enqueue(d, id, k, frame, step, ((items ? items : 1) + local - 1) / local * local, local, error);
}

arcl_status opencl_launch_teams(opencl_device *d, unsigned kernel, opencl_shape shape, uint32_t frame, uint32_t step,
                                uint32_t teams, arcl_error *error) {
    opencl_kernel *k;
    REQUIRE_ALIVE(d, error);
    if (kernel >= KERNEL_COUNT || !kernel_has(kernel, TEAM) || shape == SHAPE_LANE)
        return error_set(error, ARCL_INVALID, "kernel %u has no shape for teams", kernel);
    PROPAGATE(device_kernel(d, kernel, shape, &k, error));
    return enqueue(d, kernel, k, frame, step, (size_t)teams * k->local, k->local, error);
}

arcl_status opencl_launch(opencl_device *d, unsigned kernel, uint32_t frame, uint32_t step, uint32_t items,
                          arcl_error *error) {
    if (kernel >= ALL_KERNELS) return error_set(error, ARCL_INVALID, "there is no kernel %u", kernel);
    return device_launch(d, kernel, frame, step, items, 0, error);
}

/* ---- what it is and has done ---- */

uint32_t opencl_arena_words(const opencl_device *d) { return d->words; }
int opencl_queues(const arcl_device_info *info) {
    uint32_t units = info->compute_units;
    return !is_cpu(info) || !units ? 1 : units < MOST_QUEUES ? (int)units : MOST_QUEUES;
}

uint32_t opencl_items(const opencl_device *d) { return d->items; }
int opencl_timed_now(const opencl_device *d) { return d->timing; }
int opencl_interleaved(const opencl_device *d) { return d->interleaved; }

opencl_shape opencl_team_shape(const opencl_device *d, uint64_t cells) {
    static const uint64_t room[OPENCL_SHAPES] = {
#define SHAPE(name, members, cells) [name] = cells,
        TEAM_SHAPES(SHAPE)
#undef SHAPE
    };
    opencl_shape shape = SHAPE_TEAM;
    if (d->entry->info.local_memory < MUCH_LOCAL_MEMORY) return shape;
    while (shape + 1 < OPENCL_SHAPES && cells > room[shape]) shape++;
    return shape;
}

/* A CPU's queues are one unit each, and their frames are made for one that takes memory. */
uint32_t opencl_teams(const opencl_device *d) {
    const arcl_device_info *i = &d->entry->info;
    if (i->largest_group < MOST_MEMBERS) return 0;
    return d->interleaved ? i->compute_units * TEAMS_PER_UNIT : 1;
}
const char *opencl_device_id(const opencl_device *d) { return d->entry->info.id; }
opencl_counters opencl_counted(const opencl_device *d) { return d->counters; }

/* Whether launches are measured is a property of the queue. */
arcl_status opencl_timing(opencl_device *d, int on, arcl_error *error) {
    REQUIRE_ALIVE(d, error);
    if (!on == !d->timing) return ARCL_SUCCESS;
    PROPAGATE(opencl_finish(d, error));
    cl_command_queue before = d->queue;
    d->timing = !!on;
    arcl_status status = create_queue(d, error);
    if (status != ARCL_SUCCESS) {
        d->queue = before;
        d->timing = !on;
        return status;
    }
    cl_api.clReleaseCommandQueue(before);
    return ARCL_SUCCESS;
}

opencl_kernel_time opencl_timed(const opencl_device *d, unsigned kernel) {
    return kernel < ALL_KERNELS ? d->times[kernel] : (opencl_kernel_time){0};
}

void opencl_counters_reset(opencl_device *d) {
    memset(&d->counters, 0, sizeof d->counters);
    memset(d->times, 0, sizeof d->times);
}

void opencl_info(opencl *o, int index, arcl_device_info *info) {
    arcl_error error = {""};
    opencl_device *d;
    if (opencl_count(o) && index >= 0 && index < o->count && o->entries[index].verdict == UNTESTED) {
        int64_t before = clock_nanoseconds();
        if (opencl_device_open(o, index, LEAST_BUFFER, &d, &error) == ARCL_SUCCESS) opencl_device_close(d);
        o->entries[index].info.open_nanoseconds = clock_since(before);
    }
    opencl_describe(o, index, info);
    if (info->state == ARCL_DEVICE_READY && error.message[0]) { /* not the device's fault for certain: no verdict */
        info->state = ARCL_DEVICE_REFUSED;
        snprintf(info->reason, sizeof info->reason, "%.255s", error.message);
    }
}
