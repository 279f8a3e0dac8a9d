#include "portions/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

void bytes_put(byte_list *list, const void *bytes, size_t length) {
    if (length > list->room - list->length) {
        list->room = 2 * list->room + length + 64;
        list->bytes = allocation_resize(list->bytes, list->room, 1);
    }
    if (length) memcpy(list->bytes + list->length, bytes, length);
    list->length += length;
}

void bytes_put_number(byte_list *list, uint64_t number) {
    unsigned char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (unsigned char)((number & 127) | (number > 127 ? 128 : 0));
        number >>= 7;
    } while (number);
    bytes_put(list, digits, count);
}

void bytes_put_text(byte_list *list, const char *text) {
    bytes_put_number(list, strlen(text));
    bytes_put(list, text, strlen(text) + 1);
}

void bytes_free(byte_list *list) {
    free(list->bytes);
    *list = (byte_list){0};
}

const unsigned char *bytes_get(byte_reader *from, size_t length) {
    const unsigned char *found = from->at;
    from->is_bad |= length > (size_t)(from->end - from->at);
    if (from->is_bad) return NULL;
    from->at += length;
    return found;
}

uint64_t bytes_get_number(byte_reader *from) {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const unsigned char *digit = bytes_get(from, 1);
        if (!digit) return 0;
        number |= (uint64_t)(*digit & 127) << shift;
        if (*digit < 128) return number;
    }
    from->is_bad = 1;
    return 0;
}

const char *bytes_get_text(byte_reader *from) {
    uint64_t length = bytes_get_number(from);
    const char *text = length < SIZE_MAX ? (const char *)bytes_get(from, (size_t)length + 1) : NULL;
    from->is_bad |= !text || text[length];
    return from->is_bad ? NULL : text;
}
