/* The list of compiled kernels: what differs from it is found, also where writing it, or reading it, failed before.
 * With failing_calls.c preloaded, as api_allocation_test.py does, each call that it makes fails once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <greatest.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opencl/manifest.h"

static char folder[] = "/tmp/arcl-manifest-XXXXXX", store[64], manifest[64];

static int put(const char *name, const char *content) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", store, name);
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fputs(content, f);
    return fclose(f) == 0;
}

static int has(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", store, name);
    return access(path, F_OK) == 0;
}

static int files_beside_the_store(void) {
    char command[128];
    snprintf(command, sizeof command, "test $(ls %s | grep -v '^store$' | wc -l) -le 1", folder);
    return system(command) == 0;
}

TEST what_differs_is_found(void) {
    ASSERT(put("a", "kernel") && put("b", "another"));
    ASSERT(store_record(store, manifest));
    store_check found = store_verify(store, manifest, 1);
    ASSERT_EQ(0, found.damaged + found.unlisted + found.manifest_damaged + found.stuck);
    ASSERT(put("a", "broken") && put("c", "left behind"));
    found = store_verify(store, manifest, 1);
    ASSERT(found.damaged == 1 && found.unlisted == 1);
    ASSERT(!has("a") && has("b") && !has("c"));
    PASS();
}

/* Whatever failed while it was recorded: what is there later is what was put there, or nothing. */
TEST failing_calls(const char *kind) {
    long (*at)(const char *, long), calls = 1;
    void *function = dlsym(RTLD_DEFAULT, "failing_calls_at");
    if (!function) SKIPm("failing_calls.c is not preloaded");
    memcpy(&at, &function, sizeof at); /* C has no such conversion */
    for (long n = 1; n <= calls; n++) {
        ASSERT(put("a", "kernel") && put("b", "another"));
        at(kind, n);
        store_record(store, manifest);
        calls = at(kind, 0);
        ASSERT(put("b", "broken"));
        store_check found = store_verify(store, manifest, 1);
        ASSERTm(kind, !has("b") && !found.stuck);
        ASSERT(put("a", "kernel") && store_record(store, manifest));
        at(kind, n);
        found = store_verify(store, manifest, 1);
        at(kind, 0);
        found = store_verify(store, manifest, 1);
        ASSERTm(kind, found.damaged == 0 && found.stuck == 0);
        ASSERT(files_beside_the_store());
    }
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    char command[64];
    GREATEST_MAIN_BEGIN();
    unsetenv("LD_PRELOAD"); /* rm and others, below, are none of its business */
    if (!mkdtemp(folder)) return 1;
    snprintf(store, sizeof store, "%s/store", folder);
    snprintf(manifest, sizeof manifest, "%s/manifest", folder);
    if (mkdir(store, 0700)) return 1;
    RUN_TEST(what_differs_is_found);
    RUN_TESTp(failing_calls, "memory");
    RUN_TESTp(failing_calls, "open");
    RUN_TESTp(failing_calls, "close");
    RUN_TESTp(failing_calls, "rename");
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) return 1;
    GREATEST_MAIN_END();
}
