/* JSON as it comes: text that goes to a file part by part, so that nothing has to be kept, and millions of numbers cost
 * little. What is written is the caller's business; a comma is put wherever one is missing. */
#ifndef ARCL_JSON_WRITER_H
#define ARCL_JSON_WRITER_H
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_writer {
    FILE *out;
    size_t used;
    int comma;         /* before the next value or key */
    char buffer[8192]; /* what has not been handed to `out` yet */
} json_writer;

/* A zeroed writer with an `out` begins. Whether writing went well is what the stream knows. */
void json_write_end(json_writer *w);

void json_write_open(json_writer *w, char bracket); /* { or [ */
void json_write_close(json_writer *w, char bracket);
void json_write_key(json_writer *w, const char *key);  /* plain text, which needs no escapes */
void json_write_name(json_writer *w, const char *key); /* any text as a key */
void json_write_text(json_writer *w, const char *text);
void json_write_text_or_null(json_writer *w, const char *text);
void json_write_int(json_writer *w, int64_t number);
void json_write_int_member(json_writer *w, const char *key, uint64_t number); /* with a plain key */
void json_write_bool(json_writer *w, int truth);
void json_write_null(json_writer *w);
void json_write_seconds(json_writer *w, double seconds);
void json_write_hex(json_writer *w,
                    uint64_t number); /* as a text of 16 digits: not every reader of JSON has 64-bit ints */
void json_write_grid(json_writer *w, int h, int wide, const signed char *cells);
void json_write_value(json_writer *w, json_t *value); /* which is taken */

/* Between entries, for people and line-based tools. */
void json_write_newline(json_writer *w);

#endif
