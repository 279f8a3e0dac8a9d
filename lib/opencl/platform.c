#include "opencl/platform.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/driver_cache.h"
#include "opencl/sources.h"

#define MOST_PLATFORMS 64u
#define MOST_DEVICES 64u

opencl *opencl_create(void) { return calloc(1, sizeof(opencl)); }

void opencl_free(opencl *o) {
    if (!o) return;
    free(o->entries);
    free(o);
}

const char *opencl_notice(void) { return cache_notice(); }
uint64_t opencl_kernel_hash(void) { return opencl_sources_hash; }

/* ---- asking the drivers ---- */

static opencl_entry *add_entry(opencl *o) {
    opencl_entry *grown = realloc(o->entries, ((size_t)o->count + 1) * sizeof *grown);
    o->no_memory |= !grown;
    if (!grown) return NULL;
    o->entries = grown;
    memset(&grown[o->count], 0, sizeof *grown);
    return &grown[o->count++];
}

/* An entry for what has no device. */
__attribute__((format(printf, 3, 4))) static void add_absent(opencl *o, const char *platform, const char *format, ...) {
    opencl_entry *e = add_entry(o);
    va_list args;
    if (!e) return;
    snprintf(e->info.platform, sizeof e->info.platform, "%s", platform);
    e->info.state = ARCL_DEVICE_ABSENT;
    e->verdict = REFUSED;
    va_start(args, format);
    vsnprintf(e->info.reason, sizeof e->info.reason, format, args);
    va_end(args);
}

void opencl_entry_refuse(opencl_entry *e, const char *format, ...) {
    va_list args;
    e->verdict = REFUSED;
    e->info.state = ARCL_DEVICE_REFUSED;
    va_start(args, format);
    vsnprintf(e->info.reason, sizeof e->info.reason, format, args);
    va_end(args);
}

/* One line of text without blanks around it: names come with both. */
static void tidy(char *text) {
    size_t from = strspn(text, " \t\n"), n = strlen(text + from);
    memmove(text, text + from, n + 1);
    while (n && isspace((unsigned char)text[n - 1])) text[--n] = 0;
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
}

/* Texts may be longer than we have room for, and then the driver says nothing at all: hence the detour. */
static cl_int device_text(cl_device_id d, cl_device_info what, char *to, size_t room) {
    size_t size = 0;
    cl_int code = cl_api.clGetDeviceInfo(d, what, 0, NULL, &size);
    char *text = code == CL_SUCCESS ? calloc(size + 1, 1) : NULL;
    if (code == CL_SUCCESS) code = text ? cl_api.clGetDeviceInfo(d, what, size, text, NULL) : CL_OUT_OF_HOST_MEMORY;
    if (code == CL_SUCCESS) {
        tidy(text);
        snprintf(to, room, "%s", text);
    }
    free(text);
    return code;
}

static const char *kind_name(cl_device_type type) {
    return type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "cpu";
}

/* Fills in what the driver says; the first failure ends it. */
static cl_int ask_device(opencl_entry *e, cl_bool *compiler, cl_bool *little, cl_bool *available) {
    arcl_device_info *i = &e->info;
    cl_ulong memory = 0, buffer = 0, local = 0, near = 0;
    size_t group = 0;
    cl_uint units = 0;
    cl_device_type type = 0;
    const struct {
        cl_device_info what;
        size_t size;
        void *to;
    } questions[] = {
        {CL_DEVICE_TYPE, sizeof type, &type},
        {CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units},
        {CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory},
        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof buffer, &buffer},
        {CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local},
        {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof near, &near},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group},
        {CL_DEVICE_COMPILER_AVAILABLE, sizeof *compiler, compiler},
        {CL_DEVICE_ENDIAN_LITTLE, sizeof *little, little},
        {CL_DEVICE_AVAILABLE, sizeof *available, available},
    };
    cl_int code = device_text(e->device, CL_DEVICE_NAME, i->name, sizeof i->name);
    if (code == CL_SUCCESS) code = device_text(e->device, CL_DRIVER_VERSION, i->driver, sizeof i->driver);
    for (size_t q = 0; code == CL_SUCCESS && q < sizeof questions / sizeof *questions; q++)
        code = cl_api.clGetDeviceInfo(e->device, questions[q].what, questions[q].size, questions[q].to, NULL);
    snprintf(i->kind, sizeof i->kind, "%s", kind_name(type));
    i->compute_units = units ? units : 1;
    i->memory = memory;
    i->largest_buffer = buffer;
    i->local_memory = local;
    i->cache = near;
    i->largest_group = group > UINT32_MAX ? UINT32_MAX : (uint32_t)group;
    return code;
}

static void describe_device(opencl_entry *e) {
    cl_bool compiler = CL_FALSE, little = CL_FALSE, available = CL_FALSE;
    cl_int code = ask_device(e, &compiler, &little, &available);
    if (code != CL_SUCCESS)
        opencl_entry_refuse(e, "its driver does not describe it: clGetDeviceInfo gives %s",
                            opencl_code_name(code).text);
    else if (!available)
        opencl_entry_refuse(e, "its driver says that it is not available");
    else if (!compiler)
        opencl_entry_refuse(e, "its driver has no compiler");
    else if (!little)
        opencl_entry_refuse(e, "it is big-endian");
    else if (e->info.largest_buffer < LEAST_BUFFER)
        opencl_entry_refuse(e, "it gives buffers of up to %llu bytes only; %llu are needed",
                            (unsigned long long)e->info.largest_buffer, (unsigned long long)LEAST_BUFFER);
    else if (!e->info.largest_group)
        opencl_entry_refuse(e, "it has no work-groups");
}

