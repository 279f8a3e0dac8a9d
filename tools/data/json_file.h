/* JSON files that are read, looked at and forgotten. Most of such a file are the cells of grids, a value each: their
 * memory comes from one place and is given back at once: a fifth of the time that reading takes. */
#ifndef ARCL_JSON_FILE_H
#define ARCL_JSON_FILE_H
#include <jansson.h>

/* Before anything else uses jansson, and before there are threads. From then on no function of jansson fails for want
 * of memory: that ends the command. */
void json_file_prepare(void);

/* What the file holds, for this thread, until json_file_close; a thread has one file at a time. NULL: `why` says why it
 * is refused, with the file's name. */
json_t *json_file_open(const char *path, char *why, size_t size);
void json_file_close(json_t *root); /* may be NULL */

#endif
