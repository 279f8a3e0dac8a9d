/* Bytes that are put together to be kept or sent, and taken apart again. Numbers are short if they are small. */
#ifndef ARCL_BYTES_H
#define ARCL_BYTES_H
#include <stddef.h>
#include <stdint.h>

typedef struct byte_list {
    unsigned char *bytes;
    size_t length, room;
} byte_list;

/* A zeroed list is empty. Free it. */
void bytes_put(byte_list *list, const void *bytes, size_t length);
void bytes_put_number(byte_list *list, uint64_t number); /* 7 bits in a byte, the lowest first */
void bytes_put_text(byte_list *list, const char *text);
void bytes_free(byte_list *list);

/* What is not there, because the bytes end, is zero, and is_bad from then on. */
typedef struct byte_reader {
    const unsigned char *at, *end;
    int is_bad;
} byte_reader;

/* The next `length` bytes; NULL if there are fewer. */
const unsigned char *bytes_get(byte_reader *from, size_t length);
uint64_t bytes_get_number(byte_reader *from);
/* A text that ends with a zero; NULL if there is none. */
const char *bytes_get_text(byte_reader *from);

#endif