static void list_devices(opencl *o, cl_platform_id platform, int *number) {
    char name[128] = "?";
    cl_device_id ids[MOST_DEVICES];
    cl_uint count = 0;
    cl_api.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    tidy(name);
    cl_int code = cl_api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR,
                                        MOST_DEVICES, ids, &count);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && !count)) {
        add_absent(o, name, "its driver finds no device");
        return;
    }
    if (code != CL_SUCCESS) {
        add_absent(o, name, "its driver does not start: clGetDeviceIDs gives %s", opencl_code_name(code).text);
        return;
    }
    for (cl_uint n = 0; n < count && n < MOST_DEVICES; n++) {
        opencl_entry *e = add_entry(o);
        if (!e) return;
        e->device = ids[n];
        snprintf(e->info.id, sizeof e->info.id, "cl:%d", (*number)++);
        snprintf(e->info.platform, sizeof e->info.platform, "%s", name);
        describe_device(e);
    }
}

static void list(opencl *o) {
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint count = 0;
    arcl_error error;
    int number = 0;
    if (o->listed) return;
    o->listed = 1;
    if (opencl_api_load(&error)) {
        add_absent(o, "OpenCL", "%.200s", error.message);
        return;
    }
    cl_int code = cl_api.clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    if (code != CL_SUCCESS || !count)
        add_absent(o, "OpenCL", "no OpenCL driver is installed (clGetPlatformIDs gives %s)",
                   opencl_code_name(code).text);
    for (cl_uint p = 0; code == CL_SUCCESS && p < count && p < MOST_PLATFORMS; p++)
        list_devices(o, platforms[p], &number);
}

/* ---- answering ---- */

int opencl_count(opencl *o) {
    list(o);
    return o->count + o->no_memory;
}

void opencl_describe(opencl *o, int index, arcl_device_info *info) {
    if (index < 0 || index >= o->count)
        *info = (arcl_device_info){.platform = "OpenCL", .state = ARCL_DEVICE_ABSENT, .reason = "out of memory"};
    else
        *info = o->entries[index].info;
}

static int contains(const char *text, const char *part) {
    size_t n = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < n && text[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) i++;
        if (i == n) return 1;
    }
    return 0;
}

/* " cl:0 (name), cl:1 (name)": the devices whose names contain `part`; all for "". */
static int name_devices(const opencl *o, const char *part, char *to, size_t room, int *last) {
    size_t used = 0;
    int n = 0;
    to[0] = 0;
    for (int i = 0; i < o->count; i++) {
        const arcl_device_info *info = &o->entries[i].info;
        if (!info->id[0] || (*part && !contains(info->name, part))) continue;
        if (used < room)
            used += (size_t)snprintf(to + used, room - used, "%s %s (%s)", n ? "," : "", info->id, info->name);
        *last = i;
        n++;
    }
    return n;
}

int opencl_find(opencl *o, const char *wanted, arcl_error *error) {
    char names[768];
    int at = -1;
    list(o);
    for (int i = 0; i < o->count; i++)
        if (o->entries[i].info.id[0] && strcmp(o->entries[i].info.id, wanted) == 0) return i;
    int matches = *wanted && strncmp(wanted, "cl:", 3) != 0 ? name_devices(o, wanted, names, sizeof names, &at) : 0;
    if (matches == 1) return at;
    if (matches > 1) {
        error_set(error, ARCL_INVALID, "several OpenCL devices are called \"%.100s\":%s", wanted, names);
        return -2;
    }
    if (name_devices(o, "", names, sizeof names, &at))
        error_set(error, ARCL_INVALID, "there is no OpenCL device \"%.100s\"; there are:%s", wanted, names);
    else
        error_set(error, ARCL_INVALID, "there is no OpenCL device \"%.100s\": %s", wanted,
                  o->count ? o->entries[0].info.reason : "out of memory");
    return -1;
}

arcl_status opencl_entry_get(opencl *o, int index, opencl_entry **entry, arcl_error *error) {
    list(o);
    if (index < 0 || index >= o->count) return error_set(error, ARCL_INVALID, "there is no OpenCL device %d", index);
    *entry = &o->entries[index];
    if ((*entry)->verdict != REFUSED) return ARCL_SUCCESS;
    if (!(*entry)->device)
        return error_set(error, ARCL_DEVICE_FAILED, "%s: %s", (*entry)->info.platform, (*entry)->info.reason);
    return error_set(error, ARCL_DEVICE_FAILED, "%s (%s) is refused: %s", (*entry)->info.id, (*entry)->info.name,
                     (*entry)->info.reason);
}

arcl_status opencl_failure(const opencl_entry *e, arcl_status status, const char *call, cl_int code,
                           arcl_error *error) {
    PROPAGATE(opencl_check_process(error));
    return error_set(
        error, status, "%s failed on %s (%s): %s. %s", call, e->info.id, e->info.name, opencl_code_name(code).text,
        status == ARCL_NO_MEMORY ? "Lower the memory limit, or use another device" : "Use another device, or the host");
}
