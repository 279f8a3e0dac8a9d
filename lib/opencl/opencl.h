/* OpenCL devices as the rest of the library sees them: listed, opened, and driven by offsets of words.
 *
 * An open device has one buffer, its arena, and an in-order queue: what is enqueued first is done first. Nothing waits
 * but reading, reaching a mark and finishing. There are no OpenCL types here, and nothing here knows of programs,
 * batches or lanes.
 */
#ifndef ARCL_OPENCL_H
#define ARCL_OPENCL_H
#include <stdint.h>

#include "arcl.h"

typedef struct opencl opencl;               /* the platforms and devices that there are; one per context */
typedef struct opencl_device opencl_device; /* an open device; one thread's business at a time */

/* Drivers do not survive a fork: in a child of a process that has used them this is ARCL_DEVICE_FAILED, and so is all
 * that would call them. Closing what the parent has opened does nothing. */
ARCL_CHECKED arcl_status opencl_check_process(arcl_error *error);

/* ---- which devices there are ---- */

/* NULL if there is no memory. Drivers are not touched before the first question. */
opencl *opencl_create(void);
void opencl_free(opencl *o);

/* Devices in the order of their platforms; a platform without devices has an entry too, whose id is "". */
int opencl_count(opencl *o);

/* What is known of an entry, without opening it: a device whose self-test has not run yet counts as ready. */
void opencl_describe(opencl *o, int index, arcl_device_info *info);

/* The same, after opening the device and testing it if that has not been done yet. */
void opencl_info(opencl *o, int index, arcl_device_info *info);

/* The device called "cl:N", or whose name contains `wanted` in whatever case. -1: none; -2: several. */
int opencl_find(opencl *o, const char *wanted, arcl_error *error);

/* What a user should know about where drivers keep what they compile: "" if all is well. Valid until the process
 * ends. */
const char *opencl_notice(void);

/* Of the text of all kernels. */
uint64_t opencl_kernel_hash(void);

/* ---- an open device ---- */

/* Opens a device that passes its self-test. Its arena has at most `memory` bytes; less where the device cannot give
 * that. The first OPENCL_ZERO_WORDS of it are zeros, the others are whatever they are. */
#define OPENCL_ZERO_WORDS 4096u
ARCL_CHECKED arcl_status opencl_device_open(opencl *o, int index, uint64_t memory, opencl_device **device,
                                            arcl_error *error);
void opencl_device_close(opencl_device *d);

/* Another queue of an open device, with an arena of its own, for another thread: kernels are built once for both. */
ARCL_CHECKED arcl_status opencl_device_open_another(opencl_device *d, uint64_t memory, opencl_device **device,
                                                    arcl_error *error);

/* How many queues keep the device busy. On a CPU one per compute unit, each with launches of one work-item: a unit then
 * works through a chunk of lanes that fits its cache and never waits for the others. On a GPU one with large
 * launches. */
int opencl_queues(const arcl_device_info *info);

uint32_t opencl_arena_words(const opencl_device *d);
uint32_t opencl_items(const opencl_device *d);        /* work-items of a launch that fill a queue's share */
int opencl_timed_now(const opencl_device *d);         /* launches are being measured */
int opencl_interleaved(const opencl_device *d);       /* 1: neighbouring work-items should take neighbouring lanes */
uint32_t opencl_teams(const opencl_device *d);        /* teams of a launch that fill the device; 0: it has none */
const char *opencl_device_id(const opencl_device *d); /* "cl:0" */

/* A call that fails with ARCL_NO_MEMORY has done nothing and may be repeated. After any other failure the device is
 * dead: every later call fails with the same message. */

/* Words into the arena. `from` may be changed as soon as this returns. */
ARCL_CHECKED arcl_status opencl_write(opencl_device *d, uint32_t at, const void *from, uint32_t words,
                                      arcl_error *error);

/* Words from the arena, when all that was enqueued before is done. */
ARCL_CHECKED arcl_status opencl_read(opencl_device *d, uint32_t at, void *to, uint32_t words, arcl_error *error);

/* The same without waiting: `to` has them when the mark is reached, or when all is done that was enqueued. */
typedef struct opencl_mark {
    void *event;      /* NULL: there is none */
    uint64_t written; /* how many copies were being written when it was set, or before */
} opencl_mark;
ARCL_CHECKED arcl_status opencl_read_later(opencl_device *d, uint32_t at, void *to, uint32_t words, opencl_mark *mark,
                                           arcl_error *error);

/* Waits for all that was enqueued up to the mark, which is gone then, whatever comes of it. */
ARCL_CHECKED arcl_status opencl_reach(opencl_device *d, opencl_mark *mark, arcl_error *error);
void opencl_forget(opencl_mark *mark);

/* Enqueues a kernel (an enum kernel_id) on at least `items` work-items, building its family if this is the first. */
ARCL_CHECKED arcl_status opencl_launch(opencl_device *d, unsigned kernel, uint32_t frame, uint32_t step, uint32_t items,
                                       arcl_error *error);

/* How a kernel is built: for a work-item that does a lane, or for a team (cl/team.h) of so many members that has room
 * for grids of so many cells; the fewer, the more teams there are at a time. The last has room for 30 by 30 and a
 * little more. */
#define TEAM_SHAPES(SHAPE)                                                                                             \
    SHAPE(SHAPE_TEAM, 32, 128)                                                                                         \
    SHAPE(SHAPE_TEAM_256, 32, 256)                                                                                     \
    SHAPE(SHAPE_TEAM_512, 64, 512)                                                                                     \
    SHAPE(SHAPE_TEAM_1024, 64, 1024)
typedef enum opencl_shape {
    SHAPE_LANE,
#define SHAPE(name, members, cells) name,
    TEAM_SHAPES(SHAPE)
#undef SHAPE
        OPENCL_SHAPES
} opencl_shape;

/* The one for grids of up to so many cells; a device with little local memory has the smallest room only. */
opencl_shape opencl_team_shape(const opencl_device *d, uint64_t cells);

/* Enqueues a kernel that has the trait TEAM on `teams` teams. */
ARCL_CHECKED arcl_status opencl_launch_teams(opencl_device *d, unsigned kernel, opencl_shape shape, uint32_t frame,
                                             uint32_t step, uint32_t teams, arcl_error *error);

/* Waits for all that was enqueued. */
ARCL_CHECKED arcl_status opencl_finish(opencl_device *d, arcl_error *error);

/* The same of a device that may be dead: whether it could be waited for. */
int opencl_becomes_idle(opencl_device *d);

/* ---- what it has done ---- */

typedef struct opencl_counters {
    uint64_t launches, synchronisations; /* the latter: how often the host waited for the device */
    uint64_t bytes_up, bytes_down;
    uint64_t builds, build_nanoseconds;
    uint64_t transfer_nanoseconds; /* of reads and writes, while launches are measured */
} opencl_counters;

typedef struct opencl_kernel_time {
    uint64_t launches, nanoseconds;
} opencl_kernel_time;

opencl_counters opencl_counted(const opencl_device *d);

/* Measures each launch on the device from now on, or stops that. Waits for all that was enqueued. */
ARCL_CHECKED arcl_status opencl_timing(opencl_device *d, int on, arcl_error *error);

/* What was measured, up to the last synchronisation. */
opencl_kernel_time opencl_timed(const opencl_device *d, unsigned kernel);
void opencl_counters_reset(opencl_device *d);

#endif
