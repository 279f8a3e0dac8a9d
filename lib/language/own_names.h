/* The names that a text defines itself, outside of definitions: of these, and of constants. */
#ifndef ARCL_OWN_NAMES_H
#define ARCL_OWN_NAMES_H
#include "language/syntax.h"

typedef struct own_names {
    definition **entry; /* in the order of the text */
    int count;
    uint32_t *slot;    /* hashed: the last entry of a name + 1, or 0 */
    uint32_t *earlier; /* per entry: the one of the same name before it + 1, or 0 */
    uint32_t slots;    /* a power of two */
} own_names;

/* Takes the names of definitions, which must outlive it. Programs of batteries have none that anybody could call.
 * Returns 0 when there is no memory. Free it in both cases. */
int own_names_make(own_names *names, definition *const *definitions, int count);
void own_names_free(own_names *names);

/* A text that was put together from others may have the same definition twice: if the one is used, so is the other. */
void own_names_share_use(own_names *names, const char *text);

/* The last definition of a name that begins before a position of the text; NULL if there is none. */
definition *own_names_find(const own_names *names, const char *name, uint32_t length, uint32_t before);

#endif
