#define _GNU_SOURCE
#include "opencl/api.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "opencl/driver_cache.h"
#include "opencl/opencl.h"

#define SYSTEM_LOADER "libOpenCL.so.1"
#define PROCESSORS "/sys/devices/system/cpu"
#define AFFINITY "POCL_AFFINITY" /* 1: a processor for each of PoCL's threads */

/* ---- the functions of the system's loader ---- */

/* Process-wide, because drivers are: found once, under the lock, and only read after that. Tests ask for another
 * loader. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static opencl_api system_api;
static int loaded;
static const char *loader; /* NULL: the system's */
static int has_handler;    /* forks are noticed */

/* Looked at in every call, without the lock: whether the process has begun to use drivers, and whether that was done
 * by the one that this was forked from. A system call (getpid) would take as long as much of what is called. */
static atomic_int is_used, is_inherited;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define CALL(name, parameters, arguments) {#name, offsetof(opencl_api, name)},
#define MAKE(type, name, parameters, arguments) CALL(name, , )
#define DROP(name, parameters, arguments, made) CALL(name, , )
#include "opencl/api.def"
#undef CALL
#undef MAKE
#undef DROP
};

/* A loader that the process has already goes first: that is how oclgrind gets between programs and drivers. None is
 * ever unloaded, since drivers do not survive that. */
static arcl_status find_functions(arcl_error *error) {
    const char *name = loader ? loader : SYSTEM_LOADER;
    int present = !loader && dlsym(RTLD_DEFAULT, functions[0].name);
    errno = 0;
    void *library = present ? RTLD_DEFAULT : dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!present && !library) {
        if (errno == ENOMEM) return NO_MEMORY(error); /* it may well be installed */
        return error_set(error, ARCL_DEVICE_FAILED, "no OpenCL loader (%s) is installed", name);
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);
        if (!found)
            return error_set(error, ARCL_DEVICE_FAILED, "the OpenCL loader %s has no %s: it is older than OpenCL 1.2",
                             name, functions[i].name);
        memcpy((char *)&system_api + functions[i].offset, &found, sizeof found); /* C has no such conversion */
    }
    return ARCL_SUCCESS;
}

/* Without it PoCL, which counts processors there, ends the process. So it is in a chroot where nobody has mounted
 * it. */
static arcl_status check_machine(arcl_error *error) {
    if (access(PROCESSORS, F_OK) == 0) return ARCL_SUCCESS;
    return error_set(error, ARCL_DEVICE_FAILED, "there is no %s, which OpenCL drivers need: mount /sys (sysfs)",
                     PROCESSORS);
}

/* Whether this process may run on every processor that there is. */
static int has_all_processors(void) {
    cpu_set_t allowed;
    long all = sysconf(_SC_NPROCESSORS_CONF);
    if (all < 1 || all > CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed)) return 0;
    for (size_t n = 0; n < (size_t)all; n++)
        if (!CPU_ISSET(n, &allowed)) return 0;
    return 1;
}

/* A thread of PoCL is woken by one of ours, which sleeps an instant later, and goes where the system thinks best at
 * that instant: often behind the other one of PoCL's, for a millisecond. If its threads have a processor each, they
 * cannot meet. PoCL counts processors from 0, so that this is for whoever may use all, and has not said how many or
 * how otherwise. */
static int may_fix_threads(void) {
    return !getenv(AFFINITY) && !getenv("POCL_MAX_PTHREAD_COUNT") && !getenv("POCL_CPU_MAX_CU_COUNT") &&
           has_all_processors();
}

/* Drivers start when the first question is asked. Some lose memory then, from parts that they unload again: nothing
 * that a leak checker's suppressions could name. PoCL makes its threads then; programs that this process may start are
 * not told what it is told. */
static void start_drivers(void) {
    cl_uint count;
    int fixed = may_fix_threads() && setenv(AFFINITY, "1", 0) == 0;
#if defined(__SANITIZE_ADDRESS__)
    __lsan_disable();
#endif
    system_api.clGetPlatformIDs(0, NULL, &count);
#if defined(__SANITIZE_ADDRESS__)
    __lsan_enable();
#endif
    if (fixed) unsetenv(AFFINITY);
}

