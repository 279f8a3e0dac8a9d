/* Preloaded, it gives options to the LLVM with which PoCL compiles kernels, and for which PoCL has none.
 * tests/support/preload.py compiles it.
 *
 *   LLVM_USER      the library that uses it: PoCL's
 *   LLVM_OPTIONS   with spaces between them
 *
 * What LLVM writes to standard error is dropped: with -opt-bisect-limit that is tens of thousands of lines a kernel.
 * What the process prints there goes another way, inside of the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 }; /* options */

/* C has no conversion from what dlsym gives. */
static void find(void *library, const char *name, void *function) {
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) {
        fprintf(stderr, "llvm_options: there is no %s: %s\n", name, dlerror());
        abort();
    }
    memcpy(function, &found, sizeof found);
}

__attribute__((constructor)) static void give_options(void) {
    void (*parse)(int, const char *const *, const char *);
    const char *user = getenv("LLVM_USER"), *given = getenv("LLVM_OPTIONS"), *words[MOST + 1] = {"llvm"};
    if (!user || !given) return;
    int count = 1;
    for (char *at = strdup(given), *word; count <= MOST && (word = strtok(at, " ")); at = NULL) words[count++] = word;
    find(dlopen(user, RTLD_NOW), "LLVMParseCommandLineOptions", &parse); /* of the library's own dependencies, too */
    parse(count, words, NULL);
}

ssize_t write(int file, const void *from, size_t size) {
    static ssize_t (*next)(int, const void *, size_t);
    if (file == STDERR_FILENO) return (ssize_t)size;
    if (!next) find(RTLD_NEXT, "write", &next);
    return next(file, from, size);
}
