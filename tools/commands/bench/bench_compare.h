/* Two measurements compared: by how much each benchmark has changed, and whether that is more than chance. */
#ifndef ARCL_BENCH_COMPARE_H
#define ARCL_BENCH_COMPARE_H
#include <jansson.h>

/* A measurement that is compared, and what it is called in messages. */
typedef struct bench_file {
    const char *name;
    json_t *content;
} bench_file;

/* Reads any file in google-benchmark's layout. 0, or -1 after a message. */
int bench_file_load(const char *path, bench_file *file);

/* Prints the comparison. Returns an exit status. */
int bench_compare(const bench_file *before, const bench_file *after);

#endif