static void note_fork(void) { atomic_store(&is_inherited, atomic_load(&is_used)); }

static arcl_status notice_forks(arcl_error *error) {
    if (!has_handler && pthread_atfork(NULL, NULL, note_fork)) return NO_MEMORY(error);
    has_handler = 1;
    return ARCL_SUCCESS;
}

static int in_child(void) { return atomic_load_explicit(&is_inherited, memory_order_relaxed); }

arcl_status opencl_check_process(arcl_error *error) {
    if (!in_child()) return ARCL_SUCCESS;
    return error_set(error, ARCL_DEVICE_FAILED,
                     "OpenCL was used before this process was forked, and its drivers do not work in a child: use the "
                     "host here, fork before devices are looked for, or let the child run a program of its own (exec)");
}

arcl_status opencl_api_load(arcl_error *error) {
    PROPAGATE(opencl_check_process(error));
    pthread_mutex_lock(&lock);
    arcl_status status = notice_forks(error);
    if (status == ARCL_SUCCESS) atomic_store(&is_used, 1);
    if (status == ARCL_SUCCESS && !loaded) {
        cache_prepare();
        status = find_functions(error);
        if (status == ARCL_SUCCESS) status = check_machine(error);
        if (status == ARCL_SUCCESS) start_drivers();
        loaded = status == ARCL_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void opencl_api_loader(const char *name) {
    pthread_mutex_lock(&lock);
    loader = name;
    loaded = 0;
    pthread_mutex_unlock(&lock);
}

/* ---- calls that fail on demand ---- */

/* Of the process, for tests that run alone. */
static atomic_ulong calls, failing;
static atomic_int is_counting; /* a test has asked; threads that count together are in each other's way */
static atomic_long alive;

unsigned long opencl_api_fail_nth(unsigned long n) {
    atomic_store(&is_counting, 1);
    atomic_store(&failing, n);
    return atomic_exchange(&calls, 0);
}

long opencl_api_alive(void) { return atomic_load(&alive); }

static int injected(void) {
    if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return 0;
    unsigned long n = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;
    return n == atomic_load_explicit(&failing, memory_order_relaxed);
}

/* In a forked child no driver is called: it would wait for threads that are not there. */
#define FORKED_CODE CL_DEVICE_NOT_AVAILABLE
#define CALL(name, parameters, arguments)                                                                              \
    static cl_int call_##name parameters {                                                                             \
        if (in_child()) return FORKED_CODE;                                                                            \
        if (injected()) return INJECTED_CODE;                                                                          \
        return system_api.name arguments;                                                                              \
    }
#define MAKE(type, name, parameters, arguments)                                                                        \
    static type call_##name parameters {                                                                               \
        type made = NULL;                                                                                              \
        *code = in_child() ? FORKED_CODE : INJECTED_CODE;                                                              \
        if (!in_child() && !injected()) made = system_api.name arguments;                                              \
        atomic_fetch_add_explicit(&alive, made != NULL, memory_order_relaxed);                                         \
        return made;                                                                                                   \
    }
#define DROP(name, parameters, arguments, made)                                                                        \
    static cl_int call_##name parameters {                                                                             \
        if (made) atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);                                          \
        if (in_child()) return FORKED_CODE;                                                                            \
        return system_api.name arguments;                                                                              \
    }
#include "opencl/api.def"
#undef CALL
#undef MAKE
#undef DROP

const opencl_api cl_api = {
#define CALL(name, parameters, arguments) .name = call_##name,
#define MAKE(type, name, parameters, arguments) .name = call_##name,
#define DROP(name, parameters, arguments, made) .name = call_##name,
#include "opencl/api.def"
#undef CALL
#undef MAKE
#undef DROP
};

/* ---- codes ---- */

code_text opencl_code_name(cl_int code) {
    static const struct {
        cl_int code;
        const char *name;
    } codes[] = {
#define CODE(name) {CL_##name, "CL_" #name},
#include "opencl/codes.def"
#undef CODE
        {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    };
    code_text result;
    snprintf(result.text, sizeof result.text, "error %d", code);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code) snprintf(result.text, sizeof result.text, "%s", codes[i].name);
    return result;
}

int opencl_code_is_memory(cl_int code) {
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
}
