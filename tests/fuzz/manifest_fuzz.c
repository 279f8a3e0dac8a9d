/* The list of what is in a kernel store: whatever it says, only files of the store are touched, and what is recorded is
 * verified. the first byte says whether the others replace the list or are written into a right one. */
#include "fuzz/fuzz_file.h"
#include "fuzz/fuzz_target.h"
#include "opencl/manifest.h"

static char store[128], manifest[128], outside[128];

static void put(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", store, name);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f)) abort();
}

static void make_store(void) {
    if (!*store) {
        snprintf(store, sizeof store, "%s", fuzz_path("store"));
        snprintf(manifest, sizeof manifest, "%s", fuzz_path("manifest"));
        snprintf(outside, sizeof outside, "%s", fuzz_file("outside", "o", 1));
        atexit(fuzz_remove_files);
    }
    store_remove(store);
    if (mkdir(store, 0700)) abort();
    put("a", "kernel");
    put("b", "");
    put("last_accessed", "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    for (int alone = 0; alone < 2; alone++) {
        make_store();
        unlink(manifest);
        if (data[0] & 1 && !store_record(store, manifest)) abort();
        FILE *f = fopen(manifest, data[0] & 1 ? "r+b" : "wb"); /* over what was right, or instead of it */
        if (!f || fseek(f, data[0] >> 1, SEEK_SET) || fwrite(data + 1, 1, size - 1, f) != size - 1 || fclose(f))
            abort();
        store_verify(store, manifest, alone);
        if (access(outside, R_OK)) abort();
        if (!store_record(store, manifest)) abort();
        store_check again = store_verify(store, manifest, alone);
        if (again.damaged || again.manifest_damaged || again.stuck) abort();
    }
    store_remove(store);
    return 0;
}
