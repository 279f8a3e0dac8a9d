/* The lines of vector files, in order: what is checked. */
#ifndef ARCL_CHECK_LINES_H
#define ARCL_CHECK_LINES_H
#include <stddef.h>

typedef struct check_line {
    const char *text;
    size_t length;
    int file, number; /* among its lines, from 1 */
} check_line;

typedef struct check_lines {
    const char *const *paths;
    char **texts; /* of the files */
    int file_count;
    check_line *list; /* those that are not blank */
    size_t count, room;
} check_lines;

/* Reads the files; the paths must outlive the lines. Returns 0, or -1 after a message. Free them in both cases. */
int check_lines_read(check_lines *lines, const char *const *paths, int count);
void check_lines_free(check_lines *lines);

#endif
