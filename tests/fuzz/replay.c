/* A fuzz target without libFuzzer: runs it on files, and on those of folders, as any compiler can build it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_target.h"

static int replayed;

static int replay_file(const char *path) {
    FILE *f = fopen(path, "rb");
    size_t size = 0, room = 1 << 12;
    uint8_t *data = malloc(room);
    if (!f || !data) {
        fprintf(stderr, "%s cannot be read\n", path);
        if (f) fclose(f);
        free(data);
        return 0;
    }
    for (size_t n; (n = fread(data + size, 1, room - size, f));) {
        size += n;
        if (size < room) continue;
        uint8_t *grown = realloc(data, room *= 2);
        if (!grown) abort();
        data = grown;
    }
    fclose(f);
    uint8_t *exact = malloc(size + !size); /* so that reading beyond the end is found */
    if (!exact) abort();
    memcpy(exact, data, size);
    free(data);
    fprintf(stderr, "%s\n", path); /* the last one that is named is the one that has failed */
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    replayed++;
    return 1;
}

static int replay(const char *path) {
    DIR *folder = opendir(path);
    int done = 1;
    if (!folder) return replay_file(path);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char inner[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        done &= replay(inner);
    }
    closedir(folder);
    return done;
}

int main(int argc, char **argv) {
    int done = 1;
    for (int i = 1; i < argc; i++) done &= replay(argv[i]);
    printf("%d inputs\n", replayed);
    return done && replayed ? EXIT_SUCCESS : EXIT_FAILURE;
}
