/* Definitions as program text: what the parser reads, written. Variables are x1, x2, .. in order of their numbers, and
 * parameters I, S and C keep their names, which give them their types; others are p1 to p4. */
#ifndef ARCL_TREE_TEXT_H
#define ARCL_TREE_TEXT_H
#include <stddef.h>

#include "language/syntax.h"

/* Text that grows. Starts out zeroed; free(at). Always terminated once something has been added. */
typedef struct text_buffer {
    char *at;
    size_t length, room;
    int failed;        /* for want of memory: what was added since is lost */
    arcl_key *defined; /* functions that tree_write_defined has written; buffer_forget_defined frees that */
    int defined_count;
} text_buffer;

void buffer_add(text_buffer *t, const char *more, size_t n);
void buffer_add_string(text_buffer *t, const char *more);
void buffer_add_number(text_buffer *t, int64_t number);

/* The definitions of the functions that a definition names and does not call, and of those that these name, each once
 * in a text. They are called by what they say, so that the same function has the same name everywhere. */
void tree_write_defined(text_buffer *t, const definition *d);
void tree_write_defined_name(text_buffer *t, const definition *form);
void buffer_forget_defined(text_buffer *t);

/* With the name that is given, which may be empty: names do not change what programs do. */
void tree_write(text_buffer *t, const definition *d, const char *name, size_t name_length);

/* What tells a normal form from all others: its text without a name, and its dialect, since the same words can mean
 * different things. */
void tree_write_key(text_buffer *t, const definition *form);

#endif
