/* Files of programs: the definitions of several files in one list, with where each comes from. */
#ifndef ARCL_PROGRAM_FILES_H
#define ARCL_PROGRAM_FILES_H
#include "arcl.h"
#include "cli/allocation.h"
#include "data/program_folder.h"

typedef struct program_entry {
    const arcl_source *source;
    int index;               /* of the definition in the source */
    const char *file, *name; /* as messages and results have it */
    const char *program;     /* by which its task is found: as it is defined, or what its path says */
    arcl_policy policy;
} program_entry;

typedef struct program_list {
    program_entry *entries;
    int count;
    arcl_source **sources;
    int source_count;
    int bad; /* files that could not be read or parsed, for which a message was printed */
    hoard memory;
} program_list;

/* Reads what can be read, of folders the files below; the caller decides what `bad` files mean. Free the list. The
 * files are in the dialect of that name, or in what they say if it is NULL; if there is no such dialect, none is read
 * and all of them are bad. */
void program_list_load(arcl_context *context, const char *dialect, char *const *paths, int count, program_list *list);
/* The same of files that were found. */
void program_list_load_files(arcl_context *context, const char *dialect, const path_list *found, program_list *list);
void program_list_free(program_list *list);

/* Whether a user who says that name means it. */
int program_entry_is_named(const program_entry *entry, const char *name);

/* Says it if a safe program uses names that stand for nothing, which is often a mistake. Returns whether it does. */
int program_entry_warn(arcl_context *context, const program_entry *entry);

/* All programs are strict before that. */
void program_list_set_policy(program_list *list, arcl_policy policy);

/* Compiles for a task: one parameter I, a grid; the result is a grid if grid_result, else whatever it is. Returns 0, or
 * -1 with the reason in error. May be called from several threads at once. */
int program_entry_compile(arcl_context *context, const program_entry *entry, int grid_result, arcl_program **program,
                          arcl_error *error);

/* The same for a program that may yield anything. *is_grid says whether it is a grid; the error is that of compiling
 * for one. */
int program_entry_compile_any(arcl_context *context, const program_entry *entry, arcl_program **program, int *is_grid,
                              arcl_error *error);

/* Whether a program that was compiled otherwise is for tasks; returns likewise. */
int program_entry_check(const program_entry *entry, const arcl_program *program, arcl_error *error);

#endif
