#include "data/json_file.h"

#include <stdlib.h>

#include "cli/files.h"
#include "data/json_reader.h"

/* A tree of jansson's that only lives until it is copied has its memory from one place, given back at once. */
static _Thread_local hoard scratch;
static _Thread_local int is_open;

/* Parsing asks for every value on its own, so this is kept short. */
static void *get(size_t size) {
    if (is_open) return hoard_take(&scratch, size);
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

int json_text_read(const char *text, size_t length, size_t flags, hoard *memory, json_node *root, json_error_t *error) {
    if (json_reader_read(text, length, memory, root) == 0) return 0;
    is_open = 1;
    json_t *tree = json_loadb(text, length, JSON_REJECT_DUPLICATES | flags, error);
    if (tree) *root = node_of_json(memory, tree);
    hoard_free(&scratch);
    is_open = 0;
    return tree ? 0 : -1;
}

int json_file_read(const char *path, hoard *memory, json_node *root, char *why, size_t size) {
    json_error_t error;
    size_t length;
    char *text = file_read(path, &length, why, size);
    if (!text) return -1;
    int status = json_text_read(text, length, JSON_DECODE_ANY, memory, root, &error);
    free(text);
    if (status)
        snprintf(why, size, "%s:%d:%d: cannot be read as JSON: %s", file_shown_name(path), error.line, error.column,
                 error.text);
    return status;
}
