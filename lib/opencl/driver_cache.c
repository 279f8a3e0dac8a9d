#define _GNU_SOURCE
#include "opencl/driver_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cache_path.h"
#include "base/private_path.h"
#include "opencl/manifest.h"
#include "opencl/opencl.h"

#define ROOM_TO_START                                                                                                  \
    ((uint64_t)64 << 20) /* bytes that must be free: a driver that runs out of them ends the process */
#define ROOM_TO_BUILD ((uint64_t)16 << 20)
#define BUILD_WAIT_SECONDS 120
#define FORGET_SECONDS (30 * 24 * 3600) /* a store of other kernels that nobody used for so long is removed */

/* Process-wide, like the environment variable that it serves. Set once by prepare, and only read after that; the files
 * are locked, between threads by build_lock. */
static struct {
    char store[PATH_MAX];    /* what the drivers use */
    char manifest[PATH_MAX]; /* "" if the store is not ours to check */
    char notice[1024];
    char refusal[512];             /* why a directory is not private; "": it is */
    int lock, building, recording; /* open files; -1: none */
    pid_t temporary_of;            /* the process that removes the store at its end; 0: nobody */
} cache = {.lock = -1, .building = -1, .recording = -1};

static pthread_mutex_t build_lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t owner; /* the process that has prepared it all */

/* In a forked child the locks are its parent's, and a thread that is not there may hold build_lock. */
static int is_inherited(void) { return owner != getpid(); }

__attribute__((format(printf, 1, 2))) static void add_notice(const char *format, ...) {
    size_t used = strlen(cache.notice);
    va_list args;
    if (used && used + 2 < sizeof cache.notice) used += (size_t)sprintf(cache.notice + used, "; ");
    va_start(args, format);
    vsnprintf(cache.notice + used, sizeof cache.notice - used, format, args);
    va_end(args);
}

/* ---- directories ---- */

static int join(char to[PATH_MAX], const char *directory, const char *name) {
    if (snprintf(to, PATH_MAX, "%s/%s", directory, name) < PATH_MAX) return 1;
    errno = ENAMETOOLONG;
    return 0;
}

static uint64_t free_bytes(const char *directory) {
    struct statvfs s;
    return statvfs(directory, &s) ? UINT64_MAX : (uint64_t)s.f_bavail * s.f_frsize;
}

/* Why a directory cannot be used. */
static const char *reason(void) { return cache.refusal[0] ? cache.refusal : strerror(errno); }

/* Drivers load code from there: nobody else may have put it there. */
static int is_private(const char *directory) {
    char why[400];
    cache.refusal[0] = 0;
    if (path_is_private(directory, why, sizeof why)) return 1;
    snprintf(cache.refusal, sizeof cache.refusal, "%s, and could put code there that drivers run", why);
    return errno = EPERM, 0;
}

/* Whether files can be written there: the only test that knows of permissions, quotas and read-only disks alike. */
static int is_usable(const char *directory) {
    static const char text[4096] = "arcl";
    char path[PATH_MAX];
    cache.refusal[0] = 0;
    if (!cache_make_directory(directory) || !is_private(directory) || !join(path, directory, "probe-XXXXXX")) return 0;
    if (free_bytes(directory) < ROOM_TO_START) return errno = ENOSPC, 0;
    int file = mkostemp(path, O_CLOEXEC);
    if (file < 0) return 0;
    size_t written = 0;
    for (ssize_t n = 0; written < sizeof text && (n >= 0 || errno == EINTR); written += n > 0 ? (size_t)n : 0)
        n = write(file, text + written, sizeof text - written);
    int why = errno;
    close(file);
    unlink(path);
    return written == sizeof text ? 1 : (errno = why, 0);
}

/* ---- our own store ---- */

static int open_lock(const char *root, const char *name) {
    char path[PATH_MAX];
    return join(path, root, name) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
}

/* Other versions of arcl have other kernels and stores of their own; those that are out of use go. */
static void forget_old_stores(const char *parent, const char *own) {
    DIR *d = opendir(parent);
    char root[PATH_MAX];
    struct stat s;
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (strlen(e->d_name) != 16 || strcmp(e->d_name, own) == 0 || !join(root, parent, e->d_name)) continue;
        int lock = open_lock(root, "lock");
        if (lock < 0) continue;
        if (fstat(lock, &s) == 0 && time(NULL) - s.st_mtime > FORGET_SECONDS && flock(lock, LOCK_EX | LOCK_NB) == 0)
            store_remove(root);
        close(lock);
    }
    closedir(d);
}

