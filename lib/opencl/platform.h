/* What drivers say about their devices, and the verdict of the self-test. Shared by the files of lib/opencl only. */
#ifndef ARCL_OPENCL_PLATFORM_H
#define ARCL_OPENCL_PLATFORM_H
#include "opencl/api.h"
#include "opencl/opencl.h"

#define LEAST_BUFFER ((uint64_t)16 << 20) /* a device that cannot give one of these is of no use */

typedef enum { UNTESTED, PASSED, REFUSED } verdict;

typedef struct opencl_entry {
    cl_device_id device;   /* NULL: a platform without devices */
    arcl_device_info info; /* what it says; `state` and `reason` belong to the verdict */
    verdict verdict;
} opencl_entry;

struct opencl {
    opencl_entry *entries;
    int count;
    int listed;    /* whether the drivers have been asked */
    int no_memory; /* entries are missing: one more than `count` says so */
};

/* The entry of a device that may be opened. */
ARCL_CHECKED arcl_status opencl_entry_get(opencl *o, int index, opencl_entry **entry, arcl_error *error);

/* The device is wrong and stays so: no one may open it again. */
__attribute__((format(printf, 2, 3))) void opencl_entry_refuse(opencl_entry *e, const char *format, ...);

/* "clFinish failed on cl:0 (name): CL_OUT_OF_RESOURCES". */
arcl_status opencl_failure(const opencl_entry *e, arcl_status status, const char *call, cl_int code, arcl_error *error);

#endif
