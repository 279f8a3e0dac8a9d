/* Kernels of an open device: a family's text is built when one of its kernels is first launched. Knows how drivers fail
 * to build; not what the kernels do. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "opencl/device.h"
#include "opencl/driver_cache.h"
#include "opencl/sources.h"

/* Nothing that a user wrote is ever part of a kernel's text or of these options. */
#define BUILD_OPTIONS "-cl-std=CL1.2"
#define ONE_ITEM_OPTIONS BUILD_OPTIONS " -DARCL_ONE_ITEM" /* see cl/frame.h */
static const char *const team_options[OPENCL_SHAPES] = {
#define SHAPE(name, members, cells) [name] = BUILD_OPTIONS " -DARCL_TEAM=" #members " -DARCL_TEAM_CELLS=" #cells,
    TEAM_SHAPES(SHAPE)
#undef SHAPE
};

static const char *build_options(const opencl_device *d, opencl_shape shape) {
    if (shape != SHAPE_LANE) return team_options[shape];
    return d->items == 1 ? ONE_ITEM_OPTIONS : BUILD_OPTIONS;
}

static const struct {
    const char *family, *name, *team_name;
} rows[ALL_KERNELS] = {
#define KERNEL(family, name, traits) [KERNEL_##name] = {#family, "arcl_" #name, "arcl_team_" #name},
#include "ops/kernels.def"
#undef KERNEL
#define SELFTEST(name, title) [SELFTEST_##name] = {"selftest", "arcl_selftest_" #name, NULL},
#include "opencl/selftest.def"
#undef SELFTEST
#define DEVICE_KERNEL(family, name) [DEVICE_##name] = {#family, "arcl_" #name, NULL},
#include "opencl/device_kernels.def"
#undef DEVICE_KERNEL
};

static int source_index(const char *family) {
    for (int i = 0; i < opencl_source_count; i++)
        if (strcmp(opencl_sources[i].family, family) == 0) return i;
    return -1;
}

/* ---- programs ---- */

