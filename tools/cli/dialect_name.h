/* Dialects by the names that users give. */
#ifndef ARCL_DIALECT_NAME_H
#define ARCL_DIALECT_NAME_H
#include "arcl.h"

/* The dialect of that name; of no name (NULL), the one that a text says. Returns 0, or -1 after a message. */
int dialect_name_find(const char *name, arcl_dialect *dialect);

#endif
