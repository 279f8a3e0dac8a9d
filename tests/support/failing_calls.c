/* A system that fails: preloaded, it lets one call of a kind fail, or all from one on, as a machine without memory or
 * with a full disk would. tests/support/failing.py compiles it and says how it is used.
 *
 *   FAIL_KIND   memory (malloc and its kin, mmap), or one of open, write, sync, close, rename, chmod: files. stdio
 *               calls the kernel by itself, so streams fail where they are opened, flushed and closed
 *   FAIL_AT     the number of the call that fails, from 1
 *   FAIL_ON     if set, all later ones fail too
 *   FAIL_ERROR  the value of errno; ENOMEM for memory and EIO for files, if it is not set
 *   FAIL_SHORT  if set, write takes one byte instead of failing
 *   FAIL_COUNT  a file that gets the number of calls when the process ends
 *
 * A program may fail calls of its own by failing_calls_at, which it finds with dlsym. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { MEMORY, OPEN, WRITE, SYNC, CLOSE, RENAME, CHMOD, NONE };
static const char *const kind_names[NONE] = {"memory", "open", "write", "sync", "close", "rename", "chmod"};

static atomic_long calls, failing;
static enum kind kind = NONE;
static int goes_on, is_short, code;

/* dlsym allocates while malloc is being looked for. */
static _Alignas(16) char early[1 << 14];
static size_t early_used;

static void *next_function(const char *name) { return dlsym(RTLD_NEXT, name); }

/* Makes `next` the function that the present one stands before. C has no conversion from what dlsym gives. */
#define NEXT(result, name, ...)                                                                                        \
    static result (*next)(__VA_ARGS__);                                                                                \
    if (!next) {                                                                                                       \
        void *found = next_function(#name);                                                                            \
        memcpy(&next, &found, sizeof next);                                                                            \
    }

static int fails(enum kind wanted) {
    if (kind != wanted) return 0;
    long n = atomic_fetch_add(&calls, 1) + 1, at = atomic_load(&failing);
    if (!at || n < at || (n > at && !goes_on)) return 0;
    errno = code;
    return 1;
}

static enum kind find_kind(const char *name) {
    int i = 0;
    while (i < NONE && strcmp(kind_names[i], name) != 0) i++;
    return (enum kind)i;
}

/* The calls from now on are counted from 1 again, and the nth of that kind fails; 0: none. Returns how many there were
 * before. */
long failing_calls_at(const char *name, long n) {
    kind = find_kind(name);
    code = kind == MEMORY ? ENOMEM : EIO;
    atomic_store(&failing, n);
    return atomic_exchange(&calls, 0);
}

__attribute__((constructor)) static void start(void) {
    const char *name = getenv("FAIL_KIND"), *at = getenv("FAIL_AT"), *with = getenv("FAIL_ERROR");
    if (name) kind = find_kind(name);
    goes_on = getenv("FAIL_ON") != NULL;
    is_short = getenv("FAIL_SHORT") != NULL;
    code = with ? atoi(with) : kind == MEMORY ? ENOMEM : EIO;
    atomic_store(&failing, at ? atol(at) : 0);
    atomic_store(&calls, 0);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAIL_COUNT");
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    kind = NONE;
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0) return;
    if (write(file, text, (size_t)length) != length) abort();
    close(file);
}

/* ---- memory ---- */

static int is_early(const void *memory) {
    return (const char *)memory >= early && (const char *)memory < early + sizeof early;
}

static void *take_early(size_t size) {
    void *memory = early + early_used;
    early_used += (size + 15) & ~(size_t)15;
    if (early_used > sizeof early) abort();
    return memory;
}

static int is_looking;

static void *(*next_malloc)(size_t), *(*next_calloc)(size_t, size_t), *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);

static int is_ready(void) {
    if (next_free) return 1;
    if (is_looking) return 0;
    is_looking = 1;
    void *found[] = {next_function("malloc"), next_function("calloc"), next_function("realloc"), next_function("free")};
    memcpy(&next_malloc, &found[0], sizeof next_malloc);
    memcpy(&next_calloc, &found[1], sizeof next_calloc);
    memcpy(&next_realloc, &found[2], sizeof next_realloc);
    memcpy(&next_free, &found[3], sizeof next_free);
    return 1;
}

void *malloc(size_t size) {
    if (!is_ready()) return take_early(size);
    return fails(MEMORY) ? NULL : next_malloc(size);
}

void *calloc(size_t count, size_t size) {
    if (!is_ready()) return take_early(count * size);
    return fails(MEMORY) ? NULL : next_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    if (!is_ready() || is_early(old)) {
        void *memory = malloc(size);
        if (memory && old) memcpy(memory, old, size); /* what follows it is ours as well */
        return memory;
    }
    return fails(MEMORY) ? NULL : next_realloc(old, size);
}

void free(void *memory) {
    if (is_ready() && !is_early(memory)) next_free(memory);
}

void *aligned_alloc(size_t align, size_t size) {
    NEXT(void *, aligned_alloc, size_t, size_t)
    return fails(MEMORY) ? NULL : next(align, size);
}

int posix_memalign(void **memory, size_t align, size_t size) {
    NEXT(int, posix_memalign, void **, size_t, size_t)
    return fails(MEMORY) ? ENOMEM : next(memory, align, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    NEXT(void *, mmap, void *, size_t, int, int, int, off_t)
    return fails(MEMORY) ? MAP_FAILED : next(at, size, protection, flags, file, offset);
}

/* ---- files ---- */

int open(const char *path, int flags, ...) {
    NEXT(int, open, const char *, int, ...)
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(arguments, int) : 0;
    va_end(arguments);
    return fails(OPEN) ? -1 : next(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    NEXT(FILE *, fopen, const char *, const char *)
    return fails(OPEN) ? NULL : next(path, mode);
}

FILE *fdopen(int file, const char *mode) {
    NEXT(FILE *, fdopen, int, const char *)
    return fails(OPEN) ? NULL : next(file, mode);
}

int mkstemp(char *path) {
    NEXT(int, mkstemp, char *)
    return fails(OPEN) ? -1 : next(path);
}

int mkostemp(char *path, int flags) {
    NEXT(int, mkostemp, char *, int)
    return fails(OPEN) ? -1 : next(path, flags);
}

ssize_t write(int file, const void *from, size_t size) {
    NEXT(ssize_t, write, int, const void *, size_t)
    if (!fails(WRITE)) return next(file, from, size);
    return is_short && size > 1 ? next(file, from, 1) : -1;
}

int fflush(FILE *stream) {
    NEXT(int, fflush, FILE *)
    return next(stream) || (stream != stderr && fails(WRITE)) ? EOF : 0;
}

int fsync(int file) {
    NEXT(int, fsync, int)
    return fails(SYNC) ? -1 : next(file);
}

int fclose(FILE *stream) {
    NEXT(int, fclose, FILE *)
    int status = next(stream); /* it is closed whatever it says */
    return fails(CLOSE) ? EOF : status;
}

int close(int file) {
    NEXT(int, close, int)
    int status = next(file);
    return fails(CLOSE) ? -1 : status;
}

int rename(const char *from, const char *to) {
    NEXT(int, rename, const char *, const char *)
    return fails(RENAME) ? -1 : next(from, to);
}

int fchmod(int file, mode_t mode) {
    NEXT(int, fchmod, int, mode_t)
    return fails(CHMOD) ? -1 : next(file, mode);
}
