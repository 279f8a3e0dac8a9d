/* The fixed parts of a file of results, as result_file.h draws them. */
#ifndef ARCL_RESULT_FORMAT_H
#define ARCL_RESULT_FORMAT_H
#include "base/hash.h"

#define BYTE_ORDER_MARK 0x0102030405060708u

typedef struct file_head {
    char magic[8];
    uint64_t order;
} file_head;

typedef struct file_end {
    uint64_t index_at, sections;
    arcl_key hash;
    char magic[8];
} file_end;

typedef struct section_head {
    uint64_t identity_bytes, data_words;
} section_head;

static const char result_magic[8] = {'a', 'r', 'c', 'l', 'r', 'e', 's', '2'};
static const char result_end_magic[8] = {'a', 'r', 'c', 'l', 'e', 'n', 'd', '1'};

static inline size_t padded(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

#endif
