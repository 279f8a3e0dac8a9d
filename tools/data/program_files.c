/* Reading and compiling files of programs for tasks. Knows nothing of what is done with them. */
#include "data/program_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "data/task_batch.h"

static arcl_source *read_source(arcl_context *context, const char *path) {
    arcl_error error = {{0}};
    arcl_source *source = NULL;
    size_t length;
    char *text = file_read(path, &length, error.message, sizeof error.message);
    if (!text || arcl_source_parse(context, text, length, path, &source, &error)) {
        allocation_check(&error);
        message_error("%s", error.message);
        source = NULL;
    }
    free(text);
    return source;
}

void program_list_load(arcl_context *context, char *const *paths, int count, program_list *list) {
    *list = (program_list){0};
    list->sources = allocation_get((size_t)count, sizeof *list->sources);
    list->source_count = count;
    for (int i = 0; i < count; i++) {
        arcl_source *source = list->sources[i] = read_source(context, paths[i]);
        if (!source) {
            list->bad++;
            continue;
        }
        int more = arcl_source_count(source);
        list->entries = allocation_resize(list->entries, (size_t)(list->count + more), sizeof *list->entries);
        for (int j = 0; j < more; j++) {
            char name[256];
            arcl_source_name(source, j, name, sizeof name);
            list->entries[list->count++] =
                (program_entry){source, j, paths[i], hoard_text(&list->memory, name), ARCL_STRICT};
        }
    }
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
