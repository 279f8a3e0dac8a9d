/* Results in a file, for other processes: a section per program. A file is written once, as a whole, and never changed.
 * Of one that is cut off, damaged, written by another version or possibly by somebody else nothing is used.
 *
 *   file:    | "arclres1" | 0x0102030405060708 |                        numbers are as the machine has them
 *            | a section | a section | ..
 *            | index: per section its key, where it begins and how many bytes it has |
 *            | where the index begins | sections | hash of the index, 16 bytes | "arclend1" |
 *   section: | bytes of the identity | words of data |
 *            | the identity (program_identity.h), padded with zeros to 8 bytes |
 *            | data: entries of a result_set |
 *            | hash of the section up to here, 16 bytes |
 */
#ifndef ARCL_RESULT_FILE_H
#define ARCL_RESULT_FILE_H
#include <stdio.h>

#include "keep/result_set.h"
#include "program/program_identity.h"

typedef struct result_section {
    arcl_key key; /* of the identity */
    uint64_t at, bytes;
} result_section;

typedef struct result_file {
    int file; /* open, so that it can be read even if it is removed */
    char *path;
    uint64_t bytes;
    result_section *section; /* sorted by key */
    size_t sections;
    int used;    /* something was read from it, and its time brought up to date */
    int damaged; /* a section of it is */
} result_file;

/* What a set of results is for. */
typedef struct result_owner {
    const program_identity *identity;
    const type_code *types; /* of the program's result */
    int type_count;
} result_owner;

typedef enum file_outcome {
    FILE_DONE,
    FILE_ABSENT,
    FILE_DAMAGED, /* it is there, but is not what was written */
    FILE_REFUSED, /* it may have been written by somebody else */
    FILE_FAILED   /* errno says why */
} file_outcome;

/* Memory for one section after the other; free(at). */
typedef struct section_buffer {
    unsigned char *at;
    size_t room;
} section_buffer;

file_outcome result_file_open(const char *path, result_file *f);
void result_file_close(result_file *f);

/* Adds to the set what the file has for its owner. */
file_outcome result_file_read(result_file *f, const result_owner *owner, size_t most_bytes, section_buffer *b,
                              result_set *s);

/* Reads a section into the buffer and checks it. 0 if it is damaged or there is no memory. */
int result_section_load(const result_file *f, const result_section *s, section_buffer *b);

/* ---- writing: next to the final place, until it is complete ---- */

typedef struct result_writer {
    FILE *out;
    char *path, *temporary;
    result_section *section;
    size_t sections, room;
    uint64_t at;
    int failed;
} result_writer;

/* All return 0, with errno, if they failed; the writer must be ended all the same. */
int result_writer_begin(result_writer *w, const char *path);
int result_writer_add(result_writer *w, const program_identity *identity, const word *data, size_t words);
int result_writer_add_section(result_writer *w, const result_file *from, const result_section *s, section_buffer *b);
int result_writer_end(result_writer *w);

#endif