/* Takes the lock that says "in use", and checks the store. The first process of several is alone and may tidy up. */
static int check_store(const char *root) {
    int alone = flock(cache.lock, LOCK_EX | LOCK_NB) == 0;
    if (!alone && (errno != EWOULDBLOCK || flock(cache.lock, LOCK_SH))) return 0;
    flock(cache.recording, LOCK_EX);
    store_check found = store_verify(cache.store, cache.manifest, alone);
    flock(cache.recording, LOCK_UN);
    futimens(cache.lock, NULL);
    if (alone && flock(cache.lock, LOCK_SH)) return 0;
    if (found.stuck) return errno = EPERM, 0;
    if (found.manifest_damaged)
        add_notice("the list of cached kernels in %s was damaged: kernels are built again", root);
    else if (found.damaged)
        add_notice("%d of the cached kernels in %s were damaged: they are built again", found.damaged, root);
    return 1;
}

static int use_own_store(void) {
    char parent[PATH_MAX], root[PATH_MAX], own[24];
    snprintf(own, sizeof own, "%016llx", (unsigned long long)opencl_kernel_hash());
    if (!cache_path(parent, sizeof parent, "pocl")) {
        add_notice("neither HOME nor XDG_CACHE_HOME is set");
        return 0;
    }
    if (join(root, parent, own) && join(cache.store, root, "store") && join(cache.manifest, root, "manifest") &&
        is_usable(cache.store) && (cache.lock = open_lock(root, "lock")) >= 0 &&
        (cache.building = open_lock(root, "building")) >= 0 && (cache.recording = open_lock(root, "recording")) >= 0 &&
        check_store(root)) {
        forget_old_stores(parent, own);
        return 1;
    }
    add_notice("the cache directory %s cannot be used (%s)", parent, reason());
    if (cache.lock >= 0) close(cache.lock);
    if (cache.building >= 0) close(cache.building);
    if (cache.recording >= 0) close(cache.recording);
    cache.lock = cache.building = cache.recording = -1;
    cache.manifest[0] = 0;
    return 0;
}

/* ---- a store for this process only ---- */

static void remove_temporary(void) {
    if (cache.temporary_of == getpid()) store_remove(cache.store); /* not in a forked child */
}

static int use_temporary_store(void) {
    const char *base = getenv("TMPDIR");
    const char *tried[] = {base && *base == '/' ? base : "/tmp", "/tmp"};
    for (int i = 0; i < 2; i++)
        if (join(cache.store, tried[i], "arcl-pocl-XXXXXX") && mkdtemp(cache.store)) {
            if (is_usable(cache.store)) {
                cache.temporary_of = getpid();
                atexit(remove_temporary);
                add_notice("kernels are built again in every process");
                return 1;
            }
            rmdir(cache.store);
        }
    add_notice("nor is there a usable temporary directory (%s): OpenCL may not work", reason());
    cache.store[0] = 0;
    return 0;
}

/* The store that a parent process of ours has set is ours as well. */
static int is_own_store(const char *path) {
    char parent[PATH_MAX];
    return cache_path(parent, sizeof parent, "pocl") && strncmp(path, parent, strlen(parent)) == 0;
}

static void prepare(void) {
    owner = getpid();
    const char *set = getenv("POCL_CACHE_DIR");
    if (set && *set && !is_own_store(set)) {
        snprintf(cache.store, sizeof cache.store, "%s", set);
        if (is_usable(set)) return;
        add_notice("POCL_CACHE_DIR, %s, cannot be used (%s)", set, reason());
        if (!use_temporary_store()) return;
    } else if (!use_own_store() && !use_temporary_store()) {
        return;
    }
    setenv("POCL_CACHE_DIR", cache.store, 1);
}

void cache_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
}

const char *cache_notice(void) { return cache.notice; }

/* ---- building ---- */

arcl_status cache_build_begin(arcl_error *error) {
    if (is_inherited()) return error_set(error, ARCL_DEVICE_FAILED, "kernels cannot be built in a forked process");
    if (cache.store[0] && free_bytes(cache.store) < ROOM_TO_BUILD)
        return error_set(error, ARCL_DEVICE_FAILED,
                         "no room to build kernels: the disk of %s is full. Free some space, or set XDG_CACHE_HOME",
                         cache.store);
    pthread_mutex_lock(&build_lock);
    const struct timespec pause = {.tv_nsec = 20000000};
    time_t until = time(NULL) + BUILD_WAIT_SECONDS; /* a process that hangs in its driver must not stop all others */
    while (cache.building >= 0 && flock(cache.building, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK &&
           time(NULL) < until)
        nanosleep(&pause, NULL);
    return ARCL_SUCCESS;
}

void cache_build_end(void) {
    if (cache.building >= 0) flock(cache.building, LOCK_UN);
    pthread_mutex_unlock(&build_lock);
}

void cache_record(void) {
    if (is_inherited()) return;
    pthread_mutex_lock(&build_lock);
    if (cache.manifest[0]) {
        flock(cache.recording, LOCK_EX);
        store_record(cache.store, cache.manifest); /* if it fails, what is new is built again next time */
        flock(cache.recording, LOCK_UN);
    }
    pthread_mutex_unlock(&build_lock);
}
