#include "opencl/clblast.h"

#include <dlfcn.h>
#include <string.h>

#include "opencl/driver_cache.h"

#define SYSTEM_LIBRARY "libclblast.so.1"

/* Process-wide, as in api.c: found once, and only read after that. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static int loaded;
static const char *library; /* NULL: the system's */
static clblast_sgemm *sgemm;
static clblast_clear_cache *clear_cache;

/* C has no conversion from what dlsym gives to a function. */
static int find(void *handle, const char *name, void *function) {
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* It is never unloaded: drivers do not survive that, and it holds on to them. */
static arcl_status find_functions(arcl_error *error) {
    const char *name = library ? library : SYSTEM_LIBRARY;
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error_set(error, ARCL_INVALID, "CLBlast (%s) is not installed; Debian's package is libclblast1", name);
    if (!find(handle, "CLBlastSgemm", &sgemm) || !find(handle, "CLBlastClearCache", &clear_cache))
        return error_set(error, ARCL_INVALID, "%s has no CLBlastSgemm or no CLBlastClearCache", name);
    loaded = 1;
    return ARCL_SUCCESS;
}

arcl_status clblast_load(arcl_error *error) {
    pthread_mutex_lock(&lock);
    arcl_status status = loaded ? ARCL_SUCCESS : find_functions(error);
    pthread_mutex_unlock(&lock);
    return status;
}

void clblast_library(const char *name) {
    pthread_mutex_lock(&lock);
    library = name;
    loaded = 0;
    pthread_mutex_unlock(&lock);
}

void clblast_forget(void) {
    pthread_mutex_lock(&lock);
    if (loaded) clear_cache();
    pthread_mutex_unlock(&lock);
}

/* Any product may compile something, so each counts as building. The codes that CLBlast shares with OpenCL are
 * equal. */
arcl_status clblast_multiply_add(opencl_device *d, const clblast_product *p, arcl_error *error) {
    if (d->dead) return error_set(error, d->dead, "%s", d->why.message);
    PROPAGATE(cache_build_begin(error));
    int code = sgemm(CLBLAST_ROW_MAJOR, CLBLAST_AS_IT_IS, CLBLAST_TRANSPOSED, p->m, p->n, p->k, 1.0f, d->arena,
                     2 * (size_t)p->a, p->k, d->arena, 2 * (size_t)p->b, p->k, 1.0f, d->arena, 2 * (size_t)p->c, p->n,
                     &d->queue, NULL);
    cache_build_end();
    d->unrecorded = 1;
    d->busy = 1;
    if (code) return device_failed(d, "CLBlastSgemm", code, error);
    d->counters.launches++;
    return ARCL_SUCCESS;
}
