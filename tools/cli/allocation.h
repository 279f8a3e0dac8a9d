/* Memory for the command. It cannot do anything useful without, so running out ends it here with a message. */
#ifndef ARCL_ALLOCATION_H
#define ARCL_ALLOCATION_H
#include <stddef.h>

#include "arcl.h"

/* After a call of the library that has failed: ends the command as well if that was for want of memory. A limit that
 * was reached has other words than that and is the caller's business. */
void allocation_check(const arcl_error *error);

/* Ends the command, as running out does. */
_Noreturn void allocation_none(void);

/* A copy of a text. free() it. */
char *allocation_text(const char *text);
/* count * size bytes, zeroed. free() them. */
void *allocation_get(size_t count, size_t size);
/* Resizes what allocation_get gave (or NULL); new bytes are not zeroed. */
void *allocation_resize(void *old, size_t count, size_t size);

/* Many small things with one owner and one end. A zeroed struct is an empty hoard. */
typedef struct hoard {
    struct hoard_block *blocks;
    size_t used;
} hoard;

/* Aligned for any type and valid until hoard_free; what hoard_get gives is zeroed too. */
void *hoard_take(hoard *owner, size_t size);
void *hoard_get(hoard *owner, size_t size);
char *hoard_text(hoard *owner, const char *text);
void hoard_free(hoard *owner);

#endif
