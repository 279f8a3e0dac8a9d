/* The bytes that are shared: of each list how many paths, and these; then how many files, and of each its path, why it
 * could not be read ("": it could), how long it is, and its bytes. */
#include "portions/shared_files.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

void shared_files_free(shared_files *files) {
    for (int i = 0; i < files->list_count; i++) free(files->lists[i].paths);
    if (files->count) file_set_known(NULL, 0);
    free(files->contents);
    bytes_free(&files->bytes);
    *files = (shared_files){0};
}

void shared_files_put(shared_files *files, const char *const *paths, int count) {
    const char **copy = allocation_get((size_t)count, sizeof *copy);
    for (int i = 0; i < count; i++) copy[i] = paths[i];
    files->lists[files->list_count].paths = copy;
    files->lists[files->list_count++].count = count;
}

static void put_file(byte_list *bytes, const char *path) {
    char why[1024] = "";
    size_t length = 0;
    char *text = file_read(path, &length, why, sizeof why);
    bytes_put_text(bytes, path);
    bytes_put_text(bytes, why);
    bytes_put_number(bytes, text ? length : 0);
    if (text) bytes_put(bytes, text, length);
    free(text);
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Every file once, in order of their paths. */
static void read_files(shared_files *files) {
    size_t all = 0, once = 0;
    for (int i = 0; i < files->list_count; i++) all += (size_t)files->lists[i].count;
    const char **paths = allocation_get(all, sizeof *paths);
    all = 0;
    for (int i = 0; i < files->list_count; i++) {
        bytes_put_number(&files->bytes, (uint64_t)files->lists[i].count);
        for (int k = 0; k < files->lists[i].count; k++) {
            bytes_put_text(&files->bytes, files->lists[i].paths[k]);
            paths[all++] = files->lists[i].paths[k];
        }
    }
    if (all) qsort(paths, all, sizeof *paths, by_text);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || strcmp(paths[i], paths[once - 1]) != 0) paths[once++] = paths[i];
    bytes_put_number(&files->bytes, once);
    for (size_t i = 0; i < once; i++) put_file(&files->bytes, paths[i]);
    free(paths);
}

static void find_texts(shared_files *files) {
    byte_reader from = {.at = files->bytes.bytes, .end = files->bytes.bytes + files->bytes.length};
    for (int i = 0; i < files->list_count; i++) {
        free(files->lists[i].paths);
        files->lists[i].count = (int)bytes_get_number(&from);
        files->lists[i].paths = allocation_get((size_t)files->lists[i].count, sizeof *files->lists[i].paths);
        for (int k = 0; k < files->lists[i].count; k++) files->lists[i].paths[k] = bytes_get_text(&from);
    }
    files->count = (size_t)bytes_get_number(&from);
    files->contents = allocation_get(files->count, sizeof *files->contents);
    for (size_t i = 0; i < files->count; i++) {
        file_contents *file = &files->contents[i];
        file->path = bytes_get_text(&from);
        file->why = bytes_get_text(&from);
        if (file->why && !*file->why) file->why = NULL;
        file->length = (size_t)bytes_get_number(&from);
        file->bytes = (const char *)bytes_get(&from, file->length);
    }
}

void shared_files_share(shared_files *files, const portion_engine *engine) {
    if (engine->is_writer) read_files(files);
    engine->share(engine->self, &files->bytes);
    find_texts(files);
    file_set_known(files->contents, files->count);
}

const char **shared_files_list(const shared_files *files, int list, int *count) {
    *count = files->lists[list].count;
    const char **copy = allocation_get((size_t)*count, sizeof *copy);
    for (int i = 0; i < *count; i++) copy[i] = files->lists[list].paths[i];
    return copy;
}
