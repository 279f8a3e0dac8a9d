/* Reading and compiling files of programs for tasks. Knows nothing of what is done with them. */
#include "data/program_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dialect_name.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "data/arc_json.h"
#include "data/json_file.h"
#include "data/task_batch.h"

enum { MOST_MESSAGES = 20 };

/* A file that is being read; by several threads, so that messages wait. */
typedef struct reading {
    arcl_context *context;
    arcl_dialect dialect;
    const char **paths;
    arcl_source **sources;
    arcl_error *errors;
} reading;

/* No program begins as JSON does. Returns whether the text is that, with a sentence in *error. */
static int is_json(const char *path, const char *text, size_t length, arcl_error *error) {
    size_t begin = 0;
    json_error_t ignored;
    json_node root;
    hoard memory = {0};
    while (begin < length && strchr(" \t\r\n", text[begin]) && text[begin]) begin++;
    if (begin == length || (text[begin] != '{' && text[begin] != '[')) return 0;
    int status = json_text_read(text, length, 0, &memory, &root, &ignored);
    arc_json kind = status ? ARC_JSON_OTHER : arc_json_kind(root);
    hoard_free(&memory);
    if (status == 0)
        snprintf(error->message, sizeof error->message, "%s: this is %s, and programs are expected here%s",
                 file_shown_name(path), arc_json_name(kind), arc_json_place(kind));
    return status == 0;
}

static void read_source(void *all, uint32_t i) {
    reading *r = all;
    size_t length;
    arcl_error *error = &r->errors[i];
    char *text = file_read(r->paths[i], &length, error->message, sizeof error->message);
    if (!text || is_json(r->paths[i], text, length, error) ||
        arcl_source_parse_dialect(r->context, text, length, file_shown_name(r->paths[i]), r->dialect, &r->sources[i],
                                  error))
        r->sources[i] = NULL;
    free(text);
}

static void add_entries(program_list *list, arcl_source *source, const char *path) {
    int more = arcl_source_count(source);
    list->entries = allocation_resize(list->entries, (size_t)(list->count + more), sizeof *list->entries);
    for (int i = 0; i < more; i++) {
        char defined[256];
        arcl_source_name(source, i, defined, sizeof defined);
        const char *name = path_program(&list->memory, path, hoard_text(&list->memory, defined));
        list->entries[list->count++] = (program_entry){.source = source,
                                                       .index = i,
                                                       .file = path,
                                                       .program = name,
                                                       .name = path_shown_name(&list->memory, path, name),
                                                       .policy = ARCL_STRICT};
    }
}

static void add_files(program_list *list, const reading *r, int count) {
    int bad = 0;
    for (int i = 0; i < count; i++) {
        if (r->sources[i]) {
            add_entries(list, r->sources[i], r->paths[i]);
            continue;
        }
        allocation_check(&r->errors[i]);
        if (bad++ < MOST_MESSAGES) message_error("%s", r->errors[i].message);
    }
    if (bad > MOST_MESSAGES) message_error("and %d more files like these", bad - MOST_MESSAGES);
    list->bad += bad;
}

void program_list_load_files(arcl_context *context, const char *dialect, const path_list *found, program_list *list) {
    reading r = {.context = context};
    *list = (program_list){.bad = found->bad};
    if (dialect_name_find(dialect, &r.dialect)) {
        list->bad += found->count;
        return;
    }
    r.paths = allocation_get((size_t)found->count, sizeof *r.paths);
    for (int i = 0; i < found->count; i++) r.paths[i] = hoard_text(&list->memory, found->paths[i]);
    r.sources = list->sources = allocation_get((size_t)found->count, sizeof *list->sources);
    r.errors = allocation_get((size_t)found->count, sizeof *r.errors);
    list->source_count = found->count;
    arcl_parallel(context, (uint32_t)found->count, read_source, &r);
    add_files(list, &r, found->count);
    free(r.errors);
    free(r.paths);
}

void program_list_load(arcl_context *context, const char *dialect, char *const *paths, int count, program_list *list) {
    path_list found = {0};
    hoard memory = {0};
    for (int i = 0; i < count; i++) path_list_add(&found, &memory, paths[i]);
    program_list_load_files(context, dialect, &found, list);
    free(found.paths);
    hoard_free(&memory);
}

int program_entry_is_named(const program_entry *entry, const char *name) {
    char defined[256];
    return strcmp(entry->name, name) == 0 || strcmp(entry->program, name) == 0 ||
           strcmp(arcl_source_name(entry->source, entry->index, defined, sizeof defined), name) == 0;
}

int program_entry_warn(arcl_context *context, const program_entry *e) {
    arcl_error error;
    arcl_program *program;
    if (e->policy != ARCL_SAFE || arcl_source_check(e->source, e->index, &error) == ARCL_SUCCESS) return 0;
    if (program_entry_compile_any(context, e, &program, &(int){0}, &(arcl_error){{0}}))
        return 0; /* which is said later */
    arcl_program_free(program);
    message_note("warning: this always fails: %s", error.message);
    return 1;
}

void program_list_set_policy(program_list *list, arcl_policy policy) {
    for (int i = 0; i < list->count; i++) list->entries[i].policy = policy;
}

void program_list_free(program_list *list) {
    for (int i = 0; i < list->source_count; i++) arcl_source_free(list->sources[i]);
    free(list->sources);
    free(list->entries);
    hoard_free(&list->memory);
    *list = (program_list){0};
}

int program_entry_check(const program_entry *entry, const arcl_program *program, arcl_error *error) {
    if (task_form_of(program) >= 0) return 0;
    snprintf(error->message, sizeof error->message,
             "%s: %s: the parameters of a program are I (the input), or S, I, C (train pairs, input, nothing)",
             entry->file, entry->name);
    return -1;
}

int program_entry_compile(arcl_context *context, const program_entry *entry, int grid_result, arcl_program **program,
                          arcl_error *error) {
    arcl_compile_options options = {.grid_result = grid_result, .policy = entry->policy};
    if (arcl_program_compile(context, entry->source, entry->index, &options, program, error)) {
        allocation_check(error);
        *program = NULL;
        return -1;
    }
    if (program_entry_check(entry, *program, error) == 0) return 0;
    arcl_program_free(*program);
    *program = NULL;
    return -1;
}

int program_entry_compile_any(arcl_context *context, const program_entry *entry, arcl_program **program, int *is_grid,
                              arcl_error *error) {
    arcl_error ignored;
    *is_grid = program_entry_compile(context, entry, 1, program, error) == 0;
    return *is_grid ? 0 : program_entry_compile(context, entry, 0, program, &ignored);
}
