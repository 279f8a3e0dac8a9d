/* Whole files in, whole files out: reading into memory, and writing so that a file is either the old or the new one. */
#ifndef ARCL_FILES_H
#define ARCL_FILES_H
#include <stddef.h>
#include <stdio.h>

/* "-" is standard input, which can be read once; messages call it by its name. */
int file_is_standard_input(const char *path);
const char *file_shown_name(const char *path);

/* The bytes of a file, followed by a zero; free() them. NULL if that fails, with the reason in why. Prints nothing, so
 * that threads may use it. */
char *file_read(const char *path, size_t *length, char *why, size_t size);

/* Contents of a file that somebody else has read, or why it could not be read. */
typedef struct file_contents {
    const char *path;
    const char *bytes;
    size_t length;
    const char *why; /* NULL: it could be */
} file_contents;

/* From now on file_read takes these instead of reading: for processes that get their files from another one. They are
 * in order of their paths and must stay. */
void file_set_known(const file_contents *list, size_t count);

/* A file being written: beside its final place until file_commit moves it there, and gone if the command is interrupted
 * before. Devices and pipes are written directly, and so is standard output, which "-" stands for. */
typedef struct file_output {
    FILE *stream;
    char *path, *temporary; /* temporary is NULL when written directly */
} file_output;

/* Whether a name looks like that of a file which file_create has begun, and which a kill has left behind. */
int file_is_temporary(const char *name);

/* These return 0, or -1 after a message. */
/* Before anything is printed, if a file will be "-": what else is printed goes to standard error from then on. */
int file_reserve_standard_output(void);
int file_create(file_output *output, const char *path);
int file_commit(file_output *output);
/* Forgets what was written. Does nothing after file_commit or on a zeroed output. */
void file_discard(file_output *output);

#endif
