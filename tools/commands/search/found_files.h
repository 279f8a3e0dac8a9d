/* The programs that were found, as files: solve_ID/RIGHT/SPEED/MD5.py, the layout in which tokpidjin keeps its solvers,
 * so that either can read the other's. RIGHT is the number of train examples that are right, SPEED is larger for
 * programs that need less, and MD5 is that of the file. */
#ifndef ARCL_FOUND_FILES_H
#define ARCL_FOUND_FILES_H
#include "commands/search/found_task.h"

/* Whether a task's id can be a part of a folder's name. */
int found_files_can_name(const char *id);

/* The path of a program's file below the folder of all, in `memory`. */
char *found_files_path(hoard *memory, const found_task *found, const found_program *program);

/* Writes the files of a task below a folder. Those that are there stay as they are; files of programs of this task that
 * were found before and are not among these are removed. Returns 0, or -1 after a message. */
int found_files_write(const char *folder, const found_task *found);

#endif
