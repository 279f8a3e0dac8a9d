/* Memory for the command. It cannot do anything useful without, so running out ends it here with a message. */
#ifndef ARCL_ALLOCATION_H
#define ARCL_ALLOCATION_H
#include <stddef.h>

/* count * size bytes, zeroed. free() them. */
void *allocation_get(size_t count, size_t size);
/* Resizes what allocation_get gave (or NULL); new bytes are not zeroed. */
void *allocation_resize(void *old, size_t count, size_t size);

/* Many small things with one owner and one end. A zeroed struct is an empty hoard. */
typedef struct hoard {
    struct hoard_block *blocks;
    size_t used;
} hoard;

/* Zeroed and aligned for any type; valid until hoard_free. */
void *hoard_get(hoard *owner, size_t size);
char *hoard_text(hoard *owner, const char *text);
void hoard_free(hoard *owner);

#endif
