/* A directory of files of results, shared by processes. Each writes files of its own and never changes one, so that
 * none has to wait for another. When there are many small files, one process joins them; when they take too much room,
 * those go that nobody has used for longest.
 *
 *   DIRECTORY/   0123456789abcdef.results   by time and process; result_file.h has the format
 *                lock                       held by the process that joins and removes files
 */
#ifndef ARCL_RESULT_STORE_H
#define ARCL_RESULT_STORE_H
#include "keep/result_file.h"

typedef struct result_store { /* starts out with what its user wants, and the rest zeroed */
    char *directory;          /* NULL: there is none, and nothing happens */
    uint64_t most_bytes;      /* of all its files */
    result_file *file;
    int count, is_listed;
    section_buffer buffer;
    uint64_t sections_read, files_written, files_refused;
    int unwritable; /* errno of the first write that failed; 0: none has */
    char notice[512];
} result_store;

/* Adds to the set what the files have for its owner. */
void result_store_read(result_store *s, const result_owner *owner, size_t most_bytes, result_set *set);

/* A new file: begin, add to the writer, end. Both return 0 if that failed; the notice says why. */
int result_store_write_begin(result_store *s, result_writer *w);
int result_store_write_end(result_store *s, result_writer *w);

/* Joins and removes files, if it is time to and no other process is about it. */
void result_store_tidy(result_store *s);

void result_store_end(result_store *s);

#endif
