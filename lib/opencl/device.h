/* An open device, from the inside. Shared by the files of lib/opencl only. */
#ifndef ARCL_OPENCL_DEVICE_H
#define ARCL_OPENCL_DEVICE_H
#include <pthread.h>

#include "opencl/opencl.h"
#include "opencl/platform.h"
#include "ops/op_table.h"

/* The self-test's kernels follow those of lib/ops/kernels.def; then come those that are no steps of programs. */
enum {
    SELFTEST_first = KERNEL_COUNT - 1,
#define SELFTEST(name, title) SELFTEST_##name,
#include "opencl/selftest.def"
#undef SELFTEST
#define DEVICE_KERNEL(family, name) DEVICE_##name,
#include "opencl/device_kernels.def"
#undef DEVICE_KERNEL
    ALL_KERNELS,
    NO_KERNEL = ALL_KERNELS /* in a timed_launch: a read or write */
};

/* Work-items of a team are 32, which go in step on NVIDIA's GPUs, so that nobody waits for another; or two of those, or
 * one of what goes in step on AMD's. */
#define MOST_MEMBERS 64

typedef struct opencl_kernel {
    cl_kernel kernel; /* NULL until its first launch */
    size_t local;     /* work-items per group */
    uint32_t frame;   /* that its launches have been told of last; 0: none */
} opencl_kernel;

typedef struct timed_launch {
    cl_event event;
    unsigned kernel;
} timed_launch;

/* What several queues of one device share: what is compiled is compiled once. */
typedef struct opencl_base {
    pthread_mutex_t lock; /* of everything here */
    int users;
    cl_context context;
    cl_program *programs; /* by opencl_shape and index into opencl_sources; NULL until built */
} opencl_base;

struct opencl_device {
    opencl_entry *entry;
    opencl_base *base;
    cl_context context; /* the base's */
    cl_command_queue queue;
    cl_mem arena;
    void *backing; /* the arena's memory where the device computes in the host's; else NULL */
    uint32_t words, items;
    int interleaved;
    size_t local; /* work-items per group, where the kernel does not say otherwise */

    opencl_kernel kernels[ALL_KERNELS];
    opencl_kernel teams[OPENCL_SHAPES - 1][KERNEL_COUNT]; /* the same in the other shapes */
    int unrecorded;                                       /* kernels launched since the cache was told */
    int64_t recorded;                                     /* when that was */

    struct staged *staged; /* copies of what is being written: see pending.c */
    size_t staged_bytes;
    uint64_t staged_count; /* of all that there have been */
    int busy;              /* something has been enqueued since the device was last waited for */
    int timing;
    timed_launch *timed;
    size_t timed_count, timed_room;
    opencl_kernel_time times[ALL_KERNELS];

    opencl_counters counters;
    arcl_status dead; /* why every call fails; ARCL_SUCCESS: the device is alive */
    arcl_error why;
};

/* Reports a failed call. If it was not for lack of memory, the device is dead from now on. */
arcl_status device_failed(opencl_device *d, const char *call, cl_int code, arcl_error *error);
arcl_status device_die(opencl_device *d, const arcl_error *why, arcl_error *error);

/* ---- kernel_build.c ---- */

ARCL_CHECKED arcl_status device_base_create(opencl_device *d, arcl_error *error);
void device_base_join(opencl_device *d, opencl_base *base);

/* The kernel in a shape, built if need be. */
ARCL_CHECKED arcl_status device_kernel(opencl_device *d, unsigned kernel, opencl_shape shape, opencl_kernel **found,
                                       arcl_error *error);
void device_base_leave(opencl_device *d); /* the device's kernels go with it */

/* ---- device.c ---- */

/* Like opencl_launch, with a size of the work-groups. */
ARCL_CHECKED arcl_status device_launch(opencl_device *d, unsigned kernel, uint32_t frame, uint32_t step, uint32_t items,
                                       size_t local, arcl_error *error);

/* ---- pending.c: what must be kept until the device has caught up ---- */

/* A copy of the bytes that lives until then; NULL if the write should rather be waited for. */
const void *pending_copy(opencl_device *d, const void *from, size_t bytes);

/* Where an enqueued launch, read or write (NO_KERNEL) should put an event: NULL when nobody measures. */
cl_event *pending_event(opencl_device *d, unsigned kernel);
void pending_event_cancel(opencl_device *d, const cl_event *event); /* the launch did not happen */

/* So many copies, the first of all that there have been, are where they were to be written. */
void pending_written(opencl_device *d, uint64_t count);

/* The device has caught up, or will never: copies are freed, times are added up. */
void pending_resolve(opencl_device *d);

/* ---- selftest.c ---- */

/* Refuses the device if it computes wrongly. Uses the arena behind the zeros. */
ARCL_CHECKED arcl_status device_selftest(opencl_device *d, arcl_error *error);

#endif
