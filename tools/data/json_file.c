#include "data/json_file.h"

#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/files.h"

static _Thread_local hoard scratch;
static _Thread_local int is_open;

/* Parsing asks for every value on its own, so this is kept short. */
static void *get(size_t size) {
    if (is_open) return hoard_get(&scratch, size);
    void *memory = malloc(size);
    if (!memory) allocation_none();
    return memory;
}

static void give_back(void *memory) {
    if (!is_open) free(memory);
}

void json_file_prepare(void) {
    json_set_alloc_funcs(get, give_back);
    json_object_seed(0); /* once and here, because threads parse JSON later */
}

json_t *json_file_open(const char *path, char *why, size_t size) {
    json_error_t error;
    size_t length;
    char *text = file_read(path, &length, why, size);
    if (!text) return NULL;
    is_open = 1;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    free(text);
    if (root) return root;
    json_file_close(NULL);
    snprintf(why, size, "%s:%d:%d: cannot be read as JSON: %s", path, error.line, error.column, error.text);
    return NULL;
}

void json_file_close(json_t *root) {
    (void)root; /* it goes with the rest */
    hoard_free(&scratch);
    is_open = 0;
}
