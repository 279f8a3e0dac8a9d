/* Files of programs in folders, and what their paths say of the programs in them. */
#ifndef ARCL_PROGRAM_FOLDER_H
#define ARCL_PROGRAM_FOLDER_H
#include "cli/allocation.h"

typedef struct path_list {
    const char **paths;
    int count, room;
    int bad; /* folders that could not be read, for which a message was printed */
} path_list;

/* Adds the path of a file; of a folder, all files in it and below whose names end in .py or .def, in order of their
 * paths. What begins with a dot is passed over. The texts belong to the hoard; free the paths. */
void path_list_add(path_list *list, hoard *memory, const char *path);

/* A program `solve` that lies below a folder, or in a file, solve_ID is for that task: returns "solve_ID", else the
 * name as it is defined. */
const char *path_program(hoard *memory, const char *path, const char *name);

/* How a program is called in what is printed: with the beginning of its file's name, if that is a hash, since then many
 * files have programs of one name. */
const char *path_shown_name(hoard *memory, const char *path, const char *name);

#endif
