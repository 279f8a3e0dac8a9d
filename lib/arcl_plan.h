/* Where programs run, and why: profiles of what was measured, and plans that are made of them. arcl.h includes this;
 * its rules hold here too. */
#ifndef ARCL_PLAN_H
#define ARCL_PLAN_H

#include "arcl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- profiles ----
 *
 * A profile says what kernels cost on the devices of a machine, as measured there. `arcl profile` makes one; contexts
 * that run on "auto" plan with it. It is used only for what it was measured on: the same devices, drivers and
 * kernels. Measuring changes it: two threads must not use one profile while one of them measures. */

typedef struct arcl_profile arcl_profile;

ARCL_API ARCL_CHECKED arcl_status arcl_profile_create(arcl_profile **profile, arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_profile_load(const char *path, arcl_profile **profile, arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_profile_save(const arcl_profile *profile, const char *path, arcl_error *error);
ARCL_API void arcl_profile_free(arcl_profile *profile);

/* Where the profile is if nobody says otherwise: $ARCL_PROFILE, or $XDG_CACHE_HOME/arcl/profile.json, or
 * ~/.cache/arcl/profile.json; "" if there is none: ARCL_PROFILE is empty, or no variable is set. Returns buf. */
ARCL_API char *arcl_profile_default_path(char *buf, size_t size);

/* "", or a sentence that users should see: why the profile of a context, or a part of it, is not used. */
ARCL_API const char *arcl_profile_notice(const arcl_context *context);

/* Measuring, on any context; devices are opened as needed. First what a device costs besides kernels; then programs,
 * for about so many seconds each, on one chunk of all lanes of the batch; in the end the curves are drawn. One at a
 * time, with runs. Kernels are measured in both shapes (arcl_shape) on GPUs, on CPUs if the context's options ask for
 * teams. */
ARCL_API ARCL_CHECKED arcl_status arcl_profile_measure_device(arcl_profile *profile, arcl_context *context,
                                                              const char *device, arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_profile_measure(arcl_profile *profile, arcl_context *context, const char *device,
                                                       const arcl_program *program, const arcl_batch *batch,
                                                       double seconds, arcl_error *error);

/* The same, with each program run once, on a device that is a part of a simulated one and whose clock is exact: the
 * whole has `card` times the lanes in that time. What such a device costs besides kernels nobody can measure. */
ARCL_API ARCL_CHECKED arcl_status arcl_profile_measure_simulated(arcl_profile *profile, arcl_context *context,
                                                                 const char *device, const arcl_program *program,
                                                                 const arcl_batch *batch, uint32_t card,
                                                                 arcl_error *error);
ARCL_API void arcl_profile_finish(arcl_profile *profile);

/* How long comparing takes on a device, in each variant of arcl_similarity that it has. `quick`: without the largest
 * matrices, and without CLBlast, whose first product compiles for seconds. */
ARCL_API ARCL_CHECKED arcl_status arcl_profile_measure_similarity(arcl_profile *profile, arcl_context *context,
                                                                  const char *device, int quick, arcl_error *error);

/* Names of what a device was measured with, so that measuring can go on where it was interrupted: lines of UTF-8. */
ARCL_API int arcl_profile_has_case(const arcl_profile *profile, const char *device, const char *name);
ARCL_API ARCL_CHECKED arcl_status arcl_profile_add_case(arcl_profile *profile, const char *device, const char *name,
                                                        arcl_error *error);

/* "", or why a profile cannot go on being measured on this context's devices: these are not what it was measured on. */
ARCL_API char *arcl_profile_mismatch(const arcl_profile *profile, arcl_context *context, char *buf, size_t size);

/* ---- plans ----
 *
 * What a run would do, and why, before it does. Runs on "auto" follow such a plan; this one is only to be looked at.
 * Making one is one at a time, with runs: it may run lanes, and looks at what was measured. */

typedef struct arcl_plan arcl_plan;

/* The plan for `lanes` lanes, 2^31 at most, by a profile, which must outlive it as the program must:
 *   NULL     that of the context, which must have one. Only devices that are here as they were measured are planned
 *            with; looking for them may test them.
 *   another  for the machine that it was measured on, whether or not its devices are here. Nothing is opened.
 * With a batch, some of its lanes are run on the host to see how much a lane does; without, typical values are
 * assumed. */
ARCL_API ARCL_CHECKED arcl_status arcl_plan_create(arcl_context *context, const arcl_profile *profile,
                                                   const arcl_program *program, const arcl_batch *batch, uint32_t lanes,
                                                   arcl_plan **plan, arcl_error *error);
ARCL_API void arcl_plan_free(arcl_plan *plan);

typedef struct arcl_plan_info {
    const char *device;             /* "host", "cl:0"; "parts" if there are several */
    const char *machine, *created;  /* the processor that the profile was measured on, and when */
    int here;                       /* it is for the devices that are here */
    double predicted;               /* nanoseconds */
    double fixed;                   /* of these, what is no op's: the call, chunks, gathering results */
    double input_bytes;             /* that are moved to devices, and how long that takes */
    double input_transfer;          /* predicted = fixed + input_transfer + what all ops take */
    uint32_t lanes, chunk, sampled; /* chunk: lanes run together; sampled: lanes looked at, 0 for typical values */
    int workers;
    int exact;      /* no better plan exists, by the profile; 0: none was found */
    int unmeasured; /* launches that the host's part of the profile does not know: they count as nothing */
} arcl_plan_info;
ARCL_API arcl_plan_info arcl_plan_get(const arcl_plan *plan);

/* What the whole program would cost on one device alone, in nanoseconds. */
typedef struct arcl_plan_device {
    const char *device, *name;
    int able;           /* it can run everything; otherwise: */
    const char *reason; /* why it is not planned with, "" if not all ops were measured there */
    int unmeasured;     /* launches that were not measured there */
    int extrapolated;   /* launches beyond what was measured */
    int workers;
    uint32_t chunk;
    double fixed, queue, execution, transfer, total;
    double open; /* for opening it and building kernels, once in a process; in no total: a run opens it when not having
                  * it has cost as much */
} arcl_plan_device;
ARCL_API int arcl_plan_devices(const arcl_plan *plan);
ARCL_API arcl_plan_device arcl_plan_device_get(const arcl_plan *plan, int index);

/* What the steps of the program cost, in their order. */
typedef struct arcl_plan_op {
    const char *op;       /* in the language's words: an op, or "for each element"; "" for a kernel that is no op */
    const char *kernel;   /* that does it */
    uint32_t step;        /* of the program */
    int inputs, input[4]; /* ops that it reads, or ARCL_PLAN_INPUT; constants are left out */
    int is_result;
    uint32_t scope, scope_above; /* whose lanes it goes over, and the scope that these belong to */
    int depth;                   /* 1: the lanes of the batch; more: of mapped functions; 0: shared by all lanes */
    double launches;             /* of all chunks together */
    double lanes, elements;      /* that a launch of each chunk goes over; a step that opens a scope: lanes of that */
    const char *device, *variant;
    double queue, execution; /* nanoseconds of the predicted time */
    double bytes, transfer;  /* of its value, that are moved to other devices; 0: it stays */
    const char *next_device; /* the next best; "" if there is none */
    double next_extra;       /* nanoseconds that the whole run would take more if it ran there */
    int measured, extrapolated;
    uint32_t
        flips_at; /* lanes from which on, or (if less than planned for) up to which, it runs elsewhere; 0: nowhere */
    const char *flips_to;
} arcl_plan_op;
#define ARCL_PLAN_INPUT (-1)
ARCL_API int arcl_plan_ops(const arcl_plan *plan);
ARCL_API arcl_plan_op arcl_plan_op_get(const arcl_plan *plan, int index);

/* The launches of a chunk in their order, and what one of them goes over for each lane of the chunk: as times are
 * measured, and predicted. */
typedef struct arcl_plan_launch {
    const char *kernel;
    double launches;        /* more than 1 in loops; less, if not every chunk gets there */
    double lanes, elements; /* of one launch, per lane of the chunk; 0 and 0: over one lane, however many there are */
    int is_team;            /* the plan is for one device, which runs it in this shape */
} arcl_plan_launch;
ARCL_API int arcl_plan_launches(const arcl_plan *plan);
ARCL_API arcl_plan_launch arcl_plan_launch_get(const arcl_plan *plan, int index);

#ifdef __cplusplus
}
#endif

#endif