/* The beginning of the driver's log, where the first error is, on few lines. */
static void first_of_log(opencl_device *d, cl_program program, char *to, size_t room) {
    size_t size = 0, used = 0;
    to[0] = 0;
    if (cl_api.clGetProgramBuildInfo(program, d->entry->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS)
        return;
    char *log = calloc(size + 1, 1);
    if (log &&
        cl_api.clGetProgramBuildInfo(program, d->entry->device, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS) {
        for (const char *c = log; *c && used + 1 < room; c++)
            if (!isspace((unsigned char)*c) || (used && !isspace((unsigned char)to[used - 1]))) to[used++] = *c;
        to[used] = 0;
    }
    free(log);
}

/* One attempt. On failure *call says what failed. */
static cl_int build_once(opencl_device *d, int source, opencl_shape shape, cl_program *program, const char **call) {
    const char *text = opencl_sources[source].text;
    size_t length = opencl_sources[source].length;
    cl_int code = CL_SUCCESS;
    *call = "clCreateProgramWithSource";
    *program = cl_api.clCreateProgramWithSource(d->context, 1, &text, &length, &code);
    if (!*program) return code == CL_SUCCESS ? CL_INVALID_PROGRAM : code;
    *call = "clBuildProgram";
    return cl_api.clBuildProgram(*program, 1, &d->entry->device, build_options(d, shape), NULL, NULL);
}

static void release_program(cl_program *program) {
    if (*program) cl_api.clReleaseProgram(*program);
    *program = NULL;
}

/* A build that fails is tried once more: a few of many processes that start on an empty cache fail for no reason. */
static arcl_status build(opencl_device *d, int source, opencl_shape shape, cl_program *built, arcl_error *error) {
    cl_program program = NULL;
    const char *call;
    char what[64], log[512];
    arcl_error why;
    int64_t begin = clock_nanoseconds();
    PROPAGATE(cache_build_begin(error));
    cl_int code = build_once(d, source, shape, &program, &call);
    if (code != CL_SUCCESS) {
        release_program(&program);
        code = build_once(d, source, shape, &program, &call);
    }
    cache_build_end();
    d->counters.builds++;
    d->counters.build_nanoseconds += clock_since(begin);
    if (code == CL_SUCCESS) {
        *built = program;
        return ARCL_SUCCESS;
    }
    snprintf(what, sizeof what, "%s of cl/%s.cl", call, opencl_sources[source].family);
    log[0] = 0;
    if (program) first_of_log(d, program, log, sizeof log);
    release_program(&program);
    if (opencl_code_is_memory(code)) return opencl_failure(d->entry, ARCL_NO_MEMORY, what, code, error);
    opencl_failure(d->entry, ARCL_DEVICE_FAILED, what, code, &why);
    size_t used = strlen(why.message);
    if (log[0]) snprintf(why.message + used, sizeof why.message - used, ". The driver says: %s", log);
    return device_die(d, &why, error);
}

/* ---- kernels ---- */

/* How many work-items a group of this kernel has: what its text requires, or the device's habit if that is possible. */
static cl_int group_size(opencl_device *d, cl_kernel kernel, size_t *local) {
    size_t required[3] = {0}, most = 0;
    cl_int code = cl_api.clGetKernelWorkGroupInfo(kernel, d->entry->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                                  sizeof required, required, NULL);
    if (code == CL_SUCCESS)
        code = cl_api.clGetKernelWorkGroupInfo(kernel, d->entry->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                               NULL);
    *local = required[0] ? required[0] : most && most < d->local ? most : d->local;
    return code;
}

/* Another queue of the device may be about to build the same. */
static arcl_status built_program(opencl_device *d, int source, opencl_shape shape, cl_program *program,
                                 arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    cl_program *kept = &d->base->programs[(int)shape * opencl_source_count + source];
    pthread_mutex_lock(&d->base->lock);
    if (!*kept) status = build(d, source, shape, kept, error);
    *program = *kept;
    pthread_mutex_unlock(&d->base->lock);
    return status;
}

arcl_status device_kernel(opencl_device *d, unsigned id, opencl_shape shape, opencl_kernel **found, arcl_error *error) {
    *found = shape == SHAPE_LANE ? &d->kernels[id] : &d->teams[shape - 1][id];
    if ((*found)->kernel) return ARCL_SUCCESS;
    int source = rows[id].family ? source_index(rows[id].family) : -1;
    if (source < 0) return error_set(error, ARCL_INVALID, "there is no kernel %u", id);
    const char *name = shape == SHAPE_LANE ? rows[id].name : rows[id].team_name;
    cl_program program;
    PROPAGATE(built_program(d, source, shape, &program, error));

    char call[128];
    cl_int code = CL_SUCCESS;
    size_t local = 0;
    snprintf(call, sizeof call, "clCreateKernel of %s", name);
    cl_kernel kernel = cl_api.clCreateKernel(program, name, &code);
    if (!kernel) return device_failed(d, call, code, error);
    code = cl_api.clSetKernelArg(kernel, 0, sizeof d->arena, &d->arena);
    if (code == CL_SUCCESS) code = group_size(d, kernel, &local);
    if (code != CL_SUCCESS) {
        cl_api.clReleaseKernel(kernel);
        snprintf(call, sizeof call, "setting up %s", name);
        return device_failed(d, call, code, error);
    }
    (*found)->kernel = kernel;
    (*found)->local = local;
    d->unrecorded = 1;
    return ARCL_SUCCESS;
}

/* ---- what queues share ---- */

arcl_status device_base_create(opencl_device *d, arcl_error *error) {
    cl_int code = CL_SUCCESS;
    opencl_base *b = calloc(1, sizeof *b);
    if (!b) return NO_MEMORY(error);
    pthread_mutex_init(&b->lock, NULL);
    b->users = 1;
    d->base = b;
    b->programs = calloc((size_t)opencl_source_count * OPENCL_SHAPES, sizeof *b->programs);
    if (!b->programs) return NO_MEMORY(error);
    d->context = b->context = cl_api.clCreateContext(NULL, 1, &d->entry->device, NULL, NULL, &code);
    return b->context ? ARCL_SUCCESS : device_failed(d, "clCreateContext", code, error);
}

void device_base_join(opencl_device *d, opencl_base *base) {
    pthread_mutex_lock(&base->lock);
    base->users++;
    pthread_mutex_unlock(&base->lock);
    d->base = base;
    d->context = base->context;
}

void device_base_leave(opencl_device *d) {
    opencl_base *b = d->base;
    for (int i = 0; i < ALL_KERNELS; i++)
        if (d->kernels[i].kernel) cl_api.clReleaseKernel(d->kernels[i].kernel);
    for (int s = 0; s < OPENCL_SHAPES - 1; s++)
        for (int i = 0; i < KERNEL_COUNT; i++)
            if (d->teams[s][i].kernel) cl_api.clReleaseKernel(d->teams[s][i].kernel);
    if (!b) return;
    pthread_mutex_lock(&b->lock);
    int others = --b->users;
    pthread_mutex_unlock(&b->lock);
    if (others) return;
    for (int i = 0; b->programs && i < opencl_source_count * OPENCL_SHAPES; i++) release_program(&b->programs[i]);
    if (b->context) cl_api.clReleaseContext(b->context);
    pthread_mutex_destroy(&b->lock);
    free(b->programs);
    free(b);
}
